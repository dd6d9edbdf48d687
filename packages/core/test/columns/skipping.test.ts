import * as ColumnKind from "@effect-marketdata/core/ColumnKind"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { everyWay, inPieces, kernels } from "../support/decodings.ts"

const spec = { close: { kind: ColumnKind.number, null: "finding" } } as const

/** What reading says of a reply whose field nobody asked for holds this value. */
const judge = (value: string): string => {
  const outcomes = everyWay(spec, `{"s":"ok","x":${value},"close":[1]}`).map((outcome) =>
    Result.isFailure(outcome) ? outcome.failure.message : String(outcome.success.vectors["close"])
  )
  for (const outcome of outcomes) assert.strictEqual(outcome, outcomes[0])
  return outcomes[0]!
}

describe("values that nobody asked for", () => {
  it("may be any JSON", () => {
    const plain = ["0", "-0.5e+10", "\"\\ud800\"", "[]", "{}", "[[],{},[{}]]"]
    const values = [...plain, `{"a":{"a":[1]},"":""}`, ` [ 1 , { "b" : null } ] `]
    for (const value of values) assert.strictEqual(judge(value), "1", value)
  })

  it("may hold numbers that no double holds, and equal keys, as for JSON.parse", () => {
    for (const value of ["1e999", "[-1e400]", "9".repeat(400), "{\"a\":1,\"a\":2}"]) {
      assert.strictEqual(judge(value), "1")
    }
  })

  it("are held to the grammar of JSON", () => {
    const values = String.raw`[ { ] } [1,] [,] {"a"} {"a":} {a:1} {"a":1,} [} {] 01 tru nulls 'a' "\x" ["\u12g4"] [1]]`
    for (const value of values.split(" ").concat("", "[1 2]", "\"\t\"")) {
      assert.throws((): unknown => JSON.parse(`{"x":${value}}`))
      assert.include(judge(value), "cannot read the reply", value)
    }
  })

  it("may be numbers in any number, form and place: those in arrays are passed over by the loop that reads columns", () => {
    const many = Array.from({ length: 1500 }, (_, at) => at % 7 === 0 ? "null" : `${at / 8}`).join()
    const odd = "1e999, -0 ,12345678901234567890.5,true,\"1\",[2],{\"a\":[3,{\"b\":4,\"c\":-5}]},1.5e-7"
    const values = [
      `[${many}]`,
      `[${many},${odd},${many}]`,
      `[[${many}],[${odd}]]`,
      `{"a":[${many}],"b":-1,"c":[${odd}]}`
    ]
    for (const value of values) {
      assert.strictEqual(judge(value), "1")
      assert.include(judge(`${value.slice(0, -1)},]`), "cannot read the reply")
      assert.include(judge(`[${value},-]`), "InvalidNumber in column x")
    }
  })

  it("may be numbers behind columns that end where the kernel's memory does", () => {
    const wide = { one: spec.close, two: spec.close, three: spec.close }
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at / 4).join()
    // Three columns of that many rows leave 4,016 bytes of the page in which they end.
    const columns = Object.keys(wide).map((name) => `"${name}":[${numbers(4606)}]`).join()
    for (const outcome of everyWay(wide, `{"s":"ok",${columns},"x":[${numbers(3000)}]}`)) {
      assert.strictEqual(Result.getOrThrow(outcome).length, 4606)
    }
  })

  it("lie in each other 512 deep, and no deeper, in constant stack and memory", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
    const objects = (depth: number) => "{\"a\":".repeat(depth) + "1" + "}".repeat(depth)
    assert.deepStrictEqual([judge(nested(512)), judge(objects(512))], ["1", "1"])
    assert.include(judge(nested(513)), "TooDeep in column x, byte 526")
    assert.include(judge(objects(513)), "TooDeep in column x, byte 2574")
    const body = new TextEncoder().encode(`{"s":"ok","x":${nested(300_000)},"close":[1]}`)
    for (const kernel of kernels) {
      for (const size of [999, 65_536, body.length]) {
        const { code, offset } = Result.getOrThrow(Result.flip(inPieces(spec, body, () => size, { kernel })))
        assert.deepStrictEqual([code, offset], ["TooDeep", 526])
      }
    }
  })

  it("may have names that objects inherit: no name is anything but text", () => {
    const names = "__proto__ constructor toString hasOwnProperty length at valueAt findings é S".split(" ")
    for (const name of names.concat("", " ", "close ")) {
      for (const outcome of everyWay(spec, `{"s":"ok",${JSON.stringify(name)}:{"a":1},"close":[1]}`)) {
        const { findings, vectors } = Result.getOrThrow(outcome)
        assert.deepStrictEqual(Object.keys(vectors), ["close"])
        assert.deepStrictEqual(findings, [{ code: "UnknownField", column: name, count: 1, examples: [] }])
      }
    }
    assert.isUndefined(({} as Readonly<Record<string, unknown>>)["a"])
  })

  it("are known columns too, where others were asked for", () => {
    const wide = { ...spec, name: { kind: ColumnKind.dictionary, null: "identity" } } as const
    for (const outcome of everyWay(wide, `{"s":"ok","name":{"no":["column"]},"close":[1]}`, { columns: ["close"] })) {
      const { findings, vectors } = Result.getOrThrow(outcome)
      assert.deepStrictEqual(Object.keys(vectors), ["close"])
      assert.deepStrictEqual(findings, [])
    }
  })

  it("may be as many as 1024 with the columns", () => {
    const fields = Array.from({ length: 1022 }, (_, at) => `"f${at}":${at}`).join()
    for (const outcome of everyWay(spec, `{"s":"ok",${fields},"close":[1]}`)) {
      assert.strictEqual(Result.getOrThrow(outcome).findings.length, 1022)
    }
  })
})
