import * as Spot from "@effect-marketdata/sandbox/Spot"
import * as Underlying from "@effect-marketdata/sandbox/Underlying"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"

const of = (symbol: string): Underlying.Underlying => Underlying.all.find((underlying) => underlying.symbol === symbol)!
const progress = fc.double({ min: 0, max: 1, noNaN: true })

describe("Spot", () => {
  describe("price", () => {
    it("is whole cents, of the order of the underlying's price", () => {
      Law.holds(
        fc.property(Arbitrary.seed, Arbitrary.underlying, Arbitrary.dayOf2026And2027, progress, (seed, of, day, at) => {
          const price = Spot.price(seed, of, day, at)
          assert.strictEqual(Math.round(price * 100) / 100, price)
          assert.isAtMost(Math.abs(Math.log(price / of.price)), 2.4 * of.volatility)
        })
      )
    })

    it("moves by fractions of a percent in a minute", () => {
      Law.holds(fc.property(Arbitrary.seed, Arbitrary.underlying, progress, (seed, underlying, at) => {
        const before = Spot.price(seed, underlying, 20_777, at)
        assert.approximately(
          Spot.price(seed, underlying, 20_777, at + 1 / 390) / before,
          1,
          0.02 * underlying.volatility
        )
      }))
    })

    it("of an ETF follows its index", () => {
      Law.holds(fc.property(Arbitrary.seed, Arbitrary.dayOf2026And2027, (seed, day) => {
        assert.approximately(Spot.close(seed, of("SPY"), day), Spot.close(seed, of("SPX"), day) / 10, 0.006)
      }))
    })
  })
  describe("walker", () => {
    it("is the walk of the price", () => {
      Law.holds(fc.property(Arbitrary.seed, Arbitrary.underlying, progress, (seed, underlying, at) => {
        const height = Spot.walker(seed, underlying)(20_777 + Spot.inSession * at)
        assert.strictEqual(Spot.priceAt(underlying, height), Spot.price(seed, underlying, 20_777, at))
      }))
    })
  })

  describe("priceAt", () => {
    it("never falls where the walk rises", () => {
      const height = fc.double({ min: -40, max: 40, noNaN: true })
      Law.holds(fc.property(Arbitrary.underlying, height, height, (underlying, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        assert.isAtMost(Spot.priceAt(underlying, low), Spot.priceAt(underlying, high))
      }))
    })
  })
})
