import { assert, describe, it } from "@effect/vitest"
import * as Trial from "./trial.ts"

const fault = { clause: "8.3-hit", file: "packages/core/src/Cache.ts" }

type Seen = Trial.Observation["tests"][number]

const test = (over: Partial<Seen> = {}): Seen => ({
  package: "core",
  file: "packages/core/test/Cache.test.ts",
  name: "a test",
  clauses: ["8.3-hit"],
  state: "passed",
  errors: [],
  ...over
})

const failed = (error: string) => test({ state: "failed", name: "a failing test", errors: [error] })

const seen = (tests: ReadonlyArray<Seen>, over: Partial<Trial.Observation> = {}): Trial.Observation => ({
  tests,
  broken: [],
  stray: [],
  loaded: true,
  ...over
})

describe("Trial", () => {
  describe("judge", () => {
    it("calls a fault caught when a test of its clause fails, and names the test", () => {
      const verdict = Trial.judge(fault, seen([test(), failed("AssertionError: expected 1 to equal 2")]))
      assert.deepStrictEqual(verdict, { outcome: "caught", detail: "a failing test" })
    })

    it("calls a fault missed when all tests pass, and tells when they never loaded its file", () => {
      assert.deepStrictEqual(Trial.judge(fault, seen([test()])), {
        outcome: "missed",
        detail: "its tests pass all the same"
      })
      assert.deepStrictEqual(Trial.judge(fault, seen([test()], { loaded: false })), {
        outcome: "missed",
        detail: "its tests never load packages/core/src/Cache.ts"
      })
    })

    it("takes no failure of another clause for a catch", () => {
      const other = test({ clauses: ["8.3-miss"], state: "failed", errors: ["AssertionError"] })
      assert.strictEqual(Trial.judge(fault, seen([test(), other])).outcome, "missed")
    })

    it("takes no broken program for a catch", () => {
      const outcomes = [
        seen([test()], { broken: ["Transform failed\n  with 1 error"] }),
        seen([failed("ReferenceError: too is not defined")]),
        seen([failed("SyntaxError: unexpected end")]),
        seen([test({ state: "skipped" })]),
        seen([]),
        seen([test()], { stray: ["unhandled"] })
      ].map((observation) => Trial.judge(fault, observation))
      assert.deepStrictEqual(outcomes.map(({ outcome }) => outcome), outcomes.map(() => "error"))
      assert.strictEqual(outcomes[0]?.detail, "tests could not run: Transform failed with 1 error")
    })
  })

  describe("objection", () => {
    it("accepts tests that pass on sound sources, and no others", () => {
      const objectionTo = (...tests: ReadonlyArray<Seen>) => Trial.objection("8.3-hit", "core", seen(tests))
      assert.isUndefined(objectionTo(test(), test({ state: "skipped" })))
      assert.include(objectionTo(test(), failed("AssertionError")), "a failing test")
      assert.include(objectionTo(test({ state: "skipped" })), "no test passes")
      assert.include(objectionTo(test({ package: "client" })), "no test passes")
    })
  })
})
