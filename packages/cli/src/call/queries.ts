/** Every command that asks a query, in the order of the help: each is also a command under `estimate`, and a task of a plan. */
import { type Askable, type Row, rows } from "./command.ts"

const listed = () => import("../commands/listed.ts")
const stock = () => import("../commands/stock.ts")
const candles = () => import("../commands/candles.ts")

export const queryCommands: ReadonlyArray<Row<Askable>> = [
  ...rows(() => import("../commands/options.ts"), {
    "chain": "Fetch an option chain",
    "quote": "Fetch quotes of options"
  }),
  ...rows(listed, {
    "lookup": "Find the symbol of a contract by its description",
    "expirations": "List the expirations of an underlying's options",
    "strikes": "List the strikes of an underlying's options, by expiration"
  }),
  ...rows(stock, {
    "stock quote": "Fetch quotes of stocks",
    "stock prices": "Fetch prices of stocks: the middle between bid and ask"
  }),
  ...rows(candles, {
    "stock candles": "Fetch the candles of one stock: open, high, low, close, volume",
    "stock bulk-candles": "Fetch the candle of one day of many stocks"
  }),
  ...rows(stock, {
    "stock news": "Fetch news about a company",
    "stock earnings": "Fetch the earnings of a company, reported and expected"
  }),
  ...rows(candles, { "fund candles": "Fetch the candles of a fund: open, high, low, close" }),
  ...rows(listed, { "market status": "Ask on which days the market is open" })
]
