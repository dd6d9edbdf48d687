import { CalendarDate, Expiration } from "@effect-marketdata/core"
import * as Underlying from "@effect-marketdata/sandbox/Underlying"
import { assert, it } from "@effect/vitest"

const roots = Underlying.all.flatMap((underlying) => underlying.roots.map((root) => ({ underlying, ...root })))

it("agrees with the core on whose root is whose, and on what is an index", () => {
  for (const { root, underlying } of roots) assert.strictEqual(Expiration.underlyingOf(root), underlying.symbol)
  for (const { kind, symbol } of Underlying.all) {
    assert.strictEqual(kind === "index", Expiration.indexUnderlyings.has(symbol))
  }
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
    assert.deepStrictEqual([300 % ticks.from3, ticks.from3 % ticks.below3], [0, 0])
    assert.deepStrictEqual(strikeSteps, strikeSteps.toSorted((a, b) => a - b))
  }
})
