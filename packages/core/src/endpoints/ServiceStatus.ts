/**
 * Whether the parts of the service work: one row for each part.
 *
 * `uptimePct30d` and `uptimePct90d` are fractions of the last 30 and 90 days, 0.999 for 99.9 percent; `updated` is in epoch seconds.
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
import type { ColumnDecoder, DecodeOptions } from "../columns/ColumnDecoder.ts"
import { boolean } from "../columns/ColumnKind.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import { DecodeError } from "../columns/DecodeError.ts"
import * as Document from "../columns/document.ts"
import type { Finding } from "../columns/Finding.ts"
import { elementsAsIn } from "../columns/internal/elementReader.ts"
import * as TableContent from "../columns/tableContent.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The columns of a reply, in order. Their types are those of the public service's examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  /** The path of an endpoint, or the name of a part. */
  service: Define.nullableText,
  /** Its state in the service's words, such as `online`. */
  status: Define.nullableText,
  /** Whether it is online; the column holds 1 where it is, or else 0. */
  online: { kind: boolean, null: "nullable" },
  /** The fraction of the last 30 days in which it was online: 1 is all of them. */
  uptimePct30d: Define.nullable,
  /** The fraction of the last 90 days in which it was online. */
  uptimePct90d: Define.nullable,
  /** When its state was found out, in epoch seconds. */
  updated: Define.nullable
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
 * One part of the service, as a view: an element is null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = Define.Row<Spec, Name>

/**
 * A table with the columns that were asked for, each under its own name.
 *
 * @category models
 * @since 0.1.0
 */
export type ServiceStatus<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "serviceStatus",
  path: "/status/",
  kind: "free",
  tokenless: true,
  demo: "none",
  maxRows: 4096
})

/**
 * Asks whether the parts of the service work. It takes no options and no mode, and it is free.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = /* @__PURE__ */ Define.page<ServiceStatus>(row)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the
 * table. Fails with `DecodeError` for a body that is not such a table.
 *
 * Columns of different lengths are accepted in replies of up to 64 KiB, because during an outage the status of some parts is better than
 * nothing. A shorter column reads null in the last rows. If an element is missing in its middle, the elements after it stand in the wrong
 * rows, and nothing in the reply shows it. So each shorter column is the finding `LengthMismatch`, and an error under `strict`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <const Name extends Column = Column>(
  body: Uint8Array | string,
  options?: DecodeOptions<Name>
): Result.Result<ServiceStatus<Name>, DecodeError> => Document.decode(decoder(options), body)

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <const Name extends Column = Column>(
  options?: DecodeOptions<Name>
): ColumnDecoder<ServiceStatus<Name>> => {
  const equal = ColumnTable.decoder<Spec, Name>(spec, options)
  const body = Document.collected(mostBytes)
  return {
    push: (bytes) => {
      const hasRoom = body.push(bytes)
      return equal.push(bytes) || hasRoom
    },
    end: () => {
      const read = equal.end()
      const isUnequal = Result.isFailure(read) && read.failure.code === "LengthMismatch"
      const bytes = body.bytes()
      if (!isUnequal || options?.strict === true || bytes === undefined) return read
      const { columns = names } = { ...options }
      const filled = padded(new TextDecoder().decode(bytes), columns === "present" ? names : columns)
      return Result.isFailure(filled) ? read : ColumnTable.decode<Spec, Name>(spec, filled.success.body, options).pipe(
        Result.map((table) => {
          const findings = [...filled.success.findings, ...table.findings]
          return ColumnTable.make<Spec, Name>(spec, { ...TableContent.contentOf(table), findings })
        }),
        // It counts the bytes of what was filled up.
        Result.mapError((error) => new DecodeError({ ...error, offset: undefined }))
      )
    }
  }
}

const names: ReadonlyArray<string> = Object.keys(spec)

/**
 * A reply whose columns differ in length, with nulls at the end of those that are shorter. Each of these is a finding with both lengths: which elements
 * it lacks nobody can tell.
 */
const padded = (text: string, columns: ReadonlyArray<string>) =>
  Result.try(() => {
    const fields = new Map<string, unknown>(Object.entries(JSON.parse(text)))
    const lists = columns.flatMap((name) => {
      const list = fields.get(name)
      return Array.isArray(list) ? [{ name, list: list as ReadonlyArray<unknown> }] : []
    })
    // JSON would print these as null.
    if (lists.some(({ list }) => list.includes(Infinity) || list.includes(-Infinity))) throw new RangeError()
    const longest = lists.reduce((a, b) => b.list.length > a.list.length ? b : a)
    const { length } = longest.list
    const short = lists.filter(({ list }) => list.length < length)
    for (const { list, name } of short) fields.set(name, [...list, ...Array(length - list.length).fill(null)])
    const expected = elementsAsIn({ rows: length, column: longest.name })
    const findings = short.map(({ list: { length: received }, name }): Finding => {
      const example = { index: received, expected, received: String(received) }
      return { code: "LengthMismatch", column: name, count: length - received, examples: [example] }
    })
    return { body: JSON.stringify(Object.fromEntries(fields)), findings }
  })

/** The largest reply that is read a second time, in bytes: many times what the service has parts for. */
const mostBytes = 65_536

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec, { decoder: (_, options) => decoder(options) })
