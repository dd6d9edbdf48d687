import * as Strike from "@effect-marketdata/core/Strike"
import * as Strikes from "@effect-marketdata/testing/Strikes"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { sample } from "../support/drawn.ts"

describe("Strikes", () => {
  it("are strikes", () => {
    for (const strike of sample(Strikes.strike)) assert.deepStrictEqual(Strike.parse(strike), Result.succeed(strike))
  })

  for (const [problem, arbitrary] of Object.entries(Strikes.refused)) {
    it(`are refused for their problem: ${problem}`, () => {
      for (const input of sample(arbitrary)) {
        const parsed = Strike.parse(input)
        assert(Result.isFailure(parsed))
        assert.strictEqual<string>(parsed.failure.problem, problem, String(input))
      }
    })
  }
})
