/**
 * Strikes without rounding: an option symbol holds its strike as a whole number of thousandths of a dollar, in eight digits.
 *
 * Everywhere else a strike is a plain number of dollars. This loses nothing: below 100,000 dollars each whole thousandth has its own
 * double, which is the one that `JSON.parse` reads from the strike column.
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 *
 * Strike.toDigits(Strike.parseUnsafe("32.25")) // => "00032250"
 * Strike.toThousandths(1.005) // => 1005
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"

/**
 * The largest strike that eight digits can hold, in dollars.
 *
 * @category constants
 * @since 0.1.0
 */
export const max = 99_999.999

/**
 * The text or number that is not a strike, and why: `NotADecimal` (not a plain decimal number), `NotAThousandth` (finer than a thousandth
 * of a dollar), `Negative`, or `TooLarge` (above `max`).
 *
 * @category errors
 * @since 0.1.0
 */
export class StrikeError extends /* @__PURE__ */ Problem.errorOf("StrikeError", "strike ", {
  NotADecimal: { rule: "must be a decimal number of dollars", example: "32.25" },
  NotAThousandth: { rule: "must have at most 3 decimals", example: "32.25" },
  Negative: { rule: "must be 0 or more dollars", example: "32.25" },
  TooLarge: { rule: `must be at most ${max} dollars`, example: "32.25" }
}) {}

const fail = (input: string, problem: StrikeError["problem"]) => Result.fail(new StrikeError({ input, problem }))

/** The longest text of a number has 25 characters; nobody pads a strike beyond that. */
const longest = 64

/**
 * Parses a strike from a decimal text or a number of dollars, without rounding (clauses 2.3-strike-fraction and 2.3-strike-range). A
 * number is read as the shortest decimal that denotes it, so 1.005 is 1.005 and not 1.00499…. Returns dollars, and fails with
 * `StrikeError`.
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 * import * as Result from "effect/Result"
 *
 * Strike.parse("350.5") // => Result.succeed(350.5)
 * Result.isFailure(Strike.parse("350.0001")) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (input: string | number): Result.Result<number, StrikeError> => {
  const text = Untyped.shown(input)
  if (text.length > longest || typeof input !== "string" && typeof input !== "number") return fail(text, "NotADecimal")
  const match = /^(-?)0*(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) return fail(text, "NotADecimal")
  const exponent = Number(match[4] ?? 0)
  const decimals = (match[3] ?? "").replace(/0+$/, "")
  if (match[4] !== undefined && typeof input === "string") return fail(text, "NotADecimal")
  if (match[1] === "-" && Number(text) !== 0) return fail(text, "Negative")
  // String(number) uses an exponent only from 1e21 up and below 1e-6: never a strike.
  if (match[2]!.length + exponent > 5) return fail(text, "TooLarge")
  if (decimals.length > 3 || exponent < 0) return fail(text, "NotAThousandth")
  return Result.succeed((Number(match[2]) * 1000 + Number(decimals.padEnd(3, "0"))) / 1000)
}

/**
 * Parses a strike; throws `StrikeError` where `parse` fails.
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 *
 * Strike.parseUnsafe("350.5") // => 350.5
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parseUnsafe = (input: string | number): number => Result.getOrThrow(parse(input))

/**
 * Returns a strike in whole thousandths of a dollar: 32.25 dollars give 32250. The number must be a strike.
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 *
 * Strike.toThousandths(350.5) // => 350500
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const toThousandths = (strike: number): number =>
  Math.round((typeof strike === "number" ? strike : parseUnsafe(strike)) * 1000)

/**
 * Returns a strike in dollars, given in thousandths: 32250 gives 32.25.
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 *
 * Strike.fromThousandths(350_500) // => 350.5
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromThousandths = (thousandths: number): number => thousandths / 1000

/**
 * Prints a strike as the eight digits of an option symbol (clauses 2.3-strike-integer and 2.3-strike-tenth).
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 *
 * Strike.toDigits(350.5) // => "00350500"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const toDigits = (strike: number): string => String(toThousandths(strike)).padStart(8, "0")
