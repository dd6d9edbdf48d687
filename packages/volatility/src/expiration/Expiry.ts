/**
 * When an option stops being one: the instant whose price settles it, to the second, by the calendar of the exchange.
 *
 * This is not `Expiration.instant` of core, which is what the service writes into the column `expiration` (clause 2.1-expiration: 16:00 or 16:15,
 * also on half days). An option on an index that is settled in the morning ends with the opening prices of its day, 09:30; any other ends with
 * the session, 16:00 or, on half days, 13:00. Source: Cboe's product specifications. A day without a session, such as the Saturdays before 2015,
 * means the session before it.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Expiry from "@effect-marketdata/volatility/Expiry"
 *
 * NewYork.format(Expiry.instant(OptionSymbol.parseUnsafe("SPX261120C06500000"))) // => "2026-11-20 09:30:00 EST"
 * NewYork.format(Expiry.instant(OptionSymbol.parseUnsafe("SPXW261127C06500000"))) // => "2026-11-27 13:00:00 EST"
 * ```
 *
 * @since 0.1.0
 */
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Problem from "@effect-marketdata/core/Problem"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"

/** The roots whose options are settled by opening prices. */
const morningRoots: ReadonlySet<string> = /* @__PURE__ */ new Set(["SPX", "NDX", "RUT", "DJX", "VIX", "VIXW", "RVX"])

const known = /* @__PURE__ */ Problem.guard("option symbol", "OptionSymbol.parse(text)", { root: "" })

/**
 * Returns the instant at which an option is settled, in epoch seconds. Throws `ValueError` for what is not a symbol. `calendar` is by default that of the New York Stock Exchange, which the option
 * exchanges share.
 *
 * @category getters
 * @since 0.1.0
 */
export const instant = (
  symbol: Pick<OptionSymbol.OptionSymbol, "root" | "expiration">,
  calendar: TradingCalendar.TradingCalendar = TradingCalendar.NYSE
): number => {
  const { expiration, root } = known(symbol)
  const day = Option.getOrElse(TradingCalendar.tradingDayOnOrBefore(calendar, expiration), () => expiration)
  const session = Option.getOrUndefined(TradingCalendar.session(calendar, day))
  return morningRoots.has(root) ? session?.open ?? NewYork.at(day, 9, 30) : session?.close ?? NewYork.at(day, 16, 0)
}

/**
 * Returns the years from one instant to another, both in epoch seconds: years of 365 days of 86,400 seconds, every second the same. Negative once the
 * second has passed. Throws `ValueError` for what is not a number.
 *
 * @category getters
 * @since 0.1.0
 */
export const yearsTo = (expiry: number, at: number): number => (time(expiry) - time(at)) / (365 * 86_400)

const time = (value: number): number =>
  Problem.expect(typeof value === "number", "time", value, "in epoch seconds", "1795185000")
