import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
import * as Smile from "@effect-marketdata/sandbox/Smile"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

const smile = fc.tuple(Arbitrary.seed, Arbitrary.underlying, Arbitrary.moment).map(([seed, underlying, moment]) =>
  Smile.at(seed, underlying, QuoteTime.at(moment)!)
)

/** The value of a call on a forward of 1, without interest. */
const call = (of: Smile.Smile, logMoneyness: number, years: number): number =>
  BlackScholes.evaluate("call", {
    spot: 1,
    strike: Math.exp(logMoneyness),
    years,
    rate: 0,
    dividendYield: 0,
    volatility: of(logMoneyness, years)
  }).value

describe("Smile", () => {
  describe("make", () => {
    it("makes puts dearer than calls as far from the money", () => {
      Law.holds(fc.property(smile, number(0.01, 0.5), number(0.01, 3), (of, distance, years) => {
        assert.isAbove(of(-distance, years), of(distance, years))
      }))
    })
  })

  describe("at", () => {
    it("leaves no butterfly to gain by: calls fall with the strike, and by less and less", () => {
      Law.holds(
        fc.property(smile, number(-4, 4), number(1 / 365, 5), (of, deviations, years) => {
          const scale = of(0, years) * Math.sqrt(years)
          const middle = Math.exp(deviations * scale)
          const step = middle * scale / 50
          const [low, at, high] = [middle - step, middle, middle + step].map((strike) =>
            call(of, Math.log(strike), years)
          )
          assert.isAtLeast(low! - at!, -1e-12)
          assert.isAtLeast(low! - 2 * at! + high!, -1e-12)
        }),
        { numRuns: runs(1000, 100) }
      )
    })

    it("leaves no calendar spread to gain by: total variance grows with time", () => {
      Law.holds(
        fc.property(smile, number(-1, 1), number(1 / 365, 5), number(0, 2), (of, distance, years, more) => {
          const variance = (time: number) => of(distance, time) ** 2 * time
          assert.isAtLeast(variance(years + more) - variance(years), -1e-12)
        }),
        { numRuns: runs(1000, 100) }
      )
    })
  })
})
