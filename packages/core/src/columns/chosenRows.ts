/** Some rows of a table, or all of them in another order. */
import { dual } from "effect/Function"
import type { ColumnSpec, Row } from "./ColumnSpec.ts"
import type { Finding } from "./Finding.ts"
import * as Bitmap from "./bitmap.ts"
import { make, type TableMethods } from "./table.ts"
import * as TableContent from "./tableContent.ts"

/** A table, whatever its columns. */
export interface AnyTable {
  readonly length: number
  readonly columnNames: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Finding>
}

/** Nothing where a table has the columns that are asked for; else what no table is. */
export type Has<Name, Asked> = [Asked] extends [Name] ? unknown : never

export const checkColumn = (self: AnyTable, name: string): void => {
  if (!self.columnNames.includes(name)) {
    throw new RangeError(`"${name}" is not a column of this table. Expected one of ${self.columnNames.join(", ")}.`)
  }
}

/**
 * Returns the rows from `start`, included, to `end`, not included, as a table over the same memory. Negative numbers count from the end.
 * Findings stay with the whole table.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const candles = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.slice(candles, 1).length // => 2
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const slice: {
  (start: number, end?: number): <Self extends AnyTable>(self: Self) => Self
  <Self extends AnyTable>(self: Self, start: number, end?: number): Self
} = dual(
  (args) => typeof args[0] === "object",
  (self: AnyTable, start: number, end: number = self.length): AnyTable => {
    const { content, spec } = TableContent.of(self)
    return make(spec, TableContent.slice(spec, content, start, end))
  }
)

/**
 * Returns the first `count` rows as a table over the same memory; all rows if there are fewer.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.take(chain, 2).strike[1] // => 110
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const take: {
  (count: number): <Self extends AnyTable>(self: Self) => Self
  <Self extends AnyTable>(self: Self, count: number): Self
} = dual(2, <Self extends AnyTable>(self: Self, count: number): Self => slice(self, 0, count > 0 ? count : 0))

/**
 * Returns the rows with these numbers, in this order, as a new table. Throws `RangeError` for a number without a row. Findings stay with
 * the whole table.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.pick(chain, [2, 0]).strike[0] // => 120
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const pick: {
  (indices: ArrayLike<number>): <Self extends AnyTable>(self: Self) => Self
  <Self extends AnyTable>(self: Self, indices: ArrayLike<number>): Self
} = dual(2, (self: AnyTable, indices: ArrayLike<number>): AnyTable => {
  const { content, spec } = TableContent.of(self)
  return make(spec, TableContent.take(spec, content, indices))
})

/**
 * Returns the rows for which the predicate is true, as a new table. The predicate gets a row number and the table, and reads the columns
 * that it needs.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.filter(chain, (row, { strike }) => strike[row]! > 105).length // => 2
 * ```
 *
 * @see {@link filterIndices} for the numbers of the rows alone
 * @category combinators
 * @since 0.1.0
 */
export const filter: {
  <Self extends AnyTable>(predicate: (index: number, self: NoInfer<Self>) => boolean): (self: Self) => Self
  <Self extends AnyTable>(self: Self, predicate: (index: number, self: Self) => boolean): Self
} = dual(
  2,
  <Self extends AnyTable>(self: Self, predicate: (index: number, self: Self) => boolean): Self =>
    pick(self, filterIndices(self, (index) => predicate(index, self)))
)

/**
 * Returns the numbers of the rows for which the predicate is true, without copying the rows.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 *
 * const bid = Float64Array.of(1, NaN, 2)
 * ColumnTable.filterIndices(bid, (row) => !Number.isNaN(bid[row])) // => new Uint32Array([0, 2])
 * ```
 *
 * @see {@link pick} which makes a table of them
 * @category getters
 * @since 0.1.0
 */
export const filterIndices = (
  self: { readonly length: number },
  predicate: (index: number) => boolean
): Uint32Array<ArrayBuffer> => {
  const indices = new Uint32Array(self.length)
  let count = 0
  for (let index = 0; index < self.length; index++) if (predicate(index)) indices[count++] = index
  return indices.slice(0, count)
}

/**
 * Returns all rows, sorted by a column, as a new table: nulls last, equal rows in their old order. Numbers are sorted by value, texts by
 * code point, choices in the order of their list. Throws `RangeError` for a column that the table does not have.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.sortBy(chain, "strike", "descending").strike[0] // => 120
 * ```
 *
 * @see {@link sortIndices} for the numbers of the rows alone
 * @category combinators
 * @since 0.1.0
 */
export const sortBy: {
  <const Name extends string>(
    name: Name,
    direction?: Direction
  ): <Self extends AnyTable>(self: Self & Has<Self["columnNames"][number], Name>) => Self
  <Self extends AnyTable>(self: Self, name: Self["columnNames"][number], direction?: Direction): Self
} = dual(
  (args) => typeof args[0] === "object",
  <Self extends AnyTable>(self: Self, name: string, direction?: Direction): Self =>
    pick(self, sortIndices(self, name, direction))
)

/**
 * The order of a sorted column.
 *
 * @category models
 * @since 0.1.0
 */
export type Direction = "ascending" | "descending"

/**
 * Returns the numbers of all rows in the order of `sortBy`, without copying the rows.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[110,100,120]}`, { columns: ["strike"] }))
 * ColumnTable.sortIndices(chain, "strike") // => new Uint32Array([1, 0, 2])
 * ```
 *
 * @see {@link pick} which makes a table of them
 * @category getters
 * @since 0.1.0
 */
export const sortIndices = <Self extends AnyTable>(
  self: Self,
  name: Self["columnNames"][number],
  direction: Direction = "ascending"
): Uint32Array<ArrayBuffer> => {
  const { content, spec } = TableContent.of(self)
  checkColumn(self, name)
  const ranks = TableContent.ranks(spec[name]!.kind, content.vectors[name])
  const sign = direction === "ascending" ? 1 : -1
  const nulls = Bitmap.of(content.nulls, name)
  const isNull = (index: number): number => nulls !== undefined && Bitmap.has(nulls, index) ? 1 : 0
  return Uint32Array.from({ length: self.length }, (_, index) => index).toSorted((a, b) =>
    isNull(a) - isNull(b) || sign * (ranks[a]! - ranks[b]!) || a - b
  )
}

/**
 * Iterates over the rows with these numbers as views, in this order; over all rows by default.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110]}`, { columns: ["strike"] }))
 * Array.from(ColumnTable.rows(chain), ({ strike }) => strike) // => [ 100, 110 ]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const rows = function*<Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>,
  indices?: ArrayLike<number>
): Generator<Row<Spec, Name>> {
  if (indices === undefined) return yield* self
  for (let index = 0; index < indices.length; index++) yield self.at(indices[index]!)
}

/**
 * Copies the table into plain objects, one for each row, for programs that need objects. The columns are smaller and faster.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110]}`, { columns: ["strike"] }))
 * ColumnTable.toRows(chain)[1]?.strike // => 110
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const toRows = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>
): Array<Row<Spec, Name>> => {
  const { content, spec } = TableContent.of<Spec>(self)
  // All rows are copies of one object, so that they share one shape, and are filled a column at a time, which needs no look-up for a cell.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(self.columnNames.map((name) => [name, null]))
  const rows = Array.from({ length: self.length }, (): Record<string, unknown> => ({ ...empty }))
  for (const name of self.columnNames) {
    const { kind } = spec[name]!
    const [vector, bitmap] = [content.vectors[name], Bitmap.of(content.nulls, name)]
    for (let index = 0; index < rows.length; index++) {
      if (bitmap === undefined || !Bitmap.has(bitmap, index)) rows[index]![name] = kind.at(vector, index)
    }
  }
  return rows as Array<Row<Spec, Name>>
}
