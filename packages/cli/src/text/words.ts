/** Amounts, counts and ages as people read them. */
import { Credits } from "@effect-marketdata/core"
import { Clock, Effect } from "effect"

/**
 * Prints a number with commas between thousands, and from `least` to `most` decimals. Only numbers out of the ordinary are left to `Intl`, which takes
 * 15 ms to load.
 */
export const number = (value: number, least = 0, most = 6): string => {
  const size = Math.abs(value)
  const isWhole = Number.isSafeInteger(value)
  if (!isWhole && (!(size * 10 ** most < 1e12) || size < 1e-6)) {
    return value.toLocaleString("en-US", { minimumFractionDigits: least, maximumFractionDigits: most })
  }
  // Rounds the decimal digits: a product such as 1.005 * 100 would be off by its binary fraction.
  const scaled = isWhole ? `${size}${"0".repeat(most)}` : String(Math.round(Number(`${size}e${most}`)))
  const digits = scaled.padStart(most + 1, "0")
  const whole = digits.slice(0, digits.length - most).replace(/\B(?=(\d{3})+$)/g, ",")
  const decimals = digits.slice(digits.length - most).replace(/0+$/, "").padEnd(least, "0")
  const sign = value < 0 || Object.is(value, -0) ? "-" : ""
  return `${sign}${whole}${decimals === "" ? "" : `.${decimals}`}`
}

/** Prints how many there are of something. */
export const count = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${number(value)} ${value === 1 ? noun : nouns}`

/** Prints a number of credits; `Infinity` is "no upper bound". */
export const credits = (amount: number): string => amount === Infinity ? "no upper bound" : Credits.formatAmount(amount)

/** Prints what something may have cost in addition, to stand behind what it cost. */
export const perhaps = (uncertain: number): string => {
  const most = uncertain === Infinity ? "any number of credits" : `up to ${credits(uncertain)}`
  return uncertain === 0 ? "" : `, and perhaps ${most} more`
}

/** Prints what something cost, and what it may have cost in addition. */
export const spent = (charged: number, uncertain: number): string => credits(charged) + perhaps(uncertain)

/** Prints a number of bytes. */
export const bytes = (count: number): string => {
  if (count < 1000) return `${count} B`
  const [unit, size] = ([["GB", 1e9], ["MB", 1e6], ["kB", 1e3]] as const).find(([, size]) => count >= size)!
  return `${number(Math.round(count / size * 10) / 10)} ${unit}`
}

/** Prints an age in seconds. */
export const age = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

/** Prints how long ago something was. Up to five seconds in the future count as now: clocks differ by as much. */
export const ago = (seconds: number): string =>
  seconds >= -5 ? `${age(Math.max(0, seconds))} ago` : `${age(-seconds)} in the future`

/** Prints the least and the most that something may cost. */
export const range = (min: number, max: number): string => {
  if (min === max) return `exactly ${credits(min)}`
  return max === Infinity ? `at least ${credits(min)}, no upper bound` : `${number(min)} to ${credits(max)}`
}

/** The time, in whole epoch seconds. */
export const epochSeconds = /* @__PURE__ */ Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))
