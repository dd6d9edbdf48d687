/** Amounts, counts and ages as people read them. */
import * as Credits from "@effect-marketdata/core/Credits"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Prints a number with its thousands apart. */
export const number = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 6 })

/** Prints how many there are of something. */
export const count = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${number(value)} ${value === 1 ? noun : nouns}`

/** Prints a number of credits; one that nothing bounds has no upper bound. */
export const credits = (amount: number): string => amount === Infinity ? "no upper bound" : Credits.formatAmount(amount)

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

/** Prints how long ago something was; clocks that differ by some seconds are no news. */
export const ago = (seconds: number): string =>
  seconds >= -5 ? `${age(Math.max(0, seconds))} ago` : `${age(-seconds)} in the future`

/** Prints the least and the most that something may cost. */
export const range = (min: number, max: number): string =>
  min === max
    ? `exactly ${credits(min)}`
    : max === Infinity
    ? `at least ${credits(min)}, no upper bound`
    : `${number(min)} to ${credits(max)}`

/** The time, in whole epoch seconds. */
export const epochSeconds: Effect.Effect<number> = Effect.map(
  Clock.currentTimeMillis,
  (millis) => Math.floor(millis / 1000)
)
