/** Rows of tables: views that read an element from its column when they are asked for it. */
import { NodeInspectSymbol } from "effect/Inspectable"

/** What rows are read from. */
interface Table {
  readonly columnNames: ReadonlyArray<string>
  valueAt(name: string, index: number): unknown
}

const table = Symbol("table")
const index = Symbol("index")

/** A row is its table and its number, under symbols: no column has their names, and no loop over names meets them. */
interface Row {
  [table]: Table
  [index]: number
}

type Rows = new (of: Table, at: number) => object

/** The class of the rows with these columns, made once of each list of names: it costs more than a hundred rows. */
const classes = /* @__PURE__ */ new WeakMap<ReadonlyArray<string>, Rows>()

const classFor = (names: ReadonlyArray<string>): Rows => {
  let found = classes.get(names)
  if (found === undefined) classes.set(names, found = classOf(names))
  return found
}

const classOf = (names: ReadonlyArray<string>): Rows => {
  const Rows = function(this: Row, of: Table, at: number): void {
    this[table] = of
    this[index] = at
  }
  const column = (name: string): PropertyDescriptor => ({
    enumerable: true,
    get(this: Row): unknown {
      return this[table].valueAt(name, this[index])
    }
  })
  Rows.prototype = Object.create(null, {
    ...Object.fromEntries(names.map((name) => [name, column(name)])),
    toJSON: { value: copy },
    [NodeInspectSymbol]: { value: copy }
  })
  return Rows as unknown as Rows
}

/** Copies a row into a plain object: what `JSON.stringify` and `console.log` print. */
function copy(this: Row & Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(this[table].columnNames.map((name) => [name, this[name]]))
}

/** Makes the view of one row. */
export const at = (of: Table, row: number): object => new (classFor(of.columnNames))(of, row)
