import { memoize } from "effect/Function"
import * as Result from "effect/Result"
import type { Column, ColumnSpec } from "../ColumnSpec.ts"
import type { Decoded, DecodeOptions } from "../tableContent.ts"
import { DecodeError } from "../DecodeError.ts"
import { type Example, type Finding, maxExamples } from "../Finding.ts"
import type { Kernel } from "./abi.ts"
import type { Kept } from "./columnBuffer.ts"
import { type ElementReader, elementsAsIn, type Length } from "./elementReader.ts"
import { Malformed } from "./json.ts"
import { Slab } from "./slab.ts"

/** What is made ready once for all replies of a resource. */
export interface Plan {
  /** The names of its columns, in order. */
  readonly names: ReadonlyArray<string>
  /** The same as keys of JSON, quotes included. */
  readonly keys: ReadonlyArray<Uint8Array>
  readonly columns: ReadonlyArray<Column>
  readonly indexOf: ReadonlyMap<string, number>
  /**
   * An object with a place for each column. A copy of it is filled faster, and is faster to read and to copy, than one to which names are added
   * one by one: that becomes a hash table.
   */
  readonly blank: Readonly<Record<string, undefined>>
  /** What a row will most likely take in a table that has all columns. */
  readonly bytesPerRow: number
}

/** Returns the plan for a resource. */
export const planFor = /* @__PURE__ */ memoize((spec: ColumnSpec): Plan => {
  const names = Object.keys(spec)
  const encoder = new TextEncoder()
  return {
    names,
    columns: Object.values(spec),
    keys: names.map((name) => encoder.encode(JSON.stringify(name))),
    indexOf: new Map(names.map((name, at) => [name, at])),
    blank: blankOf(names),
    bytesPerRow: Object.values(spec).reduce((bytes, { kind: { storage } }) => bytes + bytesFor(storage), 1)
  }
})

/** A copy, because what `fromEntries` makes of many names is a hash table itself. */
const blankOf = (names: ReadonlyArray<string>): Readonly<Record<string, undefined>> => {
  const entries = Object.fromEntries(names.map((name) => [name, undefined]))
  return { ...entries }
}

/** Codes are taken to need 16 bits; there is a bit a row and column for nulls, and few columns have one. */
const bytesFor = (storage: Column["kind"]["storage"]): number =>
  storage._tag === "Numbers" ? 8 : storage._tag === "Choices" ? 1 : storage.digits === 0 ? 2 : 6

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
  private readonly plan: Plan
  private readonly columns: DecodeOptions["columns"]
  private readonly elements: ElementReader
  private readonly slab: Slab
  /** By the position of the column in the spec. */
  private readonly filled: Array<Filled | undefined> = []

  constructor(plan: Plan, elements: ElementReader, kernel: Kernel, options: DecodeOptions) {
    this.plan = plan
    this.columns = options.columns
    this.elements = elements
    this.slab = new Slab(kernel, options.recycled)
  }

  /** Returns whether the column at a position of the spec was asked for. */
  isAskedFor(at: number): boolean {
    return this.columns === undefined || this.columns === "present" || this.columns.includes(this.plan.names[at]!)
  }

  /** Adds the column that was read, by its position in the spec; its bracket closes at `position`. */
  add(at: number, position: number): void {
    const { elements: { buffer }, plan: { columns, names } } = this
    if (this.length === undefined) this.length = { rows: buffer.row, column: names[at]! }
    else if (buffer.row !== this.length.rows) {
      throw new Malformed("LengthMismatch", position, elementsAsIn(this.length), String(buffer.row))
    }
    const count = buffer.nulls
    if (count > 0 && columns[at]!.null === "finding") {
      this.findings.push({
        code: "NullNotAllowed",
        column: names[at]!,
        count,
        examples: buffer.firstNulls(maxExamples).map(nullAt)
      })
    }
    this.keep(at)
  }

  /** Makes the table, of which `offset` is the end; fails where it lacks what makes it one. */
  finish(hasStatus: boolean, offset: number): Result.Result<Decoded, DecodeError> {
    const { elements, filled, findings, length, plan: { blank, columns, names }, slab } = this
    if (!hasStatus) findings.push({ code: "MissingStatus", column: undefined, count: 1, examples: [] })
    if (length === undefined) {
      return missing(
        [...Array.isArray(this.columns) ? this.columns : names, ...names][0],
        "no column of this resource",
        offset
      )
    }
    let room = freeNullBytes + offset * nullBytesPerByte
    for (const [at, name] of names.entries()) {
      if (filled[at] !== undefined || !this.isAskedFor(at)) continue
      findings.push({ code: "MissingColumn", column: name, count: 1, examples: [] })
      if (this.columns === "present") continue
      room -= length.rows * bytesPerNull
      if (columns[at]!.null === "identity" || room < 0) return missing(name, "nothing", offset)
      elements.fillWithNulls(columns[at]!, length)
      this.keep(at)
    }
    slab.close(elements.buffer.at)
    const vectors: Record<string, unknown> = names.every((_, at) => filled[at] !== undefined) ? { ...blank } : {}
    const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
    for (let at = 0; at < names.length; at++) {
      const column = filled[at]
      if (column === undefined) continue
      const name = names[at]!
      const lanes = column.lanes.map(({ length, offset, type }) => slab.view(type, offset, length))
      // The bits of nulls are bytes.
      if (column.hasNulls) nulls[name] = lanes.pop() as Uint8Array<ArrayBuffer>
      vectors[name] = columns[at]!.kind.of({ lanes, legend: column.legend })
    }
    return Result.succeed({ length: length.rows, vectors, nulls, findings, slabs: slab.buffers })
  }

  private keep(at: number): void {
    const { elements: { buffer, legend }, slab } = this
    const hasNulls = buffer.nulls > 0
    const lanes = buffer.keep(legend.length, slab.offsetOf(buffer.at))
    this.filled[at] = { lanes, hasNulls, legend }
    buffer.at = slab.relieve(buffer.at, this.length!.rows * this.plan.bytesPerRow)
  }
}

/** The most that a null takes which stands for an element of a column that did not come. */
const bytesPerNull = 8

/**
 * How many bytes of such nulls a table may hold: a fixed number, and a number for each byte of its reply. A reply that is honest and lacks columns needs
 * less; a short one of many elements in one column could fill the memory with those that it lacks.
 */
const freeNullBytes = 1_048_576
const nullBytesPerByte = 8

const nullAt = (index: number): Example => ({ index, expected: "a value", received: "null" })

const missing = (column: string | undefined, received: string, offset: number) =>
  Result.fail(
    new DecodeError({ code: "MissingColumn", column, index: undefined, offset, expected: "an array", received })
  )
