/** From flags to the options of a query: the mode, whose flags only have a meaning together, and days that are told from today. */
import { QueryText } from "@effect-marketdata/core"
import { Config, Effect, Option } from "effect"
import * as Settings from "../settings/settings.ts"
import { epochSeconds } from "../text/words.ts"
import type { Mode, Range } from "./flags.ts"

/** Flags that may be left out, as the options of a query: a flag that was left out is an option that is. */
export const optionsOf = <const Flags extends Readonly<Record<string, unknown>>>(
  flags: Flags
): { readonly [Name in keyof Flags]: Given<Flags[Name]> } =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, Option.isOption(flag) ? Option.getOrUndefined(flag) : flag])
  ) as never

/** Columns of several symbols have that of the symbol too: rows say whose they are. */
export const withSymbol = (columns: Option.Option<ReadonlyArray<string>>, isSeveral: boolean, symbol = "symbol") =>
  Option.map(columns, (names) => isSeveral && !names.includes(symbol) ? [symbol, ...names] : names)

type Given<Flag> = Flag extends Option.Option<infer Value> ? Value | undefined : Flag

/** The mode that the settings name where a command names none. Where nothing is cached the setting `cached` does not apply. */
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

/** A day that is told from today, by its date. */
export const dayOf = (text: string) => Effect.map(epochSeconds, (now) => QueryText.day(text, now))

/** Names both days of a range. */
export const rangeOf = <Given extends Range>(given: Given) =>
  Effect.map(epochSeconds, (now) => {
    const { from, to } = QueryText.range(optionsOf({ ...given as Range }), now)
    return { ...given, from: Option.fromUndefinedOr(from), to: Option.fromUndefinedOr(to) }
  })
