/** The cells of tables for people: prices with their cents, numbers in groups, times in New York with their ages; a missing value is a dash. */
import { CalendarDate, ForeignText, NewYork } from "@effect-marketdata/core"
import { means, type Span } from "../text/span.ts"
import * as Words from "../text/words.ts"

/** Formats a value of the reply; null is a dash. `now` is in epoch seconds. */
export type Cell = (value: unknown, now: number) => Span

const missing: Span = { text: "-", means: "aside" }

const ofNumber = (format: (value: number, now: number) => Span): Cell => (value, now) =>
  typeof value === "number" && Number.isFinite(value) ? format(value, now) : missing

/** The longest text of a number that a column makes room for. */
const longest = 14

/** Prints a number with commas; one that is too long for any column with an exponent, and -0 as 0. */
const decimals = (value: number, least: number, most: number): string => {
  const text = Words.number(value, least, most)
  return text.length > longest ? value.toExponential(2) : /^-0[.0]*$/.test(text) ? text.slice(1) : text
}

const signed = (text: string, value: number): Span => ({
  text: value > 0 ? `+${text}` : text,
  means: value > 0 ? "good" : value < 0 ? "bad" : "aside"
})

/** A text, on one line. */
export const text: Cell = (value) => typeof value === "string" && value !== "" ? value : missing

/** A symbol, with characters other than ASCII escaped: letters of other alphabets may look like those of a ticker. */
export const symbol: Cell = (value) => typeof value === "string" && value !== "" ? ForeignText.ascii(value) : missing

/** Whether something holds. */
export const yesOrNo: Cell = (value) => typeof value === "boolean" ? value ? "yes" : "no" : missing

/** Whether the market opens on a day. The service says nothing of the hour: "open" alone would be wrong at night. */
export const marketStatus: Cell = (value) =>
  value === "open" ? means("good", "trading day") : value === "closed" ? means("warning", "closed all day") : missing

/** Dollars, to the cent, and further where a price has more. */
export const price = ofNumber((value) => decimals(value, 2, 4))

/** A difference of prices: a gain is green, a loss is red. */
export const change = ofNumber((value) => signed(decimals(value, 2, 4), value))

/** A fraction, as a percentage with its sign. */
export const percentage = ofNumber((value) => signed(`${decimals(value * 100, 2, 2)}%`, value))

/** A volatility, as a percentage. */
export const volatility = ofNumber((value) => `${decimals(value * 100, 1, 1)}%`)

/** A fraction of three decimals, such as a delta. */
export const ratio = ofNumber((value) => decimals(value, 3, 3))

/** A fraction of four decimals, such as a gamma. */
export const greek = ofNumber((value) => decimals(value, 4, 4))

/** How many there are of something. */
export const quantity = ofNumber((value) => decimals(value, 0, 6))

/** A number as it is, such as a year. */
export const plain = ofNumber(String)

/** How long ago a moment was. */
export const age = ofNumber((value, now) => now < value ? `in ${Words.age(value - now)}` : Words.age(now - value))

/** A moment in New York. */
export const moment = ofNumber((value) => NewYork.format(value))

/** A day in New York with its weekday; a moment within it has its time as well. */
export const day = ofNumber((value) => {
  const { date, secondOfDay } = NewYork.fromEpochSeconds(value)
  return secondOfDay === 0 ? dayOf(date) : NewYork.format(value).slice(0, 16)
})

/** The day of a moment, whose time of day has no meaning. */
export const dayAlone = ofNumber((value) => dayOf(NewYork.dateOf(value)))

/** The short name of a day's weekday. */
export const weekdayOf = (date: CalendarDate.CalendarDate): string =>
  CalendarDate.weekdays[CalendarDate.dayOfWeek(date)]!.slice(0, 3)

/** Prints a day with its weekday. */
export const dayOf = (date: CalendarDate.CalendarDate): string => `${CalendarDate.format(date)} ${weekdayOf(date)}`

/** Prints how far a day is from now. */
export const daysTo = (date: CalendarDate.CalendarDate, now: number): string => {
  const days = CalendarDate.daysBetween(NewYork.dateOf(now), date)
  return days === 0 ? "today" : days > 0 ? `in ${Words.count(days, "day")}` : `${Words.count(-days, "day")} ago`
}
