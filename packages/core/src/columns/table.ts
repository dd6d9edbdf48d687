/** What a table is: its columns, its methods, and its rows, views that read an element from its column when they are asked for it. */
import { memoize } from "effect/Function"
import { NodeInspectSymbol } from "effect/Inspectable"
import { type Pipeable, pipeArguments } from "effect/Pipeable"
import type { ColumnSpec, Row, Vectors } from "./ColumnSpec.ts"
import type { Finding } from "./Finding.ts"
import * as Bitmap from "./bitmap.ts"
import * as TableJson from "./tableJson.ts"
import * as TableContent from "./tableContent.ts"

/**
 * The methods of every table. Rows count from 0.
 *
 * @category models
 * @since 0.1.0
 */
export interface TableMethods<Spec extends ColumnSpec, Name extends keyof Spec & string>
  extends Iterable<Row<Spec, Name>>, Pipeable
{
  /** The number of rows. */
  readonly length: number
  /** The names of the columns that this table has, in the order of the contract. */
  readonly columnNames: ReadonlyArray<Name>
  /** What was unusual in the reply. */
  readonly findings: ReadonlyArray<Finding>
  /** Returns whether the reply held null there (or had no such column): an element's own value cannot say it. */
  readonly isNull: (name: Name, index: number) => boolean
  /** Returns one element as a row would show it: null where the reply held null. */
  readonly valueAt: <N extends Name>(name: N, index: number) => Row<Spec, N>[N]
  /** Returns a view of one row. Throws `RangeError` where there is no such row. */
  readonly at: (index: number) => Row<Spec, Name>
  /** Copies the table into lists, one for each column: what `JSON.stringify` prints, and `Schemas.Table` reads. */
  readonly toJSON: () => Json<Name>
}

/**
 * One element of a column in JSON: null where the column has null. Minus zero is `"-0"`, because JSON has no minus zero.
 *
 * @category models
 * @since 0.1.0
 */
export type Element = TableJson.Element

/**
 * A table in JSON: each column as the list of its elements, and the findings of the reply.
 *
 * @category models
 * @since 0.1.0
 */
export interface Json<in Name extends string = string> {
  readonly length: number
  readonly columns: { readonly [N in Name]: ReadonlyArray<Element> }
  readonly findings: ReadonlyArray<Finding>
}

/**
 * A table: its methods, and each column as a property under its own name.
 *
 * @category models
 * @since 0.1.0
 */
export type ColumnTable<Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string> =
  & TableMethods<Spec, Name>
  & Vectors<Spec, Name>

/**
 * Creates a table over vectors of equal length.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  content: TableContent.Content
): ColumnTable<Spec, Name> => {
  const columnNames = TableContent.columnNames<Name>(spec, content)
  const isNull = (name: string, index: number): boolean => {
    const bitmap = Bitmap.of(content.nulls, name)
    return bitmap !== undefined && Bitmap.has(bitmap, index)
  }
  const valueAt = (name: Name, index: number): unknown =>
    isNull(name, index) ? null : spec[name]!.kind.at(content.vectors[name], index)
  const at = (index: number): Row<Spec, Name> => {
    if (!(Number.isInteger(index) && index >= 0 && index < content.length)) {
      throw new RangeError(`there is no row ${index}: the table has ${content.length} rows, counted from 0`)
    }
    return viewOf(table, index) as Row<Spec, Name>
  }
  // One literal, because every reply makes one of these: two that are merged would cost more than a column.
  const table = {
    ...(content.vectors as Vectors<Spec, Name>),
    length: content.length,
    columnNames,
    findings: content.findings,
    isNull,
    valueAt: valueAt as TableMethods<Spec, Name>["valueAt"],
    at,
    toJSON,
    pipe,
    [Symbol.iterator]: iterate as () => Generator<Row<Spec, Name>>
  }
  TableContent.remember(table, { spec, content })
  return Object.freeze(table)
}

/** One function for all tables: V8 keeps what a generator function refers to, here a table, until it collects the whole heap. */
function* iterate(this: { readonly length: number; readonly at: (index: number) => unknown }): Generator<unknown> {
  for (let index = 0; index < this.length; index++) yield this.at(index)
}

function toJSON<Name extends string>(this: object): Json<Name> {
  const { content, spec } = TableContent.of(this)
  const columns = TableJson.of(spec, TableContent.columnNames(spec, content), content)
  return { length: content.length, columns: columns as Json<Name>["columns"], findings: content.findings }
}

function pipe(this: unknown): unknown {
  return pipeArguments(this, arguments)
}

/** What rows are read from. */
interface Viewed {
  readonly columnNames: ReadonlyArray<string>
  valueAt(name: string, index: number): unknown
}

const place = Symbol("place")

/** A row knows its table and its number, in a property that nothing lists, copies or compares. */
interface View {
  readonly [place]: { readonly table: Viewed; readonly index: number }
}

/** The prototype of rows, one for each list of column names: making one takes as long as making a hundred rows. */
const prototypeOf = /* @__PURE__ */ memoize((names: ReadonlyArray<string>): object =>
  Object.create(null, {
    ...Object.fromEntries(names.map((name) => [name, column(name)])),
    toJSON: { value: copy },
    [NodeInspectSymbol]: { value: copy }
  })
)

const column = (name: string): PropertyDescriptor => ({
  enumerable: true,
  get(this: View): unknown {
    const { index, table } = this[place]
    return table.valueAt(name, index)
  }
})

/** Copies a row into a plain object, which is what `JSON.stringify` and Node's `console.log` print. The prototype of rows itself has no data. */
function copy(this: View & Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return place in this ? Object.fromEntries(this[place].table.columnNames.map((name) => [name, this[name]])) : {}
}

/** Makes the view of one row. */
const viewOf = (table: Viewed, index: number): object =>
  Object.defineProperty(Object.create(prototypeOf(table.columnNames)), place, { value: { table, index } })
