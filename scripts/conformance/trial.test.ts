import { assert, describe, it } from "@effect/vitest"
import * as Trial from "./trial.ts"

type Seen = Trial.Observation["tests"][number]

const file = "packages/core/test/Cache.test.ts"

const test = (over: Partial<Seen> = {}): Seen => ({
  package: "core",
  file,
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

const fault: Trial.Judged = { file: "a.ts", clauses: ["8.3-hit"], targets: [{ file, package: "core" }] }

describe("Trial", () => {
  it.each([
    ["caught: a failing test", seen([test(), failed("AssertionError: expected 1 to equal 2")])],
    ["missed: its tests pass all the same", seen([test()])],
    ["missed: its tests never load a.ts", seen([test()], { loaded: false })],
    ["missed: its tests pass", seen([test(), { ...failed("AssertionError"), clauses: ["8.3-miss"] }])],
    ["error: tests could not run: Transform failed", seen([test()], { broken: ["Transform\n  failed"] })],
    ["error: the fault is no running program: Ref", seen([failed("ReferenceError: too is not defined")])],
    ["error: the fault is no running program: Syn", seen([failed("SyntaxError: unexpected end")])],
    ["error: no test ran", seen([test({ state: "skipped" })])],
    ["error: an error outside of tests: unhandled", seen([test()], { stray: ["unhandled"] })]
  ])("judges a fault by the tests of its clause: %s", (verdict, observation) => {
    const { detail, outcome } = Trial.verdict(fault, observation)
    assert.strictEqual(`${outcome}: ${detail}`.slice(0, verdict.length), verdict)
  })

  it("accepts as judges tests that pass on sound sources, and no others", () => {
    const objectionTo = (...tests: ReadonlyArray<Seen>) => Trial.objection(fault, seen(tests))
    assert.isUndefined(objectionTo(test(), test({ state: "skipped" })))
    assert.include(objectionTo(test(), failed("AssertionError")), "a failing test")
    assert.include(objectionTo(test({ state: "skipped" })), "no test passes")
    assert.include(objectionTo(test({ file: "packages/client/test/Cache.test.ts" })), "no test passes")
  })
})
