import { Chains, Law, Queries } from "@effect-marketdata/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { inspect } from "node:util"

const small = Law.make({
  name: "no count is above 1000",
  clauses: ["1-credits"],
  arbitrary: fc.nat({ max: 100_000 }),
  holds: (count) => count <= 1000
})

const failureOf = <A>(law: Law.Law<A>, options: Law.Options): Law.LawBroken => {
  const tried = Law.attempt(law, options)
  assert(Result.isFailure(tried))
  return tried.failure
}

describe("attempt", () => {
  it("tells how often a law was tried, and with which seed", () => {
    const held = Law.attempt({ ...small, holds: () => true }, { runs: 12, seed: 5 })
    assert.deepStrictEqual(held, Result.succeed({ law: small.name, runs: 12, seed: 5 }))
  })

  it("finds the smallest counterexample", () => assert.strictEqual(failureOf(small, { seed: 1 }).counterexample, 1001))

  it("sees a counterexample again by seed and path", () => {
    const { counterexample, path, seed, shrinks } = failureOf(small, { seed: 3 })
    const again = failureOf(small, { path, seed })
    assert.isAbove(shrinks, 0)
    assert.deepStrictEqual([again.counterexample, again.shrinks], [counterexample, 0])
  })

  it("draws other values each time without a seed", () => {
    const seeds = Array.from({ length: 3 }, () => Result.getOrThrow(Law.attempt({ ...small, holds: () => true })).seed)
    assert.isAbove(new Set(seeds).size, 1)
  })

  it("takes a law that throws for one that does not hold, and says what it threw", () => {
    const law = Law.make({ ...small, holds: () => assert.fail("no such day") })
    assert.strictEqual(failureOf(law, { seed: 1 }).explanation, "it threw AssertionError: no such day")
  })
})

it("equation compares plain data by value, and says what was expected and what was received", () => {
  const law = Law.equation({
    name: "a text is itself again",
    clauses: [],
    arbitrary: fc.record({ text: fc.constantFrom("a", "b") }),
    expected: (value) => value,
    received: ({ text }) => ({ text: text.replace("b", "c") })
  })
  assert.isTrue(law.holds({ text: "a" }))
  assert.isFalse(law.holds({ text: "b" }))
  assert.strictEqual(failureOf(law, { seed: 1 }).explanation, `expected {"text":"b"}, received {"text":"c"}`)
})

describe("check", () => {
  it("throws what tells all that is needed to see it again", () => {
    assert.throws(() => Law.check(small, { seed: 1 }), Law.LawBroken)
    assert.match(
      inspect(failureOf(small, { seed: 1 })),
      /^LawBroken: the law does not hold: no count is above 1000 \(1-credits\)\nsmallest counterexample, after \d+ steps: 1001\nsee it again: \{ seed: 1, path: "[\d:]+" \}\n/
    )
  })

  it("shows a query by what it asks", () => {
    const law = Law.make({ name: "none", clauses: [], arbitrary: fc.tuple(Queries.query), holds: () => false })
    assert.match(failureOf(law, { seed: 1 }).message, /: \[\{"endpoint":"\w+",[^\n]{0,200}\}\]\n/)
  })

  it("returns where a law holds", () => {
    assert.isUndefined(Law.check({ ...small, holds: () => true }, { runs: 3 }))
    for (const runs of [0, NaN, "3"] as Array<never>) {
      assert.throws(() => Law.check(small, { runs }), /runs .* must be a positive integer/)
    }
    assert.throws(() => Chains.chainOf(1, undefined as never), /most undefined must be a number of rows from least on/)
  })
})
