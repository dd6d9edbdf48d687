/** From the flags of `chain` to its query and view, or to the saved reply that they name. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Asked from "../asking/call.ts"
import { modeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Display, Input } from "../commands/chain.ts"
import { CommandError } from "../failure/failure.ts"
import type { Size } from "../output/output.ts"
import * as Rows from "../output/rows.ts"
import * as Ladder from "../views/ladder.ts"
import * as Order from "../views/order.ts"
import type { View } from "../views/view.ts"
import { numbersOf } from "./numbers.ts"
import * as SavedReply from "./savedReply.ts"

/** How a chain is shown; its columns are checked before anything is sent. */
const viewOf = Effect.fnUntraced(function*(display: Display | undefined, columns: ReadonlyArray<string>) {
  const order = yield* Order.read(Option.getOrUndefined(display?.sort ?? Option.none()), columns)
  return {
    rows: (chain: Ladder.AnyChain) => Rows.ofTable(Order.sorted(chain, order)),
    lines: (chain: Ladder.AnyChain, size: Size, now: number) =>
      order === undefined
        ? Ladder.lines(chain, { ...size, now }, {
          all: display?.all ?? false,
          strikes: Option.getOrUndefined(display?.strikes ?? Option.none()),
          expirations: Option.getOrUndefined(display?.expirations ?? Option.none())
        })
        : Ladder.listing(Order.sorted(chain, order), { ...size, now }, { all: display?.all ?? false })
  } satisfies View<Ladder.AnyChain>
})

/** Strikes and expirations are counted where calls stand beside puts, which goes by their symbols. */
const counts = Effect.fnUntraced(function*(display: Display | undefined, columns: ReadonlyArray<string>) {
  if (display === undefined || columns.includes("optionSymbol")) return
  for (const [flag, count] of [["--strikes", display.strikes], ["--expirations", display.expirations]] as const) {
    if (Option.isNone(count)) continue
    return yield* InvalidQuery.of(flag, count.value, {
      rule: "needs the option symbols, by which calls stand beside puts",
      example: `--columns optionSymbol,${columns.join()} ${flag} ${count.value}`
    })
  }
})

/**
 * The most contracts that are sent for. Where each of them costs, the service is told to send no more than `--contracts`, so that no wrong guess
 * passes a budget; a cached chain costs the same whole.
 */
const limitOf = (mode: DataMode.DataMode | undefined, contracts: Option.Option<number>, limit: Option.Option<number>) =>
  Option.getOrUndefined(DataMode.isCached(mode) ? limit : Option.orElse(limit, () => contracts))

const queryOf = Effect.fnUntraced(function*({ contracts, filters, symbol, ...flags }: Input, isSent: boolean) {
  const { columns, delta, strike, ...plain } = filters
  const mode = yield* modeOf(flags, Option.isSome(filters.date))
  const options = {
    ...optionsOf({ ...plain, columns }),
    strike: yield* numbersOf("--strike", strike, "150-160"),
    delta: yield* numbersOf("--delta", delta, "0.2-0.8"),
    mode,
    ...(isSent ? { limit: limitOf(mode, contracts, plain.limit) } : {}),
    assume: { contracts: Option.getOrUndefined(contracts) }
  }
  // The constructor checks at run time what types cannot know of a command line: which filters exclude each other, which columns there are.
  return yield* Effect.fromResult(
    Query.optionChain(Option.getOrElse(symbol, () => ""), options as OptionChain.Options)
  )
})

export const of = Effect.fnUntraced(function*(input: Input, display?: Display) {
  if (Option.isNone(input.symbol)) {
    return yield* new CommandError({
      class: "usage",
      reason: "NoSymbol",
      message: "no underlying is named, e.g. `marketdata chain SPX`. Nothing was sent.",
      next: "a saved reply needs none: `marketdata chain --reply FILE`"
    })
  }
  const query = yield* queryOf(input, display !== undefined)
  yield* counts(display, query.returns)
  return {
    query,
    view: yield* viewOf(display, query.returns),
    fallbackUpTo: input.fallbackUpTo,
    every: display?.watch ?? Option.none()
  }
})

const isDay = (text: string): boolean => Result.isSuccess(CalendarDate.parse(text))

/** The file of a saved reply: that of `--reply`, or of `--from` where no day can be meant. */
const fileOf = ({ filters, symbol }: Input, { reply }: Display): string | undefined =>
  Option.isSome(reply)
    ? reply.value
    : Option.isNone(symbol) && Option.isSome(filters.from) && !isDay(filters.from.value)
    ? filters.from.value
    : undefined

export const savedReply = (input: Input, display: Display): Asked.SavedReply | undefined => {
  const file = fileOf(input, display)
  return file === undefined ? undefined : SavedReply.shown(file, {
    isAlone: Option.isNone(input.symbol),
    viewOf: (columns) => viewOf(display, columns)
  })
}
