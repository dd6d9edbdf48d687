/** Rows of tables: views that read an element from its column when they are asked for it. */
import { NodeInspectSymbol } from "effect/Inspectable"

/** What rows are read from. */
interface Table {
  readonly columnNames: ReadonlyArray<string>
  valueAt(name: string, index: number): unknown
}

const place = Symbol("place")

/** A row knows its table and its number, in a property that nothing lists, copies or compares. */
interface Row {
  readonly [place]: { readonly table: Table; readonly index: number }
}

/** The prototypes of rows, one for each list of column names: making one takes as long as making a hundred rows. */
const prototypes = /* @__PURE__ */ new WeakMap<ReadonlyArray<string>, object>()

const prototypeFor = (names: ReadonlyArray<string>): object => {
  let found = prototypes.get(names)
  if (found === undefined) prototypes.set(names, found = prototypeOf(names))
  return found
}

const prototypeOf = (names: ReadonlyArray<string>): object =>
  Object.create(null, {
    ...Object.fromEntries(names.map((name) => [name, column(name)])),
    toJSON: { value: copy },
    [NodeInspectSymbol]: { value: copy }
  })

const column = (name: string): PropertyDescriptor => ({
  enumerable: true,
  get(this: Row): unknown {
    const { index, table } = this[place]
    return table.valueAt(name, index)
  }
})

/** Copies a row into a plain object, which is what `JSON.stringify` and Node's `console.log` print. The prototype of rows itself has no data. */
function copy(this: Row & Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return place in this ? Object.fromEntries(this[place].table.columnNames.map((name) => [name, this[name]])) : {}
}

/** Makes the view of one row. */
export const at = (table: Table, index: number): object =>
  Object.defineProperty(Object.create(prototypeFor(table.columnNames)), place, { value: { table, index } })
