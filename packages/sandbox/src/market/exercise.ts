/**
 * What an option is worth by the way it may be exercised. Index options are European. Options on stocks and ETFs are American, and worth
 * at least what exercising them pays: that floor is all this model adds to the European value.
 */
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as BlackScholes from "./BlackScholes.ts"
import type { Underlying } from "./Underlying.ts"

/** Returns what exercising an option pays, in dollars; 0 where it pays nothing. */
export const payment = (side: OptionSymbol.Side, spot: number, strike: number): number =>
  // Prices are whole cents and strikes whole thousandths, so that their difference is too.
  Math.max(0, Math.round((side === "call" ? spot - strike : strike - spot) * 1000) / 1000)

/** Values an option. Where the floor holds, it moves with the underlying and with nothing else. */
export const evaluate = (
  kind: Underlying["kind"],
  side: OptionSymbol.Side,
  model: BlackScholes.Model
): BlackScholes.Valuation => {
  const european = BlackScholes.evaluate(side, model)
  const floor = payment(side, model.spot, model.strike)
  return kind === "index" || european.value >= floor
    ? european
    : BlackScholes.exercised(side, floor)
}
