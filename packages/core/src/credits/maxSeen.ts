import * as Freshness from "../account/Freshness.ts"
import * as DayRange from "../query/dayRange.ts"
import { ago } from "../text/ago.ts"
import { grouped } from "../text/amount.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import { opensAfter } from "../time/opensAfter.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"
import { expirationSpan, type Filter, isWithin } from "./chainFilters.ts"
import type { Assumption, Estimate } from "./estimate.ts"
import * as MaxAtExpiration from "./maxAtExpiration.ts"
import * as Maximum from "./maximum.ts"
import type { Seen, SeenSize, SeenStrikes } from "./seenSize.ts"

/** What a chain is that was asked: its underlying and its filters. */
interface Chain {
  readonly underlying: string
  readonly filter: Filter
}

const name = "size of the chain"

/** The size that an estimate goes by. */
export const assumedBy = ({ assumptions }: Estimate): string | undefined =>
  assumptions.find((assumption) => assumption.name === name)?.value

/** The most contracts that a chain has, by what was seen of its underlying; of two sizes that say the same, the later one says it. */
export const maxSeen = (underlying: string, filter: Filter, seen: Seen): Maximum.Maximum => {
  const chain = { underlying: underlying.toUpperCase(), filter }
  const sizes = seen.sizes.filter((size) => size.underlying === chain.underlying && isValid(size, seen))
  return sizes
    .toSorted((one, other) => other.seenAt - one.seenAt)
    .filter((size) => !isRefuted(size, sizes))
    .map((size) => boundOf(size, chain, seen.now))
    .reduce(Maximum.least, Maximum.none)
}

/**
 * New contracts are listed before a session opens, and more of them hardly during one: until the next opening a size holds. Those of a past day
 * hold for ever, once it is historical. One from the future does not: then one of two clocks is wrong.
 */
const isValid = ({ filters, seenAt }: SeenSize, { now }: Seen): boolean => {
  if (!(seenAt <= now)) return false
  const day = DayRange.dayOf(filters["date"])
  const over = day === undefined
    ? Infinity
    : Freshness.becomesHistoricalAt("options", NewYork.at(CalendarDate.fromEpochDay(day), 23, 59, 59))
  return seenAt >= over || now < opensAfter(seenAt, TradingCalendar.NYSE)
}

/** A chain that was larger than an earlier size allows shows that more was listed since. */
const isRefuted = (size: SeenSize, sizes: ReadonlyArray<SeenSize>): boolean =>
  sizes.some((later) => {
    if (later._tag !== "Chain" || later.seenAt < size.seenAt) return false
    const chain = { underlying: later.underlying, filter: filterOf(later) }
    return boundOf(size, chain, later.seenAt).count < later.contracts
  })

const filterOf = ({ filters }: SeenSize): Filter => (name) => filters[name]

/** What one size says of a chain. */
const boundOf = (size: SeenSize, chain: Chain, now: number): Maximum.Maximum => {
  const assumption = (count: string): Assumption => ({ name, value: `${count}, seen ${ago(now - size.seenAt)}` })
  const isSameDay = size.filters["date"] !== undefined ||
    CalendarDate.Equivalence(NewYork.dateOf(size.seenAt), NewYork.dateOf(now))
  if (!isWithin(chain.filter, filterOf(size), isSameDay)) return Maximum.none
  return size._tag === "Chain"
    ? Maximum.make(size.contracts, assumption(count(size.contracts, "contract")))
    : byStrikes(size, chain, assumption)
}

/** A call and a put at each strike of the expirations that a chain lets through, and no more strikes than its filters do. */
const byStrikes = (
  { strikes }: SeenStrikes,
  { filter, underlying }: Chain,
  assumption: (count: string) => Assumption
): Maximum.Maximum => {
  if (filter("nonstandard") === "true") return Maximum.none
  const { first, last } = expirationSpan(filter) ?? { first: -Infinity, last: Infinity }
  const most = MaxAtExpiration.strikes(filter)
  const listed = Object.entries(strikes)
    .map(([day, count]) => ({ expiration: DayRange.dayOf(day) ?? NaN, count }))
    .filter(({ expiration }) => first <= expiration && expiration <= last)
  const capped = listed.map((one) => ({ ...one, count: Math.min(one.count, most.count) }))
  const isCapped = listed.some(({ count }) => count > most.count)
  const parts = MaxAtExpiration.atStrikes(underlying, filter, capped)
  // One of them is let through, and it is not known which.
  const isOne = filter("dte") !== undefined
  const words = isOne
    ? `at most ${count(Math.max(0, ...listed.map(({ count }) => count)), "strike")} in an expiration`
    : `${count(sum(listed.map(({ count }) => count)), "strike")} in ${count(listed.length, "expiration")}`
  const counts = parts.map(({ count }) => count)
  return Maximum.make(
    isOne ? Math.max(0, ...counts) : sum(counts),
    assumption(words),
    ...(isCapped ? most.assumptions : []),
    ...parts[0]?.assumptions ?? []
  )
}

const count = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((sum, count) => sum + count, 0)
