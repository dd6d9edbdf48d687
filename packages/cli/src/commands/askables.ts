/** Every command that asks a query, in the order of the help: each is also a command under `estimate`, and a task of a plan. */
import type { Askable } from "../asking/askable.ts"
import { chain } from "./chain.ts"
import { expirations } from "./expirations.ts"
import { fundCandles } from "./fundCandles.ts"
import { lookup } from "./lookup.ts"
import { marketStatus } from "./marketStatus.ts"
import { quote } from "./quote.ts"
import { stockBulkCandles } from "./stockBulkCandles.ts"
import { stockCandles } from "./stockCandles.ts"
import { stockEarnings } from "./stockEarnings.ts"
import { stockNews } from "./stockNews.ts"
import { stockPrices } from "./stockPrices.ts"
import { stockQuote } from "./stockQuote.ts"
import { strikes } from "./strikes.ts"

export const askables: ReadonlyArray<Askable> = [
  chain,
  quote,
  lookup,
  expirations,
  strikes,
  stockQuote,
  stockPrices,
  stockCandles,
  stockBulkCandles,
  stockNews,
  stockEarnings,
  fundCandles,
  marketStatus
]
