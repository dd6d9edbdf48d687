/** What a reply may take of memory and time, however long it is and whoever wrote it. */
import { ColumnDecoder, ColumnKind, OptionChain, Query, Reply, StockQuotes } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { everyWay, plain } from "../support/decodings.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const spec = {
  name: { kind: ColumnKind.dictionaryOf(3), null: "finding" },
  size: { kind: ColumnKind.number, null: "finding" },
  open: { kind: ColumnKind.boolean, null: "finding" }
} as const

/** The same error from each way of reading. */
const failure = (body: string, options: ColumnDecoder.DecodeOptions = {}) => {
  const [first, ...others] = everyWay(spec, body, options).map((outcome) =>
    plain(Result.getOrThrow(Result.flip(outcome)))
  )
  for (const other of others) assert.deepStrictEqual(other, first)
  return first!
}

/** Feeds a decoder pieces until it wants no more; answers how many bytes it took. */
const feed = (push: (bytes: Uint8Array) => boolean, piece: (index: number) => string, most: number): number => {
  let taken = 0
  for (let index = 0; taken < most; index++) {
    const bytes = bytesOf(piece(index))
    taken += bytes.length
    if (!push(bytes)) break
  }
  return taken
}

describe("the rows of a reply", () => {
  it("are at most as many as were asked for, and the first one too many ends the reading", () => {
    for (const column of ["size", "name", "open"] as const) {
      const element = { size: "1", name: "\"a\"", open: "true" }[column]
      const body = (rows: number) => `{"s":"ok","${column}":[${Array(rows).fill(element).join()}]}`
      for (const outcome of everyWay(spec, body(5), { maxRows: 5, columns: [column] })) {
        assert.strictEqual(Result.getOrThrow(outcome).length, 5)
      }
      const error = failure(body(6), { maxRows: 5, columns: [column] })
      assert.deepInclude(error, { code: "TooManyRows", column, index: 5, expected: "at most 5 rows" })
    }
  })

  it("are bounded where the bound is not a number of rows", () => {
    for (const [maxRows, isRead] of [[NaN, false], [-1, false], [1.5, false], [2.5, true], [1e300, true]] as const) {
      assert.strictEqual(Result.isSuccess(ColumnDecoder.decode(spec, `{"s":"ok","size":[1,2]}`, { maxRows })), isRead)
    }
    assert.strictEqual(ColumnDecoder.maxRows, 16_777_216)
  })

  it("that no endpoint's reply has are refused after a fraction of its bytes", () => {
    const ones = ",1".repeat(50_000)
    const queries: ReadonlyArray<Query.Query> = [
      Result.getOrThrow(Query.optionChain("SPX", { columns: ["bid"] })),
      Result.getOrThrow(Query.stockCandles("D", "AAPL", { countback: 5, columns: ["c"] }))
    ]
    for (const query of queries) {
      const { maxReplyBytes, maxRows } = query.endpoint
      const reader = Reply.reader(query, Reply.head({ status: 200, headers: {} }), { strict: false })
      const name = query.columns?.[0]
      const taken = feed(reader.push, (index) => index === 0 ? `{"s":"ok","${name}":[1` : ones, maxReplyBytes)
      const body = reader.end()
      assert("data" in body && Result.isFailure(body.data))
      assert.deepInclude(plain(body.data.failure), { code: "TooManyRows", column: name, index: maxRows })
      assert.isBelow(taken, 2 * maxRows + 2 * ones.length)
    }
  })
})

describe("the texts of a column", () => {
  it("are at most as many different ones as the column can have", () => {
    const texts = (count: number) => Array.from({ length: count }, (_, at) => `"T${at}"`)
    const long = texts(3).map((text) => text.replace("T", "T".repeat(40)))
    for (const known of [texts(3), long]) {
      for (
        const outcome of everyWay(spec, `{"s":"ok","name":[${[...known, ...known].join()}]}`, { columns: ["name"] })
      ) {
        assert.strictEqual(Result.getOrThrow(outcome).length, 6)
      }
      const error = failure(`{"s":"ok","name":[${[...known, ...known, `"x"`].join()}]}`, { columns: ["name"] })
      const place = { column: "name", index: 6 }
      const told = { code: "TooManyTexts", expected: "at most 3 different texts", received: "another one" } as const
      assert.deepInclude(error, { ...place, ...told })
    }
  })

  it("cannot fill a map: where 17 million would follow, 131,073 are enough to refuse", () => {
    const { end, push } = ColumnDecoder.make(StockQuotes.spec, { columns: ["symbol"] })
    let next = 0
    const some = () => Array.from({ length: 4096 }, () => `,"${(next++).toString(36)}"`).join("")
    const taken = feed(push, (index) => index === 0 ? `{"s":"ok","symbol":["-"` : some(), 200_000_000)
    assert.deepInclude(plain(Result.getOrThrow(Result.flip(end()))), { code: "TooManyTexts", index: 131_072 })
    assert.isBelow(taken, 2_000_000)
  })

  it("are at most 16,384 series of option symbols, and as many underlyings", () => {
    const letters = (at: number) => [at / 676, at / 26, at].map((of) => String.fromCharCode(65 + of % 26)).join("")
    const cases = [
      ["optionSymbol", (at: number) => `"${letters(at)}261120${at < 17_576 ? "C" : "P"}00150000"`],
      ["underlying", (at: number) => `"U${at}"`]
    ] as const
    for (const [column, text] of cases) {
      const body = `{"s":"ok","${column}":[${Array.from({ length: 16_385 }, (_, at) => text(at)).join()}]}`
      const error = Result.getOrThrow(Result.flip(OptionChain.decode(body, { columns: [column] })))
      assert.deepInclude(plain(error), { code: "TooManyTexts", column, index: 16_384 })
    }
  })
})

describe("columns that did not come", () => {
  const columns = Query.endpoints.optionChain.columns.filter((name) =>
    OptionChain.spec[name as OptionChain.Column].null !== "identity"
  ) as ReadonlyArray<OptionChain.Column>

  it("are nulls in a reply that lacks some of them", () => {
    const body = `{"s":"ok","bid":[${Array(3000).fill("1.25").join()}]}`
    const chain = Result.getOrThrow(OptionChain.decode(body, { columns: ["bid", "ask", "mid"] }))
    assert.deepStrictEqual([chain.length, chain.isNull("ask", 2999)], [3000, true])
    assert.deepStrictEqual(chain.findings.map(({ code }) => code), ["MissingColumn", "MissingColumn"])
  })

  it("are not filled in where a short reply would become a table many times its size", () => {
    const body = `{"s":"ok","bid":[${Array(300_000).fill("1").join()}]}`
    const error = Result.getOrThrow(Result.flip(OptionChain.decode(body, { columns })))
    assert.deepInclude(plain(error), { code: "MissingColumn", received: "nothing" })
  })
})

describe("a chain of rows that all deviate", () => {
  const rows = 10_000
  const column = (name: string, element: (row: number) => unknown) =>
    `"${name}":${JSON.stringify(Array.from({ length: rows }, (_, row) => element(row)))}`
  const body = `{"s":"ok",${
    [
      column("optionSymbol", (row) => `AAPL261120C${String(row + 1).padStart(8, "0")}`),
      column("strike", () => 7),
      column("side", () => "put"),
      column("expiration", (row) => row)
    ].join()
  }}`
  const options = { columns: ["optionSymbol", "strike", "side", "expiration"] } as const

  it("is compared in parts, and what is found is the same", () => {
    const { advance, end, push } = OptionChain.decoder(options)
    push(bytesOf(body))
    const goesOn = () => advance?.() === true
    let parts = 1
    while (goesOn()) parts++
    assert.isAtLeast(parts, 5)
    const { findings } = Result.getOrThrow(end())
    assert.deepStrictEqual(findings, Result.getOrThrow(OptionChain.decode(body, options)).findings)
    const counts = findings.map(({ code, count }) => [code, count])
    assert.deepStrictEqual(counts, [["StrikeMismatch", rows - 1], ["SideMismatch", rows], ["ExpirationMismatch", rows]])
    assert.isFalse(goesOn())
  })

  it("is compared as a whole where nobody asks for parts", () => {
    const { end, push } = OptionChain.decoder(options)
    push(bytesOf(body))
    assert.deepStrictEqual([Result.getOrThrow(end()).length, Result.getOrThrow(end()).length], [rows, rows])
  })
})
