/** Tables of every endpoint, drawn from what its columns say of themselves. */
import { ColumnTable, OptionSymbol, Query } from "@effect-marketdata/core"
import type { Column, ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import { assert } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { specOf } from "../../src/endpoints/define.ts"
import { optionSymbol } from "./arbitraries.ts"

/** The columns of every endpoint that answers with a table. */
export const specs: Readonly<Record<string, ColumnSpec>> = Object.fromEntries(
  Object.entries(Query.endpoints).flatMap(([name, row]) => {
    const spec = specOf(row)
    return spec === undefined ? [] : [[name, spec]]
  })
)

/** Texts of any alphabet, pictures and control characters among them. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("", "日本 😀", "é\u0301", "\u0000\u001f\u2028", "__proto__", "constructor", "\"\\/", "-0", "Infinity")
)

const element = ({ kind: { storage }, null: where }: Column): fc.Arbitrary<unknown> => {
  const present: fc.Arbitrary<unknown> = storage._tag === "Numbers"
    ? fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 5e-324, 1.7976931348623157e308))
    : storage._tag === "Choices"
    ? fc.constantFrom(...storage.values)
    : storage.digits === 8
    ? optionSymbol.map(OptionSymbol.format)
    : text
  return where === "identity" ? present : fc.option(present)
}

/** The elements of some rows: of as many as there may be, of none, and of rows that hold null wherever they can. */
const elements = (spec: ColumnSpec): fc.Arbitrary<Readonly<Record<string, ReadonlyArray<unknown>>>> =>
  fc.nat({ max: 12 }).chain((length) =>
    fc.record(Object.fromEntries(
      Object.entries(spec).map(([name, column]) => {
        const lists = fc.array(element(column), { minLength: length, maxLength: length })
        return [
          name,
          column.null === "identity"
            ? lists
            : fc.oneof({ weight: 4, arbitrary: lists }, fc.constant(Array(length).fill(null)))
        ]
      })
    ))
  )

/** JSON with minus zero, which `JSON.stringify` does not write. */
const json = (columns: Readonly<Record<string, ReadonlyArray<unknown>>>): string =>
  `{"s":"ok",${
    Object.entries(columns).map(([name, list]) =>
      `${JSON.stringify(name)}:[${list.map((value) => Object.is(value, -0) ? "-0" : JSON.stringify(value)).join()}]`
    ).join()
  }}`

/** A table of some of the columns of a spec, read by the decoder of replies. */
export const table = (spec: ColumnSpec): fc.Arbitrary<ColumnTable.ColumnTable<ColumnSpec>> =>
  fc.tuple(elements(spec), fc.subarray(Object.keys(spec), { minLength: 1 })).map(([all, columns]) =>
    Result.getOrThrow(
      ColumnTable.decode(spec, json(Object.fromEntries(columns.map((name) => [name, all[name]!]))), { columns })
    )
  )

type Table = ColumnTable.ColumnTable<ColumnSpec>

/** Both are tables of the same columns with the same elements, whichever way they are looked at. */
export const assertSame = (actual: Table, expected: Table): void => {
  assert.strictEqual(actual.length, expected.length)
  assert.deepInclude(actual, { columnNames: expected.columnNames, findings: expected.findings })
  assert.deepStrictEqual(ColumnTable.toRows(actual), ColumnTable.toRows(expected))
  assert.strictEqual(JSON.stringify(actual), JSON.stringify(expected))
  for (const name of expected.columnNames) {
    const order = Array.from(ColumnTable.sortIndices(actual, name))
    assert.deepStrictEqual(order, Array.from(ColumnTable.sortIndices(expected, name)))
    for (let row = 0; row < expected.length; row++) {
      assert.strictEqual(actual.isNull(name, row), expected.isNull(name, row))
      assert.deepStrictEqual(actual.valueAt(name, row), expected.valueAt(name, row))
    }
  }
}
