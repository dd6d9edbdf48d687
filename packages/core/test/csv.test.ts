import * as Csv from "../src/internal/csv.ts"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hostileText } from "./support/arbitraries.ts"
import { trials } from "./support/laws.ts"

const runs = trials(4_5)

const cell = fc.oneof(
  fc.constantFrom("1.5", "AAPL"),
  fc.string({ unit: fc.constantFrom(..."a1 \",\r\n"), maxLength: 6 })
)

const table = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(fc.tuple(cell, cell, cell, cell), { maxLength: 6 }))
  .map((
    [width, rows]
  ) => ({ names: ["a", "b", "c", "d"].slice(0, width), rows: rows.map((row) => row.slice(0, width)) }))

const problem = (text: string) => {
  const read = Csv.read(text)
  assert(!Csv.isCsv(read))
  return [read.code, read.index]
}

describe("CSV", () => {
  it("reads what it writes, whatever stands in the cells", () => {
    fc.assert(
      fc.property(table, (csv) => {
        assert.deepStrictEqual(Csv.read(Csv.write(csv)), csv)
      }),
      runs
    )
  })

  it("takes both ends of lines, a mark of the byte order, and a last line without an end", () => {
    const rows = { names: ["a", "b"], rows: [["1", ""], ["", "x,y"]] }
    for (const text of [`a,b\r\n1,\r\n,"x,y"\r\n`, `a,b\n1,\n,"x,y"\n`, `\uFEFFa,b\n1,\n,"x,y"`]) {
      assert.deepStrictEqual(Csv.read(text), rows)
    }
    assert.deepStrictEqual(Csv.read("a,b\n1,"), { names: ["a", "b"], rows: [["1", ""]] })
    assert.deepStrictEqual(Csv.read("a\n"), { names: ["a"], rows: [] })
  })

  it("refuses what is none, with the row", () => {
    for (const text of ["", " \n"]) assert.deepStrictEqual(problem(text), ["UnexpectedEnd", undefined])
    for (const text of [`{"s":"ok"}`, " [1]", "<html>"]) {
      assert.deepStrictEqual(problem(text), ["UnexpectedToken", undefined])
    }
    for (const text of [`a,b\n"1,2`, `a\n"1"2\n`, `"`, `a\n"""`]) {
      assert.deepStrictEqual(problem(text), ["UnexpectedEnd", undefined])
    }
    assert.deepStrictEqual(problem("a,b\n1,2\n3\n"), ["LengthMismatch", 1])
    assert.deepStrictEqual(problem("a,b\n1,2,3\n"), ["LengthMismatch", 0])
  })

  it("answers every text, however long", () => {
    fc.assert(fc.property(hostileText, (text) => void Csv.read(text)), runs)
    for (const part of [`"`, `""`, ",", "\n", `",`, "x"]) Csv.read(part.repeat(1_000_000))
  })

  it("puts tables below each other by the names of their columns", () => {
    assert.deepStrictEqual(
      Csv.merge([{ names: ["a", "b"], rows: [["1", "2"]] }, { names: ["b", "c"], rows: [["3", "4"]] }]),
      { names: ["a", "b", "c"], rows: [["1", "2", ""], ["", "3", "4"]] }
    )
  })
})
