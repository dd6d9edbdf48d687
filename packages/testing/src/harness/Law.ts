/**
 * Laws as data: a property of every value of an arbitrary, and how to check it, with any test runner or none.
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as Result from "effect/Result"
 * import * as fc from "fast-check"
 *
 * const law = Law.make({
 *   name: "no count is above 1000",
 *   clauses: [],
 *   arbitrary: fc.nat(),
 *   holds: (count) => count <= 1000
 * })
 * const tried = Law.attempt(law, { seed: 1 })
 * Result.isFailure(tried) && tried.failure.counterexample // => 1001
 * ```
 *
 * @since 0.1.0
 */
import { Problem, Query } from "@effect-marketdata/core"
import * as Data from "effect/Data"
import * as Equal from "effect/Equal"
import * as Inspectable from "effect/Inspectable"
import * as Result from "effect/Result"
import * as fc from "fast-check"

/**
 * What holds of every value of an arbitrary.
 *
 * - `name`: the law as a sentence
 * - `clauses`: the ids of the clauses of the service's interface that it follows from
 * - `holds`: whether it holds of a value. One that throws does not hold
 * - `explain`: what was expected of a value, and what came instead
 *
 * Both functions are methods, so that a list of laws about different things is an array of `Law`: a law is only ever asked about values of
 * its own arbitrary.
 *
 * @category models
 * @since 0.1.0
 */
export interface Law<out A = unknown> {
  readonly name: string
  readonly clauses: ReadonlyArray<string>
  readonly arbitrary: fc.Arbitrary<A>
  holds(value: A): boolean
  explain?(value: A): string
}

/**
 * Creates a law from a predicate.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <A>(law: Law<A>): Law<A> => law

/**
 * Creates a law that two ways to a value lead to the same: `expected` the plain one, `received` the one under test. They are compared by
 * `Equal.equals`, which compares plain data by value.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as OptionSymbols from "@effect-marketdata/testing/OptionSymbols"
 *
 * const law = Law.equation({
 *   name: "a symbol is read as it was written",
 *   clauses: ["2.3-format"],
 *   arbitrary: OptionSymbols.optionSymbol,
 *   expected: (symbol) => symbol,
 *   received: (symbol) => OptionSymbol.parseUnsafe(OptionSymbol.format(symbol))
 * })
 * Law.check(law, { runs: 10 })
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const equation = <A, B>({ expected, received, ...law }: {
  readonly name: string
  readonly clauses: ReadonlyArray<string>
  readonly arbitrary: fc.Arbitrary<A>
  readonly expected: (value: A) => B
  readonly received: (value: A) => B
}): Law<A> => ({
  ...law,
  holds: (value) => Equal.equals(expected(value), received(value)),
  explain: (value) => `expected ${shown(expected(value))}, received ${shown(received(value))}`
})

/** Writes a value as fast-check does, and a query in it as JSON: its endpoint alone would fill a screen. */
const shown = (value: unknown): string => fc.stringify(brief(value))

const brief = (value: unknown): unknown => {
  if (Query.isQuery(value)) return JSON.parse(JSON.stringify(value)) as unknown
  if (Array.isArray(value)) return value.map(brief)
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return { ...value, ...Object.fromEntries(Object.entries(value).map(([name, field]) => [name, brief(field)])) }
}

/**
 * How a law is checked.
 *
 * - `runs`: how many values are generated; 100 if left out
 * - `seed`: equal seeds generate equal values; a random one if left out
 * - `path`: the path to one counterexample, from the message of a broken law
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly runs?: number | undefined
  readonly seed?: number | undefined
  readonly path?: string | undefined
}

/**
 * A law held of every value that was drawn.
 *
 * @category models
 * @since 0.1.0
 */
export interface Held {
  readonly law: string
  readonly runs: number
  readonly seed: number
}

/**
 * Which law is broken, by which value, and how to reproduce it. The value is the smallest that was found; `shrinks` counts the steps
 * to it, and `explanation` says what was expected and what was received.
 *
 * @category errors
 * @since 0.1.0
 */
export class LawBroken extends Data.TaggedError("LawBroken")<{
  readonly law: string
  readonly clauses: ReadonlyArray<string>
  readonly counterexample: unknown
  readonly explanation: string
  readonly shrinks: number
  readonly seed: number
  readonly path: string
}> {
  override get message(): string {
    const clauses = this.clauses.length === 0 ? "" : ` (${this.clauses.join(", ")})`
    return [
      `the law does not hold: ${this.law}${clauses}`,
      `smallest counterexample, after ${this.shrinks} steps: ${shown(this.counterexample)}`,
      ...(this.explanation === "" ? [] : [this.explanation]),
      `see it again: { seed: ${this.seed}, path: "${this.path}" }`
    ].join("\n")
  }
  /** What `console.log` and Node's test runner print. */
  override [Inspectable.NodeInspectSymbol](): string {
    return this.stack ?? this.message
  }
}

/** Says why a law does not hold of a value: in its own words, or with what it threw. */
const explanation = <A>(law: Law<A>, value: A): string => {
  const said = Result.try(() => law.holds(value) ? "" : law.explain?.(value) ?? "")
  return Result.match(said, { onSuccess: (text) => text, onFailure: (error) => `it threw ${String(error)}` })
}

/**
 * Checks a law, and looks for the smallest value that breaks it. Fails with `LawBroken`; it does not throw even if the law throws. Throws
 * `ValueError` for what is not a number of runs.
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as SymbolLaws from "@effect-marketdata/testing/SymbolLaws"
 * import * as Result from "effect/Result"
 *
 * const [law] = SymbolLaws.all
 * Result.isSuccess(Law.attempt(law!, { runs: 10, seed: 1 })) // => true
 * ```
 *
 * @category running
 * @since 0.1.0
 */
export const attempt = <A>(law: Law<A>, options: Options = {}): Result.Result<Held, LawBroken> => {
  const { path = "", runs = 100, seed } = options ?? {}
  // A law that never runs would hold, and one that runs NaN times never ends.
  Problem.expect(Number.isSafeInteger(runs) && runs >= 1, "runs", runs, "a positive integer", "100")
  const holds = (value: A) => Result.getOrElse(Result.try(() => law.holds(value)), () => false)
  const details = fc.check(fc.property(law.arbitrary, holds), {
    numRuns: runs,
    path,
    ...(seed === undefined ? {} : { seed })
  })
  if (details.counterexample === null) {
    return Result.succeed({ law: law.name, runs: details.numRuns, seed: details.seed })
  }
  const [counterexample] = details.counterexample
  const why = { law: law.name, clauses: law.clauses, counterexample, explanation: explanation(law, counterexample) }
  const again = { shrinks: details.numShrinks, seed: details.seed, path: details.counterexamplePath ?? "" }
  return Result.fail(new LawBroken({ ...why, ...again }))
}

/**
 * Checks a law; throws `LawBroken` where `attempt` fails. It returns nothing, so that it can be the body of a test.
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as Laws from "@effect-marketdata/testing/Laws"
 *
 * for (const law of Laws.all) Law.check(law, { runs: 10 })
 * ```
 *
 * @category running
 * @since 0.1.0
 */
export const check = <A>(law: Law<A>, options?: Options): void => {
  Result.getOrThrow(attempt(law, options))
}
