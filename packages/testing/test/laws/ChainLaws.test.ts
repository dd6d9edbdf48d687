import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as ChainLaws from "@effect-marketdata/testing/ChainLaws"
import { describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { assertAllBroken } from "../support/planted.ts"

describe("ChainLaws", () => {
  it("of finds every mistake of a decoder", () => {
    assertAllBroken({
      "null is 0": ChainLaws.of({
        decode: (body) =>
          Result.map(ChainLaws.core.decode(body), (rows) => rows.map((row) => ({ ...row, last: row.last ?? 0 })))
      }),
      "what cannot be read is empty": ChainLaws.of({
        decode: (body) => Result.succeed(Result.getOrElse(ChainLaws.core.decode(body), () => []))
      })
    })
  })

  it("findings find what is overlooked, and what is made up", () => {
    assertAllBroken({
      "sees nothing": ChainLaws.findings(() => []),
      "sees too much": ChainLaws.findings(() => [{ code: "MidMismatch", column: "mid", count: 2 }])
    })
  })

  it("streaming finds a piece that is lost", () => {
    const told = (body: Uint8Array) => {
      const decoded = OptionChain.decode(body)
      return Result.isSuccess(decoded) ? OptionChain.toRows(decoded.success) : decoded.failure.code
    }
    assertAllBroken({
      "only the first piece": ChainLaws.streaming({ whole: told, pieces: ([first]) => told(first ?? new Uint8Array()) })
    })
  })

  it("reasons find a reason that is always the same", () => {
    assertAllBroken({
      "always the type": ChainLaws.reasons(() => "WrongType")
    })
  })

  it("table finds what is written in another way, and a row that is not found", () => {
    assertAllBroken({
      "with blanks": ChainLaws.table({
        rewrite: (body) => JSON.stringify(JSON.parse(body), null, 2),
        indexOf: () => -1
      })
    })
  })
})
