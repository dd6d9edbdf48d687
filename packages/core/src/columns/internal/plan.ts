import type { Column, ColumnSpec } from "../ColumnSpec.ts"

/** What is made ready once for all replies of a resource. */
export interface Plan {
  /** The names of its columns, in order. */
  readonly names: ReadonlyArray<string>
  /** The same as keys of JSON, quotes included. */
  readonly keys: ReadonlyArray<Uint8Array>
  readonly columns: ReadonlyArray<Column>
  readonly indexOf: ReadonlyMap<string, number>
  /**
   * An object with a place for each column. A copy of it is filled faster, and is faster to read and to copy, than one to which names are added
   * one by one: that becomes a hash table.
   */
  readonly blank: Readonly<Record<string, undefined>>
  /** What a row will most likely take in a table that has all columns. */
  readonly bytesPerRow: number
}

const plans = /* @__PURE__ */ new WeakMap<ColumnSpec, Plan>()

/** Returns the plan for a resource. */
export const planFor = (spec: ColumnSpec): Plan => {
  let plan = plans.get(spec)
  if (plan === undefined) {
    const names = Object.keys(spec)
    const encoder = new TextEncoder()
    plan = {
      names,
      columns: Object.values(spec),
      keys: names.map((name) => encoder.encode(JSON.stringify(name))),
      indexOf: new Map(names.map((name, at) => [name, at])),
      blank: blankOf(names),
      bytesPerRow: Object.values(spec).reduce((bytes, { kind: { storage } }) => bytes + bytesFor(storage), 1)
    }
    plans.set(spec, plan)
  }
  return plan
}

/** A copy, because what `fromEntries` makes of many names is a hash table itself. */
const blankOf = (names: ReadonlyArray<string>): Readonly<Record<string, undefined>> => {
  const entries = Object.fromEntries(names.map((name) => [name, undefined]))
  return { ...entries }
}

/** Codes are taken to need 16 bits; there is a bit a row and column for nulls, and few columns have one. */
const bytesFor = (storage: Column["kind"]["storage"]): number =>
  storage._tag === "Numbers" ? 8 : storage._tag === "Choices" ? 1 : storage.digits === 0 ? 2 : 6
