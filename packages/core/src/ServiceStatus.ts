/**
 * How the parts of the service are: one row a part.
 *
 * `uptimePct30d` and `uptimePct90d` are fractions of the last 30 and 90 days; `updated` is in epoch seconds.
 *
 * @example
 * ```ts
 * import * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","service":["/v1/stocks/quotes/"],"status":["online"],"online":[true],"uptimePct30d":[1],` +
 *   `"uptimePct90d":[0.9999],"updated":[1703048400]}`
 * Result.getOrThrow(ServiceStatus.decode(body)).at(0).status // => "online"
 * ```
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import { boolean, dictionary, number } from "./columns/ColumnKind.ts"
import type { Row as RowOf } from "./columns/ColumnSpec.ts"
import type { DecodeOptions } from "./columns/ColumnDecoder.ts"
import * as ColumnTable from "./ColumnTable.ts"
import type { DecodeError } from "./DecodeError.ts"

const nullable = { kind: number, null: "nullable" } as const

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  service: { kind: dictionary, null: "identity" },
  status: { kind: dictionary, null: "nullable" },
  online: { kind: boolean, null: "nullable" },
  uptimePct30d: nullable,
  uptimePct90d: nullable,
  updated: nullable
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = typeof spec

/**
 * The name of a column.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = keyof Spec

/**
 * One row: null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = RowOf<Spec, Name>

/**
 * A table over the columns that were asked for.
 *
 * @category models
 * @since 0.1.0
 */
export type ServiceStatus<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * Decodes the body of a reply, bytes or text. Fails with `DecodeError` where data would be wrong; `columns` says which columns were asked
 * for, and types the result.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Name extends Column = Column>(
  body: Uint8Array | string,
  options?: DecodeOptions<Name>
): Result.Result<ServiceStatus<Name>, DecodeError> => ColumnTable.decode<Spec, Name>(spec, body, options)
