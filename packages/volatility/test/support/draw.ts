/** Options drawn at random, as markets have them and a little beyond. */
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as fc from "fast-check"

export const number = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true })

/** A number from 10 to the one power to 10 to the other. */
export const power = (min: number, max: number) => number(min, max).map((exponent) => 10 ** exponent)

export const side = fc.constantFrom<OptionSymbol.Side>("call", "put")

/** Forward, strike within six deviations, time from an hour to ten years, volatility from 2 % to 300 %. */
export const model = fc.record({
  forward: power(0, 4),
  deviations: number(-6, 6),
  years: power(-4, 1),
  discount: number(0.5, 1.02),
  volatility: power(-1.7, 0.48)
}).map(({ deviations, ...model }) => ({
  ...model,
  strike: model.forward * Math.exp(Math.max(-8, Math.min(8, deviations * model.volatility * Math.sqrt(model.years))))
}))

/** The worst of errors that were gathered, and the one that 99 % are not above. */
export const worst = (errors: ReadonlyArray<number>): readonly [worst: number, most: number] => {
  const sorted = errors.toSorted((a, b) => a - b)
  return [sorted.at(-1) ?? NaN, sorted[Math.floor(0.99 * (sorted.length - 1))] ?? NaN]
}
