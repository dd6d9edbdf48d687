import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Fault from "./fault.ts"

const root = dirname(dirname(import.meta.dirname))
const faults = await Fault.loadInterplay(root)

describe("faults of interplay", () => {
  it("are all in place, and name tests that are there", () => {
    for (const fault of faults) {
      const planted = Fault.plant(root, fault)
      assert.isTrue(Result.isSuccess(planted), Result.isFailure(planted) ? planted.failure : "")
      assert.isNotEmpty(fault.tests)
      for (const test of fault.tests) assert.isTrue(existsSync(join(root, test)), test)
    }
  })

  it("are many, and no two the same", () => {
    assert.isAtLeast(faults.length, 25)
    assert.strictEqual(new Set(faults.map(({ name }) => name)).size, faults.length)
  })
})
