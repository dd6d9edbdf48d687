import * as Result from "effect/Result"
import { DecodeError } from "../../DecodeError.ts"
import { type Example, type Finding, maxExamples } from "../../Finding.ts"
import type { ColumnSpec } from "../ColumnSpec.ts"
import type { Decoded, DecodeOptions } from "../ColumnDecoder.ts"
import type { Kept } from "./columnBuffer.ts"
import { type ElementReader, elementsAsIn, type Length } from "./elementReader.ts"
import type { Kernel } from "./kernel.ts"
import { Malformed } from "./malformed.ts"
import type { Plan } from "./plan.ts"
import { Slab } from "./slab.ts"

/** A column that has been read: its lanes, after which come the bits of its nulls if there are any. */
interface Filled {
  readonly lanes: ReadonlyArray<Kept>
  readonly hasNulls: boolean
  readonly legend: ReadonlyArray<string>
}

/** Collects the columns of a reply into a table, and what was unusual about them. */
export class TableBuilder {
  readonly findings: Array<Finding> = []
  /** The number of rows, once a column has told it. */
  length: Length | undefined
  private readonly spec: ColumnSpec
  private readonly plan: Plan
  private readonly columns: DecodeOptions["columns"]
  private readonly elements: ElementReader
  private readonly slab: Slab
  /** By the position of the column in the spec. */
  private readonly filled: Array<Filled | undefined> = []

  constructor(spec: ColumnSpec, plan: Plan, elements: ElementReader, kernel: Kernel, options: DecodeOptions) {
    this.spec = spec
    this.plan = plan
    this.columns = options.columns
    this.elements = elements
    this.slab = new Slab(kernel, options.recycled)
  }

  /** Tells whether a column was asked for. */
  isAskedFor(name: string): boolean {
    return this.columns === undefined || this.columns === "present" || this.columns.includes(name)
  }

  /** Adds the column that was read; its bracket closes at `position`. */
  add(name: string, position: number): void {
    const { buffer } = this.elements
    if (this.length === undefined) this.length = { rows: buffer.row, column: name }
    else if (buffer.row !== this.length.rows) {
      const { column, rows } = this.length
      throw new Malformed("LengthMismatch", position, elementsAsIn(rows, column), String(buffer.row))
    }
    const count = buffer.nulls
    if (count > 0 && this.spec[name]!.null === "finding") {
      this.findings.push({
        code: "NullNotAllowed",
        column: name,
        count,
        examples: buffer.firstNulls(maxExamples).map(nullAt)
      })
    }
    this.keep(name)
  }

  /** Makes the table, of which `offset` is the end; fails where it lacks what makes it one. */
  finish(hasStatus: boolean, offset: number): Result.Result<Decoded, DecodeError> {
    const { elements, filled, findings, length, plan: { names }, slab, spec } = this
    if (!hasStatus) findings.push({ code: "MissingStatus", column: undefined, count: 1, examples: [] })
    if (length === undefined) {
      return missing(
        [...Array.isArray(this.columns) ? this.columns : names, ...names][0],
        "no column of this resource",
        offset
      )
    }
    for (const [at, name] of names.entries()) {
      if (filled[at] !== undefined || !this.isAskedFor(name)) continue
      findings.push({ code: "MissingColumn", column: name, count: 1, examples: [] })
      if (this.columns === "present") continue
      if (spec[name]!.null === "identity") return missing(name, "nothing", offset)
      elements.fillWithNulls(spec[name]!, length)
      this.keep(name)
    }
    const buffer = slab.close(elements.buffer.at)
    const vectors: Record<string, unknown> = {}
    const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
    for (const [at, name] of names.entries()) {
      const column = filled[at]
      if (column === undefined) continue
      const lanes = column.lanes.map(({ length, offset, type }) => new type(buffer, offset, length))
      // The bits of nulls are bytes.
      if (column.hasNulls) nulls[name] = lanes.pop() as Uint8Array<ArrayBuffer>
      vectors[name] = spec[name]!.kind.of({ lanes, legend: column.legend })
    }
    return Result.succeed({ length: length.rows, vectors, nulls, findings, slab: buffer })
  }

  private keep(name: string): void {
    const { elements: { buffer, legend }, slab } = this
    const lanes: Array<Kept> = []
    const hasNulls = buffer.nulls > 0
    buffer.keep(legend.length, slab.offsetOf(buffer.at), lanes)
    this.filled[this.plan.indexOf.get(name)!] = { lanes, hasNulls, legend }
    buffer.at = slab.relieve(buffer.at, this.length!.rows * this.plan.bytesPerRow)
  }
}

const nullAt = (index: number): Example => ({ index, expected: "a value", received: "null" })

const missing = (column: string | undefined, received: string, offset: number) =>
  Result.fail(
    new DecodeError({ code: "MissingColumn", column, index: undefined, offset, expected: "an array", received })
  )
