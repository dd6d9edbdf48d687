/**
 * An input that breaks a rule: the name of what was given, its value, the rule, and an example that keeps it.
 *
 * @example
 * ```ts
 * import * as Black from "@effect-marketdata/volatility/Black"
 * import * as Result from "effect/Result"
 *
 * const priced = Black.price("call", { forward: -1, strike: 100, years: 1, discount: 1, volatility: 0.2 })
 * Result.isFailure(priced) && priced.failure.message
 * // => "forward -1 must be a number from 1e-9 to 1e15, e.g. 6543.21."
 * ```
 *
 * @since 0.1.0
 */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Data from "effect/Data"
import * as Result from "effect/Result"

/**
 * What breaks a rule. `value` is the given value as a program would write it, bounded.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidInput extends Data.TaggedError("InvalidInput")<
  Readonly<Record<"parameter" | "value" | "rule" | "example", string>>
> {
  override get message(): string {
    return Problem.format(`${this.parameter} ${this.value}`, this)
  }
}

const price = [1e-9, 1e15, 6543.21] as const
const rate = [-1, 1, 0.04] as const

/** The numbers by name: the least, the most and an example. Within these no step of a formula leaves the range of doubles. */
const ranges = {
  price: [-1e15, 1e15, 12.5],
  forward: price,
  spot: price,
  strike: price,
  years: [1e-9, 1000, 0.25],
  discount: [1e-6, 10, 0.99],
  volatility: [1e-9, 1000, 0.2],
  at: [0, 1e11, 1795208400],
  rate,
  dividendYield: rate
} as const

/** Prints a bound, the large ones as powers of ten. */
const shown = (bound: number): string => Math.abs(bound) < 1e6 ? String(bound) : bound.toExponential().replace("+", "")

/**
 * Refuses what breaks a rule.
 *
 * @internal
 */
export const refuse = (parameter: string, value: unknown, { example, rule }: Problem.Problem) =>
  Result.fail(new InvalidInput({ parameter, value: Problem.shown(value), rule, example }))

/**
 * Refuses a number that is out of its range.
 *
 * @internal
 */
export const outOfRange = (name: keyof typeof ranges, value: unknown) => {
  const [least, most, example] = ranges[name]
  if (typeof value === "number" && value >= least && value <= most) return undefined
  return refuse(name, value, {
    rule: `must be a number from ${shown(least)} to ${shown(most)}`,
    example: String(example)
  })
}

/**
 * Refuses a value that is not one of a few.
 *
 * @internal
 */
export const notOneOf = (parameter: string, value: string, values: ReadonlyArray<string>) =>
  values.includes(value)
    ? undefined
    : refuse(parameter, value, { rule: `must be one of ${values.join(", ")}`, example: values[0]! })

/**
 * Refuses terms that cannot be read; `more` is what is read beside those of an option.
 *
 * @internal
 */
export const unreadable = (terms: unknown, more = "") =>
  refuse("terms", terms, {
    rule: "must be an object that can be read",
    example: `{ forward, strike, years, discount${more} }`
  })
