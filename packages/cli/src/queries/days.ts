/** Days that are told from today, as calendar days: between two of them candles can be counted, and so their price is bounded. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { epochSeconds } from "../text/epochSeconds.ts"

/** The flags of a range of days. */
interface Range {
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
  readonly countback: Option.Option<number>
}

const daysBack = (text: string): number | undefined => {
  if (text === "today" || text === "now") return 0
  if (text === "yesterday") return 1
  const [, count, unit] = /^(\d{1,5}) (day|week)s? ago$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unit === "week" ? 7 : 1)
}

/** Names a day that is told from today by its date; any other text stays as it is. `today` is a number of days as `CalendarDate.toEpochDay` has them. */
export const dateOf = (text: string, today: number): string => {
  const back = daysBack(text.trim().toLowerCase())
  return back === undefined ? text : CalendarDate.format(CalendarDate.fromEpochDay(today - back))
}

/** The date in New York, as a number of days. */
export const today = Effect.map(epochSeconds, (now) => CalendarDate.toEpochDay(NewYork.dateOf(now)))

/**
 * Names both days of a range by the date in New York, the last of them today where it is left out. A text that is not told in days from today stays as
 * it is: the service reads it.
 */
export const named = Effect.fnUntraced(function*<Given extends Range>(given: Given) {
  const present = yield* today
  const day = (text: string): string => dateOf(text, present)
  const isOpen = Option.isSome(given.from) && Option.isNone(given.countback)
  const from = Option.map(given.from, day)
  const to = Option.map(isOpen ? Option.orElse(given.to, () => Option.some("today")) : given.to, day)
  // A range that begins after today is refused by its own name, not by that of a flag that was not given.
  const isReversed = Option.isNone(given.to) && Option.isSome(from) && Option.isSome(to) && from.value > to.value
  return { ...given, from, to: isReversed ? given.to : to }
})
