import * as Query from "@effect-marketdata/core/Query"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as Result from "effect/Result"
import * as Parameters from "../parameters.ts"
import * as Question from "../question.ts"
import * as Refusals from "../refusals.ts"
import * as Tickers from "../tickers.ts"

/** One price a ticker (contract 4.5). */
export const read: Question.Reader = (asked) =>
  Result.gen(function*() {
    const symbols = yield* Tickers.read(asked)
    const extended = yield* Parameters.flag(asked.parameters, "extended")
    const query = yield* Refusals.query(Query.stockPrices(symbols, { extended }))
    return {
      query,
      answer: (view) =>
        Result.map(
          Tickers.rows(StockPrices.spec, query.tickers, view, "stocks", view.market.stockPrices),
          (prices) => Question.table(prices, prices.symbol.values)
        )
    }
  })
