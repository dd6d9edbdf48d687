/**
 * The mutual funds of the market, under real tickers. A fund has one price a day, that of the close; each follows an index, less what it
 * holds in bonds.
 */
import type { Asset } from "./Spot.ts"

/** A fund: the walk that it follows, and how far. */
export interface Fund extends Asset {
  readonly symbol: string
}

/** Every fund of the market, by symbol. */
export const all: ReadonlyArray<Fund> = [
  { symbol: "FXAIX", path: "SPX", price: 237, volatility: 0.16 },
  { symbol: "VBIAX", path: "SPX", price: 54, volatility: 0.1 },
  { symbol: "VFINX", path: "SPX", price: 628, volatility: 0.16 },
  { symbol: "VTSMX", path: "SPX", price: 163, volatility: 0.165 }
]
