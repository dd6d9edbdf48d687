/**
 * Queries to the service as values. Each constructor returns a `Result`: a well-formed query, or an `InvalidQuery` that says which option
 * is wrong and why. Everything that can be known about a query is known before anything is sent.
 *
 * Every option is checked at run time too, for callers without types: JavaScript, JSON, URLs. They may also give a mode by its name in
 * the contract: `"live"`, `"delayed"`, `"cached"`, `"cache"` or `"stale"`. Any other value, and an option that does not exist, is an
 * `InvalidQuery`.
 *
 * @example
 * ```ts
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Query.optionChain("SPX", { expiration: "all", mode: DataMode.cached({ maxAge: "5 minutes" }) })
 * Result.map(query, Query.target)
 * // => Result.succeed("/v1/options/chain/SPX/?expiration=all&mode=cached&maxage=5min")
 * ```
 *
 * @see {@link DataMode} for the modes
 * @see {@link Credits} for what a query costs
 * @see {@link HttpRequest} for the requests that it takes
 * @see `MarketData` of the client, which asks it
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import * as Form from "../query/query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Define from "./define.ts"
import { type EndpointName, endpoints } from "./list.ts"

/**
 * What a query is, and what can be made of one.
 *
 * @since 0.1.0
 */
export * from "../query/query.ts"

/**
 * The constructors of queries, by endpoint, and the rows of all endpoints.
 *
 * @since 0.1.0
 */
export * from "./list.ts"

/**
 * Returns whether a value is a query to one of these endpoints. A constructor returns a `Result`, which is not a query itself but holds
 * one.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Query.isQuery(Result.getOrThrow(Query.stockPrices(["AAPL"]))) // => true
 * Query.isQuery({ endpoint: "stockPrices" }) // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const isQuery = (input: unknown): input is Form.Query =>
  Form.isQuery(input) && Object.hasOwn(endpoints, input.endpoint.name)

/**
 * Checks that a value is a query, for functions that untyped code may call. Returns the query, and fails with `InvalidQuery` for anything
 * else.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.isFailure(Query.check({ endpoint: "stockPrices" })) // => true
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const check = (input: unknown): Result.Result<Form.Query, InvalidQuery> => Form.check(input, isQuery)

/**
 * Returns the columns of what answers a query, and undefined where that is not a table.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Object.keys(Query.specOf(Result.getOrThrow(Query.stockPrices(["AAPL"]))) ?? {}) // => [ "symbol", "mid", "change", "changepct", "updated" ]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const specOf = (self: Form.Query): ColumnSpec | undefined =>
  // The row is found by name, because that of a query that was cloned is a copy.
  Define.specOf(endpoints[Form.known(self).endpoint.name as EndpointName])
