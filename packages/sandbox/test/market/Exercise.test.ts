import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
import * as Exercise from "@effect-marketdata/sandbox/Exercise"
import { assert, describe, it } from "@effect/vitest"

const deepPut = { spot: 100, strike: 150, years: 2, rate: 0.04, dividendYield: 0, volatility: 0.1 }
const atTheMoney = { ...deepPut, strike: 100 }

describe("Exercise", () => {
  describe("evaluate", () => {
    it("values other options at what exercising pays or more", () => {
      for (const kind of ["equity", "etf"] as const) {
        assert.deepStrictEqual(Exercise.evaluate(kind, "put", deepPut), {
          value: 50,
          delta: -1,
          gamma: 0,
          theta: 0,
          vega: 0
        })
        assert.deepStrictEqual(Exercise.evaluate(kind, "put", atTheMoney), BlackScholes.evaluate("put", atTheMoney))
      }
      const dividends = { ...deepPut, strike: 50, rate: 0, dividendYield: 0.05 }
      assert.strictEqual(Exercise.evaluate("equity", "call", dividends).delta, 1)
    })
  })
})
