import { memoize } from "effect/Function"
import * as Result from "effect/Result"
import { quote } from "../../text/ForeignText.ts"
import { type Column, type ColumnSpec, known } from "../ColumnSpec.ts"
import { type Code, type DecodeError, fail, notGiven } from "../DecodeError.ts"
import { type Example, type Finding, maxExamples } from "../Finding.ts"
import * as Kernel from "../Kernel.ts"
import type { Decoded, DecodeOptions } from "../tableContent.ts"
import * as Abi from "./abi.ts"
import { ElementReader, elementsAsIn, type Length } from "./elementReader.ts"
import * as Json from "./json.ts"
import * as KernelPool from "./kernelPool.ts"
import { type Kept, Slab } from "./slab.ts"

/**
 * The most fields that a reply may have.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxFields = 1024

/**
 * The most rows that a reply may have.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxRows = 16_777_216

/** Fewer bytes than a row with all columns takes in a reply. A reply with fewer columns may have more rows than that tells: then the room grows. */
const leastBytesPerRow = 128

/** The states of the reader, each with what may come next, as errors say it. */
const expectedIn = {
  object: "one JSON object",
  firstKey: "a key or \"}\"",
  key: "a key",
  colon: "\":\"",
  status: "\"ok\"",
  array: "an array",
  elements: "an element",
  skipped: "a value",
  fieldSeparator: "\",\" or \"}\"",
  nothing: "nothing after the object"
}

type State = keyof typeof expectedIn

/**
 * Reads a reply, which is one JSON object, into a table while its bytes arrive. It is a state machine that takes a token at each step. The longest part of
 * the reply that it has to keep until more bytes arrive is one token.
 */
export class TableReader {
  readonly options: DecodeOptions
  private readonly kernel: Abi.Kernel
  private readonly input: Json.InputBuffer
  private readonly plan: Plan
  private readonly elements: ElementReader
  private readonly table: TableBuilder
  /** The number of rows that the first column gets room for; undefined if the length of the reply is unknown. */
  private readonly capacity: number | undefined
  /** The names of the fields so far: no key may come twice. */
  private readonly fields = new Set<string>()
  /** The position in the spec of the last column so far. The next field is most likely the column after it, so its key is compared first. */
  private last = -1
  private state: State = "object"
  /** The state after the colon of the current field. */
  private valueState: State = "skipped"
  /** The name of the current field, for errors; undefined between fields. */
  private field: string | undefined
  private outcome: Result.Result<Decoded, DecodeError> | undefined

  /** Borrows a kernel, which `settle` gives back. `size` is the length of the reply in bytes, if it is known. */
  constructor(spec: ColumnSpec, given: DecodeOptions | null, size?: number) {
    const options = given ?? {}
    this.options = options
    this.plan = planFor(spec)
    this.kernel = KernelPool.borrow(options.kernel ?? Kernel.fastest)
    this.input = new Json.InputBuffer(this.kernel)
    this.elements = new ElementReader(this.kernel, this.input, options.strict === true, mostRows(options))
    this.table = new TableBuilder(this.plan, this.elements, this.kernel, options)
    this.capacity = size === undefined ? undefined : Math.ceil(size / leastBytesPerRow)
    const { columns = "present" } = options
    if (columns !== "present" && !Array.isArray(columns)) this.settle(notGiven("a list of columns", columns))
  }

  push(piece: Uint8Array): boolean {
    for (let start = 0; start < piece.length && this.outcome === undefined;) {
      start = this.input.fill(piece, start)
      this.read()
    }
    return this.outcome === undefined
  }

  end(): Result.Result<Decoded, DecodeError> {
    if (this.outcome === undefined) {
      this.input.finish()
      this.read()
    }
    return this.outcome!
  }

  /** Takes steps until the bytes so far are used up, and settles the outcome if the reply is over or malformed. */
  private read(): void {
    const { fields, input, options, table } = this
    try {
      if (input.isWorthReading) { while (this.step()); }
      if (!input.complete) return input.pause()
      if (this.state === "object") {
        throw new Json.Malformed("UnexpectedEnd", input.limit, expectedIn.object, "an empty body")
      }
      if (this.state !== "nothing") throw Json.cutShort(input, expectedIn[this.state])
      this.settle(table.finish(fields.has("s") || options.statusOptional === true, input.offsetOf(input.limit)))
    } catch (error) {
      if (!(error instanceof Json.Malformed)) throw error
      const { code, expected, position, received } = error
      const index = this.state === "elements" ? this.elements.rowOfFailure : undefined
      this.settle(fail(code, this.field, expected, received, index, input.offsetOf(position)))
    }
  }

  /** Sets the outcome, after which no byte is read: the kernel is free for another reply. */
  private settle(outcome: Result.Result<Decoded, DecodeError>): void {
    this.outcome = outcome
    KernelPool.giveBack(this.kernel)
  }

  /** Reads the next token, or more elements of an array. Returns false if its bytes have not all arrived. */
  private step(): boolean {
    const { elements, input } = this
    if (this.state === "elements") return elements.read() && this.endArray()
    if (this.state === "skipped") return elements.skip.take(input) && this.endField()
    if (!Json.skipWhitespace(input)) return false
    const code = input.bytes[input.position]!
    switch (this.state) {
      case "object":
        return this.readOpening(code)
      case "firstKey":
        if (code === Abi.closeBrace) return this.take("nothing")
        return this.readKey(code)
      case "key":
        return this.readKey(code)
      case "colon":
        if (code === Abi.colon) return this.take(this.valueState)
        break
      case "status":
        return this.readStatus()
      case "array":
        if (code !== Abi.openBracket) return this.refuseValue("NotAnArray")
        elements.start(this.plan.columns[this.last]!, this.table.length, this.capacity)
        return this.take("elements")
      case "fieldSeparator":
        if (code === Abi.comma) return this.take("key")
        if (code === Abi.closeBrace) return this.take("nothing")
        break
      case "nothing":
        throw new Json.Malformed("TrailingData", input.position, expectedIn.nothing, Json.show(code))
    }
    throw Json.unexpected(input, expectedIn[this.state])
  }

  /** Reads one byte and changes to the next state. */
  private take(next: State): true {
    this.input.position++
    this.state = next
    return true
  }

  private readOpening(code: number): boolean {
    const { input } = this
    if (code === byteOrderMark[0] && input.offsetOf(input.position) === 0) {
      if (input.limit - input.position < byteOrderMark.length && !input.complete) return false
      if (byteOrderMark.every((part, at) => input.bytes[input.position + at] === part)) {
        input.position += byteOrderMark.length
        return true
      }
    }
    if (code === Abi.openBrace) return this.take("firstKey")
    throw new Json.Malformed("NotAnObject", input.position, expectedIn.object, Json.show(code))
  }

  private readKey(code: number): boolean {
    const { fields, input, last, plan } = this
    const { bytes, position } = input
    if (code !== Abi.quote) throw Json.unexpected(input, expectedIn[this.state])
    const next = plan.keys[last + 1]
    const isNext = next !== undefined && Json.isAt(input, next)
    const end = isNext ? position + next.length : Json.stringEnd(input)
    if (end === undefined) return false
    const name = isNext ? plan.names[last + 1]! : Json.textOf(bytes, position, end)
    if (fields.has(name)) throw new Json.Malformed("DuplicateKey", position, "each key once", quote(name))
    if (fields.size === maxFields) {
      throw new Json.Malformed("TooManyFields", position, `at most ${maxFields} fields`, quote(name))
    }
    fields.add(name)
    this.field = name
    this.valueState = this.stateFor(name, isNext ? last + 1 : plan.indexOf.get(name), position)
    input.position = end
    this.state = "colon"
    return true
  }

  /** Returns the state in which the value of a field is read: a column that was asked for, the status, or a value to skip. */
  private stateFor(name: string, index: number | undefined, position: number): State {
    const { elements, options: { scalars, strict }, table } = this
    if (name === "s") return "status"
    if (index !== undefined) {
      this.last = index
      if (table.isAskedFor(index)) return "array"
    } else if (scalars?.includes(name) !== true) {
      if (strict === true) {
        throw new Json.Malformed("UnknownField", position, "the contract's fields and no others", quote(name))
      }
      table.findings.push({ code: "UnknownField", column: name, count: 1, examples: [] })
    }
    elements.skip.start()
    return "skipped"
  }

  private readStatus(): boolean {
    const { input } = this
    const { position } = input
    const status = Json.readOnlyScalar(input, expectedIn.status, "NotOk")
    if (status === undefined) return false
    if (status !== "ok") throw new Json.Malformed("NotOk", position, expectedIn.status, Json.showScalar(status))
    return this.endField()
  }

  /** Refuses a value of the wrong shape. A scalar is read first, because the error shows it. */
  private refuseValue(code: Code): boolean {
    const { input, state } = this
    const { position } = input
    const value = Json.readOnlyScalar(input, expectedIn[state], code)
    if (value === undefined) return false
    throw new Json.Malformed(code, position, expectedIn[state], Json.showScalar(value))
  }

  private endArray(): true {
    this.table.add(this.last, this.input.position)
    this.input.position++
    return this.endField()
  }

  private endField(): true {
    this.field = undefined
    this.state = "fieldSeparator"
    return true
  }
}

/** The most rows that a reply may have with these options: 0 if `maxRows` is not a positive number. */
const mostRows = ({ maxRows: most = maxRows }: DecodeOptions): number =>
  most > 0 ? Math.min(Math.floor(most), maxRows) : 0

const byteOrderMark = [0xef, 0xbb, 0xbf]

/** What the replies of a resource have in common, made once. */
export type Plan = ReturnType<typeof planFor>

export const planFor = /* @__PURE__ */ memoize((spec: ColumnSpec) => {
  const columns = Object.values(known(spec))
  const names = Object.keys(spec)
  const encoder = new TextEncoder()
  return {
    columns,
    /** The names of its columns, in order. */
    names,
    /** The same as keys of JSON, quotes included. */
    keys: names.map((name) => encoder.encode(JSON.stringify(name))),
    indexOf: new Map(names.map((name, at) => [name, at])),
    /**
     * An object with a place for each column. A copy of it is filled faster, and is faster to read and to copy, than one to which names are added
     * one by one: that becomes a hash table.
     */
    blank: blankOf(names),
    /** An estimate of the bytes of a row in a table that has all columns. */
    bytesPerRow: columns.reduce((bytes, { kind: { storage } }) => bytes + bytesFor(storage), 1)
  }
})

/** A copy, because what `fromEntries` makes of many names is a hash table itself. */
const blankOf = (names: ReadonlyArray<string>): Readonly<Record<string, undefined>> => {
  const entries = Object.fromEntries(names.map((name) => [name, undefined]))
  return { ...entries }
}

/** Estimates the bytes of a value: codes are assumed to need 16 bits. Bits of nulls are not counted, because few columns have them. */
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
  /** The number of rows: that of the first column. */
  length: Length | undefined
  private readonly plan: Plan
  private readonly columns: DecodeOptions["columns"]
  private readonly elements: ElementReader
  private readonly slab: Slab
  /** The columns so far, by their position in the spec. */
  private readonly filled: Array<Filled | undefined> = []

  constructor(plan: Plan, elements: ElementReader, kernel: Abi.Kernel, options: DecodeOptions) {
    this.plan = plan
    this.columns = options.columns
    this.elements = elements
    this.slab = new Slab(kernel, options.recycled)
  }

  /** Returns whether the column at a position of the spec was asked for. */
  isAskedFor(at: number): boolean {
    return this.columns === undefined || this.columns === "present" || this.columns.includes(this.plan.names[at]!)
  }

  /** Adds the column at `at` in the spec, which is in the buffer of elements; its bracket closes at `position`. */
  add(at: number, position: number): void {
    const { elements: { buffer }, plan: { columns, names } } = this
    if (this.length === undefined) this.length = { rows: buffer.row, column: names[at]! }
    else if (buffer.row !== this.length.rows) {
      throw new Json.Malformed("LengthMismatch", position, elementsAsIn(this.length), String(buffer.row))
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

  /** Makes the table of a reply of `offset` bytes. Fails if it has no column, or lacks one that may not be null. */
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
    const lanes = buffer.keep(legend.length, slab.offsetOf(buffer.at))
    this.filled[at] = { lanes, hasNulls: buffer.nulls > 0, legend }
    buffer.at = slab.relieve(buffer.at, this.length!.rows * this.plan.bytesPerRow)
  }
}

/** The most bytes of a null that stands for an element of a missing column. */
const bytesPerNull = 8

/**
 * How many bytes of such nulls a table may hold: a fixed number, and a number for each byte of its reply. An honest reply that lacks columns needs less.
 * Without the limit, a short reply with many elements in one column could fill the memory with nulls of all the others.
 */
const freeNullBytes = 1_048_576
const nullBytesPerByte = 8

const nullAt = (index: number): Example => ({ index, expected: "a value", received: "null" })

const missing = (column: string | undefined, received: string, offset: number) =>
  fail("MissingColumn", column, "an array", received, undefined, offset)
