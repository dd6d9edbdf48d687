/**
 * Tables of few rows, made of rows: quotes, reports and days. Tables of many, chains and candles, are made of their columns.
 */
import type { ColumnKind, PackedVector } from "@effect-marketdata/core/ColumnKind"
import type { ColumnSpec, Row } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"

/** Makes a table with all columns of a spec. It takes numbers, choices and plain texts, no option symbols. */
export const make = <Spec extends ColumnSpec>(
  spec: Spec,
  rows: ReadonlyArray<Row<Spec>>
): ColumnTable.ColumnTable<Spec> => {
  const vectors: Record<string, unknown> = {}
  const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
  for (const [name, { kind }] of Object.entries(spec)) {
    const elements: ReadonlyArray<unknown> = rows.map((row) => row[name])
    vectors[name] = kind.of(packedOf(kind, elements))
    if (elements.includes(null)) nulls[name] = bitmapOf(elements)
  }
  return ColumnTable.make(spec, { length: rows.length, vectors, nulls, findings: [] })
}

const packedOf = ({ storage }: ColumnKind, elements: ReadonlyArray<unknown>): PackedVector => {
  switch (storage._tag) {
    case "Numbers":
      return {
        lanes: [new Float64Array(elements.map((element) => element === null ? NaN : Number(element)))],
        legend: []
      }
    case "Choices": {
      const { values } = storage
      const codeOf = (element: unknown) => Math.max(0, values.findIndex((value) => value === element))
      return { lanes: [Uint8Array.from(elements, codeOf)], legend: [] }
    }
    case "Texts": {
      const codes = new Map<string, number>()
      const codeOf = (element: unknown): number => {
        if (typeof element !== "string") return 0
        const code = codes.get(element) ?? codes.size
        codes.set(element, code)
        return code
      }
      return { lanes: [Uint32Array.from(elements, codeOf)], legend: [...codes.keys()] }
    }
  }
}

const bitmapOf = (elements: ReadonlyArray<unknown>): Uint8Array<ArrayBuffer> => {
  const bitmap = new Uint8Array((elements.length + 7) >> 3)
  for (const [row, element] of elements.entries()) if (element === null) bitmap[row >> 3]! |= 1 << (row & 7)
  return bitmap
}
