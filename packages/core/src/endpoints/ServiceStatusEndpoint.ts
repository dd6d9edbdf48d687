/**
 * The endpoint of the state of the service's parts; it takes no token and stays up when others fail. It is the public service's, and its path has no version (clause 9-version).
 *
 * @example
 * ```ts
 * import * as ServiceStatusEndpoint from "@effect-marketdata/core/ServiceStatusEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 *
 * Query.target(ServiceStatusEndpoint.query) // => "/status/"
 * ```
 *
 * @since 0.1.0
 */
import * as Question from "../query/question.ts"
import type * as ServiceStatus from "./ServiceStatus.ts"
import type { Query } from "../query/Query.ts"
import * as Endpoint from "../query/Endpoint.ts"

/**
 * The names of the columns of a reply, in order.
 *
 * @category constants
 * @since 0.1.0
 */
export const columns = [
  "service",
  "status",
  "online",
  "uptimePct30d",
  "uptimePct90d",
  "updated"
] as const satisfies ReadonlyArray<ServiceStatus.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "serviceStatus",
  path: "/status/",
  listPath: undefined,
  parameters: [],
  kind: "free",
  kindStated: true,
  stated: false,
  tokenless: true,
  demo: "none",
  cached: false,
  date: "none",
  columns,
  prices: [],
  maxReplyBytes: Endpoint.smallReply,
  maxRows: 4096
} as const satisfies Endpoint.Endpoint<ServiceStatus.Column>

/**
 * Asks how the parts of the service are. There is nothing to choose: no mode, no parameters.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: Query<ServiceStatus.ServiceStatus, undefined> = /* @__PURE__ */ Question.page(row)
