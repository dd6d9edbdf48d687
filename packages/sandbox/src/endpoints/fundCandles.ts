import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Candles from "./candles.ts"
import * as Period from "../request/period.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"

/** The candles of a fund, none of them shorter than a day. */
export const read: Found.Reader = ({ parameters, segments }) =>
  Result.gen(function*() {
    const symbol = segments["symbol"]!
    const resolution = segments["resolution"]!
    const period = yield* Period.read(parameters)
    const options = { ...period, date: undefined }
    const query = yield* Refusals.query(
      Query.fundCandles(
        // Core judges the text, whatever its type says.
        resolution as FundCandles.Resolution,
        symbol,
        options as FundCandles.Options<FundCandles.Column, Endpoint.UncachedMode>
      )
    )
    return {
      query,
      answer: (view) => {
        const at = view.newest("stocks")
        const between: Candles.Between<FundCandles.FundCandles> = (from, to) =>
          view.market.fundCandles(symbol, { resolution, from, to, at })
        return Result.map(Candles.find(resolution, period, at, between), (candles) => Found.table(candles))
      }
    }
  })
