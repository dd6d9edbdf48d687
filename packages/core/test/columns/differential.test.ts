import { ColumnDecoder, ColumnKind } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { runs, seed } from "../support/depth.ts"
import * as Differential from "../support/differential.ts"
import * as Oracle from "../support/oracle.ts"

const numbers = runs(500_000, 50_000)
const replies = runs(25_000, 500)

describe(`decoding beside JSON.parse, seed ${seed}`, () => {
  it(`reads ${numbers} numbers to the last bit, with both kernels, whole and in pieces`, () =>
    assert.isAtLeast(Differential.numbers(seed, numbers), numbers))

  it(`takes and refuses ${replies} documents as the oracle does, with the same error in every way of reading`, () => {
    const { accepted, documents } = Differential.documents(seed, replies)
    // Were nearly all refused, or nearly all taken, the documents would not be a test.
    assert.isAbove(accepted, documents * 0.1)
    assert.isBelow(accepted, documents * 0.9)
  })

  it("reads keys with backslashes as they are written, whatever was read before", () => {
    const columns = { price: { kind: ColumnKind.number, null: "finding" } } as const
    const judge = Oracle.judge({ columns: { price: { element: Schema.Number, null: "finding" } } })
    const bytesOf = (key: string) => new TextEncoder().encode(`{"first":0,"${key}":0,"s":"ok","price":[1]}`)
    for (const [written, name] of [["\\\\\\\\", "\\\\"], ["\\\\a", "\\a"]] as const) {
      const verdict = Result.getOrThrow(judge(bytesOf(written)))
      const { findings } = Result.getOrThrow(ColumnDecoder.decode(columns, bytesOf(written)))
      assert.deepStrictEqual(verdict.findings, ["UnknownField in first", `UnknownField in ${name}`])
      assert.deepStrictEqual(findings.map(({ column }) => column), ["first", name])
    }
  })
})
