import * as CalendarDate from "../time/CalendarDate.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as Profile from "../account/Profile.ts"
import * as Query from "../query/query.ts"
import { grouped } from "../text/amount.ts"
import * as DayRange from "../query/dayRange.ts"
import * as Maximum from "./maximum.ts"
import * as TradingDays from "../time/tradingDays.ts"

/**
 * The most contracts that the filters of a chain let through: of each expiration that they choose a number of strikes, a call and a put at each,
 * and of an index one that is settled in the morning and one in the afternoon.
 *
 * Deltas and prices bound nothing: any number of contracts may have one, and the public service has dropped a filter by delta as a whole.
 */
export const maxContracts = (query: Query.Query, profile: Profile.Profile): Maximum.Maximum => {
  const filter = (name: string): string | undefined => DayRange.parameterOf(query, name)
  const filtered = filter("nonstandard") === "true"
    ? Maximum.none
    : Maximum.product(expirations(query, profile), strikes(filter), atEachStrike(query, filter))
  const limit = Number(filter("limit") ?? Infinity)
  return Maximum.least(
    filtered,
    Maximum.make(limit, { name: "contracts", value: `at most ${grouped(limit)}, the limit` })
  )
}

type Filter = (name: string) => string | undefined

const chooses = ["expiration", "dte", "from", "to", "month", "year", "weekly", "monthly", "quarterly"]

const expirations = (query: Query.Query, profile: Profile.Profile): Maximum.Maximum => {
  const filter = (name: string): string | undefined => DayRange.parameterOf(query, name)
  const named = (count: number, why: string) =>
    Maximum.make(count, { name: "expirations", value: count === 1 ? why : `at most ${grouped(count)}, ${why}` })
  const expiration = filter("expiration")
  if (expiration !== undefined) return expiration === "all" ? Maximum.none : named(1, expiration)
  const dte = filter("dte")
  if (dte !== undefined) return named(1, `the one closest to ${dte} days`)
  const range = DayRange.of(query) ?? calendarOf(filter)
  if (range !== undefined) {
    const cycles = ["monthly", "quarterly"].filter((cycle) => filter(cycle) === "true")
    return cycles.length > 0 && filter("weekly") === undefined
      ? named(DayRange.months(range) * cycles.length, `${cycles.join(" and ")}, one a month`)
      : named(days(range), "one a weekday")
  }
  return chooses.every((name) => filter(name) === undefined) &&
      Profile.get(profile, "unfilteredChain") === "nextMonthly"
    ? named(1, "the next monthly one")
    : Maximum.none
}

/** The days of a year, or of one of its months. */
const calendarOf = (filter: Filter): DayRange.DayRange | undefined => {
  const year = Number(filter("year") ?? NaN)
  const month = Number(filter("month") ?? 1)
  const isWhole = filter("month") === undefined
  if (!CalendarDate.isValid(year, month, 1)) return undefined
  const first = CalendarDate.toEpochDay({ year, month, day: 1 })
  const next = isWhole || month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }
  return { first, last: CalendarDate.toEpochDay(next) - 1 }
}

/** The last Saturday on which options expired. */
const lastSaturday = /* @__PURE__ */ CalendarDate.toEpochDay({ year: 2015, month: 2, day: 21 })

/** The days on which an option may expire. Holidays count: one may be listed before the day is known to be one. */
const days = ({ first, last }: DayRange.DayRange): number => {
  const saturdays = Math.max(0, Math.ceil((Math.min(last, lastSaturday) - first + 1) / 7))
  return TradingDays.weekdays(first, last) + saturdays
}

/** The strikes of each expiration and side. */
const strikes = (filter: Filter): Maximum.Maximum => Maximum.least(byStrike(filter), byLimit(filter))

/** Strikes are whole cents, however near they lie to each other after a split. */
const centsIn = (from: number, to: number): number => Math.max(0, Math.floor((to - from) * 100 + 1e-6) + 1)

const byStrike = (filter: Filter): Maximum.Maximum => {
  const named = (count: number, why: string) =>
    Maximum.make(count, { name: "strikes of each expiration", value: `${grouped(count)}${why}` })
  const text = filter("strike") ?? ""
  const list = text.split(",")
  if (list.every((one) => /^\d+(\.\d+)?$/.test(one))) return named(new Set(list).size, "")
  const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (from !== undefined && to !== undefined) return named(centsIn(Number(from), Number(to)), ", a cent apart")
  const below = /^<=?(\d+(?:\.\d+)?)$/.exec(text)?.[1]
  return below === undefined ? Maximum.none : named(centsIn(0, Number(below)), ", a cent apart")
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

/** The contracts that share an expiration and a strike. */
const atEachStrike = (query: Query.Query, filter: Filter): Maximum.Maximum => {
  const side = filter("side")
  const isIndex = Expiration.indexUnderlyings.has((query.tickers[0] ?? "").toUpperCase().replace(/^[^A-Z]+/, ""))
  // Where one settlement is asked for and the other is not, or one is left out, the other does not come.
  const settlements = isIndex && filter("am") === filter("pm") ? 2 : 1
  const sides = side === undefined ? ["a call", "a put"] : [`a ${side}`]
  const each = settlements === 2 ? "settled in the morning and in the afternoon" : undefined
  return Maximum.make(
    sides.length * settlements,
    {
      name: "contracts of each strike",
      value: [sides.join(" and "), ...(each === undefined ? [] : [each])].join(", ")
    },
    { name: "adjusted contracts", value: "none unless nonstandard is true" }
  )
}
