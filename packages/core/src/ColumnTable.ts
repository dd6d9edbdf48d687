/**
 * Tables of columns: the service answers with parallel arrays, and that is how they are kept. A column is one typed array or
 * dictionary, nulls are a bitmap beside it, and a row is a view that reads the columns when it is asked.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","strike":[150,155],"last":[1.25,null]}`
 * const table = Result.getOrThrow(ColumnTable.decode(OptionChain.spec, body, { columns: ["strike", "last"] }))
 * table.strike // => new Float64Array([150, 155])
 * table.isNull("last", 1) // => true
 * table.at(1).last // => null
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { ColumnSpec, Row, Vectors } from "./columns/ColumnSpec.ts"
import { decodeColumns, type Decoded, type DecodeOptions } from "./columns/decodeColumns.ts"
import type { DecodeError } from "./DecodeError.ts"
import { type Finding, maxExamples } from "./Finding.ts"

/**
 * What every table can do, whatever its columns. Rows are counted from 0.
 *
 * @category models
 * @since 0.1.0
 */
export interface TableMethods<Spec extends ColumnSpec, Name extends keyof Spec & string>
  extends Iterable<Row<Spec, Name>>
{
  /** The number of rows. */
  readonly length: number
  /** The names of the columns that this table has, in the order of the contract. */
  readonly columnNames: ReadonlyArray<Name>
  /** What was unusual in the reply. */
  readonly findings: ReadonlyArray<Finding>
  /** Tells whether the reply held null there (or had no such column): an element's own value cannot say it. */
  readonly isNull: (name: Name, index: number) => boolean
  /** Returns one element as a row would show it: null where the reply held null. */
  readonly valueAt: <N extends Name>(name: N, index: number) => Row<Spec, N>[N]
  /** Returns a view of one row. Throws `RangeError` where there is no such row. */
  readonly at: (index: number) => Row<Spec, Name>
}

/**
 * A table: its methods, and each column as a property of that name.
 *
 * @category models
 * @since 0.1.0
 */
export type ColumnTable<Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string> =
  & TableMethods<Spec, Name>
  & Vectors<Spec, Name>

/**
 * Creates a table over vectors of equal length; `nulls` holds a bitmap for each column that has a null.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  decoded: Decoded
): ColumnTable<Spec, Name> => {
  const columnNames = Object.keys(spec).filter((name): name is Name => name in decoded.vectors)
  const isNull = (name: string, index: number): boolean => {
    const bitmap = decoded.nulls[name]
    return bitmap !== undefined && (bitmap[index >> 3]! & (1 << (index & 7))) !== 0
  }
  const valueAt = (name: Name, index: number): unknown =>
    isNull(name, index) ? null : spec[name]!.kind.at(decoded.vectors[name], index)
  const rowPrototype = Object.create(null, {
    ...Object.fromEntries(columnNames.map((name) => [name, {
      enumerable: true,
      get(this: { readonly index: number }): unknown {
        return valueAt(name, this.index)
      }
    }])),
    toJSON: {
      value(this: Readonly<Record<string, unknown>>): unknown {
        return Object.fromEntries(columnNames.map((name) => [name, this[name]]))
      }
    }
  })
  const at = (index: number): Row<Spec, Name> => {
    if (!(Number.isInteger(index) && index >= 0 && index < decoded.length)) {
      throw new RangeError(`there is no row ${index}: the table has ${decoded.length} rows, counted from 0`)
    }
    return Object.create(rowPrototype, { index: { value: index } })
  }
  const methods: TableMethods<Spec, Name> = {
    length: decoded.length,
    columnNames,
    findings: decoded.findings,
    isNull,
    valueAt: valueAt as TableMethods<Spec, Name>["valueAt"],
    at,
    *[Symbol.iterator]() {
      for (let index = 0; index < decoded.length; index++) yield at(index)
    }
  }
  return Object.freeze({ ...(decoded.vectors as Vectors<Spec, Name>), ...methods })
}

/**
 * Decodes a reply by a column spec; fails with `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string>(
  spec: Spec,
  body: Uint8Array | string,
  options?: DecodeOptions<Name>
): Result.Result<ColumnTable<Spec, Name>, DecodeError> =>
  Result.map(decodeColumns(spec, body, options), (decoded) => make<Spec, Name>(spec, decoded))

/**
 * Joins tables into one, row after row, in their order; a finding's rows are counted in the whole (clause 8.1-batches).
 *
 * @category combinators
 * @since 0.1.0
 */
export const merge = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  tables: ReadonlyArray<TableMethods<Spec, Name>>
): ColumnTable<Spec, Name> => {
  const length = tables.reduce((total, table) => total + table.length, 0)
  const names = Object.keys(spec).filter((name): name is Name => tables.some((table) => hasColumn(table, name)))
  const vectors: Record<string, unknown> = {}
  const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
  for (const name of names) {
    const builder = spec[name]!.kind.builder(length)
    const bitmap = new Uint8Array((length + 7) >> 3)
    let at = 0
    for (const table of tables) {
      for (let index = 0; index < table.length; index++, at++) {
        const value = hasColumn(table, name) ? table.valueAt(name, index) : null
        if (value === null) bitmap[at >> 3]! |= 1 << (at & 7)
        else builder.set(at, value)
      }
    }
    vectors[name] = builder.finish()
    nulls[name] = bitmap
  }
  return make<Spec, Name>(spec, { length, vectors, nulls, findings: mergeFindings(tables) })
}

const hasColumn = (table: { readonly columnNames: ReadonlyArray<string> }, name: string): boolean =>
  table.columnNames.includes(name)

const mergeFindings = (
  tables: ReadonlyArray<{ readonly length: number; readonly findings: ReadonlyArray<Finding> }>
): ReadonlyArray<Finding> => {
  const merged = new Map<string, Finding>()
  let offset = 0
  for (const table of tables) {
    for (const finding of table.findings) {
      const key = `${finding.code} ${finding.column}`
      const before = merged.get(key)
      const examples = finding.examples.map((example) => ({ ...example, index: example.index + offset }))
      merged.set(key, {
        ...finding,
        count: (before?.count ?? 0) + finding.count,
        examples: [...(before?.examples ?? []), ...examples].slice(0, maxExamples)
      })
    }
    offset += table.length
  }
  return [...merged.values()]
}

/**
 * Prints a table as the service would: one JSON object of parallel arrays, with `s` first; the inverse of `decode`.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: Pick<TableMethods<Spec, Name>, "length" | "columnNames" | "valueAt">
): string =>
  JSON.stringify({
    s: "ok",
    ...Object.fromEntries(self.columnNames.map((name) => [
      name,
      Array.from({ length: self.length }, (_, index) => self.valueAt(name, index))
    ]))
  })
