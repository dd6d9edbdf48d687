import type { Fault } from "../fault.ts"

/** A service that mends an option symbol before it judges it. */
const mended = (clause: string, replacement: string): Fault => ({
  clause,
  file: "packages/sandbox/src/internal/endpoints/optionQuote.ts",
  find: `segments["optionSymbol"]!`,
  replace: `segments["optionSymbol"]!${replacement}`
})

/** What the simulated service could let pass of option symbols. */
export const faults: ReadonlyArray<Fault> = [
  mended("2.3-bad-expiration", `.replace("261131", "261130")`),
  mended("2.3-bad-expiration", `.replace(/20(?=\\d{6}[CP])/, "")`),
  mended("2.3-bad-side", `.replace("X", "C")`),
  mended("2.3-bad-strike-length", `.replace(/C0(\\d{8})$/, "C$1")`),
  mended("2.3-bad-strike-padding", `.replace(/C(\\d{6})$/, "C00$1")`),
  mended("2.3-bad-strike-decimal", `.replace(/C\\d*\\.\\d*$/, "C00270000")`),
  mended("2.3-legacy", `.replace(/^IBM ?AT$/, "IBM270115C00100000")`),
  mended("2.3-format", ".toUpperCase()")
]
