import * as DateTime from "effect/DateTime"

/** A time in epoch milliseconds as the `date` header writes it, such as `Fri, 20 Nov 2026 17:00:00 GMT`. */
export const format = (millis: number): string => DateTime.toDateUtc(DateTime.makeUnsafe(millis)).toUTCString()
