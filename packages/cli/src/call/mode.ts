/** From flags to the options of a query: the data mode, which takes three flags, and days relative to today. */
import { QueryText } from "@effect-marketdata/core"
import { Config, Effect, Option } from "effect"
import * as Settings from "../settings/settings.ts"
import { epochSeconds } from "../text/words.ts"
import type { Mode, Range } from "./flags.ts"

/** Flags as the options of a query: `Option.none()` becomes undefined. */
export const optionsOf = <const Flags extends Readonly<Record<string, unknown>>>(
  flags: Flags
): { readonly [Name in keyof Flags]: Given<Flags[Name]> } =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, Option.isOption(flag) ? Option.getOrUndefined(flag) : flag])
  ) as never

/** Adds the column of the symbol if several symbols are asked for, so that rows can be told apart. */
export const withSymbol = (columns: Option.Option<ReadonlyArray<string>>, isSeveral: boolean, symbol = "symbol") =>
  Option.map(columns, (names) => isSeveral && !names.includes(symbol) ? [symbol, ...names] : names)

type Given<Flag> = Flag extends Option.Option<infer Value> ? Value | undefined : Flag

/** The mode of the flag, else of the setting; the setting `cached` is ignored for an endpoint without cached data. */
const named = <Name extends string>(mode: Option.Option<Name>, isCached: boolean) =>
  Option.isSome(mode)
    ? Effect.succeed(mode)
    : Effect.map(Config.option(Settings.config("mode")), Option.filter((mode) => isCached || mode !== "cached"))

/** Reads the mode of an endpoint that has cached data, of the present but not of past days. */
export const modeOf = Effect.fnUntraced(function*({ mode, ...given }: Mode, isPast = false) {
  const name = Option.getOrUndefined(yield* named(mode, !isPast))
  return yield* Effect.fromResult(QueryText.mode({ mode: name, ...optionsOf(given) }, "--"))
})

/** Flags as the options of a query whose endpoint has no cached data. */
export const uncached = <Flags extends { readonly mode: Option.Option<"live" | "delayed"> }>(flags: Flags) =>
  Effect.map(named(flags.mode, false), (mode) => optionsOf({ ...flags, mode: mode as Flags["mode"] }))

/** The date of a day that may be relative to today, such as "5 days ago". */
export const dayOf = (text: string) => Effect.map(epochSeconds, (now) => QueryText.day(text, now))

/** A range with both days as dates. */
export const rangeOf = <Given extends Range>(given: Given) =>
  Effect.map(epochSeconds, (now) => {
    const { from, to } = QueryText.range(optionsOf({ ...given as Range }), now)
    return { ...given, from: Option.fromUndefinedOr(from), to: Option.fromUndefinedOr(to) }
  })
