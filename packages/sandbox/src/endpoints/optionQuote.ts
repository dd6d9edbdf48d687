import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Query from "@effect-marketdata/core/Query"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Result from "effect/Result"
import * as Parameters from "../request/parameters.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"
import type { View } from "../view/view.ts"

/** The quote of one contract: now, at the end of a past day, or at the end of each day of a range (contract 4.2). */
export const read: Found.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const date = yield* Parameters.date(parameters)
    const { from, to } = yield* Parameters.several(parameters, Parameters.day, ["from", "to"])
    if (date !== undefined && (from ?? to) !== undefined) return yield* Result.fail(Refusals.dateWithRange)
    const query = yield* Refusals.query(
      Query.optionQuote(
        segments["optionSymbol"]!,
        { date, from, to } as OptionQuote.Options<OptionQuote.Column, Endpoint.AnyMode>
      )
    )
    yield* Parameters.checkPastDay(query, parameters.now)
    const [underlying] = query.tickers
    const symbols = [query.subject]
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          if (from !== undefined || to !== undefined) {
            return Found.table(yield* eachDay(view, query.subject, from, to), symbols)
          }
          if (date !== undefined) {
            if (!TradingCalendar.isTradingDay(TradingCalendar.NYSE, date)) {
              return yield* Result.fail(Refusals.marketClosed)
            }
            if (!view.isOver("options", date)) return yield* Result.fail(Refusals.noData)
            const quotes = view.market.optionQuotesAtClose(symbols, date)
            const known = yield* Refusals.notEmpty(quotes, Refusals.optionNotFound)
            return Found.table(
              profile === "public" ? Found.withoutGreeks(OptionQuote.spec, known) : known,
              symbols
            )
          }
          const at = view.at("options", underlying!)
          if (at === undefined) return yield* Result.fail(Refusals.noContent)
          const quotes = view.market.optionQuotes(symbols, at)
          return Found.table(yield* Refusals.notEmpty(quotes, Refusals.optionNotFound), [underlying!])
        })
    }
  })

/** The most days of one series. What the service does with more is not known; the sandbox refuses them, as it does intraday candles of over a year. */
const mostDays = 366

/** The quotes at the close of each session from one day to before another, as far as they are over. */
const eachDay = (
  view: View,
  symbol: string,
  from: CalendarDate.CalendarDate | undefined,
  to: CalendarDate.CalendarDate | undefined
): Result.Result<OptionQuote.OptionQuote, Refusals.Refusal> => {
  const today = NewYork.epochDayOf(view.now)
  const end = to === undefined ? today : Math.min(CalendarDate.toEpochDay(to), today)
  const start = from === undefined ? end - mostDays : CalendarDate.toEpochDay(from)
  if (end - start > mostDays) {
    return Result.fail(Refusals.tooMuchData("Too much data. Ask for at most one year of quotes."))
  }
  const days: Array<OptionQuote.OptionQuote> = []
  for (let day = start; day < end; day++) {
    const date = CalendarDate.fromEpochDay(day)
    if (view.isOver("options", date)) days.push(view.market.optionQuotesAtClose([symbol], date))
  }
  const all = days.filter(({ length }) => length > 0)
  if (all.length === 0) return Result.fail(Refusals.noData)
  const merged = ColumnTable.merge(OptionQuote.spec, all)
  return Result.succeed(view.profile === "public" ? Found.withoutGreeks(OptionQuote.spec, merged) : merged)
}
