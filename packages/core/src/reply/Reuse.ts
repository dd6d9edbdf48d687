/**
 * Whether a reply that was kept answers a query again, without asking the service. The rules of freshness decide (contract 8.4), and not a
 * time to live: the answer is always one that the service itself could have given to this query.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 * import * as Reuse from "@effect-marketdata/core/Reuse"
 *
 * const past = Result.getOrThrow(Query.optionChain("SPX", { date: "2026-11-19" }))
 * const live = Result.getOrThrow(Query.optionChain("SPX", { mode: "live" }))
 * const receivedAt = NewYork.at({ year: 2026, month: 11, day: 23 }, 12, 0)
 * const kept = { sentMode: undefined, maxAge: undefined, receivedAt, updated: undefined }
 *
 * Reuse.answers(past, kept, { now: receivedAt + 365 * 86_400 }) // => true
 * Reuse.answers(live, kept, { now: receivedAt + 1 }) // => false
 * ```
 *
 * @see {@link Freshness} for when data become historical
 * @see `ReplyCache` of the client, which keeps replies
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Freshness from "../account/Freshness.ts"
import * as Period from "../query/Period.ts"
import { known as knownQuery, type Query } from "../query/query.ts"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as MaxAge from "../time/MaxAge.ts"
import * as NewYork from "../time/NewYork.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"
import type { Provenance } from "./Provenance.ts"

/**
 * What is known of a reply that was kept. Times are epoch seconds.
 *
 * - `sentMode`, `maxAge`: the mode and the maximum age of the request that it answered
 * - `receivedAt`: when it arrived
 * - `updated`: the times of its oldest and its newest quote; undefined if it names none
 *
 * @category models
 * @since 0.1.0
 */
export interface Kept extends Pick<Provenance, "sentMode" | "receivedAt" | "updated"> {
  readonly maxAge: MaxAge.MaxAge | undefined
}

/**
 * When a kept reply is asked for. `now` is the current time in epoch seconds. `accept` is the age since its arrival that the caller
 * accepts of a kept reply. The calendar is `TradingCalendar.NYSE` if left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface When {
  readonly now: number
  readonly accept?: MaxAge.MaxAge | undefined
  readonly calendar?: TradingCalendar.TradingCalendar | undefined
}

const known = /* @__PURE__ */ Problem.guard("time of a query", "{ now: 1795194000 }", { now: 0 })

const knownKept = /* @__PURE__ */ Problem.guard("kept reply", "answer.provenance", { receivedAt: 0 })

/**
 * Returns whether a reply to a query that is asked now can answer the same query later. Live data cannot, unless the caller accepts an
 * age, and pages that are free never do.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isPossible = (query: Query, when: When): boolean =>
  knownQuery(query).kind !== "free" && known(when) &&
  (!isLive(query) || when.accept !== undefined || pastDay(query, when.now) !== undefined)

/** How far two clocks that are set by a time server are apart at most, in seconds; both are read in whole seconds. */
const usualSkew = 5

/**
 * Returns whether a kept reply answers a query now. A reply from the future never does: then one of two clocks is wrong. Quotes that are newer than
 * their arrival, by more than clocks usually differ, say that this clock is behind the service's, and nothing of their age: such a reply answers as
 * one that tells no times.
 *
 * - Prices of past days that the query names answer it for ever, once the last of these days was historical when the reply arrived;
 *   before, they answer until that day is historical. A candle longer than a day may hold later days, which count as named. Candles that the
 *   service adjusts for splits or dividends answer at most until the next session opens, because a split changes the past. A series of
 *   quotes that is not over answers only if the caller accepts an age
 * - Cached data answer as long as they are within the `maxAge` of the query, counted from when they must have entered the service's cache
 * - Cached data without a `maxAge`, and delayed data, answer until their oldest or their newest quote becomes delayed or historical, and at
 *   most until the next session opens or is historical; what comes in its first 15 minutes with quotes of the session before, until these are over
 * - The last closed session, in the public service's modes `eod` and `historical`, answers until the next one is closed
 * - Live data, and data in the mode that the plan decides, answer only if the caller accepts an age, and cached data never answer for them
 *
 * Where the caller accepts an age, no reply that is older answers, except about past days.
 *
 * @category predicates
 * @since 0.1.0
 */
export const answers = (query: Query, reply: Kept, when: When): boolean => {
  const { accept, calendar = TradingCalendar.NYSE, now } = known(when)
  const isAhead = (knownKept(reply).updated?.newest ?? -Infinity) > reply.receivedAt + usualSkew
  const kept = isAhead ? { ...reply, updated: undefined } : reply
  if (knownQuery(query).kind === "free" || !(now >= kept.receivedAt)) return false
  const day = pastDay(query, kept.receivedAt)
  if (day !== undefined) return now < changesAt(query, day, kept.receivedAt, calendar)
  return MaxAge.accepts(accept, kept.receivedAt, now) && isInMode(query, kept, { accept, calendar, now })
}

const isInMode = (
  query: Query,
  kept: Kept,
  { accept, calendar, now }: When & { readonly calendar: TradingCalendar.TradingCalendar }
): boolean => {
  const isAccepted = accept !== undefined
  // A series of past days that is not over has another row tomorrow.
  switch (query.historical ? undefined : query.mode?._tag) {
    case "Cached":
    case "CachedOrLive":
    case "Delayed":
      return query.maxAge === undefined
        ? now < (boundary(query, kept, calendar) ?? (isAccepted ? Infinity : -Infinity))
        : MaxAge.accepts(query.maxAge, enteredBy(kept), now)
    case "Eod":
      return now < Freshness.becomesHistoricalAt("stocks", kept.receivedAt, calendar)
    case "Historical":
      return now < closesAfter(kindOf(query), kept.receivedAt, calendar)
    default:
      return isAccepted && kept.sentMode !== "cached"
  }
}

/** Whether a query asks for the freshest data, or leaves it to the plan. */
const isLive = ({ mode }: Query): boolean => mode === undefined || mode._tag === "Live"

const kindOf = ({ endpoint }: Query): Freshness.Kind => endpoint.demo === "option" ? "options" : "stocks"

/**
 * The time at which a reply entered the service's cache, or an earlier one. The service counts the age from then. What it sent was within the age
 * that it was asked for, and no quote is newer than the entry that it is in.
 */
const enteredBy = ({ maxAge, receivedAt, sentMode, updated }: Kept): number => {
  if (sentMode !== "cached") return receivedAt
  const asked = maxAge === undefined
    ? -Infinity
    : maxAge._tag === "Relative"
    ? receivedAt - maxAge.minutes * 60
    : maxAge.epochSeconds
  return Math.min(receivedAt, Math.max(asked, updated?.newest ?? -Infinity))
}

/**
 * When the freshness of a reply changes; undefined if the reply tells no time. It is the earliest of these times:
 *
 * - Its oldest or its newest quote becomes delayed or historical
 * - The next session opens: until then, historical data stay the newest. An exception: delayed data, which a cache may show as well, hold quotes of the
 *   session before for 15 minutes more. A reply of these minutes whose quotes are that old answers until the minutes are over
 * - The next session becomes historical: until then, historical data stay the newest for an account that gets no others
 */
const boundary = (query: Query, { receivedAt, updated }: Kept, calendar: TradingCalendar.TradingCalendar) => {
  if (updated === undefined) return undefined
  const changes = [updated.oldest, updated.newest].flatMap((updated) =>
    Option.toArray(Freshness.nextBoundary({ kind: kindOf(query), updated, now: receivedAt, calendar }))
  )
  const opens = TradingCalendar.opensAfter(calendar, Math.max(updated.newest, receivedAt - Freshness.delay))
  const closes = closesAfter(kindOf(query), receivedAt, calendar)
  return Math.min(...changes, opens > receivedAt ? opens : opens + Freshness.delay, closes)
}

/** The next time at which a session becomes historical. */
const closesAfter = (kind: Freshness.Kind, now: number, calendar: TradingCalendar.TradingCalendar): number =>
  kind === "options" ? TradingCalendar.opensAfter(calendar, now) : Freshness.becomesHistoricalAt(kind, now, calendar)

/** When a reply about past days may come out otherwise: never, once the last of them was historical, unless its prices are adjusted. */
const changesAt = (
  query: Query,
  day: CalendarDate.CalendarDate,
  receivedAt: number,
  calendar: TradingCalendar.TradingCalendar
): number => {
  const adjusted = isAdjusted(query) ? TradingCalendar.opensAfter(calendar, receivedAt) : Infinity
  const over = Freshness.becomesHistoricalAt(kindOf(query), NewYork.at(day, 23, 59, 59), calendar)
  return Math.min(adjusted, receivedAt < over ? over : Infinity)
}

/** Whether the service adjusts prices of the past, which it does where it can unless it is told not to. */
const isAdjusted = (query: Query): boolean =>
  ["adjustsplits", "adjustdividends"].some((name) =>
    query.endpoint.parameters.includes(name) && query.options[name] !== false
  )

/**
 * The last of the days that a query is about, or that its last candle may hold, where it names them all and all were past at some time: a `date`,
 * or a `to` with a `from` or a count. Days relative to the time of the request are others tomorrow. What happens on a day, such as news, may be told later; prices are not.
 */
const pastDay = (query: Query, now: number): CalendarDate.CalendarDate | undefined => {
  const { date, kind } = query.endpoint
  if (date !== "past" && kind !== "candles" && kind !== "bulkCandles") return undefined
  // The others choose expirations of a chain.
  const names = kind === "chain" ? ["date"] : ["date", "from", "to"]
  const [on, from, to] = names.map((name) => Period.dayOf(query.options[name]))
  const named = on ?? (from === undefined && query.options["countback"] === undefined ? undefined : to) ?? NaN
  const last = named + daysAfter(query.resolution)
  return last < NewYork.epochDayOf(now) ? CalendarDate.fromEpochDay(last) : undefined
}

/** For how many days a candle may go on after a day that it holds. */
const daysAfter = ({ count, unit }: Query["resolution"] = { count: 1, unit: "day" }): number =>
  unit === "minute" ? 0 : unit === "day" ? 7 * (count - 1) : count * { week: 7, month: 31, year: 366 }[unit]
