import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Listed from "../view/listed.ts"
import * as Parameters from "../request/parameters.ts"
import * as PastDay from "../request/pastDay.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"

/** The strikes that are listed, expiration by expiration, now or on a past day. */
export const read: Found.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const underlying = segments["underlyingSymbol"]!
    const date = yield* Parameters.date(parameters)
    const expiration = yield* Parameters.day(parameters, "expiration")
    const query = yield* Refusals.query(Query.optionStrikes(underlying, { date, expiration }))
    yield* PastDay.check(query, parameters.now)
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const updated = yield* Listed.moment(view, date)
          const listings = view.market.strikes(underlying, updated, expiration, {
            nonstandard: Listed.hasNonstandard(profile)
          })
          return listings === undefined || listings.length === 0
            ? yield* Result.fail(Refusals.noData)
            : Found.fields({
              updated,
              ...Object.fromEntries(
                listings.map(({ expiration, strikes }) => [CalendarDate.format(expiration), strikes])
              )
            })
        })
    }
  })
