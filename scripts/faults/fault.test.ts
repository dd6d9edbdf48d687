import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Clause from "../conformance/clause.ts"
import * as Fault from "./fault.ts"

const root = mkdtempSync(join(tmpdir(), "faults-"))
afterAll(() => rmSync(root, { recursive: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const source = "export const isHit = (age: number, limit: number) => age <= limit\n"
write("Cache.ts", source)

const fault = (over: Partial<Fault.Fault> = {}): Fault.Fault => ({
  clause: "8.3-age",
  file: "Cache.ts",
  find: "age <= limit",
  replace: "age < limit",
  ...over
})

const complaint = (over: Partial<Fault.Fault>): string =>
  Result.match(Fault.plant(root, fault(over)), { onFailure: (reason) => reason, onSuccess: () => "planted" })

describe("Fault", () => {
  describe("plant", () => {
    it("replaces the one place, and leaves the file as it is", () => {
      assert.deepStrictEqual(Fault.plant(root, fault()), Result.succeed(source.replace("<=", "<")))
      assert.strictEqual(readFileSync(join(root, "Cache.ts"), "utf8"), source)
    })

    it("takes the replacement literally", () => {
      const planted = Result.getOrThrow(Fault.plant(root, fault({ replace: "$& === '$1'" })))
      assert.include(planted, "=> $& === '$1'\n")
    })

    it("calls a fault stale whose text is not there exactly once", () => {
      assert.include(complaint({ find: "age > limit" }), "occurs 0 times")
      assert.include(complaint({ find: "limit" }), "occurs 2 times")
      assert.include(complaint({ find: "" }), "occurs 0 times")
      assert.include(complaint({ file: "Gone.ts" }), "no file Gone.ts")
      assert.include(complaint({ replace: "age <= limit" }), "same")
    })
  })

  describe("loadAll", () => {
    it("gathers the faults of every package, in the order of their files", async () => {
      const module = (...faults: ReadonlyArray<Fault.Fault>) => `export const faults = ${JSON.stringify(faults)}\n`
      write("scripts/faults/core/b.ts", module(fault({ clause: "8.3-hit" })))
      write("scripts/faults/core/a.ts", module(fault(), fault({ clause: "8.3-miss" })))
      write("scripts/faults/sandbox/a.ts", module(fault()))
      const faults = await Fault.loadAll(root)
      assert.deepStrictEqual(faults.map(({ clause, package: name }) => `${name} ${clause}`), [
        "core 8.3-age",
        "core 8.3-miss",
        "core 8.3-hit",
        "sandbox 8.3-age"
      ])
    })
  })

  describe("misplacement", () => {
    const clauses: ReadonlyArray<Clause.Clause> = [{ id: "8.3-age", text: "Age.", section: "8.3", where: ["core"] }]

    it("wants a clause that exists and is asked of the package", () => {
      assert.isUndefined(Fault.misplacement({ ...fault(), package: "core" }, clauses))
      assert.include(Fault.misplacement({ ...fault(), package: "client" }, clauses), "not asked of client")
      assert.include(
        Fault.misplacement({ ...fault({ clause: "8.3-old" }), package: "core" }, clauses),
        "no clause 8.3-old"
      )
    })
  })

  it("finds every fault of this repository in place", async () => {
    const repository = dirname(dirname(import.meta.dirname))
    const clauses = Result.getOrThrow(Clause.read(repository))
    for (const own of await Fault.loadAll(repository)) {
      assert.isUndefined(Fault.misplacement(own, clauses))
      const reason = Result.match(Fault.plant(repository, own), { onFailure: (reason) => reason, onSuccess: () => "" })
      assert.strictEqual(reason, "", `${own.package} ${own.clause}`)
    }
  })
})
