import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as MalformedChains from "@effect-marketdata/testing/MalformedChains"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { sample } from "../support/drawn.ts"

describe("MalformedChains", () => {
  for (const [code, arbitrary] of Object.entries(MalformedChains.malformed)) {
    it(`are refused for their code: ${code}`, () => {
      for (const { body } of sample(arbitrary, code === "TokenTooLong" ? 3 : 60)) {
        const decoded = OptionChain.decode(body)
        assert(Result.isFailure(decoded))
        assert.strictEqual<string>(decoded.failure.code, code)
      }
    })
  }
})
