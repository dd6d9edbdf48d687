import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs, seed } from "../../core/test/support/depth.ts"
import { hostile, play, telling } from "./support/hostileFolder.ts"

it("a cache in whose folder others left something answers rightly, ends, and touches nothing of theirs, whatever it is and wherever", async () => {
  const drawn = [...telling, ...fc.sample(hostile, { seed, numRuns: runs(30, 8) })]
  assert.deepStrictEqual((await play(drawn)).problems, [], `seed ${seed}`)
})
