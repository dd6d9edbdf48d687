/** Every command that asks a query, in the order of the help: each is also a command under `estimate`, and a task of a plan. */
import type { Askable, Row } from "../asking/command.ts"

const row = (
  name: string,
  description: string,
  load: () => Promise<{ readonly askable: Askable }>
): Row<Askable> => ({ name, description, load: () => load().then(({ askable }) => askable) })

export const asking: ReadonlyArray<Row<Askable>> = [
  row("chain", "Fetch an option chain", () => import("./chain.ts")),
  row("quote", "Fetch quotes of options", () => import("./quote.ts")),
  row("lookup", "Find the symbol of a contract by its description", () => import("./lookup.ts")),
  row("expirations", "List the expirations of an underlying's options", () => import("./expirations.ts")),
  row("strikes", "List the strikes of an underlying's options, by expiration", () => import("./strikes.ts")),
  row("stock quote", "Fetch quotes of stocks", () => import("./stockQuote.ts")),
  row("stock prices", "Fetch prices of stocks: the middle between bid and ask", () => import("./stockPrices.ts")),
  row(
    "stock candles",
    "Fetch the candles of one stock: open, high, low, close, volume",
    () => import("./stockCandles.ts")
  ),
  row("stock bulk-candles", "Fetch the candle of one day of many stocks", () => import("./stockBulkCandles.ts")),
  row("stock news", "Fetch news about a company", () => import("./stockNews.ts")),
  row("stock earnings", "Fetch the earnings of a company, reported and expected", () => import("./stockEarnings.ts")),
  row("fund candles", "Fetch the candles of a fund: open, high, low, close", () => import("./fundCandles.ts")),
  row("market status", "Ask on which days the market is open", () => import("./marketStatus.ts"))
]
