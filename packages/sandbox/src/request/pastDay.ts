import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Parameters from "./parameters.ts"
import * as Refusals from "./refusals.ts"

/** Refuses a `date` that is not past in New York, with the contract's own body (clauses 4.1-date and 7.3-date-errmsg). */
export const check = (query: Query.Query, now: number): Result.Result<void, Refusals.Refusal> =>
  Result.mapError(Query.checkDate(query, now), () => Refusals.invalidDate)

/** Refuses any `date` where there are only current data: the quotes and prices of stocks (contract 7.3, cause 6). */
export const checkCurrent = (
  { date, kind }: Endpoint.Endpoint,
  parameters: Parameters.Parameters
): Result.Result<void, Refusals.Refusal> =>
  date === "none" && kind === "quotes" && Parameters.text(parameters, "date") !== undefined
    ? Result.fail(Refusals.invalidDate)
    : Result.succeed(undefined)
