import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Chains from "@effect-marketdata/testing/Chains"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { sample, smallest } from "../support/drawn.ts"

describe("Chains", () => {
  it("hold every kind of contract", () => {
    const rows = sample(Chains.chain).flat()
    const has = (is: (row: OptionChain.Row) => boolean) => assert.isTrue(rows.some(is), String(is))
    has(({ last }) => last === null)
    has(({ last }) => last === 0)
    has(({ dte }) => dte === 0)
    has(({ bid, mid }) => bid !== mid)
    has(({ inTheMoney, side }) => inTheMoney === true && side === "put")
    has(({ inTheMoney, intrinsicValue }) => inTheMoney === false && intrinsicValue === 0)
    has(({ underlying }) => underlying === "SPX")
    has(({ optionSymbol, underlying }) => !optionSymbol.startsWith(underlying))
    assert.isTrue(sample(Chains.chain).some(({ length }) => length === 0))
    assert.isTrue(sample(Chains.chain).some(({ length }) => length === 12))
  })

  it("shrink to the one row that matters", () => {
    const rows = smallest(Chains.chain, (rows) => rows.every(({ last }) => last !== null))
    assert(Array.isArray(rows))
    assert.strictEqual(rows.length, 1)
    assert.deepInclude(rows[0], { side: "call", bid: 0, ask: 0, last: null, dte: 0, volume: 0 })
  })

  it("deviate in strict decoding too, by the same code or by `Deviation`", () => {
    for (const [code, arbitrary] of Object.entries(Chains.deviant)) {
      for (const { body } of sample(arbitrary, 30)) {
        const decoded = OptionChain.decode(body, { strict: true })
        assert(Result.isFailure(decoded))
        assert.include([code, "Deviation"], decoded.failure.code)
      }
    }
  })
})
