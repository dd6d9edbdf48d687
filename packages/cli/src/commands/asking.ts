/** Every command that asks a query, in the order of the help: each is also a command under `estimate`, and a task of a plan. */
import { type Askable, type Row, row } from "../asking/command.ts"

const stock = () => import("./stock.ts")
const candles = () => import("./candles.ts")

export const asking: ReadonlyArray<Row<Askable>> = [
  row("chain", "Fetch an option chain", () => import("./chain.ts").then(({ askable }) => askable)),
  row("quote", "Fetch quotes of options", () => import("./quote.ts").then(({ askable }) => askable)),
  row(
    "lookup",
    "Find the symbol of a contract by its description",
    () => import("./lookup.ts").then(({ askable }) => askable)
  ),
  row(
    "expirations",
    "List the expirations of an underlying's options",
    () => import("./expirations.ts").then(({ askable }) => askable)
  ),
  row(
    "strikes",
    "List the strikes of an underlying's options, by expiration",
    () => import("./strikes.ts").then(({ askable }) => askable)
  ),
  row("stock quote", "Fetch quotes of stocks", () => stock().then(({ quote }) => quote)),
  row(
    "stock prices",
    "Fetch prices of stocks: the middle between bid and ask",
    () => stock().then(({ prices }) => prices)
  ),
  row(
    "stock candles",
    "Fetch the candles of one stock: open, high, low, close, volume",
    () => candles().then(({ ofStock }) => ofStock)
  ),
  row(
    "stock bulk-candles",
    "Fetch the candle of one day of many stocks",
    () => candles().then(({ ofManyStocks }) => ofManyStocks)
  ),
  row("stock news", "Fetch news about a company", () => stock().then(({ news }) => news)),
  row(
    "stock earnings",
    "Fetch the earnings of a company, reported and expected",
    () => stock().then(({ earnings }) => earnings)
  ),
  row(
    "fund candles",
    "Fetch the candles of a fund: open, high, low, close",
    () => candles().then(({ ofFund }) => ofFund)
  ),
  row(
    "market status",
    "Ask on which days the market is open",
    () => import("./marketStatus.ts").then(({ askable }) => askable)
  )
]
