/** The faults of this repository are in place, and each pair of a clause and a package has one. */
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Clause from "../conformance/clause.ts"
import { root } from "../shared/script.ts"
import * as Fault from "./fault.ts"

it("a fault is in place, one or more for each clause and package that must prove it, and no other", async () => {
  const faults = await Fault.ofClauses(root)
  for (const { name, text } of faults) assert.strictEqual(Result.getFailure(text())._tag, "None", name)
  const pairs = Clause.read(root).flatMap(({ id, where }) => where.map((own) => `${own} ${id}`))
  assert.deepStrictEqual([...new Set(faults.map(({ name }) => name))].toSorted(), pairs.toSorted())
})

it("a fault of interplay is in place, under a name of its own, and so are the tests that should find it", async () => {
  const faults = await Fault.ofInterplay(root)
  for (const { name, tests, text } of faults) {
    assert.isTrue(Result.isSuccess(text()), name)
    assert.isNotEmpty(tests)
    for (const test of tests) assert.isTrue(existsSync(join(root, test)), test)
  }
  assert.strictEqual(new Set(faults.map(({ name }) => name)).size, faults.length)
})
