import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Refusals from "./refusals.ts"

/** Refuses a `date` that is not past in New York, with the contract's own body (clauses 4.1-date and 7.3-date-errmsg). */
export const check = (query: Query.Query, now: number): Result.Result<void, Refusals.Refusal> =>
  Result.mapError(Query.checkDate(query, now), () => Refusals.dateNotPast)
