import * as ColumnKind from "@effect-marketdata/core/ColumnKind"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { elementsOf, everyWay } from "../support/decodings.ts"
import { otherSpec } from "../support/documents.ts"

/** Reads one column by its kind, long enough for the loops to begin. */
const read = (kind: ColumnKind.ColumnKind, elements: ReadonlyArray<unknown>): void => {
  const spec = { it: { kind, null: "nullable" } } as const
  const all = Array.from({ length: 20 }, () => elements).flat()
  for (const spaces of [0, 1]) {
    for (const outcome of everyWay(spec, JSON.stringify({ s: "ok", it: all }, null, spaces))) {
      const decoded = Result.getOrThrow(outcome)
      assert.deepStrictEqual(elementsOf(spec, decoded, "it"), all)
      const { lanes } = kind.pack(decoded.vectors["it"])
      for (const lane of lanes) assert.strictEqual(lane.length, all.length)
    }
  }
}

const refusal = (kind: ColumnKind.ColumnKind, element: string): string => {
  const [first, ...others] = everyWay({ it: { kind, null: "nullable" } }, `{"it":[${element}]}`).map((outcome) =>
    Result.getOrThrow(Result.flip(outcome)).message
  )
  for (const other of others) assert.strictEqual(other, first)
  return first!
}

describe("choices", () => {
  it("may be as many and as long as one likes: the kernels' table holds sixteen of eight bytes", () => {
    const letters = Array.from({ length: 200 }, (_, at) => `c${at}`)
    for (const count of [1, 2, 15, 16, 17, 200]) {
      read(ColumnKind.choices(letters.slice(0, count)), [...letters.slice(0, count), null, letters[0]])
    }
    for (const length of [0, 1, 5, 6, 7, 40]) {
      read(ColumnKind.choices(["x".repeat(length), "y"]), ["y", "x".repeat(length), null])
    }
  })

  it("may begin alike, and hold what JSON escapes", () => {
    const values = ["", "a", "ab", "abc", "abcd", "a\"b", "\\", "é", "\n", "\u{1f600}"]
    read(ColumnKind.choices(values), [...values, null, ...values.toReversed()])
  })

  it("are those of the list, letter by letter, however they are spelled", () => {
    const kind = ColumnKind.choices(["call", "put"])
    assert.include(refusal(kind, `"Call"`), "expected \"call\" or \"put\", received \"Call\"")
    assert.include(refusal(kind, `"cal"`), "WrongValue")
    assert.include(refusal(kind, `"calls"`), "WrongValue")
    assert.include(refusal(kind, `true`), "WrongType")
    for (const outcome of everyWay({ it: { kind, null: "identity" } }, `{"it":["c\\u0061ll","put"]}`)) {
      assert.deepStrictEqual(Result.getOrThrow(outcome).vectors["it"], Uint8Array.of(0, 1))
    }
  })
})

it("boolean is true and false, and no word that begins so", () => {
  read(ColumnKind.boolean, [true, false, null, false])
  for (const word of ["truex", "falsey", "True", "1", "\"true\"", "tru"]) refusal(ColumnKind.boolean, word)
})

describe("dictionary", () => {
  it("holds any text: empty, escaped, of any alphabet, longer than a key of the cache", () => {
    const texts = ["", " ", "0123456789abcdef", "0123456789abcdefg", "é", "\u{1f600}", "\"\\/\b\n\0", "\ud800", null]
    read(ColumnKind.dictionary, texts)
  })

  it("has each text once, in the order of their first rows", () => {
    const spec = { it: { kind: ColumnKind.dictionary, null: "nullable" } } as const
    for (const outcome of everyWay(spec, `{"it":[null,"b","a","\\u0062",null,"c","a"]}`)) {
      const { codes, values } = Result.getOrThrow(outcome).vectors["it"] as ColumnKind.Dictionary
      assert.deepStrictEqual(values, ["b", "a", "c"])
      assert.deepStrictEqual([...codes], [0, 0, 1, 0, 0, 2, 1])
    }
  })
})

it("quotedNumber takes numbers, and texts that its function takes", () => {
  const body = `{"price":[1.5,"2.25","-3",null,4e2,"0",${"\"7\",8,".repeat(40)}9],"word":[${
    "\"short\",".repeat(86)
  }"é"]}`
  for (const outcome of everyWay(otherSpec, body, { columns: ["price", "word"] })) {
    const decoded = Result.getOrThrow(outcome)
    const expected = [1.5, 2.25, -3, null, 400, 0, ...Array.from({ length: 40 }, () => [7, 8]).flat(), 9]
    assert.deepStrictEqual(elementsOf(otherSpec, decoded, "price"), expected)
  }
  assert.include(refusal(otherSpec.price.kind, `"1."`), "WrongValue")
})

it("number and repeatedNumber read the same", () => {
  const values = [1, 1, 1, -1, 1.5, 1.5, 1763650800, 1763650800, null, null, 0, 5e-324, 123456789012345]
  read(ColumnKind.number, values)
  read(ColumnKind.repeatedNumber, values)
})
