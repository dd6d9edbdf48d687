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
import * as Result from "effect/Result"
import { boolean } from "../columns/ColumnKind.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import type { ColumnDecoder, DecodeOptions } from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import { FirstBytes } from "../columns/firstBytes.ts"
import * as UnequalColumns from "../columns/unequalColumns.ts"
import { smallReply } from "../query/Endpoint.ts"
import type { Query } from "../query/query.ts"
import { nullable, nullableText } from "./column.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  /** The path of an endpoint, or the name of a part. */
  service: nullableText,
  /** Its state in the service's words, such as `online`. */
  status: nullableText,
  /** Whether it is online; the column holds 1 where it is, or else 0. */
  online: { kind: boolean, null: "nullable" },
  /** The fraction of the last 30 days in which it was online: 1 is all of them. */
  uptimePct30d: nullable,
  /** The fraction of the last 90 days in which it was online. */
  uptimePct90d: nullable,
  /** When its state was found out, in epoch seconds. */
  updated: nullable
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = { readonly [Name in keyof typeof spec]: typeof spec[Name] }

/**
 * The name of a column.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = { [Name in keyof Spec]: Name }[keyof Spec]

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
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "serviceStatus",
  path: "/status/",
  parameters: [],
  kind: "free",
  tokenless: true,
  demo: "none",
  maxReplyBytes: smallReply,
  maxRows: 4096
})

/**
 * Asks how the parts of the service are. There is nothing to choose: no mode, no parameters.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query: Query<ServiceStatus, undefined> = /* @__PURE__ */ Define.page(row)

/**
 * Decodes the body of a reply, bytes or text. Fails with `DecodeError` where data would be wrong; `columns` says which columns were asked
 * for, and types the result.
 *
 * Columns that differ in length are kept all the same, up to 64 KiB of them: during an outage the state of some parts is worth more than none.
 * Rows go by position, and a shorter column reads null in the rows that it lacks. Which of its elements are missing nobody can tell, so that
 * from the first missing one on it may stand beside other rows than its own: each such column is the finding `LengthMismatch`, and fails where
 * `strict` is asked for.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Name extends Column = Column>(
  body: Uint8Array | string,
  options?: DecodeOptions<Name>
): Result.Result<ServiceStatus<Name>, DecodeError> => {
  const { end, push } = decoder<Name>(options)
  push(typeof body === "string" ? new TextEncoder().encode(body) : body)
  return end()
}

/**
 * Creates a decoder for a reply that arrives in pieces; the same as `decode` otherwise.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <Name extends Column = Column>(
  options: DecodeOptions<Name> = {}
): ColumnDecoder<ServiceStatus<Name>> => {
  const equal = ColumnTable.decoder<Spec, Name>(spec, options)
  const first = new FirstBytes(mostBytes)
  return {
    push: (bytes) => {
      first.take(bytes)
      return equal.push(bytes) || !first.overflowed
    },
    end: () => {
      const read = equal.end()
      const isUnequal = Result.isFailure(read) && read.failure.code === "LengthMismatch"
      return !isUnequal || options.strict === true || first.overflowed
        ? read
        : Result.map(
          UnequalColumns.decode(spec, first.bytes, options),
          (content) => ColumnTable.make<Spec, Name>(spec, content)
        )
    }
  }
}

/** The largest reply that is read a second time, in bytes: many times what the service has parts for. */
const mostBytes = 65_536

/**
 * How a reply is read.
 *
 * @internal
 */
export const reading = /* @__PURE__ */ Reading.table(spec, { decoder: (_, options) => decoder(options) })
