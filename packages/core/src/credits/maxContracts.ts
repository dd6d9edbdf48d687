import * as CalendarDate from "../time/CalendarDate.ts"
import { chooseNone, expirationSpan, type Filter } from "./chainFilters.ts"
import { maxSeen } from "./maxSeen.ts"
import type { Seen } from "./seenSize.ts"
import * as MaxAtExpiration from "./maxAtExpiration.ts"
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
 *
 * What was seen of the underlying bounds it too; and so does a limit.
 */
export const maxContracts = (
  query: Query.Query,
  profile: Profile.Profile,
  seen: Seen | undefined
): Maximum.Maximum => {
  const [underlying = ""] = query.tickers
  const filter: Filter = (name) => DayRange.parameterOf(query, name)
  const filtered = filter("nonstandard") === "true"
    ? Maximum.none
    : Maximum.product(
      expirations(filter, profile),
      MaxAtExpiration.strikes(filter),
      MaxAtExpiration.atEachStrike(underlying, filter)
    )
  const limit = Number(filter("limit") ?? Infinity)
  return Maximum.least(
    Maximum.least(
      filtered,
      Maximum.make(limit, { name: "contracts", value: `at most ${grouped(limit)}, the limit` })
    ),
    seen === undefined ? Maximum.none : maxSeen(underlying, filter, seen)
  )
}

const expirations = (filter: Filter, profile: Profile.Profile): Maximum.Maximum => {
  const named = (count: number, why: string) =>
    Maximum.make(count, { name: "expirations", value: count === 1 ? why : `at most ${grouped(count)}, ${why}` })
  const expiration = filter("expiration")
  if (expiration !== undefined) return expiration === "all" ? Maximum.none : named(1, expiration)
  const dte = filter("dte")
  if (dte !== undefined) return named(1, `the one closest to ${dte} days`)
  const range = expirationSpan(filter)
  if (range !== undefined) {
    if (range.last - range.first === Infinity) return Maximum.none
    const cycles = ["monthly", "quarterly"].filter((cycle) => filter(cycle) === "true")
    return cycles.length > 0 && filter("weekly") === undefined
      ? named(DayRange.months(range) * cycles.length, `${cycles.join(" and ")}, one a month`)
      : named(days(range), "one a weekday")
  }
  return chooseNone(filter) && Profile.get(profile, "unfilteredChain") === "nextMonthly"
    ? named(1, "the next monthly one")
    : Maximum.none
}

/** The last Saturday on which options expired. */
const lastSaturday = /* @__PURE__ */ CalendarDate.toEpochDay({ year: 2015, month: 2, day: 21 })

/** The days on which an option may expire. Holidays count: one may be listed before the day is known to be one. */
const days = ({ first, last }: DayRange.DayRange): number => {
  const saturdays = Math.max(0, Math.ceil((Math.min(last, lastSaturday) - first + 1) / 7))
  return TradingDays.weekdays(first, last) + saturdays
}
