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
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as ForeignText from "./ForeignText.ts"
import * as Untyped from "./untyped.ts"

/**
 * What is wrong with a value.
 *
 * - `rule`: the words after the value: "must be a positive integer", "is not a calendar day"
 * - `example`: a valid value, as the caller would write it; texts stand without quotation marks
 * - `against`: the name of an option or of an endpoint that stands behind the words: "cannot be combined with" `expiration`. It is apart from them so
 *   that a program may use names of its own
 * - `limit`: the value of that option, where it matters
 *
 * @category models
 * @since 0.1.0
 */
export interface Problem {
  readonly rule: string
  readonly example: string
  readonly against?: string
  readonly limit?: string
}

/**
 * An error about an input: what was given, and by its name what is wrong with it, which `rule` says in words.
 *
 * @category models
 * @since 0.1.0
 */
export interface InputError<out Tag, out Name> extends Cause.YieldableError, Problem {
  readonly _tag: Tag
  readonly input: string
  readonly problem: Name
}

/**
 * Makes the class of the error about an input that has one of some problems, by their names. `subject` stands before the input in messages.
 *
 * @internal
 */
export const errorOf = <const Tag extends string, const Name extends string>(
  tag: Tag,
  subject: string,
  problems: Readonly<Record<Name, Problem>>
): new (fields: Pick<InputError<Tag, Name>, "input" | "problem">) => InputError<Tag, Name> =>
  class extends Data.TaggedError(tag)<{ readonly input: string; readonly problem: Name }> {
    get rule(): string {
      return problems[this.problem].rule
    }
    get example(): string {
      return problems[this.problem].example
    }
    override get message(): string {
      return format(subject + shown(this.input), this)
    }
  }

/**
 * A function was given what it cannot take, such as null by a caller without types: `argument` says where, `value` what it is.
 *
 * @category errors
 * @since 0.1.0
 */
export class ValueError extends Data.TaggedError("ValueError")<
  Problem & { readonly argument: string; readonly value: string }
> {
  override get message(): string {
    return format(`${this.argument} ${this.value}`, this)
  }
}

/**
 * Returns a value unchanged if it is what it must be; throws `ValueError` otherwise. Each module refuses with it, where a value enters, what only
 * a caller without types can give.
 *
 * @example
 * ```ts
 * import * as Problem from "@effect-marketdata/core/Problem"
 *
 * const count = 3
 * Problem.expect(Number.isSafeInteger(count), "count", count, "an integer", "10") // => 3
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const expect = <A>(is: boolean, argument: string, value: A, what: string, example: string): A => {
  if (is) return value
  throw new ValueError({ argument, value: shown(value), rule: `must be ${what}`, example })
}

/**
 * Makes the guard of a module: it returns a value unchanged whose fields are of the same kinds as those of a form, and throws `ValueError`
 * for anything else.
 *
 * @example
 * ```ts
 * import * as Problem from "@effect-marketdata/core/Problem"
 *
 * const known = Problem.guard("price", "{ credits: 5 }", { credits: 0 })
 * known({ credits: 7 }) // => { credits: 7 }
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const guard = (name: string, example: string, form: object): <A extends object>(value: A) => A => {
  const fields = Object.entries(form).map(([field, some]) => [field, kindOf(some)] as const)
  const what = `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`
  // By hand, because several guards look at each reply: `every` with a function of its own takes half as long again.
  const has = (given: Readonly<Record<string, unknown>>) => {
    for (const [field, kind] of fields) if (kindOf(given[field]) !== kind) return false
    return true
  }
  return (value) => expect(Untyped.hasForm<Record<string, unknown>>(value, has), name, value, what, example)
}

const kindOf = (value: unknown): string => value === null ? "null" : Array.isArray(value) ? "list" : typeof value

/**
 * Returns a list unchanged, of which each member is as it must be; throws `ValueError` for anything else.
 *
 * @internal
 */
export const list = <A>(name: string, value: ReadonlyArray<A>, member?: (value: A) => A): ReadonlyArray<A> => {
  expect(Array.isArray(value), name, value, "a list", "[]")
  if (member !== undefined) value.forEach((one) => member(one))
  return value
}

/**
 * Prints a problem after its subject, which is a value, or a name with a value.
 *
 * @example
 * ```ts
 * import * as Problem from "@effect-marketdata/core/Problem"
 *
 * Problem.format("strike", { rule: "must be positive", example: "350" }) // => "strike must be positive, e.g. 350."
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (subject: string, { against, example, limit, rule }: Problem): string =>
  `${bounded(subject, 160)} ${bounded(rule + (against ? ` ${against}` : "") + (limit ? ` (${limit})` : ""), 200)}${
    rule.startsWith("must ") ? ", e.g." : ". Expected e.g."
  } ${bounded(example, 120)}.`

/**
 * Prints any value for a message: texts in quotation marks, other values as a program would write them. The result is one line of bounded
 * length, without control characters and without what looks like a token. It never throws, whatever the value does.
 *
 * @example
 * ```ts
 * import * as Problem from "@effect-marketdata/core/Problem"
 *
 * Problem.shown("AAPL") // => "\"AAPL\""
 * Problem.shown(undefined) // => "undefined"
 * ```
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
export const nearest = (text: string, names: ReadonlyArray<string>): string | undefined => {
  if (!Array.isArray(names) || [text, ...names].some((one) => typeof one !== "string")) return undefined
  const plain = plainOf(text)
  const distances = names.map((name) => ({ name, distance: distance(plain, plainOf(name)) }))
  const [best] = distances.toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance * 2 < Math.max(plain.length, best.name.length) ? best.name : undefined
}

/** Names are told apart without case and dashes: `min_open_interest` is `minOpenInterest`. What is longer than any name is cut. */
const plainOf = (text: string): string => text.slice(0, 40).toLowerCase().replace(/[^a-z0-9]/g, "")

/** The fewest letters to put in, take out or exchange between two texts, where two that stand in the wrong order count as one (Damerau). */
const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let at = 0; at < a.length; at++) {
    const next = [at + 1]
    for (let to = 0; to < b.length; to++) {
      const isSwapped = at > 0 && to > 0 && a[at] === b[to - 1] && a[at - 1] === b[to]
      next.push(
        Math.min(
          next[to]! + 1,
          row[to + 1]! + 1,
          row[to]! + (a[at] === b[to] ? 0 : 1),
          isSwapped ? before[to - 1]! + 1 : Infinity
        )
      )
    }
    before = row
    row = next
  }
  return row[b.length]!
}
