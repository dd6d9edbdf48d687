/** From the flags of `quote` to its queries and view, or to the saved reply that they name. */
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { modeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type * as Asked from "../asking/call.ts"
import type { Display, Input } from "../commands/quote.ts"
import type { Size } from "../output/output.ts"
import * as Rows from "../output/rows.ts"
import * as Contracts from "../views/contracts.ts"
import * as Order from "../views/order.ts"
import type { View } from "../views/view.ts"
import * as SavedReply from "./savedReply.ts"

type AnyQuotes = Omit<OptionQuote.OptionQuote, OptionQuote.Column>

const viewOf = Effect.fnUntraced(function*(display: Display | undefined, columns: ReadonlyArray<string>) {
  const order = yield* Order.read(Option.getOrUndefined(display?.sort ?? Option.none()), columns)
  return {
    rows: (quotes: AnyQuotes) => Rows.ofTable(Order.sorted(quotes, order)),
    lines: (quotes: AnyQuotes, size: Size, now: number) => Contracts.lines(Order.sorted(quotes, order), size, now)
  } satisfies View<AnyQuotes>
})

/** Reads a symbol, with or without the blanks that fill its root to six characters. */
const symbolOf = (text: string) => {
  const padded = OptionSymbol.parseOsi(text)
  return Result.isSuccess(padded) || text.includes(" ") ? padded : OptionSymbol.parse(text)
}

const symbolsOf = (texts: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(texts, (text) =>
      Effect.mapError(Effect.fromResult(symbolOf(text)), (error) => InvalidQuery.of("symbol", text, error))),
    (symbols) => [...new Map(symbols.map((symbol) => [OptionSymbol.format(symbol), symbol])).values()]
  )

export const of = Effect.fnUntraced(function*({ credits, past, symbols, ...modes }: Input, display?: Display) {
  const mode = yield* modeOf(modes, [past.date, past.from, past.to].some((day) => Option.isSome(day)))
  const options = { ...optionsOf(past), mode, assume: { credits: Option.getOrUndefined(credits) } }
  const queries = yield* Effect.forEach(yield* symbolsOf(symbols), (symbol) =>
    // The constructor checks at run time what types cannot know of a command line.
    Effect.fromResult(Query.optionQuote(symbol, options as OptionQuote.Options)))
  const [query, ...others] = queries
  if (query === undefined) {
    return yield* InvalidQuery.of("symbol", "", {
      rule: "must be an option symbol, or leave it out with --reply FILE",
      example: "marketdata quote AAPL261218C00350000"
    })
  }
  return {
    query,
    list: { others, join: (parts) => ColumnTable.merge(OptionQuote.spec, parts) },
    view: yield* viewOf(display, query.returns),
    fallbackUpTo: modes.fallbackUpTo,
    every: display?.watch ?? Option.none()
  } satisfies Asked.Call<OptionQuote.OptionQuote>
})

export const savedReply = ({ symbols }: Input, display: Display): Asked.SavedReply | undefined =>
  Option.isNone(display.reply) ? undefined : SavedReply.shown(display.reply.value, {
    isAlone: symbols.length === 0,
    viewOf: (columns) => viewOf(display, columns)
  })
