import * as TableContent from "./tableContent.ts"

const released = /* @__PURE__ */ new WeakSet<object>()

/**
 * Returns the table for a while: it is the same to its users, but once it is released it throws at any use, columns included.
 */
export const lend = <Table extends object>(table: Table): Table => {
  const lent: Table = Object.create(
    null,
    Object.fromEntries(
      Reflect.ownKeys(table).map((key) => [key, {
        enumerable: true,
        get: (): unknown => {
          if (!released.has(lent)) return Reflect.get(table, key)
          throw new TypeError(
            "this table was released when its scope closed, and its memory belongs to another: use it inside the scope, " +
              "or keep rows of it with ColumnTable.pick"
          )
        }
      }])
    )
  )
  TableContent.remember(lent, TableContent.of(table))
  return Object.freeze(lent)
}

/** Ends the loan, and returns the buffers in which the table lay. */
export const release = (lent: object): ReadonlyArray<ArrayBuffer> => {
  const { content, spec } = TableContent.of(lent)
  const buffers = TableContent.buffers(TableContent.pack(spec, content))
  released.add(lent)
  TableContent.forget(lent)
  return buffers
}
