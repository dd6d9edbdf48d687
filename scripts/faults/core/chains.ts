import type { Fault } from "../fault.ts"

const chain = "packages/core/src/endpoints/OptionChain.ts"
const table = "packages/core/src/columns/ColumnTable.ts"
const bitmap = "packages/core/src/columns/bitmap.ts"
const decoder = "packages/core/src/columns/ColumnDecoder.ts"
const object = "packages/core/src/columns/internal/objectReader.ts"
const elements = "packages/core/src/columns/internal/elementReader.ts"
const builder = "packages/core/src/columns/internal/tableBuilder.ts"
const scan = "packages/core/src/chain/typescriptChainScan.ts"
const row = "packages/core/src/chain/rowFindings.ts"
const expiration = "packages/core/src/symbol/Expiration.ts"

/** What reading chains could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "2.1-shape",
    file: bitmap,
    find: "self[row >> 3]! & (1 << (row & 7))",
    replace: "self[row >> 3]! & (1 << (row & 3))"
  },
  {
    clause: "2.1-shape",
    file: object,
    find: `if (code !== Byte.openBracket) return this.refuseValue("NotAnArray")`,
    replace: `if (code === Byte.openBrace) return this.refuseValue("NotAnArray")`
  },
  {
    clause: "2.1-lengths",
    file: builder,
    find: "buffer.row !== this.length.rows",
    replace: "buffer.row > this.length.rows"
  },
  { clause: "2.1-lengths", file: elements, find: ", as in ${column}", replace: "" },
  {
    clause: "2.1-lengths",
    file: "packages/core/src/columns/internal/objectReader.ts",
    find: "what.expected, String(count))",
    replace: "what.expected, what.received)"
  },
  {
    clause: "2.1-fields",
    file: "packages/core/src/chain/columns.ts",
    find: "  vega: quantity\n",
    replace: "  vega: quantity,\n  rho: quantity\n"
  },
  {
    clause: "2.1-fields",
    file: elements,
    find:
      `if (typeof value !== "string" || storage.ofText === undefined) throw this.refusal("WrongType", value, start)`,
    replace: `if (typeof value !== "string" || storage.ofText === undefined) return Number(value)`
  },
  {
    clause: "2.1-closed",
    file: decoder,
    find: "if (this.options.scalars?.includes(name) !== true) this.noteUnknown(name, position)",
    replace: ""
  },
  {
    clause: "2.1-side",
    file: elements,
    find: `if (code < 0) throw this.refusal("WrongValue", value, start)`,
    replace: "if (code < 0) return 0"
  },
  { clause: "2.1-side", file: scan, find: "Math.abs(side[row]! - series[at + 2]!) > 0", replace: "false" },
  { clause: "2.1-mid", file: row, find: "(bid[row]! + ask[row]!) / 2", replace: "ask[row]!" },
  { clause: "2.1-mid", file: row, find: "const halfACent = 0.005", replace: "const halfACent = 0.05" },
  { clause: "2.1-last-null", file: chain, find: `null: "nullable"`, replace: `null: "finding"` },
  { clause: "2.1-last-null", file: table, find: "isNull(name, index) ? null : spec", replace: "spec" },
  {
    clause: "2.1-only-last-null",
    file: chain,
    find: `const quantity = { kind: number, null: "finding" }`,
    replace: `const quantity = { kind: number, null: "nullable" }`
  },
  {
    clause: "2.1-only-last-null",
    file: elements,
    find: `if (column.null === "identity" || (column.null === "finding" && this.strict)) {`,
    replace: `if (column.null === "finding" && this.strict) {`
  },
  { clause: "2.1-expiration", file: expiration, find: "? 15 : 0", replace: "? 0 : 0" },
  { clause: "2.1-expiration", file: expiration, find: "indexes.has(", replace: "indexUnderlyings.has(" },
  { clause: "2.1-expiration", file: row, find: "sameDay ? this.times : this.days", replace: "this.days" },
  {
    clause: "2.1-first-traded",
    file: "packages/core/src/chain/columns.ts",
    find: "firstTraded: repeated",
    replace: `firstTraded: { kind: underlyings, null: "finding" }`
  },
  {
    clause: "2.1-updated",
    file: "packages/core/src/columns/updatedSpan.ts",
    find: "if (time > newest)",
    replace: "if (updated < newest)"
  },
  {
    clause: "2.3-bad-strike-decimal",
    file: row,
    find: "if (strike !== undefined && strike[row] !== expected)",
    replace: "if (strike !== undefined && strike[row]! < 0)"
  },
  {
    clause: "2.3-strike-range",
    file: scan,
    find: "Math.abs(strike[row]! - expected) > 0",
    replace: "Math.abs(Math.floor(strike[row]!) - Math.floor(expected)) > 0"
  },
  {
    clause: "2.1-dte",
    file: row,
    find: "Eastern.epochDayOf(expiration[row]!) - Eastern.epochDayOf(updated[row]!)",
    replace: "Math.floor((expiration[row]! - updated[row]!) / 86_400)"
  },
  { clause: "2.1-dte", file: scan, find: "Math.abs(dte[row]! - (series[at + 1]! - day)) > 0", replace: "false" },
  {
    clause: "2.1-moneyness",
    file: row,
    find: "const expected = intrinsic > 0",
    replace: "const expected = intrinsic >= 0"
  }
]
