/**
 * Reads replies of parallel arrays into typed columns, while the bytes arrive.
 *
 * A reply is one JSON object. The decoder reads its fields in order, and a hot loop reads the elements of each column that was asked for.
 * The decoder itself handles what the loop leaves: unusual forms, and errors. The columns of a table lie in one buffer; the rest of the
 * reply leaves no garbage.
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
import { DecodeError } from "./DecodeError.ts"
import type { Finding } from "./Finding.ts"
import { quote } from "../text/ForeignText.ts"
import type { ColumnSpec } from "./ColumnSpec.ts"
import { ElementReader, type Next } from "./internal/elementReader.ts"
import type { Kernel as Loops } from "./internal/kernel.ts"
import * as KernelPool from "./internal/kernelPool.ts"
import { Malformed } from "./internal/malformed.ts"
import { type Key, keyOf, ObjectReader, type Resource } from "./internal/objectReader.ts"
import { type Plan, planFor } from "./internal/plan.ts"
import { TableBuilder } from "./internal/tableBuilder.ts"
import { isAt } from "./internal/tokens.ts"
import type { InputBuffer } from "./internal/inputBuffer.ts"
import * as Kernel from "./Kernel.ts"
import type { Decoded, DecodeOptions } from "./decoded.ts"

/**
 * The options of a decoder, and what it returns.
 *
 * @since 0.1.0
 */
export type { Decoded, DecodeOptions } from "./decoded.ts"
/**
 * A decoder that reads one reply piece by piece.
 *
 * @category models
 * @since 0.1.0
 */
export interface ColumnDecoder<out A> {
  /** Takes the next bytes; the caller may use the array again afterwards. Answers false once no byte can change the outcome. */
  readonly push: (bytes: Uint8Array) => boolean
  /**
   * Says that there are no more bytes, does part of the work that is left then, and answers whether there is more of it. Only who must not be held
   * up for long calls it: `end` does whatever is left. It is not there where that is never much.
   */
  readonly advance?: (() => boolean) | undefined
  /** Says that there are no more bytes, and returns what they held. */
  readonly end: () => Result.Result<A, DecodeError>
}

/**
 * The most rows that a reply may have, unless `maxRows` sets a lower limit. No table needs more.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxRows = 16_777_216

/**
 * The most fields that a reply may have.
 *
 * @category constants
 * @since 0.1.0
 */
export { maxFields } from "./internal/objectReader.ts"

/**
 * Creates a decoder for one reply (clauses 2.1-shape, 2.1-lengths, 2.1-fields). Unknown fields are findings, and so are nulls and gaps if
 * the rows still have a meaning. Everything else is a `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const make = (spec: ColumnSpec, options: DecodeOptions = {}): ColumnDecoder<Decoded> => {
  const reader = readerOf(spec, options)
  return { push: (bytes) => reader.push(bytes), end: () => reader.end() }
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
): Result.Result<Decoded, DecodeError> => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const reader = readerOf(spec, options, bytes.length)
  reader.push(bytes)
  return reader.end()
}

/**
 * Fails with a `DecodeError` for the first of some findings, as `strict` does; succeeds if there are none.
 *
 * @category decoding
 * @since 0.1.0
 */
export const refuse = (findings: ReadonlyArray<Finding>): Result.Result<void, DecodeError> => {
  const [finding] = findings
  if (finding === undefined) return Result.succeed(undefined)
  const [example] = finding.examples
  return Result.fail(
    new DecodeError({
      code: finding.code === "MissingColumn" ? finding.code : "Deviation",
      column: finding.column,
      index: example?.index,
      offset: undefined,
      expected: example?.expected ?? "a reply as the contract describes it",
      received: example?.received ?? finding.code
    })
  )
}

/** Reads a reply into a table. `size` is its length in bytes, where that is known. */
const readerOf = (spec: ColumnSpec, options: DecodeOptions, size?: number): ObjectReader<Decoded> => {
  const kernel = KernelPool.borrow(options.kernel ?? Kernel.fastest)
  return new ObjectReader(kernel, (input) => new TableReader(spec, options, kernel, input, size))
}

/** Reads columns into a table, and looks at which fields there are besides. */
class TableReader implements Resource<Decoded> {
  readonly known: number
  readonly expected = "a value"
  private readonly options: DecodeOptions
  private readonly plan: Plan
  private readonly elements: ElementReader
  private readonly table: TableBuilder
  /** The position in the spec of the column that came last: most likely the next one follows. */
  private last = -1
  /** How many rows the first column is given room for. */
  private readonly capacity: number | undefined

  constructor(spec: ColumnSpec, options: DecodeOptions, kernel: Loops, input: InputBuffer, size: number | undefined) {
    this.options = options
    this.capacity = size === undefined ? undefined : Math.ceil(size / leastBytesPerRow)
    this.elements = new ElementReader(kernel, input, options.strict === true, mostRows(options))
    this.plan = planFor(spec)
    this.known = this.plan.names.length
    this.table = new TableBuilder(this.plan, this.elements, kernel, options)
  }

  get row(): number {
    return this.elements.row
  }

  get free(): number {
    return this.elements.buffer.at
  }

  key(input: InputBuffer): Key | undefined {
    const { last, plan } = this
    const next = plan.keys[last + 1]
    if (next !== undefined && isAt(input, next)) {
      return { end: input.position + next.length, name: plan.names[last + 1]!, index: last + 1 }
    }
    const key = keyOf(input)
    return key && { ...key, index: plan.indexOf.get(key.name) }
  }

  begin({ index, name }: Key, position: number): "array" | "skipped" {
    if (index !== undefined) {
      this.last = index
      return this.table.isAskedFor(index) ? "array" : "skipped"
    }
    if (this.options.scalars?.includes(name) !== true) this.noteUnknown(name, position)
    return "skipped"
  }

  openArray(): void {
    this.elements.start(this.plan.columns[this.last]!, this.table.length, this.capacity)
  }

  readElements(): Next {
    return this.elements.read()
  }

  closeArray(position: number): void {
    this.table.add(this.last, position)
  }

  takeScalar(): void {}

  finish(hasStatus: boolean, offset: number): Result.Result<Decoded, DecodeError> {
    const { options, table } = this
    const decoded = table.finish(hasStatus || options.statusOptional === true, offset)
    return options.strict === true
      ? Result.flatMap(decoded, (decoded) => Result.map(refuse(decoded.findings), () => decoded))
      : decoded
  }

  private noteUnknown(name: string, position: number): void {
    if (this.options.strict === true) {
      throw new Malformed("UnknownField", position, "the contract's fields and no others", quote(name), name)
    }
    this.table.findings.push({ code: "UnknownField", column: name, count: 1, examples: [] })
  }
}

/** How many rows are taken; what is not a number of rows takes no bound away. */
const mostRows = ({ maxRows: most = maxRows }: DecodeOptions): number =>
  Number.isSafeInteger(most) && most >= 0 ? Math.min(most, maxRows) : maxRows

/** A row with all columns takes more bytes than that; of one with fewer, the room grows. */
const leastBytesPerRow = 128
