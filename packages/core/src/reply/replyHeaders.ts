import * as CalendarDate from "../time/CalendarDate.ts"

/**
 * The service's figures of credits in the headers of a reply: the allowance of the window, what is left of it (which may be negative),
 * when it is full again in epoch seconds, and what this request consumed. Each is undefined if it is absent or invalid. Callers without a
 * token get a limit of 0, which does not mean that nothing is left.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rate {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  readonly reset: number | undefined
  readonly consumed: number | undefined
}

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

/** A whole number; minus zero is zero. */
const whole = (header: string | undefined, pattern: RegExp): number | undefined =>
  header !== undefined && pattern.test(header) ? Number(header) + 0 : undefined

/** The figures of credits, each where it is there and is one. */
export const rate = (headers: Headers): Rate => ({
  limit: whole(headers["x-api-ratelimit-limit"], /^\d{1,9}$/),
  remaining: whole(headers["x-api-ratelimit-remaining"], /^-?\d{1,9}$/),
  reset: whole(headers["x-api-ratelimit-reset"], /^[1-9]\d{8,10}$/),
  consumed: whole(headers["x-api-ratelimit-consumed"], /^\d{1,9}$/)
})

/** The type of a body without its parameters, in lower case. */
export const mediaType = (headers: Headers): string | undefined => {
  const name = headers["content-type"]?.slice(0, 256).replace(/;.*/s, "").trim().toLowerCase()
  return name !== undefined && /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(name) ? name : undefined
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** An HTTP date such as `Fri, 20 Nov 2026 21:00:00 GMT`, in epoch seconds. */
const httpDate = (header: string | undefined): number | undefined => {
  const match = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60) GMT$/.exec(
    header ?? ""
  )
  if (match === null) return undefined
  const [day, year, hour, minute, second] = [1, 3, 4, 5, 6].map((group) => Number(match[group]))
  const month = months.indexOf(match[2]!) + 1
  return CalendarDate.isValid(year!, month, day!)
    ? CalendarDate.toEpochDay({ year: year!, month, day: day! }) * 86_400 + hour! * 3600 + minute! * 60 + second!
    : undefined
}

/**
 * How many seconds the service asks to be left alone. It may name a moment instead; then its own clock, in the same reply, tells how far
 * off that is.
 */
export const retryAfter = (headers: Headers): number | undefined => {
  const header = headers["retry-after"]
  const seconds = whole(header, /^\d{1,9}$/)
  if (seconds !== undefined) return seconds
  const [until, now] = [httpDate(header), httpDate(headers["date"])]
  return until === undefined || now === undefined ? undefined : Math.max(0, until - now)
}
