/**
 * The parts of an option symbol: the position of each, and its meaning in words. It takes both forms, with the root padded by spaces or not.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as SymbolParts from "@effect-marketdata/core/SymbolParts"
 * import * as Result from "effect/Result"
 *
 * const now = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)
 * const parts = Result.getOrThrow(SymbolParts.of("AAPL261128C00150000", now))
 * parts.map(({ part, text }) => `${part} ${text}`) // => ["root AAPL", "expiration 261128", "side C", "strike 00150000"]
 * parts[1]?.meaning // => "Saturday; no trading day; probably meant AAPL261127C00150000, the session before"
 * ```
 *
 * @see {@link SymbolGuess} for texts that are not symbols
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import * as TradingCalendar from "../time/TradingCalendar.ts"
import * as Expiration from "./Expiration.ts"
import * as OptionSymbol from "./OptionSymbol.ts"
import type { OptionSymbolError } from "./OptionSymbolError.ts"

/**
 * A part of a symbol. `position` counts characters from 1, as people do; `value` is what the text stands for: dollars of a strike, an expiration as
 * YYYY-MM-DD, the number of blanks.
 *
 * @category models
 * @since 0.1.0
 */
export interface Part {
  readonly part: "root" | "padding" | "expiration" | "side" | "strike"
  readonly position: number
  readonly text: string
  readonly value: string | number
  readonly meaning: string
}

/**
 * Whether a text is meant to be the padded form: no other symbol has 21 characters with blanks where those of the padding are.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPadded = (text: string): boolean =>
  typeof text === "string" && text.length === 21 && text.includes(" ") && /^.{6}\d{6}[CP]\d{8}$/s.test(text)

/**
 * Reads a symbol in either form.
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (text: string): Result.Result<OptionSymbol.OptionSymbol, OptionSymbolError> =>
  isPadded(text) ? OptionSymbol.parseOsi(text) : OptionSymbol.parse(text)

/** The index roots that are settled at the close. Others, such as SPX, are settled at the open, and do not trade on the last day. */
const settledAtTheClose: ReadonlySet<string> = /* @__PURE__ */ new Set(["SPXW", "XSPW", "NDXP", "RUTW", "DJXW"])

const isIndex = ({ root }: OptionSymbol.OptionSymbol): boolean =>
  Expiration.indexUnderlyings.has(Expiration.underlyingOf(root))

const expirationMeaning = (symbol: OptionSymbol.OptionSymbol, now: number): string => {
  const instant = Expiration.instant(symbol)
  const expires = instant < now ? "it expired" : "it expires"
  return isIndex(symbol) && !settledAtTheClose.has(symbol.root)
    ? `${expires} on this day; an index option like it may be settled at the open, and then last trades a session before`
    : `${expires} at ${NewYork.format(instant)}`
}

/** Until 2015 monthly options had the Saturday behind their last session as expiration. */
const firstYearWithoutSaturdays = 2016

/** The contract of the session before, which is what a day without trading was probably meant to be. */
const sessionBefore = (symbol: OptionSymbol.OptionSymbol): string => {
  if (symbol.expiration.year < firstYearWithoutSaturdays) return ""
  const day = TradingCalendar.previousTradingDay(TradingCalendar.NYSE, symbol.expiration)
  return Option.isNone(day)
    ? ""
    : `; probably meant ${OptionSymbol.format({ ...symbol, expiration: day.value })}, the session before`
}

const dayMeaning = (symbol: OptionSymbol.OptionSymbol, now: number): string => {
  const day = TradingCalendar.NYSE.day(symbol.expiration)
  const weekday = CalendarDate.weekdays[CalendarDate.dayOfWeek(symbol.expiration)]!
  return day._tag === "Session"
    ? `${weekday}; ${expirationMeaning(symbol, now)}`
    : `${weekday}; no trading day${day._tag === "Holiday" ? ` (${day.name})` : ""}${sessionBefore(symbol)}`
}

const rootMeaning = ({ root }: OptionSymbol.OptionSymbol): string => {
  const underlying = Expiration.underlyingOf(root)
  return underlying === root
    ? `the underlying is ${root}`
    : /\d$/.test(root)
    ? `adjusted: the underlying is most likely ${underlying}, and it may deliver other than 100 shares`
    : `the underlying is most likely ${underlying}`
}

/**
 * Returns the parts of a symbol, in the order of its text. `now`, in epoch seconds, decides whether it has expired. Fails as `OptionSymbol.parse` does.
 *
 * @category decoding
 * @since 0.1.0
 */
export const of = (text: string, now: number): Result.Result<ReadonlyArray<Part>, OptionSymbolError> =>
  Result.map(parse(text), (symbol) => {
    const { expiration, root, side, strike } = symbol
    const blanks = text.length - 15 - root.length
    let end = 0
    const part = (part: Part["part"], length: number, value: Part["value"], meaning: string): Part => ({
      part,
      position: end + 1,
      text: text.slice(end, end += length),
      value,
      meaning
    })
    return [
      part("root", root.length, root, rootMeaning(symbol)),
      ...blanks === 0 ? [] : [part("padding", blanks, blanks, "blanks that fill the root to six characters")],
      part("expiration", 6, CalendarDate.format(expiration), dayMeaning(symbol, now)),
      part("side", 1, side, side === "call" ? "the right to buy" : "the right to sell"),
      part("strike", 8, strike, "dollars, written as thousandths in eight digits")
    ]
  })
