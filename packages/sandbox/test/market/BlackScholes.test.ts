import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

const side = fc.constantFrom("call", "put")

/** Options within four standard deviations of the money. */
const model: fc.Arbitrary<BlackScholes.Model> = fc.record({
  spot: number(1, 10_000),
  deviations: number(-4, 4),
  years: number(1 / 365, 5),
  rate: number(-0.01, 0.08),
  dividendYield: number(0, 0.05),
  volatility: number(0.05, 1.5)
}).map(({ deviations, ...terms }) => ({
  ...terms,
  strike: terms.spot * Math.exp(deviations * terms.volatility * Math.sqrt(terms.years))
}))

const value = (of: "call" | "put", changed: BlackScholes.Model): number => BlackScholes.evaluate(of, changed).value

it("evaluate gives the values of the textbook", () => {
  // J. C. Hull, Options, Futures, and Other Derivatives: 42, 40, half a year, 10 %, 20 %.
  const hull = { spot: 42, strike: 40, years: 0.5, rate: 0.1, dividendYield: 0, volatility: 0.2 }
  assert.approximately(value("call", hull), 4.76, 0.005)
  assert.approximately(value("put", hull), 0.81, 0.005)
})

describe("impliedVolatility", () => {
  it("recovers the volatility of a value", () => {
    Arbitrary.holds(fc.property(side, model, (of, { volatility, ...terms }) => {
      const { value, vega } = BlackScholes.evaluate(of, { ...terms, volatility })
      // Where a point of volatility moves the value by nothing that a double shows, no price tells it.
      fc.pre(vega > 1e-6 * (terms.spot + terms.strike))
      const implied = Option.getOrThrow(BlackScholes.impliedVolatility(of, terms, value))
      assert.approximately(implied, volatility, 1e-6)
    }))
  })

  it("is none for a price that no volatility gives", () => {
    const terms = { spot: 100, strike: 90, years: 1, rate: 0, dividendYield: 0 }
    for (const price of [-1, 0, 9.9, 100, 1000, NaN]) {
      assert.isTrue(Option.isNone(BlackScholes.impliedVolatility("call", terms, price)))
    }
  })
})
