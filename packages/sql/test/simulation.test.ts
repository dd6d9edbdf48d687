/** Programs with one allowance, clocks apart, layers merged, a chain that grows and replies that are lost. */
import { assert, it } from "@effect/vitest"
import { runs } from "../../core/test/support/depth.ts"
import * as World from "./simulation/world.ts"

it("programs bill no more than the allowance in any day of true time", async () => {
  let total = World.empty
  for (let seed = 1; seed <= runs(12, 1); seed++) total = World.add(total, await World.run(seed))
  assert.deepStrictEqual(total.violations, [])
  assert.isAbove(total.answered, 0)
})

it("programs bill more where each has an allowance of its own", async () =>
  assert.isNotEmpty((await World.run(7, false)).violations))
