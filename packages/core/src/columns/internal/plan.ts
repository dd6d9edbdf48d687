import type { ColumnSpec } from "../ColumnSpec.ts"

/** What is made ready once for all replies of a resource. */
export interface Plan {
  /** The names of its columns, in order. */
  readonly names: ReadonlyArray<string>
  /** The same as keys of JSON, quotes included. */
  readonly keys: ReadonlyArray<Uint8Array>
  readonly indexOf: ReadonlyMap<string, number>
  /** What a row will most likely take in a table that has all columns. */
  readonly bytesPerRow: number
}

const plans = /* @__PURE__ */ new WeakMap<ColumnSpec, Plan>()

/** Returns the plan for a resource. */
export const planFor = (spec: ColumnSpec): Plan => {
  let plan = plans.get(spec)
  if (plan === undefined) {
    const names = Object.keys(spec)
    plan = {
      names,
      keys: names.map((name) => new TextEncoder().encode(JSON.stringify(name))),
      indexOf: new Map(names.map((name, at) => [name, at])),
      bytesPerRow: names.reduce((bytes, name) => bytes + bytesFor[spec[name]!.kind.storage._tag], 1)
    }
    plans.set(spec, plan)
  }
  return plan
}

const bytesFor = { Numbers: 8, Choices: 1, Texts: 5 } as const
