/**
 * The market of the sandbox: synthetic options and stocks under real tickers. Nothing in it happens: every price is a pure function of the seed and of
 * the time asked for, so that any moment can be shown in any order, and shows the same again.
 *
 * Quotes are taken on each minute of the New York session, and those of options on indexes until 16:15. Between sessions the market shows
 * the last ones, contracts included that expired with the session; the list moves on when the next session opens.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Market from "@effect-marketdata/sandbox/Market"
 *
 * const market = Market.make({ seed: 1 })
 * const friday = CalendarDate.parseUnsafe("2026-11-20")
 * market.chain("SPX", NewYork.at(friday, 12, 0))?.length // => 22718
 * market.chain("SPX", NewYork.at(friday, 20, 0)) === market.endOfDay("SPX", friday) // => true
 * market.endOfDay("SPX", CalendarDate.addDays(friday, 1)) // => undefined
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import type * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Strike from "@effect-marketdata/core/Strike"
import * as Result from "effect/Result"
import * as ChainSnapshot from "./ChainSnapshot.ts"
import * as Listing from "./Listing.ts"
import * as Memo from "./memo.ts"
import * as Options from "./options.ts"
import * as QuoteTime from "./QuoteTime.ts"
import * as StockMarket from "./stockMarket.ts"
import * as Underlying from "./Underlying.ts"

/**
 * Which of the listed contracts are looked at: `nonstandard: false` leaves those with an adjusted root out.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListingOptions {
  readonly nonstandard?: boolean | undefined
}

/**
 * A market: options, and what `StockMarket` has. Times are epoch seconds.
 *
 * - `seed`: what its prices depend on beside the time
 * - `underlyings`: what its options are on
 * - `find`: the underlying with exactly this symbol
 * - `chain`: the chain of an underlying at a time, every listed contract with all columns; undefined where the underlying is not
 *   known, or the year is not one of `QuoteTime.years`
 * - `endOfDay`: the chain with the last quotes of a day; undefined, beside the above, where the day has no session
 * - `filter`: the contracts of a chain with an expiration, a side or both
 * - `optionQuotes`, `optionQuotesAtClose`: the rows that contracts have in their chains at a time or at the end of a day, in the order
 *   asked; none for what is not listed then
 * - `expirations`: the expirations of an underlying, or those that have a strike, the earliest first; undefined as for `chain`
 * - `strikes`: the strikes of each expiration, or of one, in ascending order
 *
 * @category models
 * @since 0.1.0
 */
export interface Market extends StockMarket.StockMarket {
  readonly seed: number
  readonly underlyings: ReadonlyArray<Underlying.Underlying>
  readonly find: (symbol: string) => Underlying.Underlying | undefined
  readonly chain: (symbol: string, at: number) => OptionChain.OptionChain | undefined
  readonly endOfDay: (symbol: string, day: CalendarDate.CalendarDate) => OptionChain.OptionChain | undefined
  readonly filter: (chain: OptionChain.OptionChain, options: PartOptions) => OptionChain.OptionChain
  readonly optionQuotes: (symbols: ReadonlyArray<string>, at: number) => OptionQuote.OptionQuote
  readonly optionQuotesAtClose: (
    symbols: ReadonlyArray<string>,
    day: CalendarDate.CalendarDate
  ) => OptionQuote.OptionQuote
  readonly expirations: (
    symbol: string,
    at: number,
    strike?: number,
    options?: ListingOptions
  ) => ReadonlyArray<CalendarDate.CalendarDate> | undefined
  readonly strikes: (
    symbol: string,
    at: number,
    expiration?: CalendarDate.CalendarDate,
    options?: ListingOptions
  ) => ReadonlyArray<OptionStrikes.Listing> | undefined
}

/** Which quotes are meant of an underlying: those of a moment, or the last ones of a day. */
type Choice = (underlying: Underlying.Underlying) => QuoteTime.QuoteTime | undefined

const at = (moment: number): Choice => (underlying) => QuoteTime.at(moment, Underlying.overtime(underlying))

const atEnd = (day: CalendarDate.CalendarDate): Choice => (underlying) =>
  QuoteTime.atClose(day, Underlying.overtime(underlying))

/** How many for each underlying; one of SPX takes 4 MB. */
const chainsRemembered = 4

/**
 * Creates a market. The seed is a whole number, 1 if left out, and counts modulo 2^32. The market remembers the last few chains that it
 * showed, so that asking twice within a minute costs nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: { readonly seed?: number | undefined } = {}): Market => {
  const { seed = 1 } = Options.known(options, { seed: Options.seed })
  const bySymbol = new Map(Underlying.all.map((underlying) => {
    const listing = Listing.make(seed, underlying)
    const chainAt = Memo.recent(
      chainsRemembered,
      (time: QuoteTime.QuoteTime) => time.moment,
      (time) => ChainSnapshot.make(seed, underlying, time, listing(time.day))
    )
    return [underlying.symbol, { underlying, listing, chainAt }]
  }))
  const chainOf = (symbol: string, choose: Choice) => {
    const found = bySymbol.get(symbol)
    const time = found && choose(found.underlying)
    return time && found?.chainAt(time)
  }

  const noRows = ChainSnapshot.make(seed, Underlying.all[0]!, QuoteTime.atClose({ year: 2000, month: 1, day: 3 })!, [])

  /** The row of one contract: only its strike is valued, not the chain around it. */
  const rowOf = (text: string, choose: Choice): ReadonlyArray<OptionChain.OptionChain> => {
    const symbol = Result.getOrUndefined(OptionSymbol.parse(text))
    const found = symbol && bySymbol.get(Expiration.underlyingOf(symbol.root))
    const time = found && choose(found.underlying)
    if (symbol === undefined || found === undefined || time === undefined) return []
    const [expiration, thousandths] = [CalendarDate.toEpochDay(symbol.expiration), Strike.toThousandths(symbol.strike)]
    return found.listing(time.day)
      .filter((listed) => listed.root === symbol.root && listed.expiration === expiration)
      .flatMap((listed) => {
        const strikes = listed.strikes.filter((strike) => strike.thousandths === thousandths)
        if (strikes.length === 0) return []
        const both = ChainSnapshot.make(seed, found.underlying, time, [{ ...listed, strikes }])
        return [ColumnTable.pick(both, [symbol.side === "call" ? 0 : 1])]
      })
  }
  const quotes = (symbols: ReadonlyArray<string>, choose: Choice): OptionQuote.OptionQuote => {
    const rows = symbols.flatMap((symbol) => rowOf(symbol, choose))
    const chain = rows.length === 0 ? noRows : ColumnTable.merge(OptionChain.spec, rows)
    // A quote has the columns of a chain, but other ones may be null.
    return ColumnTable.unpack(OptionQuote.spec, ColumnTable.pack(chain))
  }

  const listed = (symbol: string, at: number, { nonstandard = true }: ListingOptions = {}) => {
    const time = QuoteTime.at(at)
    const found = bySymbol.get(symbol)
    if (time === undefined || found === undefined) return undefined
    const adjusted = new Set(found.underlying.roots.filter(({ lowered }) => lowered > 0).map(({ root }) => root))
    const strikesOf = new Map<number, Set<number>>()
    for (const { expiration, root, strikes } of found.listing(time.day)) {
      if (!nonstandard && adjusted.has(root)) continue
      const all = strikesOf.get(expiration) ?? new Set()
      for (const { thousandths } of strikes) all.add(thousandths)
      strikesOf.set(expiration, all)
    }
    return [...strikesOf].toSorted(([a], [b]) => a - b)
  }

  return {
    ...StockMarket.make(seed),
    seed,
    underlyings: Underlying.all,
    find: (symbol) => bySymbol.get(symbol)?.underlying,
    chain: (symbol, moment) => chainOf(symbol, at(moment)),
    endOfDay: (symbol, day) => chainOf(symbol, atEnd(day)),
    filter: partOf,
    optionQuotes: (symbols, moment) => quotes(symbols, at(moment)),
    optionQuotesAtClose: (symbols, day) => quotes(symbols, atEnd(day)),
    expirations: (symbol, at, strike, options) =>
      listed(symbol, at, options)
        ?.filter(([, strikes]) => strike === undefined || strikes.has(Math.round(strike * 1000)))
        .map(([expiration]) => CalendarDate.fromEpochDay(expiration)),
    strikes: (symbol, at, expiration, options) =>
      listed(symbol, at, options)
        ?.filter(([day]) => expiration === undefined || day === CalendarDate.toEpochDay(expiration))
        .map(([day, strikes]) => ({
          expiration: CalendarDate.fromEpochDay(day),
          strikes: [...strikes].toSorted((a, b) => a - b).map(Strike.fromThousandths)
        }))
  }
}

/** What to keep; all where nothing is said. */
interface PartOptions {
  readonly expiration?: CalendarDate.CalendarDate | undefined
  readonly side?: OptionSymbol.Side | undefined
}

/**
 * Returns the contracts of a chain that have the expiration and the side, in the same order; the chain itself where that is all of them.
 * Findings name rows of the whole chain, and are not carried over.
 */
const partOf = (chain: OptionChain.OptionChain, { expiration, side }: PartOptions): OptionChain.OptionChain => {
  const { codes, series } = chain.optionSymbol
  const isKept = series.map((of) =>
    (expiration === undefined || CalendarDate.Equivalence(of.expiration, expiration)) &&
    (side === undefined || of.side === side)
  )
  if (!isKept.includes(false)) return chain
  return ColumnTable.filter(chain, (row) => isKept[codes[row]!]!)
}
