import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Candles from "./candles.ts"
import * as Parameters from "../request/parameters.ts"
import * as Period from "../request/period.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"

/** The candles of a stock. The market has neither splits nor dividends, so that adjusting for them changes nothing. */
export const read: Found.Reader = ({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const resolution = segments["resolution"]!
    const period = yield* Period.read(parameters)
    const extended = yield* Parameters.flag(parameters, "extended")
    const options = {
      ...period,
      date: undefined,
      extended,
      adjustsplits: yield* Parameters.flag(parameters, "adjustsplits"),
      adjustdividends: yield* Parameters.flag(parameters, "adjustdividends")
    }
    const query = yield* Refusals.query(
      Query.stockCandles(
        // Core judges the text, whatever its type says.
        resolution as StockCandles.Resolution,
        symbol,
        options as StockCandles.Options<StockCandles.Column, Endpoint.UncachedMode>
      )
    )
    return {
      query,
      answer: (view) => {
        const at = view.newest("stocks")
        const between: Candles.Between<StockCandles.StockCandles> = (from, to) =>
          view.market.stockCandles(symbol, { resolution, from, to, at, extended })
        return Result.map(Candles.find(resolution, period, at, between), (candles) => Found.table(candles))
      }
    }
  })
