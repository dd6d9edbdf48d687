/**
 * What was probably meant by a text that is not an option symbol: as people, brokers and data vendors write contracts. It only proposes: nothing is
 * asked of the service by a guess.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as SymbolGuess from "@effect-marketdata/core/SymbolGuess"
 *
 * SymbolGuess.meant("AAPL 11/20/26 150 call").map(OptionSymbol.format) // => ["AAPL261120C00150000"]
 * SymbolGuess.meant("the usual") // => []
 * ```
 *
 * @see {@link OptionSymbol} for what a symbol is
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as OptionSymbol from "./OptionSymbol.ts"

/** Longer texts are not option symbols. */
const longest = 64

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

const monthOf = (name: string): string => String(months.indexOf(name.slice(0, 3)) + 1)

const yearOf = (text: string): number => text.length === 2 ? 2000 + Number(text) : Number(text)

const day = (year: string, month: string, day: string): ReadonlyArray<CalendarDate.CalendarDate> => {
  const date = CalendarDate.make(yearOf(year), Number(month), Number(day))
  return Result.isSuccess(date) ? [date.success] : []
}

const year = "(20\\d{2}|\\d{2})"
const name = `(${months.join("|")})[A-Z]*`

/** How days are written, the surest form first, and which days each may mean: of 11/12/26 the American reading comes first. */
const dates: ReadonlyArray<
  readonly [RegExp, (a: string, b: string, c: string) => ReadonlyArray<CalendarDate.CalendarDate>]
> = [
  [/\b(20\d{2})[-/.](\d{1,2})[-/.](\d{1,2})\b/, day],
  [
    new RegExp(`\\b(\\d{1,2})[-/.](\\d{1,2})[-/.]${year}\\b`),
    (a, b, c) => [...day(c, a, b), ...a === b ? [] : day(c, b, a)]
  ],
  [new RegExp(`\\b(\\d{1,2})[ -]?${name}[ -]?'?${year}\\b`), (a, b, c) => day(c, monthOf(b), a)],
  [new RegExp(`\\b${name}[ -]?(\\d{1,2})(?:ST|ND|RD|TH)?,?(?: ?'| |-)${year}\\b`), (a, b, c) => day(c, monthOf(a), b)],
  [/\b(20\d{2})(\d{2})(\d{2})\b/, day],
  [/\b(\d{2})(\d{2})(\d{2})\b/, (a, b, c) => [...day(a, b, c), ...day(c, a, b)]]
]

/** Everything in one word: what stands between root, day, side and strike is left out. A side may be missing, or be another letter. */
const oneWord =
  /^([A-Z][A-Z0-9.]{0,7}?)[ _-]*(20\d{6}|\d{6}|\d{5}(?=[ _-]*[A-Z]))[ _-]*([A-Z]?)[ _-]*\$?(\d{1,8}|\d*[.,]\d{1,3})$/

/** The days of five digits with one more: monthly options expire on the third Friday, and most others on another one. */
const daysWithOneMore = (digits: string): ReadonlyArray<CalendarDate.CalendarDate> => {
  const fuller = Array.from(
    { length: 60 },
    (_, index) => digits.slice(0, index % 6) + Math.floor(index / 6) + digits.slice(index % 6)
  )
  const fridays = [...new Set(fuller)].toSorted()
    .flatMap((digits) => day(digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)))
    .filter((date) => CalendarDate.dayOfWeek(date) === 5)
  const monthly = fridays.filter(({ day }) => day >= 15 && day <= 21)
  return (monthly.length > 0 ? monthly : fridays).slice(0, 3)
}

const dayOfDigits = (digits: string): ReadonlyArray<CalendarDate.CalendarDate> => {
  if (digits.length === 5) return daysWithOneMore(digits)
  const pairs = digits.slice(-6).match(/../g)!
  const asWritten = day(pairs[0], pairs[1]!, pairs[2]!)
  // Some brokers write the year last.
  return asWritten.length > 0 || digits.length === 8 ? asWritten : day(pairs[2]!, pairs[0], pairs[1]!)
}

const sidesOf = (text: string): ReadonlyArray<OptionSymbol.Side> =>
  text.startsWith("C") ? ["call"] : text.startsWith("P") ? ["put"] : ["call", "put"]

/** Eight digits are thousandths of a dollar. Fewer are dollars, or thousandths whose zeros were left out. */
const strikesOf = (digits: string): ReadonlyArray<string> => {
  const thousandths = String(Number(digits) / 1000)
  if (!/^\d+$/.test(digits)) return [digits.replace(",", ".").replace(/^\./, "0.")]
  return digits.length === 8 ? [thousandths] : digits.startsWith("0") ? [thousandths, digits] : [digits, thousandths]
}

const fromOneWord = (text: string) => {
  const [, root, digits, side, strike] = oneWord.exec(text) ?? []
  return root === undefined
    ? undefined
    : { root, expirations: dayOfDigits(digits!), sides: sidesOf(side!), strikes: strikesOf(strike!) }
}

/** Words in any order, of which each part is recognised by its form: `AAPL 11/20/26 150 call`, `Nov 20 2026 AAPL $150 C`. */
const fromWords = (text: string) => {
  let rest = text
  const take = (pattern: RegExp): ReadonlyArray<string> | undefined => {
    const match = pattern.exec(rest)
    if (match === null) return undefined
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
    return match.slice(1)
  }
  const expirations = dates.flatMap(([pattern, read]) => {
    if (rest !== text) return []
    const found = take(pattern)
    return found === undefined ? [] : read(found[0]!, found[1]!, found[2]!)
  })
  if (expirations.length === 0) return undefined
  const attached = take(/(?<![A-Z\d.])\$?(\d+(?:\.\d{1,3})?) ?(C|P)(?:ALLS?|UTS?)?(?![A-Z\d.])/) ??
    take(/(?<![A-Z\d.])(C|P)(?:ALL|UT)? ?\$?(\d+(?:\.\d{1,3})?)(?![A-Z\d.])/)?.toReversed()
  const side = attached?.[1] ?? take(/(?<![A-Z\d.])(CALLS?|PUTS?)(?![A-Z\d.])/)?.[0] ??
    take(/ ([CP])(?![A-Z\d.])/)?.[0] ?? ""
  const strike = attached?.[0] ?? take(/(?<![A-Z\d.])\$?(\d+(?:\.\d{1,3})?)(?![A-Z\d.])/)?.[0]
  const root = take(/(?<![A-Z\d.])([A-Z][A-Z0-9.]{0,7})(?![A-Z\d.])/)?.[0]
  return strike === undefined || root === undefined
    ? undefined
    : { root, expirations, sides: sidesOf(side), strikes: [strike] }
}

/**
 * Returns the symbols that a text may mean, the likeliest first; an empty list if nothing is likely.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as SymbolGuess from "@effect-marketdata/core/SymbolGuess"
 *
 * SymbolGuess.meant("AAPL 12/18/26 350 call").map(OptionSymbol.format) // => [ "AAPL261218C00350000" ]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const meant = (input: string): ReadonlyArray<OptionSymbol.OptionSymbol> => {
  if (typeof input !== "string" || input.length > longest) return []
  // Capital letters; without what brokers put before a symbol, and without the dot of a class of shares.
  const text = input.trim().toUpperCase().replace(/^(?:O:|[.\-+])/, "").replace(/\s+/g, " ")
  const parts = fromOneWord(text) ?? fromWords(text)
  if (parts === undefined) return []
  const root = parts.root.replaceAll(".", "")
  return parts.expirations.flatMap((expiration) =>
    parts.strikes.flatMap((strike) =>
      parts.sides.flatMap((side) => {
        const symbol = OptionSymbol.make({ root, expiration, side, strike })
        return Result.isSuccess(symbol) ? [symbol.success] : []
      })
    )
  )
}
