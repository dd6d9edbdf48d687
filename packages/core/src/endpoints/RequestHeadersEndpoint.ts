/**
 * The endpoint of the headers of a request as they reach the service. It is the public service's, and its path has no version (clause 9-version).
 *
 * @example
 * ```ts
 * import * as RequestHeadersEndpoint from "@effect-marketdata/core/RequestHeadersEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 *
 * Query.target(RequestHeadersEndpoint.query) // => "/headers/"
 * ```
 *
 * @since 0.1.0
 */
import * as Question from "../query/question.ts"
import type * as RequestHeaders from "./RequestHeaders.ts"
import type { Query } from "../query/Query.ts"
import * as Endpoint from "../query/Endpoint.ts"

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "requestHeaders",
  path: "/headers/",
  listPath: undefined,
  parameters: [],
  kind: "free",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "none",
  cached: false,
  date: "none",
  columns: [],
  prices: [],
  maxReplyBytes: Endpoint.smallReply,
  maxRows: 1
} as const satisfies Endpoint.Endpoint

/**
 * Asks which headers reach the service. There is nothing to choose: no mode, no parameters.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: Query<RequestHeaders.RequestHeaders, undefined> = /* @__PURE__ */ Question.page(row)
