/** The elements of columns, ready for a format. Numbers become another type only where nothing is lost. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import { ExportError, Inexact } from "../reason/ExportError.ts"
import * as Columns from "./Columns.ts"

/** A column with its elements, as `ColumnTable.pack` returns them: typed arrays over the memory of the table. */
export interface Values {
  readonly column: Columns.Column
  readonly length: number
  /** Numbers, or positions in `texts`. */
  readonly first:
    | Float64Array<ArrayBuffer>
    | Uint8Array<ArrayBuffer>
    | Uint16Array<ArrayBuffer>
    | Uint32Array<ArrayBuffer>
  /** The strikes of option symbols, as the number that their last eight digits are. */
  readonly digits: Int32Array<ArrayBuffer> | undefined
  readonly texts: ReadonlyArray<string>
  /** A bit for each row, set where there is a null; undefined where there is none. */
  readonly nulls: Uint8Array<ArrayBuffer> | undefined
}

/** Reads the columns of a table. */
export const read = (table: Columns.Table, columns: ReadonlyArray<Columns.Column>): ReadonlyArray<Values> => {
  const own = table as ColumnTable.TableMethods<ColumnSpec, string>
  const spec = ColumnTable.specOf(own)
  const packed = ColumnTable.pack(own)
  return columns.map((column) => {
    const { lanes: [first, digits], legend, nulls } = packed.columns[column.name]!
    const { storage } = spec[column.name]!.kind
    return {
      column,
      length: table.length,
      first: first as Values["first"],
      digits: digits as Int32Array<ArrayBuffer> | undefined,
      texts: storage._tag === "Choices" ? storage.values.map(String) : legend,
      nulls
    }
  })
}

/** Whether a row of a bitmap is set. */
export const isSet = (bitmap: Uint8Array, row: number): boolean => (bitmap[row >> 3]! & (1 << (row & 7))) !== 0

/** How many rows of a bitmap are set. */
export const countSet = (bitmap: Uint8Array, length: number): number => {
  let count = 0
  for (let row = 0; row < length; row++) if (isSet(bitmap, row)) count++
  return count
}

/** The text of a row; of a null it is any text. */
export const textAt = ({ digits, first, texts }: Values, row: number): string =>
  digits === undefined ? texts[first[row]!]! : texts[first[row]!]! + String(100_000_000 + digits[row]!).slice(1)

/** The first and the last second of the years 1 to 9999 in New York, for which ISO 8601 has four digits. */
const [firstSecond, lastSecond] = [-62_135_510_400, 253_402_214_400]

type Numbers = Values["first"]

const isDecimal = (value: number): boolean => Math.round(value * 1000) / 1000 === value && Math.abs(value) < 1e6
const isSecond = (value: number): boolean => Math.floor(value) === value && value >= firstSecond && value <= lastSecond

/** What the elements of each type must be, and the first from a row on that is not. Each has a loop of its own: it runs for every element. */
const rules = {
  integer: {
    says: "a whole number of 32 bits",
    wrong: (numbers: Numbers, from: number) => {
      let row = from
      while (row < numbers.length && (numbers[row]! | 0) === numbers[row]) row++
      return row
    }
  },
  decimal: {
    says: "a number of at most six digits and three decimals",
    wrong: (numbers: Numbers, from: number) => {
      let row = from
      while (row < numbers.length && isDecimal(numbers[row]!)) row++
      return row
    }
  },
  time: {
    says: "a whole second of the years 1 to 9999",
    wrong: (numbers: Numbers, from: number) => {
      let row = from
      while (row < numbers.length && isSecond(numbers[row]!)) row++
      return row
    }
  }
} as const

/** Returns the numbers of a column, after a look at each: throws `ExportError` for one that its type cannot hold. A null's own value is anything. */
export const exact = (values: Values, type: keyof typeof rules): Float64Array<ArrayBuffer> => {
  const { column, first, nulls } = values
  const { says, wrong } = rules[type]
  for (let row = wrong(first, 0); row < first.length; row = wrong(first, row + 1)) {
    if (nulls !== undefined && isSet(nulls, row)) continue
    throw new ExportError({ reason: new Inexact({ column: column.name, row, value: first[row]!, type: says }) })
  }
  return first as Float64Array<ArrayBuffer>
}
