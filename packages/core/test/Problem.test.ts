import * as Problem from "@effect-marketdata/core/Problem"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { forAll } from "./support/depth.ts"

const names = ["mode", "expiration", "strikeLimit", "side", "delta"]

describe("nearest", () => {
  it.each([
    ["mdoe", "mode"],
    ["Mode", "mode"],
    ["moed", "mode"],
    ["expirations", "expiration"],
    ["strike-limit", "strikeLimit"],
    ["strkie_limit", "strikeLimit"]
  ])("%s is %s", (text, name) => assert.strictEqual(Problem.nearest(text, names), name))

  it("is not a name that has little in common", () => {
    for (const text of ["", "colour", "xx", "🦊"]) assert.isUndefined(Problem.nearest(text, names), text)
  })

  it("finds a name in which two letters beside each other were swapped, whichever they are", () => {
    forAll({ seed: 24 }, fc.constantFrom(...names), fc.nat(), (name, at) => {
      const index = at % (name.length - 1)
      const swapped = name.slice(0, index) + name[index + 1]! + name[index]! + name.slice(index + 2)
      assert.strictEqual(Problem.nearest(swapped, names), name)
    })
  })
})

it("format prints what a rule names behind its words, whatever a program calls it", () => {
  const problem = { rule: "must not be greater than", against: "maxBid", limit: "1", example: "1" }
  assert.strictEqual(Problem.format("minBid 5", problem), "minBid 5 must not be greater than maxBid (1), e.g. 1.")
  const against = Problem.format("--min-bid 5", { ...problem, against: "--max-bid" })
  assert.strictEqual(against, "--min-bid 5 must not be greater than --max-bid (1), e.g. 1.")
})
