/** Durations as people write them. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** What a text must be to be one. */
export const rule = { rule: "must be a duration", example: "30s" } as const

const units: Readonly<Record<string, string>> = { ms: "millis", s: "seconds", m: "minutes", min: "minutes", h: "hours" }

/** Writes `30s` as Effect reads it, and leaves other texts alone. */
export const spaced = (text: string): string => {
  const [, amount, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(text) ?? []
  return amount === undefined ? text : `${amount} ${units[unit] ?? unit}`
}

/** Reads `30s`, `5 minutes` and the like. */
export const read = (text: string): Option.Option<Duration.Duration> =>
  Option.filter(Duration.fromInput(spaced(text) as Duration.Input), (value) => Duration.toMillis(value) > 0)
