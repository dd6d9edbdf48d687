/** The faults of this repository are in place, and each pair of a clause and a package has one. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Clause from "../conformance/clause.ts"
import { root } from "../shared/script.ts"
import * as Fault from "./fault.ts"

const placed: Pick<Fault.Fault, "clause" | "package"> = { clause: "8.3-age", package: "core" }

describe("Fault", () => {
  it("wants a clause that exists and is asked of the package", () => {
    const clauses: ReadonlyArray<Clause.Clause> = [{ id: "8.3-age", text: "Age.", section: "8.3", where: ["core"] }]
    assert.isUndefined(Fault.misplacement(placed, clauses))
    assert.include(Fault.misplacement({ ...placed, package: "client" }, clauses), "not asked of client")
    assert.include(Fault.misplacement({ ...placed, clause: "8.3-old" }, clauses), "no clause 8.3-old")
  })

  it("finds every fault of this repository in place, one or more for each clause and package", async () => {
    const clauses = Result.getOrThrow(Clause.read(root))
    const faults = await Fault.loadAll(root)
    for (const own of faults) {
      assert.isUndefined(Fault.misplacement(own, clauses))
      const reason = Result.match(Fault.plant(root, own), { onFailure: (reason) => reason, onSuccess: () => "" })
      assert.strictEqual(reason, "", `${own.package} ${own.clause}`)
    }
    const planted = new Set(faults.map(({ clause, package: own }) => `${own} ${clause}`))
    const pairs = clauses.flatMap(({ id, where }) => where.map((own) => `${own} ${id}`))
    assert.deepStrictEqual(pairs.filter((pair) => !planted.has(pair)), [])
  })

  it("finds every fault of interplay in place, and the tests that should find it", async () => {
    const faults = await Fault.loadInterplay(root)
    for (const own of faults) {
      assert.isTrue(Result.isSuccess(Fault.plant(root, own)), own.name)
      assert.isNotEmpty(own.tests)
      for (const test of own.tests) assert.isTrue(existsSync(join(root, test)), test)
    }
    assert.strictEqual(new Set(faults.map(({ name }) => name)).size, faults.length)
  })
})
