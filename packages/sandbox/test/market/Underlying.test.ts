import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as Underlying from "@effect-marketdata/sandbox/Underlying"
import { assert, describe, it } from "@effect/vitest"

const roots = Underlying.all.flatMap((underlying) => underlying.roots.map((root) => ({ underlying, ...root })))

describe("Underlying", () => {
  describe("all", () => {
    it("has indexes, ETFs and stocks, each symbol and root once", () => {
      const symbols = Underlying.all.map(({ symbol }) => symbol)
      const expected = ["SPX", "SPY", "QQQ", "IWM", "AAPL", "MSFT", "NVDA", "TSLA", "AMZN", "BRK.B", "F"]
      assert.includeMembers(symbols, expected)
      assert.strictEqual(new Set(symbols).size, symbols.length)
      assert.strictEqual(new Set(roots.map(({ root }) => root)).size, roots.length)
    })

    it("agrees with the core on whose root is whose, and on what is an index", () => {
      for (const { root, underlying } of roots) assert.strictEqual(Expiration.underlyingOf(root), underlying.symbol)
      for (const { kind, symbol } of Underlying.all) {
        assert.strictEqual(kind === "index", Expiration.indexUnderlyings.has(symbol))
      }
    })

    it("adds up to 22,718 options on SPX", () => {
      const counts = roots.filter(({ underlying }) => underlying.symbol === "SPX").flatMap(({ rungs }) =>
        rungs.map(({ expirations, strikes }) => 2 * expirations * strikes)
      )
      assert.strictEqual(counts.reduce((sum, count) => sum + count, 0), 22_718)
    })

    it("has ladders in which expirations only ever come nearer and gain strikes", () => {
      const first = CalendarDate.toEpochDay(CalendarDate.parseUnsafe("2020-01-01"))
      for (const { rungs } of roots) {
        for (const [place, further] of rungs.slice(1).entries()) {
          const nearer = rungs[place]!
          assert.isAtMost(further.strikes, nearer.strikes)
          assert.isAtLeast(further.finest, nearer.finest)
          for (let day = first; day < first + 5000; day = further.cycle.onOrAfter(day) + 1) {
            const expiration = further.cycle.onOrAfter(day)
            assert.strictEqual(nearer.cycle.onOrAfter(expiration), expiration)
          }
        }
      }
    })

    it("has smiles without arbitrage, and ticks that meet at 3 dollars", () => {
      for (const { curvature, skew, strikeSteps, ticks } of Underlying.all) {
        assert.isAtMost(curvature * (1 + Math.abs(skew)), 2)
        assert.strictEqual(300 % ticks.from3, 0)
        assert.strictEqual(ticks.from3 % ticks.below3, 0)
        assert.deepStrictEqual(strikeSteps, strikeSteps.toSorted((a, b) => a - b))
      }
    })
  })
})
