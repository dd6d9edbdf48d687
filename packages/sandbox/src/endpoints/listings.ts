import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as Found from "../view/found.ts"
import * as View from "../view/view.ts"

/** The expirations that are listed, now or on a past day. Listings are not delayed in any plan. */
export const expirations: Found.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const underlying = segments["underlyingSymbol"]!
    const date = yield* Parameters.date(parameters)
    const strike = yield* Parameters.number(parameters, "strike")
    const nonstandard = yield* Parameters.flag(parameters, "nonstandard")
    const query = yield* Refusals.query(Query.optionExpirations(underlying, { date, strike, nonstandard }))
    yield* Parameters.checkPastDay(query, parameters.now)
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const moment = yield* View.listedAt(view, date)
          const listed = view.market.expirations(underlying, moment, strike, {
            nonstandard: nonstandard ?? View.hasNonstandard(profile)
          })
          const expirations = yield* Refusals.notEmpty(listed?.filter(View.isListed(view, underlying, date)))
          return Found.fields({
            expirations: expirations.map(CalendarDate.format),
            updated: View.listedSince(view, date, moment)
          })
        })
    }
  })

/** The strikes that are listed, expiration by expiration, now or on a past day. */
export const strikes: Found.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const underlying = segments["underlyingSymbol"]!
    const date = yield* Parameters.date(parameters)
    const expiration = yield* Parameters.day(parameters, "expiration")
    const query = yield* Refusals.query(Query.optionStrikes(underlying, { date, expiration }))
    yield* Parameters.checkPastDay(query, parameters.now)
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const moment = yield* View.listedAt(view, date)
          const isListed = View.isListed(view, underlying, date)
          const listed = view.market.strikes(underlying, moment, expiration, {
            nonstandard: View.hasNonstandard(profile)
          })
          const listings = yield* Refusals.notEmpty(listed?.filter(({ expiration }) => isListed(expiration)))
          return Found.fields({
            updated: View.listedSince(view, date, moment),
            ...Object.fromEntries(listings.map(({ expiration, strikes }) => [CalendarDate.format(expiration), strikes]))
          })
        })
    }
  })
