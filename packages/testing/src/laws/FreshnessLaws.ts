/**
 * Laws of freshness, for whatever says how fresh data are (contract 8.4).
 *
 * @example
 * ```ts
 * import * as Freshness from "@effect-marketdata/core/Freshness"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as FreshnessLaws from "@effect-marketdata/testing/FreshnessLaws"
 * import * as Result from "effect/Result"
 *
 * // It takes options for stocks.
 * const laws = FreshnessLaws.of((observation) => Freshness.classify({ ...observation, kind: "stocks" }))
 * laws.filter((law) => Result.isFailure(Law.attempt(law, { seed: 1 }))).map(({ clauses }) => clauses)
 * // => [["8.4-options"]]
 * ```
 *
 * @since 0.1.0
 */
import { Freshness, NewYork, TradingCalendar } from "@effect-marketdata/core"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import * as Days from "../arbitraries/Days.ts"
import * as Law from "../harness/Law.ts"

/**
 * Says how fresh data are at a time, by the calendar of the New York Stock Exchange.
 *
 * @category models
 * @since 0.1.0
 */
export type Classify = (
  observation: { readonly kind: Freshness.Kind; readonly updated: number; readonly now: number }
) => Freshness.Freshness

const degrees: ReadonlyArray<Freshness.Freshness> = ["realTime", "delayed", "historical"]

const wait = fc.oneof(fc.nat({ max: 2000 }), fc.constantFrom(899, 900, 901), fc.nat({ max: 6 * 86_400 }))

const judged = fc.record({
  kind: fc.constantFrom<Freshness.Kind>("stocks", "options"),
  updated: Days.instant,
  wait,
  longer: wait
})

/** When data of a day are taken: within a session or after it, and often as the boundary of stocks passes. */
const second = fc.oneof(fc.integer({ min: 9.5 * 3600, max: 86_399 }), fc.constantFrom(58_499, 58_500))

/** Data of a day, and the trading day that follows. */
const quoted = (days: typeof Days.anyDay) =>
  fc.record({ day: days.filter(({ year }) => year < 2099), second }).map(({ day, second }) => ({
    day,
    updated: NewYork.toEpochSeconds(day, second),
    next: Option.getOrThrow(TradingCalendar.nextTradingDay(TradingCalendar.NYSE, day))
  }))

/** Says whether data become historical at a boundary, which is historical itself, and not a second before. */
const turnsAt = (classify: Classify, kind: Freshness.Kind, updated: number, boundary: number): boolean =>
  classify({ kind, updated, now: boundary }) === "historical" &&
  classify({ kind, updated, now: boundary - 1 }) !== "historical"

/**
 * The laws of what says how fresh data are.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = (classify: Classify): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "data never become fresher with time",
    clauses: ["8.4-stocks", "8.4-options", "8.2-timeliness"],
    arbitrary: judged,
    holds: ({ kind, longer, updated, wait }) =>
      degrees.indexOf(classify({ kind, updated, now: updated + wait })) <=
        degrees.indexOf(classify({ kind, updated, now: updated + wait + longer }))
  }),
  Law.make({
    name: "data are real-time for less than 15 minutes",
    clauses: ["8.2-timeliness"],
    arbitrary: judged,
    holds: ({ kind, updated, wait }) =>
      classify({ kind, updated, now: updated + wait }) !== (wait < 900 ? "delayed" : "realTime")
  }),
  Law.make({
    name: "stocks become historical at 16:15 of their session, on half days too, and those of later a session later",
    clauses: ["8.4-stocks"],
    arbitrary: quoted(Days.tradingDay),
    holds: ({ day, next, updated }) =>
      turnsAt(classify, "stocks", updated, NewYork.at(updated < NewYork.at(day, 16, 15) ? day : next, 16, 15))
  }),
  Law.make({
    name: "options become historical when the next session begins, across weekends and holidays",
    clauses: ["8.4-options"],
    arbitrary: quoted(Days.anyDay),
    holds: ({ next, updated }) => turnsAt(classify, "options", updated, NewYork.at(next, 9, 30))
  })
]

/**
 * What says how fresh data are, and when that will change next: none where it never will.
 *
 * @category models
 * @since 0.1.0
 */
export interface Foresight {
  readonly classify: Classify
  readonly nextBoundary: (observation: Parameters<Classify>[0]) => Option.Option<number>
}

/**
 * The law of what foretells a change: it comes at that time, and not before.
 *
 * @category laws
 * @since 0.1.0
 */
export const foresight = ({ classify, nextBoundary }: Foresight): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "freshness changes at the boundary that was foretold, and not before",
    clauses: ["8.4-stocks", "8.4-options"],
    arbitrary: judged,
    holds: ({ kind, updated, wait }) => {
      const observation = { kind, updated, now: updated + wait }
      const now = classify(observation)
      return Option.match(nextBoundary(observation), {
        onNone: () => now === "historical",
        onSome: (next) =>
          classify({ ...observation, now: next }) !== now && classify({ ...observation, now: next - 1 }) === now
      })
    }
  })
]

/**
 * The laws of core's freshness.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...of(Freshness.classify), ...foresight(Freshness)]
