import * as Black from "@effect-marketdata/volatility/Black"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, runs, trials } from "../../core/test/support/depth.ts"
import * as American from "../src/exercise/american.ts"
import * as Draw from "./support/draw.ts"
import * as Lattice from "./support/lattice.ts"

const terms = fc.record({
  spot: fc.constant(100),
  strike: Draw.number(70, 140),
  years: Draw.power(-2, 0.3),
  rate: Draw.number(-0.01, 0.08),
  dividendYield: Draw.number(-0.01, 0.06)
})

const volatility = Draw.number(0.1, 0.8)

const price = (side: "call" | "put", of: American.Terms, volatility: number): number =>
  American.value(side === "call", of, volatility)

const european = (side: "call" | "put", of: American.Terms, volatility: number): number =>
  American.european(side === "call", of, volatility)

const exercised = (side: "call" | "put", { spot, strike }: American.Terms): number =>
  Math.max(0, side === "call" ? spot - strike : strike - spot)

it("gives the value that E. Haug's book (2007) has for its method", () => {
  const call = price("call", { spot: 42, strike: 40, years: 0.75, rate: 0.04, dividendYield: 0.08 }, 0.35).toFixed(4)
  assert.strictEqual(call, "5.2704")
})

it("is worth at least what exercising pays, and what the European option is worth", () => {
  forAll(trials(61), Draw.side, terms, volatility, (side, terms, volatility) => {
    const value = price(side, terms, volatility)
    assert.isAtLeast(value, european(side, terms, volatility) - 1e-12)
    assert.isAtLeast(value, exercised(side, terms) - 1e-12)
    assert.isAtMost(value, side === "call" ? terms.spot * Math.exp(0.02) : terms.strike * Math.exp(0.02))
  })
})

it("is the European value where nothing is gained by exercising", () => {
  forAll(trials(62), Draw.side, terms, volatility, (side, drawn, volatility) => {
    const terms = side === "call" ?
      { ...drawn, dividendYield: 0, rate: Math.abs(drawn.rate) }
      : { ...drawn, rate: 0, dividendYield: Math.abs(drawn.dividendYield) }
    assert.strictEqual(price(side, terms, volatility), european(side, terms, volatility))
  })
})

it("is a little below a lattice of 300 steps, by half a percent of the strike at most, at negative rates too", () => {
  const errors: Array<number> = []
  const judge = (side: "call" | "put", drawn: American.Terms, volatility: number): void => {
    const [rate, dividendYield] = [Math.abs(drawn.rate), Math.abs(drawn.dividendYield)]
    const isNegative = drawn.strike > drawn.spot
    const terms = side === "call"
      ? { ...drawn, rate: isNegative ? -rate : rate, dividendYield }
      : { ...drawn, rate, dividendYield: isNegative ? -dividendYield : dividendYield }
    const lattice = european(side, terms, volatility) + Lattice.early(side, terms, volatility, 300)
    errors.push((price(side, terms, volatility) - lattice) / terms.strike)
  }
  forAll({ seed: 63, numRuns: runs(2000, 50) }, Draw.side, terms, volatility, judge)
  // Carrying this underlying costs more than it moves.
  judge("call", { spot: 100, strike: 100.1, years: 2, rate: 0.11, dividendYield: 0.04 }, 0.1)
  const [least, most] = [Math.min(...errors), Math.max(...errors)]
  console.log(
    `of the strike: ${least.toExponential(1)} to ${most.toExponential(1)}, 99 % within`,
    Draw.worst(errors.map(Math.abs))[1]
  )
  assert.isAtLeast(least, -5e-3)
  assert.isAtMost(most, 1e-3)
})

it("gives back the volatility of a price", () => {
  forAll({ seed: 64, numRuns: runs(3000, 100) }, Draw.side, terms, volatility, (side, terms, volatility) => {
    const value = price(side, terms, volatility)
    // A European value of nothing but what exercising pays at expiration has no volatility.
    fc.pre(value > Math.max(exercised(side, terms), european(side, terms, 1e-9)) * (1 + 1e-3) + 0.01)
    const found = American.impliedVolatility(side === "call", terms, value)
    assert.approximately(price(side, terms, found), value, 1e-9 * value)
    // Where another volatility has the same price, none is the right one.
    if (price(side, terms, 1.001 * volatility) - value > 1e-6 * value) assert.approximately(found, volatility, 1e-3)
  })
})

it("gives none but its own volatility to a price that no European option has", () => {
  const near = { spot: 100, strike: 50, years: 1 / 12, rate: 0.04, dividendYield: 0.02 }
  for (
    const [price, of] of [[99.9, near], [99.999, near], [99.99, { ...near, years: 1e-5, dividendYield: 1 }]] as const
  ) {
    const found = American.impliedVolatility(true, of, price)
    assert.isAbove(found, 10)
    assert.closeTo(American.value(true, of, found), price, 1e-9)
  }
  assert.isNaN(American.impliedVolatility(true, near, 99.999_999_999_999))
})

it("has the European greeks where it has the European value, and those of the share where it is exercised", () => {
  const into = new Float64Array(5)
  // The second ends in ten minutes.
  for (const [strike, years] of [[105, 0.4], [100.1, 10 / 525_600]] as const) {
    const of = { spot: 100, strike, years }
    American.setGreeks(into, true, { ...of, rate: 0.04, dividendYield: 0 }, 0.3)
    const model = { ...of, forward: 100 * Math.exp(0.04 * years), discount: Math.exp(-0.04 * years), volatility: 0.3 }
    const { delta, gamma, rho, theta, vega } = Result.getOrThrow(Black.greeks("call", model))
    for (const [at, greek] of [delta, gamma, theta, vega, rho].entries()) {
      assert.approximately(into[at]!, greek, 2e-4 * Math.abs(greek))
    }
  }
  American.setGreeks(into, false, { spot: 50, strike: 100, years: 1, rate: 0.06, dividendYield: 0 }, 0.2)
  assert.deepStrictEqual(Array.from(into, (greek) => Math.round(greek * 1e6) / 1e6 + 0), [-1, 0, 0, 0, 0])
})

it("never gives NaN", () => {
  const wide = fc.record({
    spot: Draw.power(-9, 15),
    strike: Draw.power(-9, 15),
    years: Draw.power(-9, 2),
    rate: Draw.number(-1, 1),
    dividendYield: Draw.number(-1, 1),
    volatility: Draw.power(-9, 3)
  })
  forAll(trials(65), Draw.side, wide, (side, { volatility, ...terms }) => {
    assert.isAtLeast(price(side, terms, volatility), 0)
    const found = American.impliedVolatility(side === "call", terms, price(side, terms, volatility))
    assert.isTrue(Number.isNaN(found) || found >= 0)
  })
})
