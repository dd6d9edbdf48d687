/**
 * Requests that are held to a price that goes by the size of a chain that was seen: what is set aside, or consented to, is then a ceiling also where
 * the chain has grown.
 */
import * as ChainSize from "@effect-marketdata/core/ChainSize"
import type * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import { type Asking, type BatchResult, estimate } from "./asking.ts"

/** A query that asks for no more contracts than its price is for. */
export const held = <Data>(asking: Asking, query: Query.Query<Data>): Query.Query<Data> =>
  asking.seen === undefined ? query : ChainSize.limited(query, estimate(asking, query))

const limitOf = ({ parameters }: Query.Query): string | undefined => parameters.find(([name]) => name === "limit")?.[1]

/** How many contracts came back where they were as many as a request of a query was held to, which is one more than was seen: there may be more. */
export const reached = ({ query: part, result }: BatchResult<unknown>, query: Query.Query): number | undefined => {
  const limit = limitOf(part)
  if (limit === undefined || limit === limitOf(query) || Result.isFailure(result)) return undefined
  const data = result.success.data as string | { readonly length: number }
  const rows = typeof data === "string" ? data.trimEnd().split("\n").length - 1 : data.length
  return rows === Number(limit) ? rows : undefined
}
