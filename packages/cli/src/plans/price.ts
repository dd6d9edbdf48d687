/** `estimate`: what a call costs, once or on a schedule, without asking it. */
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Askable, nameOf } from "../asking/askable.ts"
import * as FlagNames from "../asking/flagNames.ts"
import { type Made, queriesOf } from "../asking/call.ts"
import type { PriceInput } from "../asking/priceFlags.ts"
import { CommandError } from "../failure/failure.ts"
import { print } from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Sizes from "../asking/sizes.ts"
import * as Own from "../settings/own.ts"
import * as Service from "../settings/service.ts"
import * as Budget from "./budget.ts"
import * as FlagValues from "./flagValues.ts"
import * as Modes from "./modes.ts"
import * as Rows from "./rows.ts"
import * as Schedule from "./schedule.ts"
import * as Shown from "./shown.ts"
import { epochSeconds } from "../text/epochSeconds.ts"

/** How requests are cut is a matter of settings. */
export const cutting = Effect.gen(function*() {
  return {
    baseUrl: yield* Service.address,
    maxSymbols: Option.getOrUndefined(yield* Config.option(Own.maxSymbols))
  }
})

/** Prices by the sizes of chains that commands have seen: those of the service that the settings name, or of the public one. */
export const bySizes = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const baseUrl = yield* Service.address
    return yield* Effect.provide(self, Sizes.layer({ baseUrl, embedded: false, isReadOnly: true }))
  })

/** The present, and the calendar that schedules go by. */
export const present = Effect.map(epochSeconds, (now): Schedule.Now => ({ now, calendar: TradingCalendar.NYSE }))

/** What cannot be priced cannot be sent either. */
export const usage = ({ _tag, message }: { readonly _tag: string; readonly message: string }) =>
  new CommandError({ class: "usage", reason: _tag, message })

/** The document, made by its schema, which nothing else needs. */
const inSchema = (priced: Modes.Priced, buys: Budget.Buys | undefined) =>
  Effect.map(
    Effect.promise(() => import("./document.ts")),
    (Document) => Document.encodeEstimated(Document.estimated(priced, buys))
  )

/** Prints what a call costs. */
export const price = Effect.fnUntraced(function*<Data>(askable: Askable, made: Made<Data>, input: PriceInput) {
  const call = yield* Effect.mapError(
    made,
    (error) => error._tag === "InvalidQuery" ? usage(FlagNames.named(error)) : error
  )
  const { format, size } = yield* Output
  const now = yield* present
  const when = Option.getOrUndefined(input.when)
  const schedule = when === undefined
    ? Schedule.once(now.now)
    : yield* Effect.mapError(
      Effect.fromResult(Schedule.parse(when, now)),
      ({ _tag, at, message }) => usage({ _tag, message: `--when, character ${at + 1}: ${message}` })
    )
  const task = {
    name: [nameOf(askable), ...call.query.subject === "" ? [] : [call.query.subject]].join(" "),
    when: when ?? "once",
    queries: queriesOf(call),
    fallbackUpTo: Option.getOrUndefined(call.fallbackUpTo ?? Option.none()),
    schedule,
    need: Option.getOrUndefined(Option.map(input.freshWithin, (duration) => ({
      seconds: Duration.toSeconds(duration),
      mayMiss: input.mayMiss
    })))
  }
  const cut = yield* cutting
  const seen = yield* Sizes.seenOf(call.query, cut.baseUrl)
  const priced = yield* Effect.mapError(
    Effect.fromResult(Modes.price({ task, seen }, cut, Option.getOrUndefined(input.hitRate))),
    usage
  )
  const flags = new Set(FlagValues.namedOf(askable.config).map(({ name }) => `--${name}`))
  const bounding = ["contracts", "candles", "symbols"].flatMap((name) =>
    flags.has(`--${name}`) ? [`--${name} COUNT`] : []
  )
  const buys = Option.getOrUndefined(
    Option.map(input.budget, (credits) => Budget.buys({ query: call.query, credits, flags, seen }))
  )
  yield* print({
    json: format === "json" ? yield* inSchema(priced, buys) : {},
    rows: Rows.rowsOf([priced]),
    lines: Shown.estimated(priced, buys, bounding, (yield* size).columns)
  })
}, bySizes)
