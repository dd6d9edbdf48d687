import * as Result from "effect/Result"
import * as CalendarDate from "../CalendarDate.ts"
import type * as Eastern from "../Eastern.ts"
import { InvalidQuery } from "../Reason.ts"

/** A query parameter, not yet encoded. */
export type Parameter = readonly [name: string, value: string]

/** None, where an option was left out; one, where it was given well; or why it cannot be asked for. */
export type Parameters = Result.Result<ReadonlyArray<Parameter>, InvalidQuery>

const none: Parameters = Result.succeed([])

const one = (name: string, value: string): Parameters => Result.succeed([[name, value]])

/** Refuses a parameter: its name, what was given, and the rule it breaks. */
export const refuse = (parameter: string, value: string, rule: string): Result.Result<never, InvalidQuery> =>
  Result.fail(new InvalidQuery({ parameter, value, rule }))

/** All parameters in order, or the first refusal. */
export const all = (parts: ReadonlyArray<Parameters>): Parameters =>
  Result.map(Result.all(parts), (lists) => lists.flat())

/** A day. */
export const day = (name: string, input: CalendarDate.Input | undefined): Parameters =>
  input === undefined
    ? none
    : Result.mapBoth(CalendarDate.fromInput(input), {
      onSuccess: (date) => [[name, CalendarDate.format(date)]],
      onFailure: (error) => new InvalidQuery({ parameter: name, value: error.input, rule: `it ${error.rule}` })
    })

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/**
 * A day, or a day with the time that New York clocks show. An offset is refused: the service takes none into account, and so would answer
 * about another moment.
 */
export const moment = (name: string, input: CalendarDate.Input | Eastern.WallClock | undefined): Parameters => {
  if (typeof input === "object" && "secondOfDay" in input) {
    const { date, secondOfDay: second } = input
    if (!(Number.isInteger(second) && second >= 0 && second < 86_400)) {
      return refuse(`${name}.secondOfDay`, String(second), "a day has the seconds 0 to 86399")
    }
    const time = [second / 3600, second / 60 % 60, second % 60].map((part) => twoDigits(Math.floor(part))).join(":")
    return Result.map(day(name, date), (parameters) => parameters.map(([, text]) => [name, `${text} ${time}`] as const))
  }
  const match = typeof input === "string" ? /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?$/.exec(input) : null
  if (match !== null) {
    const time = match[2]! + (match[3] ?? ":00")
    return /^([01]\d|2[0-3])(:[0-5]\d){2}$/.test(time)
      ? Result.map(
        day(name, match[1]),
        (parameters) => parameters.map(([, text]) => [name, `${text} ${time}`] as const)
      )
      : refuse(name, input as string, "a time of day lies between 00:00:00 and 23:59:59")
  }
  return typeof input === "string" && /\d[ T]\d/.test(input)
    ? refuse(name, input, "write New York wall-clock time without an offset: 2026-11-20 09:30")
    : day(name, input)
}

/** Yes or no. */
export const flag = (name: string, input: boolean | undefined): Parameters =>
  input === undefined
    ? none
    : typeof input === "boolean"
    ? one(name, String(input))
    : refuse(name, String(input), "write true or false")

/** A whole number between two bounds, both included. */
export const whole = (
  name: string,
  input: number | undefined,
  { max = Number.MAX_SAFE_INTEGER, min }: { readonly min: number; readonly max?: number }
): Parameters =>
  input === undefined
    ? none
    : Number.isInteger(input) && input >= min && input <= max
    ? one(name, String(input))
    : refuse(
      name,
      String(input),
      max === Number.MAX_SAFE_INTEGER ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`
    )

/** A decimal number that is not negative, written without an exponent. */
export const decimal = (name: string, input: number | undefined, max = 1e9): Parameters =>
  input === undefined
    ? none
    : typeof input === "number" && input >= 0 && input <= max && !String(input).includes("e")
    ? one(name, String(input))
    : refuse(name, String(input), `a number from 0 to ${max}, not finer than a millionth`)

/** One of a few texts. */
export const choice = <Text extends string>(
  name: string,
  input: Text | undefined,
  choices: ReadonlyArray<Text>
): Parameters =>
  input === undefined
    ? none
    : choices.includes(input)
    ? one(name, input)
    : refuse(name, input, `write ${choices.map((text) => JSON.stringify(text)).join(" or ")}`)

/** Refuses two options that cannot be said together; types rule it out, and data from elsewhere have no types. */
export const exclusive = (
  groups: ReadonlyArray<Readonly<Record<string, unknown>>>,
  rule: string
): Result.Result<void, InvalidQuery> => {
  const given = groups.map((group) => Object.entries(group).find(([, value]) => value !== undefined))
  const [, second] = given.filter((option) => option !== undefined)
  if (second === undefined) return Result.succeed(undefined)
  const [name, value] = second
  return refuse(name, typeof value === "string" ? value : JSON.stringify(value), rule)
}
