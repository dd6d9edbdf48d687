import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Period from "../period.ts"
import * as Question from "../question.ts"
import * as Refusals from "../refusals.ts"
import * as Reports from "../reports.ts"

/** The earnings of a company, past and expected. */
export const read: Question.Reader = ({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const period = yield* Period.read(parameters)
    const query = yield* Refusals.query(
      Query.stockEarnings(
        symbol,
        Period.inDays(period) as StockEarnings.Options<StockEarnings.Column, Endpoint.UncachedMode>
      )
    )
    return {
      query,
      answer: (view) => {
        const at = view.known("stocks")
        const within = (range: Reports.Range) => view.market.earnings(symbol, { ...range, at })
        return Result.map(Reports.find(period, Reports.quarters, at, within), (earnings) => Question.table(earnings))
      }
    }
  })
