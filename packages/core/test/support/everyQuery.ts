/** Queries to every endpoint, drawn as the testing package draws them, and what a test asks of how one is made. */
import type { Query, Reason } from "@effect-marketdata/core"
import * as Queries from "@effect-marketdata/testing/Queries"
import * as Result from "effect/Result"
import * as fc from "fast-check"

export { query, ticker } from "@effect-marketdata/testing/Queries"

export const tickers = (maxLength: number): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.array(Queries.ticker, { minLength: 1, maxLength })

/** A query, or why there is none. */
export type Asked = Result.Result<Query.Query, Reason.InvalidQuery>

/** The well-formed query, or a failing test. */
export const made = <A, E>(result: Result.Result<A, E>): A => Result.getOrThrow(result)

/** The parameter that a query was refused for; `undefined` where it was not refused. */
export const refusedFor = (result: Result.Result<unknown, Reason.InvalidQuery>): string | undefined =>
  Result.isFailure(result) ? result.failure.parameter : undefined
