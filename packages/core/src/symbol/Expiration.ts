/**
 * When options expire: at 16:00 New York time on their expiration day, index options at 16:15, also on half days (clause 2.1-expiration).
 *
 * @example
 * ```ts
 * import * as Expiration from "@effect-marketdata/core/Expiration"
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * Expiration.underlyingOf("SPXW") // => "SPX"
 * Expiration.instant(OptionSymbol.parseUnsafe("SPXW261120P06500000")) // => 1795209300
 * Expiration.instant(OptionSymbol.parseUnsafe("AAPL261120C00150000")) // => 1795208400
 * ```
 *
 * @since 0.1.0
 */
import * as Problem from "../text/Problem.ts"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import type { OptionSymbol } from "./OptionSymbol.ts"

/**
 * The underlyings that count as indexes. Pass a set of your own if you know another one.
 *
 * @category constants
 * @since 0.1.0
 */
export const indexUnderlyings: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ "SPX XSP NDX XND RUT MRUT DJX OEX XEO VIX RVX".split(" ")
)

/** Roots that are neither their underlying nor the underlying with a digit. */
const underlyingOfRoot: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ "SPXW SPX,XSPW XSP,NDXP NDX,RUTW RUT,DJXW DJX,VIXW VIX,BRKA BRK.A,BRKB BRK.B".split(",")
    .map((pair) => pair.split(" ") as [root: string, underlying: string])
)

/**
 * Returns the underlying that a root most likely belongs to: `SPXW` is on SPX, `AAPL1` is an adjusted option on AAPL, `BRKB` and `BRKB1` are on BRK.B.
 * Any other root is its own underlying. If you have a reply, use its `underlying` column instead.
 *
 * @example
 * ```ts
 * import * as Expiration from "@effect-marketdata/core/Expiration"
 *
 * Expiration.underlyingOf("SPXW") // => "SPX"
 * Expiration.underlyingOf("AAPL") // => "AAPL"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const underlyingOf = (root: string): string => {
  const standard = known({ root }).root.replace(/^([A-Z]+)\d$/, "$1")
  return underlyingOfRoot.get(standard) ?? standard
}

/**
 * Returns the time at which an option expires, in epoch seconds. `indexes` replaces the set of underlyings whose options expire at 16:15.
 *
 * @example
 * ```ts
 * import * as Expiration from "@effect-marketdata/core/Expiration"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * const symbol = OptionSymbol.parseUnsafe("SPXW261218C06500000")
 * NewYork.format(Expiration.instant(symbol)) // => "2026-12-18 16:15:00 EST"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const instant = (
  symbol: Pick<OptionSymbol, "root" | "expiration">,
  indexes: ReadonlySet<string> = indexUnderlyings
): number => closing(known(symbol).expiration, indexes.has(underlyingOf(symbol.root)))

const known = /* @__PURE__ */ Problem.guard("symbol", "what OptionSymbol.parse reads", { root: "" })

/**
 * Returns the time at which options expire on a day, in epoch seconds: 16:00 in New York, or 16:15 for options on an index.
 *
 * @example
 * ```ts
 * import * as Expiration from "@effect-marketdata/core/Expiration"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 *
 * NewYork.format(Expiration.closing({ year: 2026, month: 11, day: 27 }, false)) // => "2026-11-27 16:00:00 EST"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const closing = (day: CalendarDate.CalendarDate, isIndex: boolean): number =>
  NewYork.at(day, 16, isIndex ? 15 : 0)
