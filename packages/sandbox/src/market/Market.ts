/**
 * The market of the sandbox: synthetic options on real tickers. Nothing in it happens: every price is a pure function of the seed and of
 * the time asked for, so that any moment can be shown in any order, and shows the same again.
 *
 * Quotes are taken on each minute of the New York session. Between sessions the market shows the close of the last one, contracts included
 * that expired with it; the list moves on when the next session opens.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as Eastern from "@effect-marketdata/core/Eastern"
 * import * as Market from "@effect-marketdata/sandbox/market/Market"
 *
 * const market = Market.make({ seed: 1 })
 * const friday = CalendarDate.parseUnsafe("2026-11-20")
 * market.chain("SPX", Eastern.at(friday, 12, 0))?.length // => 22718
 * market.chain("SPX", Eastern.at(friday, 20, 0)) === market.endOfDay("SPX", friday) // => true
 * market.endOfDay("SPX", CalendarDate.addDays(friday, 1)) // => undefined
 * ```
 *
 * @since 0.1.0
 */
import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as ChainFilter from "./ChainFilter.ts"
import * as ChainSnapshot from "./ChainSnapshot.ts"
import * as Listing from "./Listing.ts"
import * as Memo from "./Memo.ts"
import * as QuoteTime from "./QuoteTime.ts"
import * as Underlying from "./Underlying.ts"

/**
 * A market.
 *
 * - `seed`: what its prices depend on beside the time
 * - `underlyings`: what its options are on
 * - `find`: the underlying with exactly this symbol
 * - `chain`: the chain of an underlying at a time in epoch seconds, every listed contract with all 25 columns; undefined where the
 *   underlying is not known, or the year is not one of `QuoteTime.years`
 * - `endOfDay`: the chain at the close of a day; undefined, beside the above, where the day has no session
 * - `filter`: the contracts of a chain with an expiration, a side or both
 *
 * @category models
 * @since 0.1.0
 */
export interface Market {
  readonly seed: number
  readonly underlyings: ReadonlyArray<Underlying.Underlying>
  readonly find: (symbol: string) => Underlying.Underlying | undefined
  readonly chain: (symbol: string, at: number) => OptionChain.OptionChain | undefined
  readonly endOfDay: (symbol: string, day: CalendarDate.CalendarDate) => OptionChain.OptionChain | undefined
  readonly filter: (chain: OptionChain.OptionChain, options: ChainFilter.Options) => OptionChain.OptionChain
}

/** So many for each underlying; one of SPX takes 4 MB. */
const chainsRemembered = 4

/**
 * Creates a market. The seed is a whole number, 1 if left out, and counts modulo 2^32. The market remembers the last few chains that it
 * showed, so that asking twice within a minute costs nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: { readonly seed?: number | undefined } = {}): Market => {
  const seed = options.seed ?? 1
  const bySymbol = new Map(Underlying.all.map((underlying) => {
    const listing = Listing.make(seed, underlying)
    const chainAt = Memo.recent(
      chainsRemembered,
      (time: QuoteTime.QuoteTime) => time.moment,
      (time) => ChainSnapshot.make(seed, underlying, time, listing(time.day))
    )
    return [underlying.symbol, { underlying, chainAt }]
  }))
  const chainAt = (symbol: string, time: QuoteTime.QuoteTime | undefined) =>
    time === undefined ? undefined : bySymbol.get(symbol)?.chainAt(time)
  return {
    seed,
    underlyings: Underlying.all,
    find: (symbol) => bySymbol.get(symbol)?.underlying,
    chain: (symbol, at) => chainAt(symbol, QuoteTime.at(at)),
    endOfDay: (symbol, day) => chainAt(symbol, QuoteTime.atClose(day)),
    filter: ChainFilter.filter
  }
}
