/** From flags to the options of a query: the data mode, which takes three flags, and days relative to today. */
import { QueryText } from "@effect-marketdata/core"
import { Config, Effect } from "effect"
import * as Settings from "../settings/settings.ts"
import type { Mode, Range } from "../text/flags.ts"
import { epochSeconds } from "../text/words.ts"

/** Adds the column of the symbol if several symbols are asked for, so that rows can be told apart. */
export const withSymbol = (names: ReadonlyArray<string> | undefined, isSeveral: boolean, symbol = "symbol") =>
  names !== undefined && isSeveral && !names.includes(symbol) ? [symbol, ...names] : names

/** The mode of the flag, else of the setting; the setting `cached` is ignored for an endpoint without cached data. */
const named = Effect.fnUntraced(function*(mode: Mode["mode"], isCached: boolean) {
  const name = mode ?? (yield* Config.withDefault(Settings.config("mode"), undefined))
  return mode === undefined && name === "cached" && !isCached ? undefined : name
})

/** Reads the mode of an endpoint that has cached data, of the present but not of past days. */
export const modeOf = Effect.fnUntraced(function*({ mode, ...given }: Mode, isPast = false) {
  return yield* Effect.fromResult(QueryText.mode({ mode: yield* named(mode, !isPast), ...given }, "--"))
})

/** Flags as the options of a query whose endpoint has no cached data. */
export const uncached = <Flags extends { readonly mode: "live" | "delayed" | undefined }>(flags: Flags) =>
  Effect.map(named(flags.mode, false), (mode): Flags => ({ ...flags, mode: mode as Flags["mode"] }))

/** A range with both days as dates. */
export const rangeOf = <Given extends Range>(given: Given) =>
  Effect.map(epochSeconds, (now) => ({ ...given, ...QueryText.range(given, now) }))
