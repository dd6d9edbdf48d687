import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs, seed } from "../../core/test/support/depth.ts"
import { hostile, play, type Run, telling } from "./support/hostileFiles.ts"
import { printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const baseUrl = await Started.sandbox()

const run: Run = (words, variables) => printed(words, { variables, services: Started.noKeychain("there is none") })

it("a program in the place of whose files others left something answers rightly or says what is wrong, and touches nothing of theirs, whatever it is and wherever", async () => {
  const drawn = fc.sample(hostile, { seed, numRuns: runs(12, 1) })
  assert.deepStrictEqual((await play([...telling, ...drawn], run, baseUrl)).problems, [], `seed ${seed}`)
})
