/** The limit that a query is sent with where its price goes by a remembered size: the reply costs no more, and one as long as that shows that there is more. */
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import type * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import { type Asking, type BatchResult, estimate } from "./asking.ts"

/** A query that asks for no more contracts than its price is for. */
export const limitedByPrice = <Data>(asking: Asking, query: Query.Query<Data>): Query.Query<Data> =>
  asking.seen === undefined ? query : ChainSize.limited(query, estimate(asking, query))

/** How many contracts came back where they were as many as a request of a query was held to, which is one more than was seen: there may be more. */
export const rowsAtLimit = ({ query: part, result }: BatchResult<unknown>, query: Query.Query): number | undefined => {
  const { limit } = part.options
  if (limit === undefined || limit === query.options["limit"] || Result.isFailure(result)) return undefined
  const data = result.success.data as string | { readonly length: number }
  const rows = typeof data === "string" ? data.trimEnd().split("\n").length - 1 : data.length
  return rows === limit ? rows : undefined
}
