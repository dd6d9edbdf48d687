import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Clause from "../conformance/clause.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import * as Fault from "./fault.ts"

const repository = dirname(dirname(import.meta.dirname))
const source = "export const isHit = (age: number, limit: number) => age <= limit\n"
const module = (...about: ReadonlyArray<string | ReadonlyArray<string>>) =>
  `const module = () => import("../../../packages/core/src/Cache.ts")
  export const faults = ${JSON.stringify(about)}
    .map((about) => ({ about, module, declaration: "isHit", broken: () => () => true }))\n`
const root = TemporaryRepository.make({
  "packages/core/src/Cache.ts": source,
  "scripts/faults/core/b.ts": module("8.3-hit"),
  "scripts/faults/core/a.ts": module("8.3-age", ["8.3-miss", "8.3-hit"]),
  "scripts/faults/core+client/a.ts": module("8.3-age")
})
afterAll(() => TemporaryRepository.remove(root))

const fault = (over: Partial<Fault.Fault> = {}): Fault.Fault => ({
  clause: "8.3-age",
  package: "core",
  file: "packages/core/src/Cache.ts",
  declaration: "isHit",
  broken: "(isHit) => (age, limit) => isHit(age + 1, limit)",
  from: "scripts/faults/core/cache.ts",
  index: 3,
  ...over
})

const complaint = (over: Partial<Fault.Fault>): string =>
  Result.match(Fault.plant(root, fault(over)), { onFailure: (reason) => reason, onSuccess: () => "planted" })

describe("Fault", () => {
  describe("plant", () => {
    it("takes the broken version from where it is written, and leaves the file as it is", () => {
      const planted = Result.getOrThrow(Fault.plant(root, fault()))
      assert.include(planted, `import { faults as faults$ } from "../../../scripts/faults/core/cache.ts"`)
      assert.include(planted, "export const isHit = faults$[3].broken(isHit$sound)")
      assert.strictEqual(readFileSync(join(root, "packages/core/src/Cache.ts"), "utf8"), source)
    })

    it("calls a fault stale whose declaration is gone", () => {
      assert.strictEqual(complaint({ declaration: "isMiss" }), "packages/core/src/Cache.ts: it declares no isMiss")
      assert.strictEqual(complaint({ file: "Gone.ts" }), "there is no file Gone.ts")
    })
  })

  describe("loadAll", () => {
    it("gathers the faults of every package in the order of their files, one for each clause", async () => {
      const faults = await Fault.loadAll(root)
      const shown = faults.map((own) => `${own.from} ${own.index} ${own.package} ${own.clause}`)
      assert.deepStrictEqual(shown, [
        "scripts/faults/core/a.ts 0 core 8.3-age",
        "scripts/faults/core/a.ts 1 core 8.3-miss",
        "scripts/faults/core/a.ts 1 core 8.3-hit",
        "scripts/faults/core/b.ts 0 core 8.3-hit",
        "scripts/faults/core+client/a.ts 0 core 8.3-age",
        "scripts/faults/core+client/a.ts 0 client 8.3-age"
      ])
    })
  })

  describe("misplacement", () => {
    const clauses: ReadonlyArray<Clause.Clause> = [{ id: "8.3-age", text: "Age.", section: "8.3", where: ["core"] }]

    it("wants a clause that exists and is asked of the package", () => {
      assert.isUndefined(Fault.misplacement(fault(), clauses))
      assert.include(Fault.misplacement(fault({ package: "client" }), clauses), "not asked of client")
      assert.include(Fault.misplacement(fault({ clause: "8.3-old" }), clauses), "no clause 8.3-old")
    })
  })

  it("finds every fault of this repository in place, one or more for each clause and package", async () => {
    const clauses = Result.getOrThrow(Clause.read(repository))
    const faults = await Fault.loadAll(repository)
    for (const own of faults) {
      assert.isUndefined(Fault.misplacement(own, clauses))
      const reason = Result.match(Fault.plant(repository, own), { onFailure: (reason) => reason, onSuccess: () => "" })
      assert.strictEqual(reason, "", `${own.package} ${own.clause}`)
    }
    const planted = new Set(faults.map(({ clause, package: own }) => `${own} ${clause}`))
    const pairs = clauses.flatMap(({ id, where }) => where.map((own) => `${own} ${id}`))
    assert.deepStrictEqual(pairs.filter((pair) => !planted.has(pair)), [])
  })

  it("finds every fault of interplay in place, and the tests that should find it", async () => {
    const faults = await Fault.loadInterplay(repository)
    for (const own of faults) {
      assert.isTrue(Result.isSuccess(Fault.plant(repository, own)), own.name)
      assert.isNotEmpty(own.tests)
      for (const test of own.tests) assert.isTrue(existsSync(join(repository, test)), test)
    }
    assert.strictEqual(new Set(faults.map(({ name }) => name)).size, faults.length)
  })
})
