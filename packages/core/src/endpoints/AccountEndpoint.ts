/**
 * The endpoint of the account itself: its allowance of credits and what it may see of options. It is the public service's, and its path has no version (clause 9-version).
 *
 * @example
 * ```ts
 * import * as AccountEndpoint from "@effect-marketdata/core/AccountEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 *
 * Query.target(AccountEndpoint.query) // => "/user/"
 * ```
 *
 * @since 0.1.0
 */
import * as Question from "../query/question.ts"
import type * as AccountStatus from "./AccountStatus.ts"
import type { Query } from "../query/Query.ts"
import * as Endpoint from "../query/Endpoint.ts"

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "account",
  path: "/user/",
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
 * Asks what the service knows of the account. There is nothing to choose: no mode, no parameters.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: Query<AccountStatus.AccountStatus, undefined> = /* @__PURE__ */ Question.page(row)
