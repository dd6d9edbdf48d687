/**
 * Durations as people write them: `30s`, `5min`, `2 hours`.
 *
 * @example
 * ```ts
 * import * as DurationText from "@effect-marketdata/core/DurationText"
 * import * as Duration from "effect/Duration"
 * import * as Option from "effect/Option"
 *
 * Option.map(DurationText.parse("5min"), Duration.toSeconds)._tag // => "Some"
 * DurationText.parse("soon")._tag // => "None"
 * ```
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type * as Problem from "./Problem.ts"

/**
 * What a text must be to be a duration.
 *
 * @category models
 * @since 0.1.0
 */
export const rule: Problem.Problem = { rule: "must be a duration", example: "30s" }

const full: Record<string, string> = { ms: "millis", s: "seconds", m: "minutes", min: "minutes", h: "hours", d: "days" }

/**
 * Writes a duration as Effect reads it, `30s` as `30 seconds`, and leaves other texts alone.
 *
 * @category formatting
 * @since 0.1.0
 */
export const spaced = (text: string): string => {
  const [, amount, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(text) ?? []
  return amount === undefined ? text : `${amount} ${full[unit] ?? unit}`
}

/**
 * Reads a duration above zero; none where a text is not one.
 *
 * @example
 * ```ts
 * import * as DurationText from "@effect-marketdata/core/DurationText"
 * import * as Duration from "effect/Duration"
 * import * as Option from "effect/Option"
 *
 * Option.map(DurationText.parse("30s"), Duration.toSeconds) // => Option.some(30)
 * DurationText.parse("soon") // => Option.none()
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (text: string): Option.Option<Duration.Duration> =>
  Option.filter(Duration.fromInput(spaced(text) as Duration.Input), (value) => Duration.toMillis(value) > 0)
