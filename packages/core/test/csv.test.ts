import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Csv from "../src/columns/csv.ts"
import { hostileText } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(4_5)

const quoted = fc.string({ unit: fc.constantFrom(..."a1 \",\r\n"), maxLength: 6 })
const cell = fc.oneof(fc.constantFrom("1.5", "AAPL"), quoted)

const table = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(fc.tuple(cell, cell, cell, cell), { maxLength: 6 }))
  .map((
    [width, rows]
  ) => ({ names: ["a", "b", "c", "d"].slice(0, width), rows: rows.map((row) => row.slice(0, width)) }))

const problem = (text: string) => {
  const { code, index } = Result.getOrThrow(Result.flip(Csv.read(text)))
  return [code, index]
}

it("reads what it writes, whatever stands in the cells", () =>
  forAll(runs, table, (csv) => assert.deepStrictEqual(Csv.read(Csv.write(csv)), Result.succeed(csv))))

it("[4.5-general-params] takes both ends of lines, a mark of the byte order, blank lines, and a last line without an end", () => {
  const rows = { names: ["a", "b"], rows: [["1", ""], ["", "x,y"]] }
  for (const text of [`a,b\r\n1,\r\n,"x,y"\r\n\r\n`, `a,b\n1,\n,"x,y"\r`, `\uFEFFa,b\n\n1,\n""\n,"x,y"`]) {
    assert.deepStrictEqual(Csv.read(text), Result.succeed(rows))
  }
  assert.deepStrictEqual(Csv.read("a,b\n1,\r"), Result.succeed({ names: ["a", "b"], rows: [["1", ""]] }))
  assert.deepStrictEqual(Csv.read("a\n\n"), Result.succeed({ names: ["a"], rows: [[""]] }))
})

it("refuses what is none, with the row", () => {
  for (const text of ["", " \n"]) assert.deepStrictEqual(problem(text), ["UnexpectedEnd", undefined])
  for (const text of [`{"s":"ok"}`, " [1]", "<html>", "a,b\r1,2\r"]) {
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

describe("while it arrives", () => {
  const options = { filled: ["b", "c"], instants: "d", maxRows: 100 }

  /** Reads bytes in pieces of a size. */
  const inPieces = (bytes: Uint8Array, size: number, maxRows = 100) => {
    const reader = Csv.reader({ ...options, maxRows })
    for (let at = 0; at < bytes.length; at += size) if (!reader.push(bytes.subarray(at, at + size))) break
    return reader.end()
  }

  const read = (text: string, size: number, maxRows?: number) => inPieces(new TextEncoder().encode(text), size, maxRows)

  const failure = (text: string, size = 3, maxRows?: number) => {
    const { code, index } = Result.getOrThrow(Result.flip(read(text, size, maxRows)))
    return [code, index]
  }

  /** What bytes can say: halves of characters are replaced. At the start only the blanks of ASCII are blanks. */
  const wellFormed = (text: string): string =>
    new TextDecoder().decode(new TextEncoder().encode(text)).replace(
      /^\s+/,
      (blanks) => blanks.replace(/[^\t\n\v\f\r ]/g, "x")
    )

  it("is counted as the whole is, however it is cut", () => {
    const odd = fc.string({ unit: fc.constantFrom(..."ab1,\"\r\n{ é"), maxLength: 30 })
    const anyText = fc.oneof(table.map(Csv.write), hostileText, odd)
    forAll(runs, anyText.map(wellFormed), fc.integer({ min: 1, max: 9 }), (text, size) => {
      const whole = Csv.read(text)
      const counted = read(text, size)
      if (Result.isFailure(whole)) return assert.deepStrictEqual<unknown>(Result.flip(counted), Result.flip(whole))
      const { names, rows } = whole.success
      const columns = options.filled.map((name) => names.indexOf(name)).filter((column) => column >= 0)
      const column = names.indexOf("d")
      const instants = rows.flatMap((row) => row[column] ? [Number(row[column])] : []).filter((instant) =>
        !Number.isNaN(instant)
      )
      assert.deepStrictEqual(Result.getOrThrow(counted), {
        text: text.replace(/^\uFEFF/, ""),
        rows: rows.length,
        filled: rows.filter((row) => columns.some((column) => row[column] !== "")).length,
        isWhole: columns.length === options.filled.length,
        oldest: Math.min(...instants),
        newest: Math.max(...instants)
      })
    })
  })

  it("is refused for the same, and for more rows and names than any reply has", () => {
    assert.deepStrictEqual(failure(""), ["UnexpectedEnd", undefined])
    assert.deepStrictEqual(failure(`{"s":"ok"}`), ["UnexpectedToken", undefined])
    assert.deepStrictEqual(failure(`a\n"b`), ["UnexpectedEnd", undefined])
    assert.deepStrictEqual(failure("a,b\n1,2\n3\n"), ["LengthMismatch", 1])
    assert.deepStrictEqual(failure("a\n1\n2\n3\n", 2, 2), ["TooManyRows", 2])
    assert.deepStrictEqual(failure(",".repeat(1024)), ["TooManyFields", undefined])
    assert.deepStrictEqual(failure("x".repeat(70_000), 1000), ["TooManyFields", undefined])
    for (const bytes of [[0x61, 0xff], [0x61, 0x0a, 0xe2, 0x82]]) {
      const { code } = Result.getOrThrow(Result.flip(inPieces(Uint8Array.from(bytes), 1)))
      assert.strictEqual(code, "InvalidUtf8")
    }
  })

  it("takes an instant for none where it is longer than one", () => {
    const { newest, rows } = Result.getOrThrow(read(`d\n${"1".repeat(500)}\n17\n`, 4))
    assert.deepStrictEqual([rows, newest], [2, 17])
  })
})

it("puts tables below each other by the names of their columns", () => {
  const merged = Csv.merge([{ names: ["a", "b"], rows: [["1", "2"]] }, { names: ["b", "c"], rows: [["3", "4"]] }])
  assert.deepStrictEqual(merged, { names: ["a", "b", "c"], rows: [["1", "2", ""], ["", "3", "4"]] })
})
