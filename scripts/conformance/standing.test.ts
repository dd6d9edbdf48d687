import { assert, describe, it } from "@effect/vitest"
import type { Fault } from "../faults/fault.ts"
import type { Clause } from "./clause.ts"
import type { ClauseTest } from "./report.ts"
import * as Standing from "./standing.ts"
import type { Verdict } from "./trial.ts"
import * as Verdicts from "./verdicts.ts"

const clauses: ReadonlyArray<Clause> = [
  { id: "8.3-hit", text: "Data come.", section: "8.3", where: ["core", "client"] },
  { id: "8.3-miss", text: "None come.", section: "8.3", where: ["core"] }
]

const test = (over: Partial<ClauseTest> = {}): ClauseTest => ({
  package: "core",
  file: "packages/core/test/Cache.test.ts",
  name: "a test",
  clauses: ["8.3-hit"],
  state: "passed",
  ...over
})

const fault: Fault = {
  package: "core",
  clause: "8.3-hit",
  file: "a.ts",
  declaration: "isHit",
  broken: "() => () => true",
  from: "scripts/faults/core/a.ts",
  index: 0
}

const verdicts = (outcome: Verdict["outcome"]): Verdicts.Verdicts =>
  new Map([[Verdicts.keyOf(fault), { outcome, detail: "" }]])

const gapOf = (...input: [ReadonlyArray<ClauseTest>, ReadonlyArray<Fault>, Verdicts.Verdicts]) =>
  Standing.all(clauses, ...input).map(Standing.gap)[0]

describe("Standing", () => {
  describe("gap", () => {
    it("is none when tests pass and every fault is caught", () => {
      assert.isUndefined(gapOf([test()], [fault], verdicts("caught")))
    })

    it("tells what a proof lacks", () => {
      assert.strictEqual(gapOf([], [fault], verdicts("caught")), "no test")
      assert.strictEqual(gapOf([test({ state: "skipped" })], [fault], verdicts("caught")), "no test")
      assert.strictEqual(gapOf([test(), test({ state: "failed" })], [fault], verdicts("caught")), "a test fails")
      assert.strictEqual(gapOf([test()], [], new Map()), "no fault")
      assert.strictEqual(gapOf([test()], [fault], new Map()), "no verdict on its fault")
      assert.strictEqual(gapOf([test()], [fault], verdicts("stale")), "no verdict on its fault")
      assert.strictEqual(gapOf([test()], [fault], verdicts("missed")), "fault missed")
    })

    it("wants every fault caught", () => {
      assert.strictEqual(
        gapOf([test()], [fault, { ...fault, index: 1 }], verdicts("caught")),
        "no verdict on its fault"
      )
    })

    it("takes tests and faults of the package's own only", () => {
      assert.strictEqual(gapOf([test({ package: "client" })], [fault], verdicts("caught")), "no test")
      assert.strictEqual(gapOf([test()], [{ ...fault, package: "client" }], verdicts("caught")), "no fault")
    })
  })

  describe("toJson", () => {
    it("has one entry a clause and one proof for each of its packages", () => {
      const tests = [test(), test({ package: "cli", name: "elsewhere" }), test({ state: "failed", name: "failing" })]
      assert.deepStrictEqual(Standing.toJson(Standing.all(clauses, tests, [fault], verdicts("caught"))), {
        clauses: [
          {
            id: "8.3-hit",
            where: ["core", "client"],
            proven: { core: { tests: ["a test"], fault: "caught" }, client: { tests: [], fault: "none" } }
          },
          { id: "8.3-miss", where: ["core"], proven: { core: { tests: [], fault: "none" } } }
        ]
      })
    })
  })

  describe("render", () => {
    it("prints the table, the gaps and the count", () => {
      assert.deepStrictEqual(
        Standing.render(Standing.all(clauses, [test()], [fault], verdicts("caught"))).split("\n"),
        [
          "                              core        client      sandbox",
          "",
          "8.3",
          "  8.3-hit                     ✓1 caught   -",
          "  8.3-miss                    -",
          "",
          "Unproven",
          "  core, no test: 8.3-miss",
          "  client, no test: 8.3-hit",
          "",
          "Proven: 1 of 3 (core 1 of 2, client 0 of 1, sandbox 0 of 0)"
        ]
      )
    })
  })
})
