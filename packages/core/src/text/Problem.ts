/**
 * The form of every message about a value: which value, what is wrong with it, and what would be right.
 *
 * The failure of a query also says what it cost. A function that sends nothing does not.
 *
 * @example
 * ```ts
 * import * as Problem from "@effect-marketdata/core/Problem"
 *
 * Problem.format("limit 0", { rule: "must be a positive integer", example: "10" })
 * // => "limit 0 must be a positive integer, e.g. 10."
 * Problem.format(Problem.shown("AAPL"), {
 *   rule: "is not an OCC option symbol; it looks like a ticker",
 *   example: "AAPL261218C00150000"
 * })
 * // => "\"AAPL\" is not an OCC option symbol; it looks like a ticker. Expected e.g. AAPL261218C00150000."
 * ```
 *
 * @since 0.1.0
 */
import * as ForeignText from "./ForeignText.ts"
import * as Nearest from "./nearest.ts"
import * as Untyped from "./untyped.ts"

/**
 * What is wrong with a value.
 *
 * - `rule`: the words after the value: "must be a positive integer", "is not a calendar day"
 * - `example`: a valid value, as the caller would write it; texts stand without quotation marks
 *
 * @category models
 * @since 0.1.0
 */
export interface Problem {
  readonly rule: string
  readonly example: string
}

/**
 * Prints a problem after its subject, which is a value, or a name with a value.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (subject: string, { example, rule }: Problem): string =>
  `${bounded(subject, 160)} ${bounded(rule, 200)}${rule.startsWith("must ") ? ", e.g." : ". Expected e.g."} ${
    bounded(example, 120)
  }.`

/**
 * Prints any value for a message: texts in quotation marks, other values as a program would write them. The result is one line of bounded
 * length, without control characters and without what looks like a token. It never throws, whatever the value does.
 *
 * @category formatting
 * @since 0.1.0
 */
export const shown = (value: unknown, maxLength = 80): string =>
  typeof value === "string"
    ? `"${bounded(value, maxLength - 2).replaceAll("\"", "\\\"")}"`
    : bounded(Untyped.shown(value), maxLength)

/** Escapes make a text longer, so it is cut again behind them; what is cut in two there is escaped once more. */
const bounded = (text: string, maxLength: number): string =>
  ForeignText.line(ForeignText.line(text, maxLength), maxLength)

/**
 * Finds the name that was most likely meant by a text: the one with the fewest letters changed, if fewer than half of them are. Case and
 * dashes do not count.
 *
 * @example
 * ```ts
 * import * as Problem from "@effect-marketdata/core/Problem"
 *
 * Problem.nearest("max_in_fligth", ["maxInFlight", "maxSymbols"]) // => "maxInFlight"
 * Problem.nearest("colour", ["maxInFlight", "maxSymbols"]) // => undefined
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const nearest: (text: string, names: ReadonlyArray<string>) => string | undefined = Nearest.nearest
