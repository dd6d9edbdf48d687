import * as Expiration from "../symbol/Expiration.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import { grouped } from "../text/amount.ts"
import { type Filter, strikeRanges } from "./chainFilters.ts"
import * as Maximum from "./maximum.ts"

/** The strikes of each expiration and side. */
export const strikes = (filter: Filter): Maximum.Maximum => Maximum.least(byStrike(filter), byLimit(filter))

/** Strikes are whole cents, however near they lie to each other after a split. */
const byStrike = (filter: Filter): Maximum.Maximum => {
  const named = (count: number, why: string) =>
    Maximum.make(count, { name: "strikes of each expiration", value: `${grouped(count)}${why}` })
  const ranges = strikeRanges(filter("strike")) ?? []
  const [first] = ranges
  if (first === undefined) return Maximum.none
  return ranges.every(({ from, to }) => from === to)
    ? named(new Set(ranges.map(({ from }) => from)).size, "")
    : named(Math.floor((first.to - first.from) / 10) + 1, ", a cent apart")
}

/**
 * The service's sentences about `strikeLimit` leave room: in the widest reading it counts on either side of the money. With a `range` it
 * counts calls and puts by themselves, and a strike at the money is on both sides of it.
 */
const byLimit = (filter: Filter): Maximum.Maximum => {
  const limit = Number(filter("strikeLimit") ?? NaN)
  if (!(Number.isInteger(limit) && limit > 0)) return Maximum.none
  const range = filter("range")
  const count = range === "itm" ? limit : range === "otm" ? limit + 1 : 2 * limit
  return Maximum.make(count, {
    name: "strikes of each expiration",
    value: range === "itm" || range === "otm"
      ? `at most ${grouped(count)} for each side`
      : `at most ${grouped(count)}, ${grouped(limit)} on either side of the money`
  })
}

/** The contracts that share an expiration and a strike, on whatever day they expire. */
export const atEachStrike = (underlying: string, filter: Filter): Maximum.Maximum => {
  const names = sides(filter)
  return isSettledTwice(underlying, filter)
    ? contracts(names.length * 2, `${names.join(" and ")}, settled in the morning and in the afternoon`)
    : contracts(names.length, names.join(" and "))
}

/**
 * The contracts at a number of strikes for each expiration. Of an index those that expire on the third Friday of a month are settled in the morning
 * and in the afternoon; all others are settled once.
 */
export const atStrikes = (
  underlying: string,
  filter: Filter,
  strikes: ReadonlyArray<{ readonly expiration: number; readonly count: number }>
): ReadonlyArray<Maximum.Maximum> => {
  const names = sides(filter)
  const isTwice = isSettledTwice(underlying, filter)
  const words = names.join(" and ") +
    (isTwice ? ", settled in the morning and in the afternoon on the third Friday of a month" : "")
  return strikes.map(({ count, expiration }) =>
    contracts(count * names.length * (isTwice && isMonthly(expiration) ? 2 : 1), words)
  )
}

const contracts = (count: number, value: string): Maximum.Maximum =>
  Maximum.make(
    count,
    { name: "contracts of each strike", value },
    { name: "adjusted contracts", value: "none unless nonstandard is true" }
  )

const sides = (filter: Filter): ReadonlyArray<string> => {
  const side = filter("side")
  return side === undefined ? ["a call", "a put"] : [`a ${side}`]
}

/** Where one settlement is asked for and the other is not, or one is left out, the other does not come. */
const isSettledTwice = (underlying: string, filter: Filter): boolean =>
  Expiration.indexUnderlyings.has(underlying.toUpperCase().replace(/^[^A-Z]+/, "")) && filter("am") === filter("pm")

/** Whether a day is the third Friday of a month, or one on which what is listed for it may expire: the day before, and formerly the day after. */
const isMonthly = (expiration: number): boolean => {
  const date = CalendarDate.fromEpochDay(expiration)
  const fromFriday = CalendarDate.dayOfWeek(date) - 5
  const friday = date.day - fromFriday
  return Math.abs(fromFriday) <= 1 && friday >= 15 && friday <= 21
}
