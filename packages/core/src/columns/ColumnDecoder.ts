/**
 * Reads replies of parallel arrays into typed columns, while the bytes arrive.
 *
 * A reply is one JSON object. The decoder reads its fields in order, and a hot loop reads the elements of each column that was asked for.
 * The decoder itself handles what the loop leaves: unusual forms, and errors. The columns of a table lie in one buffer; the rest of the
 * reply leaves no garbage.
 *
 * Unstable: it is there for the packages of this repository, and a minor release may change it.
 *
 * @example
 * ```ts
 * import * as ColumnDecoder from "@effect-marketdata/core/ColumnDecoder"
 * import * as ColumnKind from "@effect-marketdata/core/ColumnKind"
 * import * as Result from "effect/Result"
 *
 * const decoder = ColumnDecoder.make({ close: { kind: ColumnKind.number, null: "finding" } })
 * decoder.push(new TextEncoder().encode(`{"s":"ok","clo`))
 * decoder.push(new TextEncoder().encode(`se":[1.5,2]}`))
 * Result.getOrThrow(decoder.end()).vectors["close"] // => new Float64Array([1.5, 2])
 * ```
 *
 * @see {@link ColumnTable} which decodes into a table
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { ColumnSpec } from "./ColumnSpec.ts"
import { bytesOf, type DecodeError, fail, notGiven } from "./DecodeError.ts"
import type { Finding } from "./Finding.ts"
import { TableReader } from "./internal/tableReader.ts"
import type { Decoded, DecodeOptions } from "./tableContent.ts"

/**
 * The options of a decoder, and what it returns.
 *
 * @since 0.1.0
 */
export type { Decoded, DecodeOptions } from "./tableContent.ts"

/**
 * A decoder that reads one reply piece by piece.
 *
 * @category models
 * @since 0.1.0
 */
export interface ColumnDecoder<out A> {
  /** Takes the next bytes; the caller may reuse the array afterwards. Returns false once no further byte can change the result. */
  readonly push: (bytes: Uint8Array) => boolean
  /**
   * Ends the input, does part of the remaining work, and returns whether more is left. Only a caller that must not block for long calls it: `end`
   * does whatever is left. It is undefined if the remaining work is always small.
   */
  readonly advance?: (() => boolean) | undefined
  /** Ends the input, and returns what was read. */
  readonly end: () => Result.Result<A, DecodeError>
}

/**
 * The most rows that a reply may have, unless `maxRows` sets a lower limit, and the most fields. No table needs more.
 *
 * @category constants
 * @since 0.1.0
 */
export { maxFields, maxRows } from "./internal/tableReader.ts"

/**
 * Creates a decoder for one reply (clauses 2.1-shape, 2.1-lengths, 2.1-fields). Unknown fields are findings, and so are nulls and gaps if
 * the rows still have a meaning. Everything else is a `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const make = (spec: ColumnSpec, options: DecodeOptions = {}): ColumnDecoder<Decoded> => {
  const reader = new TableReader(spec, options)
  return { push: (bytes) => reader.push(bytes), end: () => endOf(reader) }
}

/**
 * Decodes a whole reply, given as bytes or text. Fails with `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = (
  spec: ColumnSpec,
  body: Uint8Array | string,
  options: DecodeOptions = {}
): Result.Result<Decoded, DecodeError> =>
  Result.flatMap(bytesOf(body), (bytes) => {
    const reader = new TableReader(spec, options, bytes.length)
    reader.push(bytes)
    return endOf(reader)
  })

/**
 * Fails with a `DecodeError` for the first of some findings, as `strict` does; succeeds if there are none.
 *
 * @category decoding
 * @since 0.1.0
 */
export const refuse = (findings: ReadonlyArray<Finding>): Result.Result<void, DecodeError> => {
  const finding = (Array.isArray(findings) ? findings[0] : null) as Finding | undefined
  if (finding === undefined) return Result.void
  if (!Array.isArray(finding?.examples)) return notGiven("a list of findings", findings)
  const [example] = finding.examples
  return fail(
    finding.code === "MissingColumn" ? finding.code : "Deviation",
    finding.column,
    example?.expected ?? "a reply as the contract describes it",
    example?.received ?? finding.code,
    example?.index
  )
}

/** Ends a reader; where every finding is an error, the first of them is. */
const endOf = (reader: TableReader): Result.Result<Decoded, DecodeError> =>
  reader.options.strict === true
    ? Result.flatMap(reader.end(), (decoded) => Result.map(refuse(decoded.findings), () => decoded))
    : reader.end()
