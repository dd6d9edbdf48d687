import type { Fault } from "../fault.ts"

const chain = "packages/core/src/OptionChain.ts"
const table = "packages/core/src/ColumnTable.ts"
const decode = "packages/core/src/columns/decodeColumns.ts"
const kinds = "packages/core/src/columns/ColumnKind.ts"
const findings = "packages/core/src/internal/chainFindings.ts"
const expiration = "packages/core/src/Expiration.ts"

/** What reading chains could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "2.1-shape", file: table, find: "1 << (index & 7)", replace: "1 << (index & 3)" },
  {
    clause: "2.1-shape",
    file: decode,
    find: "Array.isArray(value) ? Result.succeed(value)",
    replace: "Array.isArray(value) || value === null ? Result.succeed(value ?? [])"
  },
  { clause: "2.1-lengths", file: decode, find: "elements.length !== length", replace: "elements.length > length" },
  { clause: "2.1-lengths", file: decode, find: ", as in ${first}", replace: "" },
  { clause: "2.1-fields", file: chain, find: "  vega: quantity\n", replace: "  vega: quantity,\n  rho: quantity\n" },
  {
    clause: "2.1-fields",
    file: kinds,
    find: `if (typeof element !== "number") return wrongType(index, "a number")`,
    replace: `if (typeof element === "object") return wrongType(index, "a number")`
  },
  { clause: "2.1-closed", file: decode, find: `findings.push(whole("UnknownField", name))`, replace: "void name" },
  {
    clause: "2.1-side",
    file: kinds,
    find: `if (code < 0) return { code: "WrongValue", index, expected }`,
    replace: "if (code < 0) return undefined"
  },
  { clause: "2.1-side", file: findings, find: `series.side === "call" ? 0 : 1`, replace: `side[index]` },
  { clause: "2.1-mid", file: findings, find: "(bid[index]! + ask[index]!) / 2", replace: "ask[index]!" },
  { clause: "2.1-mid", file: findings, find: "const halfACent = 0.005", replace: "const halfACent = 0.05" },
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
    file: decode,
    find: `if (column.null === "identity") return fail("NullNotAllowed", name, "a value", "null", index)`,
    replace: ""
  },
  { clause: "2.1-expiration", file: expiration, find: "? 15 : 0", replace: "? 0 : 0" },
  { clause: "2.1-expiration", file: expiration, find: "indexes.has(", replace: "indexUnderlyings.has(" },
  { clause: "2.1-expiration", file: findings, find: "sameDay ? times : days", replace: "sameDay ? days : days" },
  {
    clause: "2.1-first-traded",
    file: chain,
    find: "firstTraded: quantity",
    replace: `firstTraded: { kind: dictionary, null: "finding" }`
  },
  { clause: "2.1-updated", file: chain, find: "if (updated > newest)", replace: "if (updated < newest)" },
  {
    clause: "2.3-bad-strike-decimal",
    file: findings,
    find: "strikes.add(index,",
    replace: "if (strike[index]! < 0) strikes.add(index,"
  },
  {
    clause: "2.3-strike-range",
    file: findings,
    find: "strike[index] !== Strike.fromThousandths(symbols.thousandths[index]!)",
    replace: "Math.floor(strike[index]! * 1000) !== symbols.thousandths[index]"
  },
  {
    clause: "2.1-dte",
    file: "packages/core/src/internal/chainFindings.ts",
    find: "Eastern.epochDayOf(updated[index]!)",
    replace: "Math.floor(updated[index]! / 86_400)"
  },
  {
    clause: "2.1-moneyness",
    file: "packages/core/src/internal/chainFindings.ts",
    find: "const expected = intrinsic > 0",
    replace: "const expected = intrinsic >= 0"
  }
]
