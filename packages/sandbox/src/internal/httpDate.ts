import * as DateTime from "effect/DateTime"

/** A time in epoch milliseconds as the `date` header writes it, such as `Fri, 20 Nov 2026 17:00:00 GMT`. */
export const format = (millis: number): string => DateTime.toDateUtc(DateTime.makeUnsafe(millis)).toUTCString()

/** The same, remembering the last second: many replies have it in common. */
export const memoized = (): (millis: number) => string => {
  let last = { second: NaN, text: "" }
  return (millis) => {
    const second = Math.floor(millis / 1000)
    if (second !== last.second) last = { second, text: format(millis) }
    return last.text
  }
}
