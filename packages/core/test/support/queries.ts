/** Queries for tests. */
import { type CalendarDate, DataMode, type OptionChain, Query } from "@effect-marketdata/core"
import * as Result from "effect/Result"

/** What can be asked of a chain, the types of mode and columns left open. */
export interface Options {
  readonly mode?: DataMode.DataMode | undefined
  readonly date?: CalendarDate.Input | undefined
  readonly expiration?: CalendarDate.Input | undefined
  readonly side?: "call" | "put" | undefined
  readonly columns?: ReadonlyArray<OptionChain.Column> | undefined
  readonly assume?: Query.Assumptions | undefined
}

/** A query about the chain of AAPL. */
export const chain = (options: Options = {}, underlying = "AAPL"): Query.Query<OptionChain.OptionChain> =>
  Result.getOrThrow(Query.optionChain(underlying, options))

/** Well-formed queries to every endpoint. */
export { query as anyKind } from "@effect-marketdata/testing/Queries"
