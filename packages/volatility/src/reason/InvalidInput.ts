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

const priceRange = { least: 1e-9, most: 1e15, example: 6543.21 }
const rateRange = { least: -1, most: 1, example: 0.04 }

/**
 * The numbers, with their bounds and an example. Within these no step of a formula leaves the range of doubles.
 *
 * @internal
 */
export const ranges = {
  price: { name: "price", least: -1e15, most: 1e15, example: 12.5 },
  forward: { name: "forward", ...priceRange },
  spot: { name: "spot", ...priceRange },
  strike: { name: "strike", ...priceRange },
  years: { name: "years", least: 1e-9, most: 1000, example: 0.25 },
  discount: { name: "discount", least: 1e-6, most: 10, example: 0.99 },
  // What a price has a second before the option expires, and is priced again, is in the tens of thousands.
  volatility: { name: "volatility", least: 1e-9, most: 1e7, example: 0.2 },
  at: { name: "at", least: 0, most: 1e11, example: 1795208400 },
  rate: { name: "rate", ...rateRange },
  dividendYield: { name: "dividendYield", ...rateRange }
}

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
export const outOfRange = ({ example, least, most, name }: typeof ranges.price, value: unknown) => {
  if (typeof value === "number" && value >= least && value <= most) return undefined
  const rule = `must be a number from ${shown(least)} to ${shown(most)}`
  return refuse(name, value, { rule, example: String(example) })
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
export const unreadable = (terms: unknown, more = "") => {
  const example = `{ forward, strike, years, discount${more} }`
  return refuse("terms", terms, { rule: "must be an object that can be read", example })
}
