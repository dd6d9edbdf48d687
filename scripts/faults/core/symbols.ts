import type { Fault } from "../fault.ts"

const strike = "packages/core/src/symbol/Strike.ts"
const symbol = "packages/core/src/symbol/OptionSymbol.ts"
const diagnosis = "packages/core/src/symbol/optionSymbolDiagnosis.ts"
const errors = "packages/core/src/symbol/OptionSymbolError.ts"

/** What the rules of option symbols and strikes could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "2.3-format", file: symbol, find: "length > 6", replace: "length > 5" },
  { clause: "2.3-format", file: symbol, find: "letters > 0 && ", replace: "" },
  { clause: "2.3-format", file: symbol, find: `flag === 67 ? "call" : "put"`, replace: `flag === 80 ? "call" : "put"` },
  {
    clause: "2.3-format",
    file: symbol,
    find: "code >= 48 && code <= 57",
    replace: "code >= 48 && code < 57"
  },
  { clause: "2.3-strike-integer", file: strike, find: `padStart(8, "0")`, replace: `padStart(7, "0")` },
  {
    clause: "2.3-strike-tenth",
    file: strike,
    find: "thousandths / 1000\n",
    replace: "Math.floor(thousandths / 1000)\n"
  },
  { clause: "2.3-strike-fraction", file: strike, find: "decimals.length > 3", replace: "decimals.length > 4" },
  { clause: "2.3-strike-range", file: strike, find: "Math.round(strike * 1000)", replace: "Math.floor(strike * 1000)" },
  {
    clause: "2.3-strike-range",
    file: strike,
    find: "match[2]!.length + exponent > 5",
    replace: "match[2]!.length + exponent > 6"
  },
  {
    clause: "2.3-bad-expiration",
    file: diagnosis,
    find: "CalendarDate.isValid(2000 + year!, month!, day!)",
    replace: "month! <= 12"
  },
  { clause: "2.3-bad-expiration", file: symbol, find: ` && !input.startsWith("20", length - 2)`, replace: "" },
  { clause: "2.3-bad-expiration", file: diagnosis, find: "/^20(\\d\\d)-?", replace: "/^21(\\d\\d)-?" },
  {
    clause: "2.3-bad-expiration",
    file: symbol,
    find: "expiration.year > 2099) {",
    replace: "expiration.year > 2100) {"
  },
  {
    clause: "2.3-bad-side",
    file: diagnosis,
    find: `side === "C" || side === "P"`,
    replace: `side === "C" || side === "P" || side === ""`
  },
  { clause: "2.3-bad-strike-length", file: diagnosis, find: "strike.length <= 8", replace: "strike.length <= 9" },
  {
    clause: "2.3-bad-strike-padding",
    file: diagnosis,
    find: `padded[2]!.padStart(8, "0")`,
    replace: `padded[2]!.padEnd(8, "0")`
  },
  {
    clause: "2.3-bad-strike-padding",
    file: diagnosis,
    find: "inDollars: Result.getOrUndefined(Result.map(Strike.parse(padded[2]!), Strike.toDigits))",
    replace: "inDollars: undefined"
  },
  {
    clause: "2.3-bad-strike-decimal",
    file: diagnosis,
    find: "Result.map(dollars, Strike.toDigits)",
    replace: "Result.map(dollars, String)"
  },
  { clause: "2.3-legacy", file: diagnosis, find: "[A-X][A-Z]$", replace: "[A-L][A-Z]$" },
  { clause: "2.3-legacy", file: errors, find: ", or a bare ticker", replace: "" },
  {
    clause: "2.3-precedence",
    file: diagnosis,
    find: "return expirationProblem(fields) ?? sideProblem(fields) ?? strikeProblem(fields) ?? rootProblem",
    replace: "return sideProblem(fields) ?? expirationProblem(fields) ?? strikeProblem(fields) ?? rootProblem"
  },
  {
    clause: "2.3-precedence",
    file: diagnosis,
    find: "expirationProblem(fields) ?? sideProblem(fields) ?? strikeProblem(fields) ?? rootProblem(fields.root)!",
    replace: "rootProblem(fields.root) ?? expirationProblem(fields) ?? sideProblem(fields) ?? strikeProblem(fields)!"
  }
]
