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

/** The numbers by name, with their bounds and an example. Within these no step of a formula leaves the range of doubles. */
const ranges = /* @__PURE__ */ new Map<string, readonly [least: number, most: number, example: number]>([
  ["price", [-1e15, 1e15, 12.5]],
  ["years", [1e-9, 1000, 0.25]],
  ["discount", [1e-6, 10, 0.99]],
  ["volatility", [1e-9, 1000, 0.2]],
  ["at", [0, 1e11, 1795208400]],
  ...["forward", "spot", "strike"].map((name) => [name, [1e-9, 1e15, 6543.21]] as const),
  ...["rate", "dividendYield"].map((name) => [name, [-1, 1, 0.04]] as const)
])

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
 * Reads numbers of an object by their names, each once, and checks each against its range.
 *
 * @internal
 */
export const numbers = <const Names extends ReadonlyArray<string>>(
  input: Readonly<Record<Names[number], number>>,
  names: Names
): Result.Result<{ readonly [At in keyof Names]: number }, InvalidInput> => {
  const read: Array<number> = []
  try {
    for (const name of names as ReadonlyArray<Names[number]>) {
      const value: unknown = input[name]
      const range = ranges.get(name)!
      if (!(typeof value === "number" && value >= range[0] && value <= range[1])) {
        const rule = `must be a number from ${shown(range[0])} to ${shown(range[1])}`
        return refuse(name, value, { rule, example: String(range[2]) })
      }
      read.push(value)
    }
  } catch {
    return refuse("terms", input, { rule: "must be an object that can be read", example: `{ ${names.join(", ")} }` })
  }
  return Result.succeed(read as never)
}

/**
 * Checks that a value is one of a few.
 *
 * @internal
 */
export const oneOf = <const Value extends string>(parameter: string, value: Value, values: ReadonlyArray<Value>) =>
  values.includes(value)
    ? Result.succeed(value)
    : refuse(parameter, value, { rule: `must be one of ${values.join(", ")}`, example: values[0]! })
