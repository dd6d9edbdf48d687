/**
 * When something is asked, in words: `every 1min from 9:30 to 16:00 on trading days of 2026-11-23..2026-11-27`. Times are New York's.
 *
 * - how often: `once`, `3 times`, `every 30s`, `every 5 minutes`; a day at most
 * - at which time: `at 16:00` for what is asked once or a few times; `from 9:30 to 16:00` for what is repeated, 16:00 not included. `open` and
 *   `close` are those of the day; without a time it is the whole session
 * - on which days: `on 2026-11-23`, `on 2026-11-23..2026-11-27`, `on 2026-11-02..today`, `on trading days of 2026-11`, `on today`, `on the next 5 trading days`; where none is
 *   named it is the session that runs, or the next one
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as WorkloadSchedule from "@effect-marketdata/core/WorkloadSchedule"
 * import * as Result from "effect/Result"
 *
 * const now = { now: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), calendar: TradingCalendar.NYSE }
 * const days = Result.getOrThrow(WorkloadSchedule.parse("every 1min on trading days of 2026-11", now))
 * WorkloadSchedule.span(days).times // => 7620
 * Result.getOrThrow(Result.flip(WorkloadSchedule.parse("evry 1min", now))).message
 * // => "\"evry\" must say how often: once, 3 times, or every with a duration, e.g. every 1min. Did you mean every?"
 * ```
 *
 * @see {@link Workload} for what a schedule costs
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as DurationText from "../text/DurationText.ts"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"
import type * as Workload from "./Workload.ts"

/**
 * A word that is not valid at its place, and the index in the text at which it begins, from 0.
 *
 * @category errors
 * @since 0.1.0
 */
export class ScheduleMistake extends Data.TaggedError("ScheduleMistake")<{
  readonly at: number
  readonly message: string
}> {}

/**
 * The current time in epoch seconds, and the calendar of an exchange.
 *
 * @category models
 * @since 0.1.0
 */
export interface Now {
  readonly now: number
  readonly calendar: TradingCalendar.TradingCalendar
}

/**
 * The times of a schedule, a run for each day.
 *
 * @category models
 * @since 0.1.0
 */
export type Runs = readonly [Workload.Schedule, ...ReadonlyArray<Workload.Schedule>]

/**
 * One time, now.
 *
 * @example
 * ```ts
 * import * as WorkloadSchedule from "@effect-marketdata/core/WorkloadSchedule"
 *
 * WorkloadSchedule.once(1795194000) // => [ { first: 1795194000, every: 0, times: 1 } ]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const once = (now: number): Runs => [{ first: now, every: 0, times: 1 }]

const known = /* @__PURE__ */ Problem.guard("time", "{ now, calendar: TradingCalendar.NYSE }", { now: 0, calendar: {} })

const knownRun = /* @__PURE__ */ Problem.guard("run", "{ first: now, every: 0, times: 1 }", { first: 0, times: 0 })

type Word = { readonly text: string; readonly at: number }

const vocabulary = /* @__PURE__ */ "once times every from to at on the next trading days of today tomorrow open close"
  .split(" ")

/** Days of the week are near to "today" and "days", which are not what was meant. */
const weekday = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/

type Read<A> = Result.Result<A, ScheduleMistake>

/** The words of a text, read one after the other. */
class Words {
  private index = 0
  private readonly words: ReadonlyArray<Word>
  private readonly end: number

  constructor(text: string) {
    this.words = Array.from(text.matchAll(/[^\s,]+/g), (found) => ({ text: found[0].toLowerCase(), at: found.index }))
    this.end = text.trimEnd().length
  }

  get isEmpty(): boolean {
    return this.index >= this.words.length
  }

  /** The word that comes next, which is empty after the last one. */
  get next(): Word {
    return this.words[this.index] ?? { text: "", at: this.end }
  }

  take(): Word {
    const word = this.next
    this.index++
    return word
  }

  /** Reads a word if it comes next. */
  skip(...texts: ReadonlyArray<string>): boolean {
    if (!texts.includes(this.next.text)) return false
    this.index++
    return true
  }

  refuse(rule: string, example: string, word = this.next): Result.Result<never, ScheduleMistake> {
    const meant = weekday.test(word.text) ? undefined : Problem.nearest(word.text, vocabulary)
    const said = Problem.format(word.text === "" ? "the end" : Problem.shown(word.text), { rule, example })
    const message = meant === undefined || meant === word.text ? said : `${said} Did you mean ${meant}?`
    return Result.fail(new ScheduleMistake({ at: word.at, message }))
  }
}

type Often = { readonly _tag: "Every"; readonly millis: number } | { readonly _tag: "Times"; readonly times: number }

const oftenRule = { rule: "must say how often: once, 3 times, or every with a duration", example: "every 1min" }

const readOften = (words: Words): Read<Often> => {
  if (words.skip("once")) return Result.succeed({ _tag: "Times", times: 1 })
  if (words.skip("every", "each")) return readEvery(words)
  const word = words.next
  const times = /^\d{1,9}$/.test(word.text) ? Number(word.text) : 0
  if (times < 1) return words.refuse(oftenRule.rule, oftenRule.example)
  words.take()
  return words.skip("times", "time")
    ? Result.succeed({ _tag: "Times", times })
    : words.refuse("must be times, after the number", "3 times")
}

const readEvery = (words: Words): Read<Often> => {
  if (words.skip("day")) return Result.succeed({ _tag: "Times", times: 1 })
  const word = words.take()
  const isNumber = /^\d+(\.\d+)?$/.test(word.text)
  const text = isNumber ? `${word.text} ${words.take().text}` : /^\d/.test(word.text) ? word.text : `1 ${word.text}`
  // The schedule begins again on each day, so a longer interval would have no effect: it would be asked every day all the same.
  const duration = Option.filter(DurationText.parse(text), (every) => Duration.toSeconds(every) <= 86_400)
  const hasUnit = isNumber && !/ (?:at|from|to|on)?$/.test(text)
  return Option.isSome(duration)
    ? Result.succeed({ _tag: "Every", millis: Duration.toMillis(duration.value) })
    : words.refuse("must be a duration above 0, of at most a day", "1min", hasUnit ? { ...word, text } : word)
}

/** A time of the day, in seconds by the clock or by the session. */
type TimeOfDay = { readonly at: number | "open" | "close"; readonly word: Word }

const readTime = (words: Words): Read<TimeOfDay> => {
  const word = words.next
  for (const at of ["open", "close"] as const) if (words.skip(at)) return Result.succeed({ at, word })
  const [, hour = "", minute = "", second = "0"] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(word.text) ?? []
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (hour === "" || h > 23 || m > 59 || s > 59) {
    return words.refuse("must be a time in New York from 0:00 to 23:59, open or close", "9:30")
  }
  words.take()
  return Result.succeed({ at: h * 3600 + m * 60 + s, word })
}

/** The days that are named, and whether only those with a session count. */
interface Days {
  readonly days: ReadonlyArray<CalendarDate.CalendarDate>
  readonly tradingOnly: boolean
  readonly word: Word
}

const mostDays = 3660

const someDays = "trading days of 2026-11-23..2026-11-27"

const readDays = (words: Words, given: Now): Read<Days> => {
  const { calendar, now } = known(given)
  words.skip("the")
  const word = words.next
  if (words.skip("next")) {
    const number = words.next
    const count = /^\d{1,4}$/.test(number.text) ? Number(number.text) : 0
    if (count < 1 || count > mostDays) {
      return words.refuse(`must be a number of trading days from 1 to ${mostDays}`, "next 5 trading days")
    }
    words.take()
    if (!words.skip("trading")) return words.refuse("must be trading days", "next 5 trading days")
    if (!words.skip("days", "day")) return words.refuse("must be days", "next 5 trading days")
    return Result.succeed({ days: nextDays(calendar, now, count), tradingOnly: true, word })
  }
  const tradingOnly = words.skip("trading")
  if (tradingOnly) {
    if (!words.skip("days", "day")) return words.refuse("must be days", someDays)
    if (!words.skip("of", "in")) return words.refuse("must be of, and the days", someDays)
  }
  return Result.map(readRange(words, now), (days) => ({ days, tradingOnly, word }))
}

const readRange = (words: Words, now: number): Read<ReadonlyArray<CalendarDate.CalendarDate>> => {
  const word = words.next
  const today = NewYork.dateOf(now)
  if (words.skip("today")) return Result.succeed([today])
  if (words.skip("tomorrow")) return Result.succeed([CalendarDate.addDays(today, 1)])
  const month = /^(\d{4}-\d{2})$/.exec(word.text)?.[1]
  const [from = "", to = from, ...others] = month === undefined ? word.text.split("..") : [`${month}-01`, `${month}-01`]
  const [first, last] = [CalendarDate.parse(from), to === "today" ? Result.succeed(today) : CalendarDate.parse(to)]
  if (Result.isFailure(first) || Result.isFailure(last) || others.length > 0) {
    return words.refuse(
      "must be days: a day, a range of days, a month, today, tomorrow, or trading days of one of these",
      someDays
    )
  }
  const start = first.success
  const end = month === undefined ? last.success : { ...start, day: CalendarDate.daysOf(start.year, start.month) }
  const count = CalendarDate.daysBetween(start, end) + 1
  if (count < 1) return words.refuse("must go from the earlier day to the later", `${to}..${from}`)
  if (count > mostDays) return words.refuse(`must be at most ${mostDays} days`, "2026-11-23..2026-11-27")
  words.take()
  return Result.succeed(Array.from({ length: count }, (_, index) => CalendarDate.addDays(start, index)))
}

/** The next trading days, of which today is one as long as its session lasts. */
const nextDays = (calendar: TradingCalendar.TradingCalendar, now: number, count: number) => {
  const today = NewYork.dateOf(now)
  const isOn = Option.exists(TradingCalendar.session(calendar, today), ({ close }) => close > now)
  const days: Array<CalendarDate.CalendarDate> = isOn ? [today] : []
  for (let day = today; days.length < count;) {
    const next = TradingCalendar.nextTradingDay(calendar, day)
    if (Option.isNone(next)) break
    day = next.value
    days.push(day)
  }
  return days
}

const readClauses = (words: Words, often: Often, now: Now) =>
  Result.gen(function*() {
    const read: { at?: TimeOfDay; from?: TimeOfDay; to?: TimeOfDay; on?: Days } = {}
    while (!words.isEmpty) {
      const word = words.next
      const name = (["at", "from", "to", "on"] as const).find((clause) => clause === word.text)
      if (name === undefined) return yield* words.refuse("must be at, from, to or on", "from 9:30 to 16:00")
      if (read[name] !== undefined) return yield* words.refuse("must be named once", `one ${name}`)
      if (name === "at" && often._tag === "Every") {
        return yield* words.refuse("is for what is asked once; what is repeated has from and to", "from 9:30 to 16:00")
      }
      if ((name === "from" || name === "to") && often._tag === "Times") {
        return yield* words.refuse("is for what is repeated; what is asked once has at", "once at 16:00")
      }
      words.take()
      if (name === "on") read.on = yield* readDays(words, now)
      else read[name] = yield* readTime(words)
    }
    return read
  })

/** Where a time of the day lies on a day; none where it goes by a session that the day does not have. */
const timeOn = ({ at }: TimeOfDay, date: CalendarDate.CalendarDate, session: Option.Option<TradingCalendar.Session>) =>
  typeof at === "number" ? Option.some(NewYork.toEpochSeconds(date, at)) : Option.map(session, (hours) => hours[at])

/**
 * Reads a schedule. Fails with `ScheduleMistake` for the first word that is not valid.
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (text: string, now: Now): Result.Result<Runs, ScheduleMistake> =>
  Result.gen(function*() {
    const given: unknown = text
    if (typeof given !== "string") {
      const message = Problem.format(Problem.shown(given), oftenRule)
      return yield* Result.fail(new ScheduleMistake({ at: 0, message }))
    }
    const words = new Words(text)
    known(now)
    const beginning = words.next
    const often = yield* readOften(words)
    const { at, from, on, to } = yield* readClauses(words, often, now)
    if (often._tag === "Times" && at === undefined && on === undefined) {
      return [{ first: now.now, every: 0, times: often.times }]
    }
    const start: TimeOfDay = at ?? from ?? { at: "open", word: beginning }
    const end: TimeOfDay = to ?? { at: "close", word: beginning }
    const runs: Array<Workload.Schedule> = []
    let isClosed = true
    for (const date of on?.days ?? nextDays(now.calendar, now.now, 1)) {
      const session = TradingCalendar.session(now.calendar, date)
      if (on?.tradingOnly === true && Option.isNone(session)) continue
      const first = timeOn(start, date, session)
      if (Option.isNone(first)) continue
      if (often._tag === "Times") {
        runs.push({ first: first.value, every: 0, times: often.times })
        continue
      }
      const last = timeOn(end, date, session)
      if (Option.isNone(last)) continue
      isClosed = false
      const times = Math.ceil((last.value - first.value) * 1000 / often.millis)
      if (times > 0) runs.push({ first: first.value, every: often.millis / 1000, times })
    }
    const [first, ...others] = runs
    if (first !== undefined) return [first, ...others]
    return yield* isClosed || to === undefined
      ? words.refuse("has no time of this schedule: the exchange is closed then", someDays, on?.word ?? beginning)
      : words.refuse("must be later than the time after from", "from 9:30 to 16:00", end.word)
  })

/**
 * Reads the trading days that a text names as a schedule does after `on`: `2026-11-02..2026-11-20`, `2026-11`, `trading days of 2026-11-02..today`.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
 * import * as WorkloadSchedule from "@effect-marketdata/core/WorkloadSchedule"
 * import * as Result from "effect/Result"
 *
 * const now = { now: NewYork.at({ year: 2026, month: 11, day: 30 }, 12, 0), calendar: TradingCalendar.NYSE }
 * Result.map(WorkloadSchedule.tradingDays("2026-11-20..2026-11-27", now), (days) => days.length) // => Result.succeed(5)
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const tradingDays = (
  text: string,
  now: Now
): Result.Result<ReadonlyArray<CalendarDate.CalendarDate>, ScheduleMistake> =>
  Result.gen(function*() {
    const words = new Words(Problem.expect(typeof text === "string", "days", text, "the text of days", someDays))
    const { days, word } = yield* readDays(words, now)
    if (!words.isEmpty) return yield* words.refuse("must be all that is named", someDays)
    const open = days.filter((day) => TradingCalendar.isTradingDay(now.calendar, day))
    return open.length > 0 ? open : yield* words.refuse("has no trading day", someDays, word)
  })

/**
 * Returns how many times the runs of a schedule have together, and the first and the last time, in epoch seconds.
 *
 * @example
 * ```ts
 * import * as WorkloadSchedule from "@effect-marketdata/core/WorkloadSchedule"
 *
 * WorkloadSchedule.span([{ first: 1795185000, every: 60, times: 3 }]) // => { first: 1795185000, last: 1795185120, times: 3 }
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const span = (
  schedule: ReadonlyArray<Workload.Schedule>
): { readonly first: number; readonly last: number; readonly times: number } =>
  Problem.list("schedule", schedule, knownRun).reduce((all, { every, first, times }) => ({
    first: Math.min(all.first, first),
    last: Math.max(all.last, first + every * Math.max(0, times - 1)),
    times: all.times + times
  }), { first: Infinity, last: -Infinity, times: 0 })
