import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Query from "@effect-marketdata/core/Query"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Parameters from "../request/parameters.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"
import * as Tickers from "./tickers.ts"

/** One daily candle a ticker: of a day, or of the last session that is over (contract 4.5). */
export const read: Found.Reader = (asked) =>
  Result.gen(function*() {
    const { parameters } = asked
    const date = yield* Parameters.date(parameters, "relative")
    const adjustsplits = yield* Parameters.flag(parameters, "adjustsplits")
    const snapshot = yield* Parameters.flag(parameters, "snapshot")
    const symbols = snapshot === true ? "all" : yield* Tickers.read(asked)
    const query = yield* Refusals.query(Query.stockBulkCandles(symbols, { date, adjustsplits }))
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const newest = view.newest("stocks")
          const isClosed = date !== undefined && !TradingCalendar.isTradingDay(TradingCalendar.NYSE, date)
          if (isClosed) return yield* Result.fail(Refusals.marketClosed)
          const day = date ?? lastOver(newest)
          if (day === undefined || NewYork.midnight(day) > newest) return yield* Result.fail(Refusals.noData)
          const candles = view.market.bulkCandles(symbols === "all" ? symbols : query.tickers, day, newest)
          if (candles.length === 0) return yield* Result.fail(Refusals.symbolNotFound)
          // Of a single ticker the public service does not say which it is.
          return asked.profile === "public" && query.tickers.length === 1
            ? Found.table(ColumnTable.select(candles, ["o", "h", "l", "c", "v", "t"]))
            : Found.table(candles)
        })
    }
  })

/** The day of the last session that is over at a moment. */
const lastOver = (moment: number) =>
  Option.getOrUndefined(
    Option.flatMap(TradingCalendar.sessionOf(TradingCalendar.NYSE, moment), (session) =>
      session.close <= moment
        ? Option.some(session.date)
        : TradingCalendar.previousTradingDay(TradingCalendar.NYSE, session.date))
  )
