/**
 * How old cached data may be: the `maxage` parameter, which only has a meaning with cached data (contract 8.3).
 *
 * The service is sent whole minutes or hours. Users may say any duration; it is rounded down, so that what comes back is never
 * older than what was asked for.
 *
 * @example
 * ```ts
 * import * as MaxAge from "@effect-marketdata/core/MaxAge"
 * import * as Result from "effect/Result"
 *
 * Result.map(MaxAge.parse("90 minutes"), MaxAge.format) // => Result.succeed("90min")
 * Result.map(MaxAge.parse("2 hours"), MaxAge.format) // => Result.succeed("2h")
 * ```
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { quote } from "./internal/quote.ts"

/**
 * A greatest age, in whole minutes and at least one.
 *
 * @category models
 * @since 0.1.0
 */
export interface MaxAge {
  readonly minutes: number
}

/**
 * What a mode takes as a greatest age: a duration of Effect's such as `"5 minutes"`, or the service's own `5min` and `1h`.
 *
 * @category models
 * @since 0.1.0
 */
export type Input = Duration.Input | `${number}min` | `${number}h`

/**
 * Says which age cannot be sent to the service.
 *
 * @category errors
 * @since 0.1.0
 */
export class MaxAgeError extends Data.TaggedError("MaxAgeError")<{
  readonly input: string
  readonly problem: "NotADuration" | "UnderAMinute" | "NotFinite"
}> {
  override get message(): string {
    const rule = {
      NotADuration: `is no duration: write "5 minutes", "1 hour", "5min" or "1h"`,
      UnderAMinute: "is under a minute, the smallest age the service takes",
      NotFinite: "has no end: leave maxAge out to take cached data of any age"
    }[this.problem]
    return `maxAge ${quote(this.input)} ${rule}`
  }
}

/**
 * Reads a greatest age, rounded down to whole minutes (clause 8.3-maxage-forms). Fails with `MaxAgeError`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (input: Input | string): Result.Result<MaxAge, MaxAgeError> => {
  const text = typeof input === "object" ? JSON.stringify(input) : String(input)
  const fail = (problem: MaxAgeError["problem"]) => Result.fail(new MaxAgeError({ input: text, problem }))
  const short = /^(\d{1,9})(min|h)$/.exec(text)
  const duration = short === null
    ? Duration.fromInput(input as Duration.Input)
    : Option.some(Duration.minutes(Number(short[1]) * (short[2] === "h" ? 60 : 1)))
  if (Option.isNone(duration)) return fail("NotADuration")
  const minutes = Math.floor(Duration.toMinutes(duration.value))
  if (Number.isNaN(minutes)) return fail("NotADuration")
  if (minutes < 1) return fail("UnderAMinute")
  return Number.isFinite(minutes) ? Result.succeed({ minutes }) : fail("NotFinite")
}

/**
 * Prints an age as the service takes it: whole hours as `2h`, anything else as `90min`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: MaxAge): string => self.minutes % 60 === 0 ? `${self.minutes / 60}h` : `${self.minutes}min`
