/**
 * Schemas of queries, estimates, answers and their parts, to store them, send them over RPC and read them again without loss.
 *
 * They encode to JSON, and `JSON.stringify` makes the same of such a value. Infinite credits are `"Infinity"`, a table is a list of
 * elements for each column, and undefined fields are left out. Decoding makes the same checks as the constructors, and fails with
 * `SchemaError`. These schemas do not read replies of the service: decoders do.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Schemas from "@effect-marketdata/core/Schemas"
 * import * as Result from "effect/Result"
 * import * as Schema from "effect/Schema"
 *
 * const query = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all", columns: ["strike", "last"] }))
 * const stored = Schema.encodeSync(Schema.fromJsonString(Schemas.Query))(query)
 * Query.target(Schema.decodeSync(Schema.fromJsonString(Schemas.Query))(stored)) === Query.target(query) // => true
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"strike":[150,155],"last":[1.2,null]}`, {
 *   columns: ["strike", "last"],
 *   statusOptional: true
 * }))
 * const Chain = Schema.fromJsonString(Schemas.Table(OptionChain.spec, ["strike", "last"]))
 * Schema.encodeSync(Chain)(chain) // => "{\"length\":2,\"columns\":{\"strike\":[150,155],\"last\":[1.2,null]},\"findings\":[]}"
 * Schema.decodeSync(Chain)(JSON.stringify(chain)).isNull("last", 1) // => true
 * ```
 *
 * @since 0.1.0
 */

/**
 * Queries, whatever their endpoint.
 *
 * @since 0.1.0
 */
export { Query } from "./query.ts"

/**
 * Answers, and their parts besides the data: amounts of credits (which may be infinite), estimates, attempts, findings and provenance.
 *
 * @since 0.1.0
 */
export { Amount, Answer, Attempt, Estimate, Finding, Provenance } from "./answer.ts"

/**
 * What many queries cost over time.
 *
 * @since 0.1.0
 */
export { Workload } from "./query.ts"

/**
 * Tables, of the columns of any endpoint; the data of any query, and the whole answer to it.
 *
 * @since 0.1.0
 */
export { AnswerTo, DataOf, Table } from "./table.ts"

/**
 * Rows as plain values, a class for each table. A row with fewer columns is `Schemas.OptionChainRow.mapFields(Struct.pick(["strike", "bid"]))`.
 *
 * @since 0.1.0
 */
export * from "./rows.ts"

/**
 * Data of endpoints that do not answer with a table.
 *
 * @since 0.1.0
 */
export { AccountStatus, OptionExpirations, OptionLookup, OptionStrikes, RequestHeaders } from "./table.ts"
