/** Checks the options of untyped callers, where they enter. */
import * as Problem from "@effect-marketdata/core/Problem"

/** What each option must be, in words, and a valid example. */
export type Rules<Options> = {
  readonly [Name in keyof Options]-?: readonly [is: (value: unknown) => boolean, what: string, example: string]
}

/** Returns options that keep their rules or are left out; throws `ValueError` otherwise. Null leaves all of them out. */
export const known = <Options extends object>(options: Options | null, rules: Rules<Options>): Options => {
  Problem.expect(typeof options === "object", "options", options, "an object", "{ seed: 1 }")
  const given = options ?? {} as Options
  for (const name in rules) {
    const [is, what, example] = rules[name]
    Problem.expect(given[name] === undefined || is(given[name]), name, given[name], what, example)
  }
  return given
}

/** A number from 0 on, without end too. */
export const isAmount = (value: unknown): boolean => typeof value === "number" && value >= 0

/** The rule of a seed. */
export const seed: Rules<{ readonly seed: number }>["seed"] = [Number.isSafeInteger, "a whole number", "1"]
