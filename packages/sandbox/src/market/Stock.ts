/**
 * The stocks and ETFs of the market under their real tickers: those that have options, and a few that have none. Names, sizes and earnings
 * are of the right order, and nothing else is real.
 *
 * @example
 * ```ts
 * import * as Stock from "@effect-marketdata/sandbox/Stock"
 *
 * Stock.all.map(({ symbol }) => symbol).includes("AAPL") // => true
 * Stock.all.map(({ symbol }) => symbol).includes("SPX") // => false
 * ```
 *
 * @since 0.1.0
 */
import type { Asset } from "./Spot.ts"
import * as Underlying from "./Underlying.ts"

/**
 * A stock and all that its quotes depend on.
 *
 * - `shares`: what is traded in a session, give or take
 * - `spread`: the widest distance of bid and ask, in cents
 * - `company`: what it earns in a year in dollars a share, and the month in which its fiscal year ends; undefined for ETFs
 *
 * @category models
 * @since 0.1.0
 */
export interface Stock extends Asset {
  readonly symbol: string
  readonly name: string
  readonly shares: number
  readonly spread: number
  readonly company: { readonly earnings: number; readonly yearEnds: number } | undefined
}

/** What a stock has of its own. Fiscal years end in December, unless said otherwise. */
type Traits = Pick<Stock, "name" | "shares" | "spread"> & {
  readonly earnings?: number
  readonly yearEnds?: number
}

/** The price and its path are those of the options on it. */
const optionable: Readonly<Record<string, Traits>> = {
  "SPY": { name: "SPDR S&P 500 ETF", shares: 70_000_000, spread: 2 },
  "QQQ": { name: "Invesco QQQ", shares: 45_000_000, spread: 2 },
  "IWM": { name: "iShares Russell 2000 ETF", shares: 30_000_000, spread: 2 },
  "AAPL": { name: "Apple", shares: 50_000_000, spread: 4, earnings: 7.2, yearEnds: 9 },
  "MSFT": { name: "Microsoft", shares: 21_000_000, spread: 12, earnings: 14, yearEnds: 6 },
  "NVDA": { name: "Nvidia", shares: 180_000_000, spread: 3, earnings: 3.6, yearEnds: 1 },
  "TSLA": { name: "Tesla", shares: 90_000_000, spread: 8, earnings: 2.2 },
  "AMZN": { name: "Amazon", shares: 42_000_000, spread: 4, earnings: 6.4 },
  "BRK.B": { name: "Berkshire Hathaway", shares: 4_500_000, spread: 18, earnings: 21 },
  "F": { name: "Ford", shares: 65_000_000, spread: 1, earnings: 1.4 }
}

const plain: Readonly<Record<string, Traits & Pick<Stock, "price" | "volatility">>> = {
  "GOOGL": { name: "Alphabet", price: 290, volatility: 0.29, shares: 32_000_000, spread: 5, earnings: 9.6 },
  "META": { name: "Meta Platforms", price: 640, volatility: 0.33, shares: 14_000_000, spread: 16, earnings: 26 },
  "JPM": { name: "JPMorgan Chase", price: 305, volatility: 0.22, shares: 9_000_000, spread: 7, earnings: 20 },
  "KO": { name: "Coca-Cola", price: 71, volatility: 0.15, shares: 15_000_000, spread: 1, earnings: 2.9 },
  "DIS": { name: "Walt Disney", price: 112, volatility: 0.26, shares: 9_500_000, spread: 3, earnings: 5.8, yearEnds: 9 }
}

const stock = (
  symbol: string,
  { earnings, yearEnds = 12, ...traits }: Traits,
  { path, price, volatility }: Asset
): Stock => ({
  symbol,
  ...traits,
  path,
  price,
  volatility,
  company: earnings === undefined ? undefined : { earnings, yearEnds }
})

/**
 * Every stock of the market, by symbol.
 *
 * @category constants
 * @since 0.1.0
 */
export const all: ReadonlyArray<Stock> = [
  ...Underlying.all.flatMap((underlying) => {
    const traits = optionable[underlying.symbol]
    return traits === undefined ? [] : [stock(underlying.symbol, traits, underlying)]
  }),
  ...Object.entries(plain).map(([symbol, traits]) => stock(symbol, traits, { path: symbol, ...traits }))
].toSorted((a, b) => a.symbol < b.symbol ? -1 : 1)
