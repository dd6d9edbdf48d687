/** What the columns of a table mean, by the spec that it was decoded by. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import { meanings } from "./meanings.ts"

/** What the columns mean, by name, and the clause of the contract that lists them, but for those that were added. */
interface Meaning {
  readonly of: Readonly<Record<string, string>>
  readonly clause?: string
  readonly added?: ReadonlyArray<string>
}

/** The clauses of those tables that the contract lists; the others are the public service's. */
const clauses = /* @__PURE__ */ new Map<ColumnSpec, string>([
  [OptionChain.spec, "2.1-fields"],
  [OptionQuote.spec, "2.1-fields"]
])

const known = /* @__PURE__ */ new WeakMap<ColumnSpec, Meaning>(/* @__PURE__ */ meanings.map(([spec, of]) => {
  const clause = clauses.get(spec)
  return [spec, clause === undefined ? { of } : { of, clause }]
}))

/** What the columns mean; nothing is known of columns that are not core's. */
export const find = (spec: ColumnSpec): Meaning => known.get(spec) ?? { of: {} }

/** Has columns mean what others mean, and more. */
export const extend = (spec: ColumnSpec, by: ColumnSpec, meanings: Readonly<Record<string, string>>): void => {
  const { added = [], of, ...rest } = find(spec)
  known.set(by, { ...rest, of: { ...of, ...meanings }, added: [...added, ...Object.keys(meanings)] })
}
