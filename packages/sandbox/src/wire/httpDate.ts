import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/**
 * A time in epoch milliseconds as the `date` header writes it, such as `Fri, 20 Nov 2026 17:00:00 GMT`; the beginning of 1970 for a number
 * that is not a date, because every reply has the header, that of an error too.
 */
export const format = (millis: number): string =>
  DateTime.toDateUtc(Option.getOrElse(DateTime.make(millis), () => epoch)).toUTCString()

const epoch = DateTime.makeUnsafe(0)

/** The same, remembering the last second: many replies have it in common. */
export const memoized = (): (millis: number) => string => {
  let last = { second: NaN, text: "" }
  return (millis) => {
    const second = Math.floor(millis / 1000)
    if (second !== last.second) last = { second, text: format(millis) }
    return last.text
  }
}
