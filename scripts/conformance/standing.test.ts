import { assert, describe, it } from "@effect/vitest"
import type { Fault } from "../faults/fault.ts"
import type { Clause } from "./clause.ts"
import * as Report from "./report.ts"
import * as Standing from "./standing.ts"

const clauses: ReadonlyArray<Clause> = [
  { id: "8.3-hit", text: "Data come.", section: "8.3", where: ["core", "client"] },
  { id: "8.3-miss", text: "None come.", section: "8.3", where: ["core"] }
]

const test = (over: Partial<Report.ClauseTest> = {}): Report.ClauseTest => ({
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
  from: "packages/core/test/faults/a.ts",
  index: 0
}

const standings = (
  tests: ReadonlyArray<Report.ClauseTest>,
  faults: ReadonlyArray<Fault>,
  outcome?: Report.Verdict["outcome"]
): ReadonlyArray<Standing.Standing> => {
  const verdicts: Report.Verdicts = new Map(outcome && [[Report.keyOf(fault), { outcome, detail: "" }]])
  return Standing.all(clauses, tests, faults, verdicts)
}

describe("Standing", () => {
  it.each<[string | undefined, ...Parameters<typeof standings>]>([
    [undefined, [test()], [fault], "caught"],
    ["no test", [], [fault], "caught"],
    ["no test", [test({ state: "skipped" })], [fault], "caught"],
    ["no test", [test({ package: "client" })], [fault], "caught"],
    ["a test fails", [test(), test({ state: "failed" })], [fault], "caught"],
    ["no fault", [test()], []],
    ["no fault", [test()], [{ ...fault, package: "client" }], "caught"],
    ["no verdict on its fault", [test()], [fault]],
    ["no verdict on its fault", [test()], [fault], "stale"],
    ["no verdict on its fault", [test()], [fault, { ...fault, index: 1 }], "caught"],
    ["fault missed", [test()], [fault], "missed"]
  ])("tells what a proof lacks: %s", (gap, ...of) => assert.strictEqual(Standing.gap(standings(...of)[0]!), gap))

  it("as JSON has one entry a clause and one proof for each of its packages", () => {
    const tests = [test(), test({ package: "cli", name: "elsewhere" }), test({ state: "failed", name: "failing" })]
    const none = { tests: [], fault: "none" } as const
    assert.deepStrictEqual(Standing.toJson(standings(tests, [fault], "caught")).clauses, [
      {
        id: "8.3-hit",
        where: ["core", "client"],
        proven: { core: { tests: ["a test"], fault: "caught" }, client: none }
      },
      { id: "8.3-miss", where: ["core"], proven: { core: none } }
    ])
  })

  it("prints the table, the gaps and the count", () => {
    assert.deepStrictEqual(Standing.render(standings([test()], [fault], "caught")).split("\n"), [
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
    ])
  })
})
