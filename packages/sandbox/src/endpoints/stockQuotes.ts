import * as Query from "@effect-marketdata/core/Query"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as Result from "effect/Result"
import * as Parameters from "../request/parameters.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"
import * as Tickers from "./tickers.ts"

/** The quotes of stocks; the 52 weeks and the day's candle come only when they are asked for (contract 4.4). */
export const read: Found.Reader = (asked) =>
  Result.gen(function*() {
    const { list, parameters } = asked
    const symbols = yield* Tickers.read(asked)
    const weeks = yield* Parameters.flag(parameters, "52week")
    const candle = (yield* Parameters.flag(parameters, "candle")) === true
    const extended = yield* Parameters.flag(parameters, "extended")
    const one = weeks === true && !list ? (["52week"] as const) : []
    const query = yield* Refusals.query<Query.Query>(
      list
        ? Query.stockQuotes(symbols, { extended, include: candle ? ["candle"] : [] })
        : Query.stockQuote(symbols[0]!, { extended, include: candle ? [...one, "candle"] : one })
    )
    return {
      query,
      answer: (view) =>
        Result.map(
          Tickers.rows(StockQuotes.spec, query.tickers, view, "stocks", view.market.stockQuotes),
          (quotes) => Found.table(quotes, quotes.symbol.values)
        )
    }
  })
