/**
 * Laws of whatever says that a reply which was kept answers a query again: it is one that the service could have given to this query, now.
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as ReuseLaws from "@effect-marketdata/testing/ReuseLaws"
 * import * as Result from "effect/Result"
 *
 * // A time to live: an hour for whatever it is.
 * const laws = ReuseLaws.of((_, { receivedAt }, { now }) => now - receivedAt < 3600)
 * laws.filter((law) => Result.isFailure(Law.attempt(law, { seed: 1, runs: 1000 }))).length > 3 // => true
 * ```
 *
 * @since 0.1.0
 */
import { CalendarDate, DataMode, Freshness, MaxAge, NewYork, Query, Reuse } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import type { Drawn } from "../arbitraries/chainOptions.ts"
import * as Days from "../arbitraries/Days.ts"
import * as Queries from "../arbitraries/Queries.ts"
import * as Law from "../harness/Law.ts"

/**
 * Says whether a kept reply answers a query.
 *
 * @category models
 * @since 0.1.0
 */
export type Answers = typeof Reuse.answers

const wait = fc.oneof(fc.constant(0), fc.nat({ max: 2000 }), fc.nat({ max: 6 * 86_400 }))

const minutes = fc.integer({ min: 1, max: 600 }).map((minutes): MaxAge.MaxAge => ({ _tag: "Relative", minutes }))

const bound: fc.Arbitrary<MaxAge.MaxAge | undefined> = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 4 },
  { arbitrary: minutes, weight: 2 },
  { arbitrary: Days.instant.map((epochSeconds): MaxAge.MaxAge => ({ _tag: "Absolute", epochSeconds })), weight: 1 }
)

const sentModeOf = ({ mode }: Query.Query): DataMode.Parameter | undefined => mode && DataMode.parameter(mode)

/** A query, a reply to one like it with what only the service knew, and a later moment at which it is asked. The reply was within the age that it had been asked for, and no quote is newer than the entry that it was in. */
const storyOf = (queries: fc.Arbitrary<Query.Query>, moment: fc.Arbitrary<number> = Days.instant) =>
  fc.record({
    query: queries,
    isLive: fc.boolean(),
    receivedAt: moment,
    asked: fc.option(minutes, { nil: undefined }),
    aged: fc.double({ min: 0, max: 1, noNaN: true }),
    quoted: wait,
    between: wait,
    tells: fc.boolean(),
    wait,
    accept: bound
  }).map(({ accept, aged, asked, between, isLive, query, quoted, receivedAt, tells, wait }) => {
    const sentMode = query.mode?._tag === "CachedOrLive" && isLive ? "live" : sentModeOf(query)
    const maxAge = sentMode === "cached" ? asked : undefined
    const most = maxAge?._tag === "Relative" ? maxAge.minutes * 60 : 86_400
    /** When it entered the service's cache. */
    const entered = sentMode === "cached" ? receivedAt - Math.floor(aged * most) : receivedAt
    const newest = entered - quoted
    const updated = tells ? { oldest: newest - between, newest } : undefined
    return { query, kept: { sentMode, maxAge, receivedAt, updated }, entered, now: receivedAt + wait, accept }
  })

const isAbout = ({ options }: Query.Query, names: ReadonlyArray<string>): boolean =>
  names.some((name) => options[name] !== undefined)

/** Queries about what is now: none that names a day. */
const current = Queries.query.filter((query) => !isAbout(query, ["date", "from", "to"]))

const currentIn = (...tags: ReadonlyArray<DataMode.DataMode["_tag"] | undefined>) =>
  current.filter(({ mode }) => tags.includes(mode?._tag))

/** Queries for cached data of an age that a reply easily has. */
const timely = fc.tuple(minutes, fc.boolean()).map(([maxAge, isOrLive]) => {
  const mode = isOrLive ? DataMode.cachedOrLive({ maxAge }) : DataMode.cached({ maxAge })
  return Result.getOrThrow(Query.stockPrices(["SPY"], { mode }))
})

const kindOf = ({ endpoint }: Query.Query): Freshness.Kind => endpoint.name.startsWith("option") ? "options" : "stocks"

/** A past day of New York, and a query about it. */
const past = Days.tradingDay.map((day) => ({
  day,
  query: Result.getOrThrow(Query.optionChain("SPX", { date: CalendarDate.format(day) }))
}))

/** A reply to a query without a mode, whose rows tell no time. */
const silent = (receivedAt: number) => ({ sentMode: undefined, maxAge: undefined, receivedAt, updated: undefined })

/** Whether the quotes of a reply are as fresh as when they came. */
const isAsFresh = ({ kept: { receivedAt, updated }, now, query }: Drawn<ReturnType<typeof storyOf>>): boolean =>
  updated === undefined || [updated.oldest, updated.newest].every((updated) => {
    const kind = kindOf(query)
    return Freshness.classify({ kind, updated, now }) === Freshness.classify({ kind, updated, now: receivedAt })
  })

/**
 * The laws of what says whether a kept reply answers a query.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = (answers: Answers): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "a kept reply is within the age of the query by the service's own count",
    clauses: ["8.3-age", "8.3-hit"],
    arbitrary: storyOf(fc.oneof(timely, currentIn("Cached", "CachedOrLive"))),
    holds: ({ accept, entered, kept, now, query }) =>
      !answers(query, kept, { now, accept }) || MaxAge.accepts(query.maxAge, entered, now)
  }),
  Law.make({
    name: "a kept reply of exactly the maximum age answers, and one that is a second older does not",
    clauses: ["8.3-age"],
    arbitrary: fc.record({ receivedAt: Days.instant, minutes: fc.integer({ min: 1, max: 600 }) }),
    holds: ({ minutes, receivedAt }) => {
      const mode = DataMode.cached({ maxAge: { _tag: "Relative", minutes } })
      const query = Result.getOrThrow(Query.stockPrices(["SPY"], { mode }))
      const updated = { oldest: receivedAt, newest: receivedAt }
      const kept = { sentMode: "cached", maxAge: query.maxAge, receivedAt, updated } as const
      const last = receivedAt + minutes * 60
      return answers(query, kept, { now: last }) && !answers(query, kept, { now: last + 1 })
    }
  }),
  Law.make({
    name: "a live reply answers again only within an age that the caller accepts, and one from the cache never is live",
    clauses: ["8.2-timeliness", "8.2-default"],
    arbitrary: storyOf(currentIn("Live", undefined)),
    holds: ({ accept, kept, now, query }) =>
      !answers(query, { ...kept, sentMode: "cached" }, { now, accept }) &&
      (!answers(query, kept, { now, accept }) ||
        accept !== undefined && MaxAge.accepts(accept, kept.receivedAt, now))
  }),
  Law.make({
    name: "no kept reply about what is now is older than the caller accepts",
    clauses: [],
    arbitrary: storyOf(current),
    holds: ({ accept, kept, now, query }) =>
      !answers(query, kept, { now, accept }) || MaxAge.accepts(accept, kept.receivedAt, now)
  }),
  Law.make({
    name: "delayed data, and cached data of any age, answer while they are as fresh as when they came",
    clauses: ["8.4-stocks", "8.4-options", "8.2-timeliness"],
    arbitrary: storyOf(currentIn("Delayed", "Cached", "CachedOrLive")).filter(({ query }) =>
      query.maxAge === undefined && query.kind !== "free"
    ),
    holds: (story) => !answers(story.query, story.kept, { now: story.now }) || isAsFresh(story)
  }),
  Law.make({
    name: "what comes of the session before answers for delayed data until a session is 15 minutes old",
    clauses: ["8.4-options", "8.2-timeliness"],
    arbitrary: fc.record({ day: Days.tradingDay, early: fc.nat({ max: 899 }), before: wait, late: wait }),
    holds: ({ before, day, early, late }) => {
      const opens = NewYork.at(day, 9, 30)
      const updated = { oldest: opens - 1 - before, newest: opens - 1 - before }
      const kept = { sentMode: "delayed", maxAge: undefined, receivedAt: opens + early, updated } as const
      const query = Result.getOrThrow(Query.optionChain("SPX", { mode: DataMode.delayed }))
      return !answers(query, kept, { now: opens + Freshness.delay + late })
    }
  }),
  Law.make({
    name: "delayed data that tell their time answer at once",
    clauses: [],
    arbitrary: storyOf(currentIn("Delayed").filter(({ kind }) => kind !== "free")).filter(({ kept }) =>
      kept.updated !== undefined
    ),
    holds: ({ kept, query }) => answers(query, kept, { now: kept.receivedAt })
  }),
  Law.make({
    name: "what does not answer any more never answers again",
    clauses: [],
    arbitrary: fc.record({ story: storyOf(fc.oneof(Queries.query, past.map(({ query }) => query))), longer: wait }),
    holds: ({ longer, story: { accept, kept, now, query } }) =>
      !answers(query, kept, { now: now + longer, accept }) || answers(query, kept, { now, accept })
  }),
  Law.make({
    name: "a reply from the future answers nothing",
    clauses: [],
    arbitrary: fc.record({ story: storyOf(Queries.query), early: fc.integer({ min: 1, max: 86_400 }) }),
    holds: ({ early, story: { accept, kept, query } }) =>
      !answers(query, kept, { now: kept.receivedAt - early, accept })
  }),
  Law.make({
    name: "a past day that was historical when its reply came answers for ever",
    clauses: ["8.4-options"],
    arbitrary: fc.record({ past, late: wait, wait: fc.nat({ max: 50 * 365 * 86_400 }), accept: bound }),
    holds: ({ accept, late, past: { day, query }, wait }) => {
      const receivedAt = Freshness.becomesHistoricalAt("options", NewYork.at(day, 16, 0)) + late
      return answers(query, silent(receivedAt), { now: receivedAt + wait, accept })
    }
  }),
  Law.make({
    name: "a past day that was not yet historical is asked for once more when it is",
    clauses: ["8.4-options"],
    arbitrary: fc.record({ past, early: fc.nat({ max: 4 * 86_400 }), wait }),
    holds: ({ early, past: { day, query }, wait }) => {
      const over = Freshness.becomesHistoricalAt("options", NewYork.at(day, 16, 0))
      return !answers(query, silent(over - 1 - early), { now: over + wait })
    }
  }),
  Law.make({
    name: "a range that ends today, or later, is not over",
    clauses: ["4.1-date"],
    arbitrary: fc.record({ at: Days.instant, ahead: fc.nat({ max: 400 }), wait }),
    holds: ({ ahead, at, wait }) => {
      const today = NewYork.dateOf(at)
      const range = { from: CalendarDate.addDays(today, -30), to: CalendarDate.addDays(today, ahead) }
      const options = { ...range, adjustsplits: false, adjustdividends: false }
      const query = Result.getOrThrow(Query.stockCandles("D", "SPY", options))
      return !answers(query, silent(at), { now: at + wait })
    }
  })
]

/**
 * The laws of core's rule.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = of(Reuse.answers)
