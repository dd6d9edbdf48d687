import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Parameters from "../request/parameters.ts"
import * as Period from "../request/period.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"

/** The most days of one reply: ten years, which no calendar is asked for at once. */
const mostDays = 3660

/** On which days the market is open: today, a day, a range, or the last days before one. */
export const read: Found.Reader = ({ parameters }) =>
  Result.gen(function*() {
    const country = yield* Parameters.choice(parameters, "country", ["US"])
    const period = Period.inDays(yield* Period.read(parameters))
    const query = yield* Refusals.query(
      Query.marketStatus(
        { ...period, country } as MarketStatus.Options<MarketStatus.Column, Endpoint.UncachedMode>
      )
    )
    return {
      query,
      answer: (view) => {
        const today = NewYork.dateOf(view.now)
        const { countback, date } = period
        const to = date ?? period.to ?? (period.from === undefined ? today : latest(period.from, today))
        const from = date ?? period.from ?? CalendarDate.addDays(to, 1 - Math.min(countback ?? 1, mostDays))
        const days = CalendarDate.toEpochDay(to) - CalendarDate.toEpochDay(from) + 1
        return days > mostDays
          ? Result.fail(Refusals.tooMuchData("Too much data. Ask for at most ten years of days."))
          : Result.succeed(Found.table(view.market.marketStatus({ from, to })))
      }
    }
  })

const latest = (a: CalendarDate.CalendarDate, b: CalendarDate.CalendarDate): CalendarDate.CalendarDate =>
  CalendarDate.toEpochDay(a) > CalendarDate.toEpochDay(b) ? a : b
