/** How much a query can return at most: contracts by the filters of a chain or by sizes that were seen, candles by their days. */
import * as Freshness from "../account/Freshness.ts"
import * as Profile from "../account/Profile.ts"
import { parseNumbers, type Resolution, type Strikes, strikesIn, type Value, written } from "../query/parameter.ts"
import * as Period from "../query/Period.ts"
import type * as Query from "../query/query.ts"
import { ago, counted, grouped } from "../reason/words.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"
import { type Assumption, type ChainSize, type Seen, sizeOfChain } from "./tariff.ts"

/** The most units that a reply can hold, and the assumptions of that. Without a bound there are no assumptions. */
export type Maximum = { readonly count: number; readonly assumptions: ReadonlyArray<Assumption> }

/** No upper bound. */
export const none: Maximum = { count: Infinity, assumptions: [] }

/** At most this many, for the reason that the assumptions give. */
export const make = (count: number, ...assumptions: ReadonlyArray<Assumption>): Maximum =>
  count === Infinity ? none : { count, assumptions }

/** The smaller of two. */
const least = (a: Maximum, b: Maximum): Maximum => b.count < a.count ? b : a

/** The product of two bounds; unbounded if one of them is, unless the other is 0. */
const product = (...parts: ReadonlyArray<Maximum>): Maximum =>
  make(
    parts.some(({ count }) => count === 0) ? 0 : parts.reduce((count, part) => count * part.count, 1),
    ...parts.flatMap(({ assumptions }) => assumptions)
  )

// What the filters of chains let through, as far as it does not depend on prices: expirations, strikes, sides, settlements.

/** Returns the value of a filter by its name; undefined if it is left out. */
type Filter = (name: string) => Value | undefined

const cycles = ["weekly", "monthly", "quarterly"]

/** The filters that choose among expirations. */
export const chooses = ["expiration", "dte", "from", "to", "month", "year", ...cycles]

/**
 * The days of expiration that the filters let through; either end may be unbounded. Undefined if they depend on the day of the request, such as the
 * expiration closest to 30 days.
 */
const expirationSpan = (filter: Filter): Period.DayRange | undefined => {
  const expiration = filter("expiration")
  if (expiration === "all") return always
  if (expiration !== undefined) return spanOf(expiration, expiration)
  const [from, to] = [filter("from"), filter("to")]
  return from === undefined && to === undefined ? calendarOf(filter) : spanOf(from, to)
}

const always: Period.DayRange = { first: -Infinity, last: Infinity }

const spanOf = (from: Value | undefined, to: Value | undefined): Period.DayRange | undefined => {
  const first = from === undefined ? -Infinity : Period.dayOf(from)
  const last = to === undefined ? Infinity : Period.dayOf(to)
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** The days of a year, or of one of its months. */
const calendarOf = (filter: Filter): Period.DayRange | undefined => {
  const year = Number(filter("year") ?? NaN)
  const month = Number(filter("month") ?? 1)
  const last = filter("month") === undefined ? 12 : month
  if (!CalendarDate.isValid(year, month, 1)) return undefined
  const at = (month: number, day: number) => CalendarDate.toEpochDay({ year, month, day })
  return { first: at(month, 1), last: at(last, CalendarDate.daysOf(year, last)) }
}

const areSame = (names: ReadonlyArray<string>, one: Filter, other: Filter): boolean =>
  names.every((name) => one(name) === other(name))

const areOpen = (names: ReadonlyArray<string>, filter: Filter): boolean =>
  names.every((name) => filter(name) === undefined)

/**
 * Whether `outer` lets through all that `inner` does, of the same underlying. `isSameDay` says whether both are asked on the same day, or are about the same
 * past day: only then are days that depend on it the same.
 */
const isWithin = (inner: Filter, outer: Filter, isSameDay: boolean): boolean =>
  areSame(["date"], inner, outer) &&
  (outer("side") ?? inner("side")) === inner("side") &&
  (areOpen(["am", "pm"], outer) || areSame(["am", "pm"], inner, outer)) &&
  areStandardWithin(inner, outer) &&
  areStrikesWithin(inner, outer) &&
  areExpirationsWithin(inner, outer, isSameDay)

/** Without the filter `nonstandard`, the chain of the contract has adjusted contracts, and that of the public service has none. */
const areStandardWithin = (inner: Filter, outer: Filter): boolean => {
  const [own, all] = [inner("nonstandard"), outer("nonstandard")]
  return all === true || own === all || own === false && all === undefined
}

const areExpirationsWithin = (inner: Filter, outer: Filter, isSameDay: boolean): boolean => {
  const [own, all] = [expirationSpan(inner), expirationSpan(outer)]
  // Which expiration is closest to a number of days depends on all filters that choose among them.
  if (all === undefined) return isSameDay && areSame([...chooses, "am", "pm", "nonstandard"], inner, outer)
  const { first, last } = own ?? always
  return all.first <= first && last <= all.last && (areOpen(cycles, outer) || areSame(cycles, inner, outer))
}

/** The strikes that a filter keeps: each of a list, or one range. Undefined where there is no such filter or it cannot be read. */
const strikesOf = (filter: Filter): ReadonlyArray<Strikes> | undefined => {
  const strike = filter("strike")
  return typeof strike === "number" || typeof strike === "object" ? strikesIn(strike) : undefined
}

const areStrikesWithin = (inner: Filter, outer: Filter): boolean => {
  const all = strikesOf(outer)
  if (all === undefined) return outer("strike") === undefined
  const own = strikesOf(inner)
  return own !== undefined && own.every(({ from, to }) => all.some((range) => range.from <= from && to <= range.to))
}

// Contracts, by the filters of a chain.

/**
 * The most contracts that the filters of a chain let through: a number of expirations, a number of strikes in each, and a call and a put at each
 * strike; for an index two of each, one settled in the morning and one in the afternoon.
 *
 * Deltas and prices bound nothing: any number of contracts may have one, and the public service has dropped a filter by delta as a whole.
 *
 * A size that was seen bounds the number too, and so does a limit.
 */
export const maxContracts = (query: Query.Query, profile: Profile.Profile, seen: Seen | undefined): Maximum => {
  const [underlying = ""] = query.tickers
  const filter: Filter = (name) => query.options[name]
  const filtered = filter("nonstandard") === true
    ? none
    : product(expirations(filter, profile), mostStrikes(filter), atEachStrike(underlying, filter))
  const limit = Number(filter("limit") ?? Infinity)
  return least(
    least(filtered, make(limit, { name: "contracts", value: `at most ${grouped(limit)}, the limit` })),
    seen === undefined ? none : maxSeen(underlying, filter, seen)
  )
}

const expirations = (filter: Filter, profile: Profile.Profile): Maximum => {
  const named = (count: number, why: string) =>
    make(count, { name: "expirations", value: count === 1 ? why : `at most ${grouped(count)}, ${why}` })
  const expiration = filter("expiration")
  if (expiration !== undefined) return expiration === "all" ? none : named(1, `${written(expiration)}`)
  const dte = filter("dte")
  if (dte !== undefined) return named(1, `the one closest to ${written(dte)} days`)
  const range = expirationSpan(filter)
  if (range !== undefined) {
    if (range.last - range.first === Infinity) return none
    const cycles = ["monthly", "quarterly"].filter((cycle) => filter(cycle) === true)
    return cycles.length > 0 && filter("weekly") === undefined
      ? named(months(range) * cycles.length, `${cycles.join(" and ")}, one a month`)
      : named(days(range), "one a weekday")
  }
  return areOpen(chooses, filter) && Profile.get(profile, "unfilteredChain") === "nextMonthly"
    ? named(1, "the next monthly one")
    : none
}

/** The last Saturday on which options expired. */
const lastSaturday = /* @__PURE__ */ CalendarDate.toEpochDay({ year: 2015, month: 2, day: 21 })

/** The days on which an option may expire. Holidays count: an option may be listed before its day becomes a holiday. */
const days = ({ first, last }: Period.DayRange): number => {
  const saturdays = Math.max(0, Math.ceil((Math.min(last, lastSaturday) - first + 1) / 7))
  return TradingCalendar.countWeekdays(first, last) + saturdays
}

/** The strikes of each expiration and side. */
const mostStrikes = (filter: Filter): Maximum => least(byStrike(filter), byLimit(filter))

/** The most strikes of each expiration by the filter `strike`. Strikes are whole cents, even after a split. */
const byStrike = (filter: Filter): Maximum => {
  const named = (count: number, why: string) =>
    make(count, { name: "strikes of each expiration", value: `${grouped(count)}${why}` })
  const ranges = strikesOf(filter) ?? []
  const [first] = ranges
  if (first === undefined) return none
  return ranges.every(({ from, to }) => from === to)
    ? named(new Set(ranges.map(({ from }) => from)).size, "")
    : named(Math.floor((first.to - first.from) / 10) + 1, ", a cent apart")
}

/**
 * The service's sentences about `strikeLimit` leave room: in the widest reading it counts on either side of the money. With a `range` it
 * counts calls and puts by themselves, and a strike at the money is on both sides of it.
 */
const byLimit = (filter: Filter): Maximum => {
  const limit = Number(filter("strikeLimit") ?? NaN)
  if (!(Number.isInteger(limit) && limit > 0)) return none
  const range = filter("range")
  const count = range === "itm" ? limit : range === "otm" ? limit + 1 : 2 * limit
  return make(count, {
    name: "strikes of each expiration",
    value: range === "itm" || range === "otm"
      ? `at most ${grouped(count)} for each side`
      : `at most ${grouped(count)}, ${grouped(limit)} on either side of the money`
  })
}

/** The contracts that share an expiration and a strike, on whatever day they expire. */
const atEachStrike = (underlying: string, filter: Filter): Maximum => {
  const names = sides(filter)
  return isSettledTwice(underlying, filter)
    ? make(names.length * 2, ...ofEachStrike(names, ", settled in the morning and in the afternoon"))
    : make(names.length, ...ofEachStrike(names))
}

/** What is assumed of the contracts of a strike. */
const ofEachStrike = (names: ReadonlyArray<string>, settled = ""): ReadonlyArray<Assumption> => [
  { name: "contracts of each strike", value: names.join(" and ") + settled },
  { name: "adjusted contracts", value: "none unless nonstandard is true" }
]

const sides = (filter: Filter): ReadonlyArray<string> => {
  const side = filter("side")
  return side === undefined ? ["a call", "a put"] : [`a ${written(side)}`]
}

/** Whether contracts of both settlements may be returned: the index has both, and the filters neither ask for one alone nor exclude one. */
const isSettledTwice = (underlying: string, filter: Filter): boolean =>
  Expiration.indexUnderlyings.has(underlying.toUpperCase().replace(/^[^A-Z]+/, "")) && filter("am") === filter("pm")

/** Whether options of the third Friday of a month may expire on a day: that Friday, the day before if it is a holiday, and until 2015 the day after. */
const isMonthly = (expiration: number): boolean => {
  const date = CalendarDate.fromEpochDay(expiration)
  const fromFriday = CalendarDate.dayOfWeek(date) - 5
  const friday = date.day - fromFriday
  return Math.abs(fromFriday) <= 1 && friday >= 15 && friday <= 21
}

// Contracts, by what was seen.

/** A chain that is asked for: its underlying and its filters. */
type Chain = { readonly underlying: string; readonly filter: Filter }

/** One contract more than was seen: if it is returned, the chain has grown; if not, the chain is complete. */
const oneMore: Assumption = { name: "contracts more", value: "1, which tells whether the chain has grown" }

/**
 * The most contracts that a chain has by the sizes that were seen of its underlying, plus one. Of two sizes with the same bound, the later one is named.
 */
export const maxSeen = (underlying: string, filter: Filter, seen: Seen): Maximum => {
  const chain = { underlying: underlying.toUpperCase(), filter }
  const sizes = seen.sizes.filter((size) => size.underlying === chain.underlying && isValid(size, seen))
  const { assumptions, count } = sizes
    .toSorted((one, other) => other.seenAt - one.seenAt)
    .filter((size) => !isRefuted(size, sizes))
    .map((size) => boundOf(size, chain, seen.now))
    .reduce(least, none)
  return make(count + 1, ...assumptions, oneMore)
}

/**
 * Whether a size holds now. New contracts are listed before a session opens, and hardly during one, so a size holds until the next opening. The size of a
 * past day holds for ever, once the day is historical. A size from the future does not hold: one of two clocks is wrong.
 */
const isValid = ({ filters, seenAt }: ChainSize, { now }: Seen): boolean => {
  if (!(seenAt <= now)) return false
  const day = Period.dayOf(filters["date"])
  const over = day === undefined
    ? Infinity
    : Freshness.becomesHistoricalAt("options", NewYork.at(CalendarDate.fromEpochDay(day), 23, 59, 59))
  return seenAt >= over || now < TradingCalendar.opensAfter(TradingCalendar.NYSE, seenAt)
}

/** Whether a later chain was larger than a size allows, because more contracts were listed since. */
const isRefuted = (size: ChainSize, sizes: ReadonlyArray<ChainSize>): boolean =>
  sizes.some((later) => {
    if (later._tag !== "Chain" || later.seenAt < size.seenAt) return false
    const chain = { underlying: later.underlying, filter: filterOf(later) }
    return boundOf(size, chain, later.seenAt).count < later.contracts
  })

/** The filters of a size, which are stored as they were sent. */
const filterOf = ({ filters }: ChainSize): Filter => (name) => {
  const text = filters[name]
  if (text === undefined) return undefined
  if (text === "true" || text === "false") return text === "true"
  return parseNumbers(text) ?? text
}

/** The bound of a chain by one size. */
const boundOf = (size: ChainSize, chain: Chain, now: number): Maximum => {
  const seen = ago(now - size.seenAt)
  const assumption = (count: string): Assumption => ({ name: sizeOfChain, value: `${count}, seen ${seen}` })
  const isSameDay = size.filters["date"] !== undefined ||
    CalendarDate.Equivalence(NewYork.dateOf(size.seenAt), NewYork.dateOf(now))
  if (!isWithin(chain.filter, filterOf(size), isSameDay)) return none
  return size._tag === "Chain"
    ? make(size.contracts, assumption(counted(size.contracts, "contract")))
    : byStrikes(size, chain, assumption)
}

/** The bound by strikes: a call and a put at each strike of the expirations in the chain, as far as its filters let them through. */
const byStrikes = (
  { strikes }: Extract<ChainSize, { readonly _tag: "Strikes" }>,
  { filter, underlying }: Chain,
  assumption: (count: string) => Assumption
): Maximum => {
  if (filter("nonstandard") === true) return none
  const { first, last } = expirationSpan(filter) ?? always
  const most = mostStrikes(filter)
  const listed = Object.entries(strikes)
    .map(([day, count]) => ({ expiration: Period.dayOf(day) ?? NaN, count }))
    .filter(({ expiration }) => first <= expiration && expiration <= last)
  const isCapped = listed.some(({ count }) => count > most.count)
  const names = sides(filter)
  const isTwice = isSettledTwice(underlying, filter)
  // Of an index those that expire on the third Friday of a month are settled in the morning and in the afternoon; all others are settled once.
  const counts = listed.map(({ count, expiration }) =>
    Math.min(count, most.count) * names.length * (isTwice && isMonthly(expiration) ? 2 : 1)
  )
  // `dte` lets one expiration through, and it is not known which.
  const isOne = filter("dte") !== undefined
  const words = isOne
    ? `at most ${counted(Math.max(0, ...listed.map(({ count }) => count)), "strike")} in an expiration`
    : `${counted(sum(listed.map(({ count }) => count)), "strike")} in ${counted(listed.length, "expiration")}`
  const settled = isTwice ? ", settled in the morning and in the afternoon on the third Friday of a month" : ""
  return make(
    isOne ? Math.max(0, ...counts) : sum(counts),
    assumption(words),
    ...isCapped ? most.assumptions : [],
    ...counts.length === 0 ? [] : ofEachStrike(names, settled)
  )
}

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((sum, count) => sum + count, 0)

// Candles.

/**
 * The most candles that a query can bring: as many as it counts back, the one of now where it names no days, and those that fit between
 * two days where it names both.
 */
export const maxCandles = ({ options, resolution }: Query.Query): Maximum => {
  const { countback, extended, from, to } = options
  if (typeof countback === "number") {
    return make(countback, { name: "candles", value: `at most ${countback}, counted back` })
  }
  if (from === undefined && to === undefined) return make(1, { name: "candles", value: "1, the most recent" })
  const range = Period.rangeOf(options)
  if (range === undefined || resolution === undefined) return none
  const { count, each } = fitting(resolution, range, extended === false ? [regular] : [before, regular, after])
  return make(count, { name: "candles", value: `at most ${grouped(count)}, ${each}` })
}

/** The sessions of a trading day in minutes: from 04:00 to 09:30, to 16:00 and to 20:00 in New York. No candle spans two of them. */
const [before, regular, after] = [330, 390, 240] as const

/** The most candles of a length that overlap a stretch, including one that began earlier and one that ends later. */
const touching = (stretch: number, length: number): number => stretch === 0 ? 0 : Math.ceil((stretch - 1) / length) + 1

const fitting = ({ count, unit }: Resolution, range: Period.DayRange, stretches: ReadonlyArray<number>) => {
  const { first, last } = range
  const each = (name: string): string => `1 for ${count === 1 ? `each ${name}` : `every ${count} ${name}s`}`
  switch (unit) {
    case "minute": {
      const ofDay = stretches.reduce((sum, stretch) => sum + touching(stretch, count), 0)
      const hours = stretches.length > 1 ? ", extended hours included" : ""
      return {
        count: TradingCalendar.countSessions(first, last) * ofDay,
        each: `${grouped(ofDay)} for each trading day of the NYSE${hours}`
      }
    }
    case "day": {
      const sessions = TradingCalendar.countSessions(first, last)
      // Candles of several days may count holidays.
      const most = count === 1
        ? sessions
        : Math.min(sessions, touching(TradingCalendar.countWeekdays(first, last), count))
      return { count: most, each: `${each("trading day")} of the NYSE` }
    }
    case "week":
      // A week may begin on any day.
      return { count: touching(Math.max(0, last - first + 1), 7 * count), each: each("week") }
    case "month":
      return { count: touching(months(range), count), each: each("month") }
    case "year":
      return { count: touching(years(range), count), each: each("year") }
  }
}

/** The months that a range touches. */
const months = ({ first, last }: Period.DayRange): number => {
  const [from, to] = [CalendarDate.fromEpochDay(first), CalendarDate.fromEpochDay(last)]
  return Math.max(0, (to.year - from.year) * 12 + to.month - from.month + 1)
}

/** The years that a range touches. */
const years = ({ first, last }: Period.DayRange): number =>
  Math.max(0, CalendarDate.fromEpochDay(last).year - CalendarDate.fromEpochDay(first).year + 1)
