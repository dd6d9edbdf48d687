/** Arbitraries that several tests draw from. */
import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
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

/** Every strike there is, as thousandths of a dollar; often a round one, or one at an edge. */
export const thousandths: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999 }),
  fc.integer({ min: 0, max: 9999 }).map((halves) => halves * 500),
  fc.constantFrom(0, 1, 999, 1000, 1005, 99_999_998, 99_999_999)
)

const capitalsAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

const root: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...capitalsAndDigits),
  minLength: 1,
  maxLength: 6
}).filter((text) => /[A-Z]/.test(text) && !text.endsWith("20"))

export const side: fc.Arbitrary<OptionSymbol.Side> = fc.constantFrom("call", "put")

export const optionSymbol: fc.Arbitrary<OptionSymbol.OptionSymbol> = fc.record({
  root,
  expiration: calendarDate(2000, 2099),
  side,
  strike: thousandths.map((n) => n / 1000)
})

/** Any code point, surrogates included. Fast-check's own unit `binary` takes half a second to make, in every test file. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

/** What a terminal obeys instead of showing it: controls, the line feed among them, turns of direction, separators, halves of pairs. */
export const obeyed = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u

/** Texts with orders to a terminal in them. */
export const terminalText: fc.Arbitrary<string> = fc.array(
  fc.oneof(
    fc.constantFrom("\u001b]0;x\u0007", "\u001b[2J", "\u009b31m", "\u202e", "\u2066", "\n", "\r", "\t", "\0", "\u007f"),
    fc.constantFrom("\u0085", "\u2028", "\u2029", "\u200b", "\ufeff", "\ud800", "\udc00", "\u{e0041}", "\"", "\\"),
    fc.string({ maxLength: 8 })
  ),
  { minLength: 1, maxLength: 8 }
).map((parts) => parts.join(""))

/** Texts that break parsers: other alphabets, control characters, blanks, lone surrogates, names of inherited properties. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."AC P0159.,+-/%\\\"'<>{}[]\n\r\t\0é٣２\u2028\ud83d"), maxLength: 40 }),
  fc.constantFrom("__proto__", "constructor", "toString", "NaN", "Infinity", "1e0", "null", "undefined")
)
