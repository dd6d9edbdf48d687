import * as TableParts from "./tableParts.ts"

const released = /* @__PURE__ */ new WeakSet<object>()

/**
 * Returns the table for a while: it is the same to whoever uses it, but once it is released it throws at any use, columns included.
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
              "or keep rows of it with ColumnTable.take"
          )
        }
      }])
    )
  )
  TableParts.remember(lent, TableParts.of(table))
  return Object.freeze(lent)
}

/** Ends the loan, and returns the buffers in which the table lay. */
export const release = (lent: object): ReadonlyArray<ArrayBuffer> => {
  const { content, spec } = TableParts.of(lent)
  const buffers = TableParts.buffers(TableParts.pack(spec, content))
  released.add(lent)
  TableParts.forget(lent)
  return buffers
}
