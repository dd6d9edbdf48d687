/** Arbitraries that several tests draw from. */
import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as fc from "fast-check"

const millisecondsPerDay = 86_400_000

/** A day of a span of years, made by the platform's calendar and not by ours. */
export const calendarDate = (firstYear: number, lastYear: number): fc.Arbitrary<CalendarDate.CalendarDate> => {
  // `Date.UTC` takes the years 0 to 99 for those of the twentieth century.
  const dayOf = (year: number, month: number, day: number) =>
    new Date(0).setUTCFullYear(year, month, day) / millisecondsPerDay
  return fc.integer({ min: dayOf(firstYear, 0, 1), max: dayOf(lastYear, 11, 31) }).map((epochDay) => {
    const date = new Date(epochDay * millisecondsPerDay)
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  })
}

export { optionSymbol, side } from "@effect-marketdata/testing/OptionSymbols"

/** Any code point, surrogates included. Fast-check's own unit `binary` takes half a second to make, in every test file. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

/** What a terminal obeys instead of showing it: controls, the line feed among them, turns of direction, separators, halves of pairs. */
export const obeyed = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u

/** Texts with orders to a terminal in them. */
export { terminal as terminalText } from "@effect-marketdata/testing/HostileTexts"

/** Texts that break parsers: other alphabets, control characters, blanks, lone surrogates, names of inherited properties. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."AC P0159.,+-/%\\\"'<>{}[]\n\r\t\0é٣２\u2028\ud83d"), maxLength: 40 }),
  fc.constantFrom("__proto__", "constructor", "toString", "NaN", "Infinity", "1e0", "null", "undefined")
)
