import * as Simulation from "@effect-marketdata/testing/Simulation"
import { assert, describe, it } from "@effect/vitest"

describe("Simulation", () => {
  describe("of some days", () => {
    for (const seed of [101, 102, 103, 104]) {
      it(`finds nothing wrong with seed ${seed}`, () => {
        const { violations } = Simulation.run({ seed, days: 2 })
        assert.deepStrictEqual(violations.map(Simulation.formatViolation), [])
      })
    }
  })
})
