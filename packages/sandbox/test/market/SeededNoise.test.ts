import * as SeededNoise from "@effect-marketdata/sandbox/SeededNoise"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"

const numbers = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, at) => SeededNoise.unit(SeededNoise.mix(7, at)))

describe("SeededNoise", () => {
  describe("mix", () => {
    it("makes seeds that hardly ever meet", () => {
      const seeds = new Set(Array.from({ length: 20_000 }, (_, at) => SeededNoise.mix(at % 100, Math.floor(at / 100))))
      assert.isAtLeast(seeds.size, 19_990)
    })
  })

  describe("ofText", () => {
    it("tells texts apart by every letter and its place", () => {
      const texts = ["", "A", "B", "AB", "BA", "AAPL", "AAPL1", "SPX", "SPXW"]
      assert.strictEqual(new Set(texts.map(SeededNoise.ofText)).size, texts.length)
    })
  })

  describe("unit", () => {
    it("is spread evenly from 0 to 1", () => {
      const counts = Array.from({ length: 10 }, () => 0)
      for (const number of numbers(20_000)) counts[Math.floor(number * 10)]!++
      for (const count of counts) assert.approximately(count, 2000, 150)
    })
  })

  describe("wave", () => {
    it("is a smooth curve between -1 and 1", () => {
      Law.holds(fc.property(Arbitrary.seed, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (seed, at) => {
        const height = SeededNoise.wave(seed, at)
        assert.isAtMost(Math.abs(height), 1)
        // Its steepest passage rises 2 at 1.5 a unit.
        assert.isAtMost(Math.abs(SeededNoise.wave(seed, at + 0.001) - height), 0.003 + 1e-9)
      }))
    })
  })

  describe("walk", () => {
    it("moves by the root of the time that passes", () => {
      for (const lag of [1 / 64, 1, 21]) {
        let squares = 0
        for (let seed = 0; seed < 2000; seed++) {
          const from = 18_000 + seed * 7.3
          squares += (SeededNoise.walk(seed, from + lag) - SeededNoise.walk(seed, from)) ** 2
        }
        assert.approximately(squares / 2000 / lag, 1, 0.15)
      }
    })

    it("stays near 0 in the long run", () => {
      Law.holds(fc.property(Arbitrary.seed, fc.double({ min: 0, max: 50_000, noNaN: true }), (seed, days) => {
        assert.isAtMost(Math.abs(SeededNoise.walk(seed, days)), 45)
      }))
    })
  })
  describe("walker", () => {
    it("is the walk, whatever it was asked before", () => {
      const step = fc.oneof(
        fc.double({ min: -0.01, max: 0.01, noNaN: true }),
        fc.double({ min: -500, max: 500, noNaN: true })
      )
      Law.holds(fc.property(Arbitrary.seed, fc.array(step, { minLength: 1, maxLength: 40 }), (seed, steps) => {
        const walker = SeededNoise.walker(seed)
        let days = 20_000
        for (const step of steps) {
          days += step
          assert.strictEqual(walker(days), SeededNoise.walk(seed, days))
        }
      }))
    })
  })
})
