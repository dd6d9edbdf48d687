import * as Result from "effect/Result"
import { DecodeError } from "../../DecodeError.ts"
import { type Example, type Finding, maxExamples } from "../../Finding.ts"
import type { Texts } from "../ColumnKind.ts"
import type { ColumnSpec } from "../ColumnSpec.ts"
import type { Decoded, DecodeOptions } from "../ColumnDecoder.ts"
import { type ElementReader, elementsAsIn, type Length } from "./elementReader.ts"
import { Malformed } from "./malformed.ts"
import { type Lane, narrowest, Slab } from "./slab.ts"

/** A column whose elements lie in the slab. The views are made last, when the slab has its final size. */
interface Filled {
  readonly lanes: ReadonlyArray<() => Lane>
  readonly legend: ReadonlyArray<string>
  readonly nulls: (() => Uint8Array<ArrayBuffer>) | undefined
}

/** Elements of a column of any storage: each storage has its own views of them. */
interface Elements {
  readonly floats: ArrayLike<number>
  readonly choices: ArrayLike<number>
  readonly codes: ArrayLike<number>
  readonly numbers: ArrayLike<number>
}

/** Collects the columns of a reply into a table, and what was unusual about them. */
export class TableBuilder {
  readonly findings: Array<Finding> = []
  /** The number of rows, once a column has told it. */
  length: Length | undefined
  private readonly spec: ColumnSpec
  private readonly asked: ReadonlySet<string>
  private readonly takesWhatIsThere: boolean
  private readonly slab: Slab
  private readonly filled = new Map<string, Filled>()

  constructor(spec: ColumnSpec, { columns, recycled }: DecodeOptions) {
    this.spec = spec
    this.takesWhatIsThere = columns === "present"
    this.asked = new Set(columns === undefined || columns === "present" ? Object.keys(spec) : columns)
    this.slab = new Slab(recycled)
  }

  /** Tells whether a field is a column that was asked for. */
  isAskedFor(name: string): boolean {
    return this.asked.has(name) && Object.hasOwn(this.spec, name)
  }

  /** Adds the column that was read; its bracket closes at `position`. */
  add(name: string, { buffer, legend }: ElementReader, position: number): void {
    if (this.length === undefined) {
      this.length = { rows: buffer.row, column: name }
      this.slab.reserve(this.bytesFor(buffer.row))
    } else if (buffer.row !== this.length.rows) {
      const { column, rows } = this.length
      throw new Malformed("LengthMismatch", position, elementsAsIn(rows, column), String(buffer.row))
    }
    const { nulls } = buffer
    this.fill(name, buffer, legend, nulls === 0 ? undefined : buffer.nullBits)
    if (nulls > 0 && this.spec[name]!.null === "finding") {
      this.findings.push({
        code: "NullNotAllowed",
        column: name,
        count: nulls,
        examples: firstNulls(buffer.nullBits).map(nullAt)
      })
    }
  }

  /** Makes the table, of which `offset` is the end; fails where it lacks what makes it one. */
  finish(hasStatus: boolean, offset: number): Result.Result<Decoded, DecodeError> {
    if (!hasStatus) this.findings.push({ code: "MissingStatus", column: undefined, count: 1, examples: [] })
    if (this.length === undefined) {
      return missing([...this.asked, ...Object.keys(this.spec)][0], "no column of this resource", offset)
    }
    for (const name of Object.keys(this.spec)) {
      if (this.filled.has(name) || !this.asked.has(name)) continue
      this.findings.push({ code: "MissingColumn", column: name, count: 1, examples: [] })
      if (this.takesWhatIsThere) continue
      if (this.spec[name]!.null === "identity") return missing(name, "nothing", offset)
      this.fillWithNulls(name, this.length.rows)
    }
    const slab = this.slab.close()
    const vectors: Record<string, unknown> = {}
    const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
    for (const [name, column] of this.filled) {
      const lanes = column.lanes.map((lane) => lane())
      vectors[name] = this.spec[name]!.kind.of({ lanes, legend: column.legend })
      if (column.nulls !== undefined) nulls[name] = column.nulls()
    }
    return Result.succeed({ length: this.length.rows, vectors, nulls, findings: this.findings, slab })
  }

  private fill(
    name: string,
    elements: Elements,
    legend: ReadonlyArray<string>,
    nulls: Uint8Array<ArrayBuffer> | undefined
  ): void {
    const { slab } = this
    const { storage } = this.spec[name]!.kind
    const lanes: Array<() => Lane> = []
    if (storage._tag === "Numbers") lanes.push(slab.append<Lane>(Float64Array, elements.floats))
    else if (storage._tag === "Choices") lanes.push(slab.append<Lane>(Uint8Array, elements.choices))
    else {
      lanes.push(slab.append(narrowest(legend.length), elements.codes))
      if (storage.digits > 0) lanes.push(slab.append<Lane>(Int32Array, elements.numbers))
    }
    this.filled.set(name, {
      lanes,
      legend,
      nulls: nulls === undefined ? undefined : slab.append<Uint8Array<ArrayBuffer>>(Uint8Array, nulls)
    })
  }

  private fillWithNulls(name: string, rows: number): void {
    const zeros = new Uint8Array(rows)
    const elements = { floats: new Float64Array(rows).fill(NaN), choices: zeros, codes: zeros, numbers: zeros }
    this.fill(name, elements, [], new Uint8Array((rows + 7) >> 3).fill(255))
  }

  /** What the columns that were asked for will most likely need. */
  private bytesFor(rows: number): number {
    let bytes = 0
    for (const name of this.asked) {
      const column = this.spec[name]
      if (column === undefined) continue
      const { storage } = column.kind
      const width = storage._tag === "Numbers" ? 8 : storage._tag === "Choices" ? 1 : widthOfTexts(storage)
      bytes += rows * width + 8 + (column.null === "nullable" ? rows / 8 + 8 : 0)
    }
    return bytes
  }
}

const widthOfTexts = ({ digits }: Texts): number => digits === 0 ? 2 : 6

const nullAt = (index: number): Example => ({ index, expected: "a value", received: "null" })

const firstNulls = (bits: Uint8Array): ReadonlyArray<number> => {
  const rows: Array<number> = []
  for (let row = 0; row < bits.length * 8 && rows.length < maxExamples; row++) {
    if ((bits[row >> 3]! & (1 << (row & 7))) !== 0) rows.push(row)
  }
  return rows
}

const missing = (column: string | undefined, received: string, offset: number) =>
  Result.fail(
    new DecodeError({ code: "MissingColumn", column, index: undefined, offset, expected: "an array", received })
  )
