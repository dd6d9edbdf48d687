/**
 * Option symbols, for fast-check: well-formed ones, and texts that break one rule each.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as OptionSymbols from "@effect-marketdata/testing/OptionSymbols"
 * import * as Result from "effect/Result"
 * import * as fc from "fast-check"
 *
 * const [text] = fc.sample(OptionSymbols.malformed.StrikeNotPadded, { seed: 1, numRuns: 1 })
 * const parsed = OptionSymbol.parse(text!)
 * Result.isFailure(parsed) && parsed.failure.reason._tag // => "StrikeNotPadded"
 * ```
 *
 * @since 0.1.0
 */
import { CalendarDate, OptionSymbol, type OptionSymbolError } from "@effect-marketdata/core"
import * as fc from "fast-check"
import * as Options from "./chainOptions.ts"
import * as Days from "./Days.ts"
import * as Strikes from "./Strikes.ts"

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

const textOf = (characters: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength })

/**
 * Roots: one to six capital letters and digits, a letter among them, and no `20` at the end, which would begin a year of four digits; those
 * of the market are as likely as any.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const root: fc.Arbitrary<string> = fc.oneof(
  textOf(`${letters}0123456789`, 1, 6).filter((text) => /[A-Z]/.test(text) && !text.endsWith("20")),
  fc.constantFrom("AAPL", "AAPL1", "SPX", "SPXW", "BRKB", "X", "GOOGL1", "2SPX", "C", "P", "AAPL2", "20C", "A26112")
)

/**
 * Call or put.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const side: fc.Arbitrary<OptionSymbol.Side> = fc.constantFrom("call", "put")

/**
 * Option symbols taken apart (clause 2.3-format): any root, any day of the years 2000 to 2099, weekends and holidays included, any strike.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const optionSymbol: fc.Arbitrary<OptionSymbol.OptionSymbol> = fc.record({
  root,
  expiration: Days.anyDay,
  side,
  strike: Strikes.strike
})

const twoDigits = (count: number): string => String(count).padStart(2, "0")

/** The fields of a symbol as texts, written without the library under test. */
const fields = fc.record({
  root: textOf(letters, 1, 6),
  expiration: Days.anyDay.map(({ day, month, year }) => twoDigits(year - 2000) + twoDigits(month) + twoDigits(day)),
  side: fc.constantFrom("C", "P"),
  strike: Strikes.thousandths.map((count) => String(count).padStart(8, "0"))
})

const written = ({ expiration, root, side, strike }: Options.Drawn<typeof fields>): string =>
  root + expiration + side + strike

/**
 * Well-formed symbols as text, put together without `OptionSymbol`: their roots are letters only.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const text: fc.Arbitrary<string> = fields.map(written)

/** A symbol of which one field is replaced. */
const broken = (name: keyof Options.Drawn<typeof fields>, replacement: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fields, replacement).map(([fields, text]) => written({ ...fields, [name]: text }))

const sixDigits = fc.nat({ max: 999_999 }).map((count) => String(count).padStart(6, "0"))

const isDay = (text: string): boolean =>
  CalendarDate.isValid(2000 + Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4)))

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  textOf("0123456789", minLength, maxLength)

/**
 * Texts that are not option symbols, by the reason for which they are refused. Each is well-formed but for one field.
 *
 * - `ExpirationInvalid`: six digits that name no day, fewer than six, or a year of four digits (clause 2.3-bad-expiration)
 * - `SideMissing`: no letter between expiration and strike, or another one (clause 2.3-bad-side). The root does not end in C or P, which
 *   could be taken for the side
 * - `StrikeNotEightDigits`: nothing, nine digits or more, or letters (clause 2.3-bad-strike-length)
 * - `StrikeNotPadded`: one to seven digits, or eight characters that are padded with something else (clause 2.3-bad-strike-padding)
 * - `StrikeDecimal`: a decimal point, a comma or a sign (clause 2.3-bad-strike-decimal)
 * - `LegacySymbol`: the form in use before 2010 (clause 2.3-legacy)
 * - `RootInvalid`: no root, seven letters or more, no letter, small letters, blanks, other characters
 *
 * `SideInvalid` and `NotText` are missing: no text leads to them, only values that have the wrong type.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const malformed: Readonly<
  Record<Exclude<OptionSymbolError.OptionSymbolReason["_tag"], "SideInvalid" | "NotText">, fc.Arbitrary<string>>
> = {
  ExpirationInvalid: broken(
    "expiration",
    fc.oneof(
      sixDigits.filter((text) => !isDay(text)),
      // Invalid days, which lenient calendars turn into the next day.
      fc.constantFrom("270229", "280230", "300431", "310631", "260931", "991131", "260100", "260001"),
      digits(1, 5),
      fields.map(({ expiration }) => `20${expiration}`),
      Days.anyDay.map(CalendarDate.format)
    )
  ),
  SideMissing: fc.tuple(fields, fc.constantFrom("", ..."ABDXYZcp")).map(([{ expiration, root, strike }, side]) =>
    root.replace(/[CP]+$/, "X") + expiration + side + strike
  ),
  StrikeNotEightDigits: broken("strike", fc.oneof(fc.constant(""), digits(9, 12), textOf("ABXYZ", 8, 8))),
  StrikeNotPadded: broken(
    "strike",
    fc.oneof(
      digits(1, 7),
      fc.tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.constantFrom(" ", "x", "_"))
        .map(([count, padding]) => String(count).padStart(8, padding))
    )
  ),
  StrikeDecimal: broken(
    "strike",
    fc.tuple(fc.nat({ max: 99_999 }), digits(1, 3), fc.constantFrom(".", ",", "+", "-"))
      .map(([dollars, places, mark]) => /[.,]/.test(mark) ? `${dollars}${mark}${places}` : `${mark}${dollars}`)
  ),
  LegacySymbol: fc.tuple(
    fc.constantFrom("", "."),
    textOf(letters, 1, 3),
    fc.constantFrom("", " "),
    fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWX"),
    fc.constantFrom(...letters)
  ).map((parts) => parts.join("")),
  RootInvalid: broken(
    "root",
    fc.oneof(
      fc.constant(""),
      textOf(letters, 7, 10),
      digits(1, 6).filter((text) => !text.endsWith("20")),
      fc.tuple(textOf(letters, 0, 2), fc.constantFrom(..."abz .-/^$é"), textOf(letters, 0, 2))
        .map((parts) => parts.join(""))
    )
  )
}

/** Any code point, surrogates included. Fast-check's own unit `binary` takes half a second to make. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

/**
 * Texts that may or may not be symbols: well-formed and malformed ones, ones with a character changed, and any other text.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  text,
  ...Object.values(malformed),
  fc.tuple(text, fc.nat({ max: 20 }), fc.string({ unit: codePoint, maxLength: 2 })).map(([text, at, inserted]) =>
    text.slice(0, at) + inserted + text.slice(at + 1)
  ),
  // What the regular expressions of some languages let through.
  text.chain((text) => fc.constantFrom(`${text}\n`, text.replace(/\d/, (digit) => "０１２３４５６７８９"[+digit]!))),
  fc.string({ unit: "grapheme", maxLength: 24 })
)
