import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Period from "../period.ts"
import * as Question from "../question.ts"
import * as Refusals from "../refusals.ts"
import * as Reports from "../reports.ts"

/** The news about a company. */
export const read: Question.Reader = ({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const period = yield* Period.read(parameters)
    const query = yield* Refusals.query(
      Query.stockNews(
        symbol,
        Period.inDays(period) as StockNews.Options<StockNews.Column, Endpoint.UncachedMode>
      )
    )
    return {
      query,
      answer: (view) => {
        const updated = view.known("stocks")
        const within = (range: Reports.Range) => view.market.news(symbol, { ...range, at: updated })
        return Result.map(
          Reports.find(period, Reports.days, updated, within),
          (news) => Question.table(news, [], { updated })
        )
      }
    }
  })
