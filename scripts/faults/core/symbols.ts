import * as Result from "effect/Result"
import { of, type Seam } from "../seam.ts"

const Diagnosis = of(() => import("../../../packages/core/src/symbol/optionSymbolDiagnosis.ts"))
const OptionSymbol = of(() => import("@effect-marketdata/core/OptionSymbol"))
const Strike = of(() => import("@effect-marketdata/core/Strike"))

/** A symbol that is mended before it is read. */
const mended = (clause: string, pattern: RegExp, other: string): Seam =>
  OptionSymbol(
    clause,
    "parse",
    (parse) => (input) => parse(typeof input === "string" ? input.replace(pattern, other) : input)
  )

/** What the rules of option symbols and strikes could get wrong. */
export const faults: ReadonlyArray<Seam> = [
  OptionSymbol(
    "2.3-format",
    "format",
    (format) => (symbol) => format({ ...symbol, side: symbol.side === "call" ? "put" : "call" })
  ),
  Strike("2.3-strike-integer", "toDigits", (toDigits) => (strike) => toDigits(strike).slice(1)),
  Strike("2.3-strike-tenth", "fromThousandths", (from) => (thousandths) => Math.floor(from(thousandths))),
  // A thousandth is lost in floating point.
  Strike(["2.3-strike-range", "2.3-strike-fraction"], "toThousandths", () => (strike) => Math.floor(strike * 1000)),
  Strike(
    "2.3-strike-range",
    "parse",
    (parse) => (input) =>
      Result.orElse(
        parse(input),
        (error) => error.problem === "TooLarge" ? Result.succeed(Number(input)) : Result.fail(error)
      )
  ),
  mended("2.3-bad-expiration", /20(?=\d{6}[CP])/, ""),
  mended("2.3-bad-side", /(\d{6})(\d{8})$/, "$1C$2"),
  mended("2.3-bad-strike-length", /([CP]\d{8})\d+$/, "$1"),
  mended("2.3-bad-strike-padding", /([CP])(\d{6})$/, "$100$2"),
  mended("2.3-bad-strike-decimal", /([CP])(\d+)\.(\d*)$/, "$100032500"),
  mended("2.3-legacy", /^\.?IBM ?AT$/, "IBM270115C00100000"),
  // The side goes before the date.
  Diagnosis(
    "2.3-precedence",
    "diagnose",
    (diagnose) => (input) => diagnose(input.replace(/\d{6}(?=[^CP\d])/, "261218"))
  )
]
