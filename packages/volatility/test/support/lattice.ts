import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import type { Terms } from "../../src/exercise/american.ts"

/** What the lattice of J. Cox, S. Ross and M. Rubinstein (1979) says that the right to exercise early is worth, in dollars. */
export const early = (
  side: OptionSymbol.Side,
  { dividendYield, rate, spot, strike, years }: Terms,
  volatility: number,
  steps: number
): number => {
  const interval = years / steps
  const up = Math.exp(volatility * Math.sqrt(interval))
  const chance = (Math.exp((rate - dividendYield) * interval) - 1 / up) / (up - 1 / up)
  const discount = Math.exp(-rate * interval)
  const paid = (price: number) => Math.max(0, side === "call" ? price - strike : strike - price)
  const prices = Float64Array.from({ length: 2 * steps + 1 }, (_, at) => spot * up ** (at - steps))
  const american = Float64Array.from({ length: steps + 1 }, (_, at) => paid(prices[2 * at]!))
  const european = american.slice()
  for (let step = steps - 1; step >= 0; step--) {
    for (let at = 0; at <= step; at++) {
      european[at] = discount * (chance * european[at + 1]! + (1 - chance) * european[at]!)
      const kept = discount * (chance * american[at + 1]! + (1 - chance) * american[at]!)
      american[at] = Math.max(kept, paid(prices[steps - step + 2 * at]!))
    }
  }
  return american[0]! - european[0]!
}
