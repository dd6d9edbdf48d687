/** Checks of options, for callers without types. */
import * as Problem from "@effect-marketdata/core/Problem"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Connections from "../wire/connections.ts"

export const refuse = (option: string, value: unknown, problem: Problem.Problem): Result.Result<never, InvalidQuery> =>
  Result.fail(InvalidQuery.of(option, value, problem))

/** Checks the name of an account, a caller or a job. */
export const named = (option: string, value: unknown, example = "\"main\""): Result.Result<string, InvalidQuery> =>
  Connections.isName(value)
    ? Result.succeed(value)
    : refuse(option, value, { rule: "must be a string of 1 to 100 printable characters", example })

/** Checks a number of calls or queries. */
export const count = (option: string, value: unknown, least: number): Result.Result<number, InvalidQuery> =>
  Number.isSafeInteger(value) && (value as number) >= least
    ? Result.succeed(value as number)
    : refuse(option, value, { rule: `must be an integer of at least ${least}`, example: "50" })

/** Checks a duration, and returns it in milliseconds. */
export const time = (option: string, value: unknown, example = "\"5 minutes\"") => {
  const read = Option.map(Duration.fromInput(value as Duration.Input), Duration.toMillis)
  const milliseconds = Option.getOrElse(read, () => 0)
  return milliseconds > 0
    ? Result.succeed(milliseconds)
    : refuse(option, value, { rule: "must be a duration above zero", example })
}
