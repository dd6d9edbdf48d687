/** Compares what the filters of chains let through, as far as it does not depend on prices: expirations, strikes, sides, settlements. */
import * as Numbers from "../query/numbers.ts"
import type { Value } from "../query/parameter.ts"
import * as Period from "../query/Period.ts"
import * as CalendarDate from "../time/CalendarDate.ts"

/** Returns the value of a filter by its name; undefined if it is left out. */
export type Filter = (name: string) => Value | undefined

/** The filters that choose among expirations. */
export const chooses = ["expiration", "dte", "from", "to", "month", "year", "weekly", "monthly", "quarterly"]

const cycles = ["weekly", "monthly", "quarterly"]

/**
 * The days of expiration that the filters let through; either end may be unbounded. Undefined if they depend on the day of the request, such as the
 * expiration closest to 30 days.
 */
export const expirationSpan = (filter: Filter): Period.DayRange | undefined => {
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

/** Whether no filter chooses among the expirations. */
export const chooseNone = (filter: Filter): boolean => areOpen(chooses, filter)

/**
 * Whether `outer` lets through all that `inner` does, of the same underlying. `isSameDay` says whether both are asked on the same day, or are about the same
 * past day: only then are days that depend on it the same.
 */
export const isWithin = (inner: Filter, outer: Filter, isSameDay: boolean): boolean =>
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
export const strikesOf = (filter: Filter): ReadonlyArray<Numbers.Strikes> | undefined => {
  const strike = filter("strike")
  return typeof strike === "number" || typeof strike === "object" ? Numbers.strikes(strike) : undefined
}

const areStrikesWithin = (inner: Filter, outer: Filter): boolean => {
  const all = strikesOf(outer)
  if (all === undefined) return outer("strike") === undefined
  const own = strikesOf(inner)
  return own !== undefined && own.every(({ from, to }) => all.some((range) => range.from <= from && to <= range.to))
}
