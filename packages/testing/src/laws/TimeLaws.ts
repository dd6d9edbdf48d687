/**
 * Laws of days, of New York time and of greatest ages, for any implementation of them.
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as TimeLaws from "@effect-marketdata/testing/TimeLaws"
 * import * as Result from "effect/Result"
 *
 * // A clock that knows no daylight saving.
 * const clock = {
 *   fromEpochSeconds: (at: number) => ({
 *     date: { year: 2026, month: 11, day: 20 },
 *     secondOfDay: (at - 18_000) % 86_400
 *   }),
 *   instantsOf: () => []
 * }
 * TimeLaws.of(clock).some((law) => Result.isFailure(Law.attempt(law, { seed: 1 }))) // => true
 * ```
 *
 * @since 0.1.0
 */
import { CalendarDate, MaxAge, NewYork } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Days from "../arbitraries/Days.ts"
import * as Law from "../harness/Law.ts"

/**
 * What tells New York time: what clocks show at an instant, and all instants at which they show it: two in the hour that is repeated in
 * autumn.
 *
 * @category models
 * @since 0.1.0
 */
export interface Clock {
  readonly fromEpochSeconds: (epochSeconds: number) => NewYork.WallClock
  readonly instantsOf: (wallClock: NewYork.WallClock) => ReadonlyArray<number>
}

const clauses = ["2.1-expiration", "8.4-stocks", "8.4-options"]

/** The platform's own calendar, which shares no code with ours. */
const platform = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric"
})

const shownByPlatform = (epochSeconds: number): NewYork.WallClock => {
  const part = Object.fromEntries(platform.formatToParts(epochSeconds * 1000).map(({ type, value }) => [type, value]))
  return {
    date: { year: Number(part["year"]), month: Number(part["month"]), day: Number(part["day"]) },
    secondOfDay: Number(part["hour"]) * 3600 + Number(part["minute"]) * 60 + Number(part["second"])
  }
}

/** Rules of daylight time may change: the platform is asked about years for which its data and ours cannot differ. */
const settled = Days.instant.filter((instant) => instant < NewYork.midnight({ year: 2027, month: 1, day: 1 }))

/**
 * The laws of a clock of New York.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = ({ fromEpochSeconds, instantsOf }: Clock): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "an instant is among those at which clocks show what they show then",
    clauses,
    arbitrary: Days.instant,
    holds: (instant) => instantsOf(fromEpochSeconds(instant)).includes(instant)
  }),
  Law.equation({
    name: "clocks show what the platform says",
    clauses,
    arbitrary: settled,
    expected: shownByPlatform,
    received: fromEpochSeconds
  })
]

/**
 * What counts days, from 1970-01-01 on.
 *
 * @category models
 * @since 0.1.0
 */
export interface Calendar {
  readonly toEpochDay: (day: CalendarDate.CalendarDate) => number
  readonly fromEpochDay: (epochDay: number) => CalendarDate.CalendarDate
}

/**
 * The laws of a calendar.
 *
 * @category laws
 * @since 0.1.0
 */
export const calendar = ({ fromEpochDay, toEpochDay }: Calendar): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "a day that is counted is itself again",
    clauses: ["2.1-dte"],
    arbitrary: Days.anyDay,
    expected: (day) => day,
    received: (day) => fromEpochDay(toEpochDay(day))
  }),
  Law.equation({
    name: "days are counted as the platform counts them",
    clauses: ["2.1-dte"],
    arbitrary: Days.anyDay,
    expected: ({ day, month, year }) => Date.UTC(year, month - 1, day) / 86_400_000,
    received: toEpochDay
  })
]

/** A greatest age as the service can take it. */
const maxAge: fc.Arbitrary<MaxAge.MaxAge> = fc.oneof(
  fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 200 }).map((hours) => hours * 60))
    .map((minutes) => ({ _tag: "Relative", minutes }) as const),
  Days.instant.map((epochSeconds) => ({ _tag: "Absolute", epochSeconds }) as const)
)

/**
 * What reads, writes and applies the greatest age of cached data.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ages {
  readonly parse: (text: string) => Result.Result<MaxAge.MaxAge, unknown>
  readonly format: (maxAge: MaxAge.MaxAge) => string
  readonly accepts: (maxAge: MaxAge.MaxAge, entryTime: number, now: number) => boolean
}

/** An entry of the cache, up to 1000 seconds from the oldest that is young enough; and another that is younger by some seconds. */
const entry = fc.tuple(maxAge, Days.instant, fc.integer({ min: -1000, max: 1000 }), fc.nat({ max: 1000 }))
  .map(([maxAge, now, seconds, younger]) => {
    const oldest = maxAge._tag === "Relative" ? now - maxAge.minutes * 60 : maxAge.epochSeconds
    return { maxAge, now, oldest, time: oldest + seconds, younger }
  })

/**
 * The laws of greatest ages.
 *
 * @category laws
 * @since 0.1.0
 */
export const ages = ({ accepts, format, parse }: Ages): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "an age that is written accepts nothing older than the age itself, and what is an hour younger",
    clauses: ["8.3-maxage-forms", "8.3-age"],
    arbitrary: entry,
    holds: ({ maxAge, now, oldest, time }) =>
      Result.match(parse(format(maxAge)), {
        onFailure: () => false,
        // An hour of an autumn night comes twice, and an age can name one of them.
        onSuccess: (read) =>
          (!accepts(read, time, now) || accepts(maxAge, time, now)) && accepts(read, oldest + 3600, now)
      })
  }),
  Law.equation({
    name: "a duration that is written is read as itself",
    clauses: ["8.3-maxage-forms"],
    arbitrary: maxAge.filter(({ _tag }) => _tag === "Relative"),
    expected: (maxAge) => maxAge,
    received: (maxAge) => Result.getOrUndefined(parse(format(maxAge)))
  }),
  Law.make({
    name: "where an entry is young enough, a younger one is",
    clauses: ["8.3-age"],
    arbitrary: entry,
    holds: ({ maxAge, now, time, younger }) => !accepts(maxAge, time, now) || accepts(maxAge, time + younger, now)
  }),
  Law.make({
    name: "an entry of exactly the greatest age is young enough, one of a second more is not",
    clauses: ["8.3-age"],
    arbitrary: entry,
    holds: ({ maxAge, now, oldest }) => accepts(maxAge, oldest, now) && !accepts(maxAge, oldest - 1, now)
  })
]

/**
 * The laws of core's days, clocks and ages.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [
  ...of({
    fromEpochSeconds: NewYork.fromEpochSeconds,
    instantsOf: ({ date, secondOfDay }) => {
      const resolution = NewYork.resolve(date, secondOfDay)
      if (resolution._tag === "Unique") return [resolution.epochSeconds]
      return resolution._tag === "Overlap" ? [resolution.earlier, resolution.later] : []
    }
  }),
  ...calendar(CalendarDate),
  ...ages(MaxAge)
]
