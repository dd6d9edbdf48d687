import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Listed from "../view/listed.ts"
import * as Parameters from "../request/parameters.ts"
import * as PastDay from "../request/pastDay.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"

/** The expirations that are listed, now or on a past day. What is listed is known at once, whatever the plan. */
export const read: Found.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const underlying = segments["underlyingSymbol"]!
    const date = yield* Parameters.date(parameters)
    const strike = yield* Parameters.number(parameters, "strike")
    const nonstandard = yield* Parameters.flag(parameters, "nonstandard")
    const query = yield* Refusals.query(Query.optionExpirations(underlying, { date, strike, nonstandard }))
    yield* PastDay.check(query, parameters.now)
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const updated = yield* Listed.moment(view, date)
          const expirations = view.market.expirations(underlying, updated, strike, {
            nonstandard: nonstandard ?? Listed.hasNonstandard(profile)
          })
          return expirations === undefined || expirations.length === 0
            ? yield* Result.fail(Refusals.noData)
            : Found.fields({ expirations: expirations.map(CalendarDate.format), updated })
        })
    }
  })
