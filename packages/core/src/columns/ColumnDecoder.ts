/**
 * Reads replies of parallel arrays, from bytes to typed columns, while the bytes arrive.
 *
 * A reply is one JSON object. The decoder walks through its fields, hands the elements of each column that was asked for to a hot loop,
 * and takes care of everything that the loops leave out: whatever is not written in the usual way, and whatever is wrong. The columns of
 * a table lie in one buffer; beyond it a reply leaves nothing for the garbage collector.
 *
 * @example
 * ```ts
 * import * as ColumnDecoder from "@effect-marketdata/core/columns/ColumnDecoder"
 * import * as ColumnKind from "@effect-marketdata/core/columns/ColumnKind"
 * import * as Result from "effect/Result"
 *
 * const decoder = ColumnDecoder.make({ close: { kind: ColumnKind.number, null: "finding" } })
 * decoder.push(new TextEncoder().encode(`{"s":"ok","clo`))
 * decoder.push(new TextEncoder().encode(`se":[1.5,2]}`))
 * Result.getOrThrow(decoder.end()).vectors["close"] // => new Float64Array([1.5, 2])
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type Code, DecodeError } from "../DecodeError.ts"
import type { Finding } from "../Finding.ts"
import { quote } from "../internal/quote.ts"
import type { ColumnSpec } from "./ColumnSpec.ts"
import * as Byte from "./internal/byte.ts"
import { ElementReader } from "./internal/elementReader.ts"
import type { Kernel as Loops } from "./internal/kernel.ts"
import * as KernelPool from "./internal/kernelPool.ts"
import { Malformed } from "./internal/malformed.ts"
import { type Plan, planFor } from "./internal/plan.ts"
import { readScalar, showScalar } from "./internal/scalars.ts"
import { Skip } from "./internal/skip.ts"
import { textOf } from "./internal/strings.ts"
import { TableBuilder } from "./internal/tableBuilder.ts"
import { cutShort, isAt, show, skipWhitespace, stringEnd, unexpected } from "./internal/tokens.ts"
import { Window } from "./internal/window.ts"
import * as Kernel from "./Kernel.ts"

/**
 * What is asked of a decoder.
 *
 * - `columns`: the columns that the reply should have; all by default. `"present"` takes whichever are there, and finds the others
 *   missing.
 * - `strict`: every finding is an error.
 * - `scalars`: fields that the resource has besides its columns; they are no findings, and are not read here
 * - `statusOptional`: whether the status `s` may be missing. The contract promises it of whole replies only, and the public service leaves
 *   it out where columns were asked for by name
 * - `kernel`: the hot loops to read with; the fastest that work here by default
 * - `recycled`: a buffer that is no longer needed, in which the columns may lie
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodeOptions<Name extends string = string> {
  readonly columns?: ReadonlyArray<Name> | "present" | undefined
  readonly strict?: boolean | undefined
  readonly scalars?: ReadonlyArray<string> | undefined
  readonly statusOptional?: boolean | undefined
  readonly kernel?: Kernel.Kernel | undefined
  readonly recycled?: ArrayBuffer | undefined
}

/**
 * What a reply holds: one vector a column, a bitmap for each column in which a null occurred, and the findings. All vectors and bitmaps lie
 * in `slabs`: one buffer, or several where they take more than 31 MiB.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decoded {
  readonly length: number
  readonly vectors: Readonly<Record<string, unknown>>
  readonly nulls: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly findings: ReadonlyArray<Finding>
  readonly slabs: ReadonlyArray<ArrayBuffer>
}

/**
 * Reads a reply piece by piece.
 *
 * @category models
 * @since 0.1.0
 */
export interface ColumnDecoder<out A> {
  /** Takes the next bytes; the caller may use the array again afterwards. Answers false once no byte can change the outcome. */
  readonly push: (bytes: Uint8Array) => boolean
  /** Says that there are no more bytes, and returns what they held. */
  readonly end: () => Result.Result<A, DecodeError>
}

/**
 * The most fields that a reply may have.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxFields = 1024

/**
 * Creates a decoder for one reply (clauses 2.1-shape, 2.1-lengths, 2.1-fields). Fields that the spec does not know are findings; so are nulls
 * and gaps that leave the rows meaningful. Everything else is a `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const make = (spec: ColumnSpec, options: DecodeOptions = {}): ColumnDecoder<Decoded> => {
  const reader = new Reader(spec, options)
  return { push: (bytes) => reader.push(bytes), end: () => reader.end() }
}

/**
 * Decodes a reply that has arrived, bytes or text.
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
  const reader = new Reader(spec, options, bytes.length)
  reader.push(bytes)
  return reader.end()
}

/**
 * Fails on the first finding: what `strict` means, for findings made here and by the resources themselves.
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

/** Where in the object the reader is: what it takes next. */
type State =
  | "object"
  | "firstKey"
  | "key"
  | "colon"
  | "status"
  | "array"
  | "skipped"
  | "firstElement"
  | "element"
  | "elementSeparator"
  | "fieldSeparator"
  | "nothing"

/** What to expect in each state, for errors. */
const expectedIn: { readonly [S in State]: string } = {
  object: "one JSON object",
  firstKey: "a key or \"}\"",
  key: "a key",
  colon: "\":\"",
  status: "\"ok\"",
  array: "an array",
  skipped: "a value",
  firstElement: "an element or \"]\"",
  element: "an element",
  elementSeparator: "\",\" or \"]\"",
  fieldSeparator: "\",\" or \"}\"",
  nothing: "nothing after the object"
}

class Reader {
  private readonly options: DecodeOptions
  private readonly kernel: Loops
  private readonly window: Window
  private readonly elements: ElementReader
  private readonly table: TableBuilder
  private readonly plan: Plan
  private readonly skip = new Skip()
  /** 1 for each column of the spec that has come. */
  private readonly come: Uint8Array
  /** The fields that have come and are no columns. */
  private readonly others = new Set<string>()
  private fields = 0
  /** The position in the spec of the column that came last: most likely the next one follows. */
  private last = -1
  private state: State = "object"
  /** What follows the colon of the field that is being read. */
  private valueState: State = "skipped"
  private field: string | undefined
  private outcome: Result.Result<Decoded, DecodeError> | undefined
  /** How many rows the first column is given room for. */
  private readonly capacity: number | undefined

  constructor(spec: ColumnSpec, options: DecodeOptions, size?: number) {
    this.options = options
    this.capacity = size === undefined ? undefined : Math.ceil(size / leastBytesPerRow)
    this.kernel = KernelPool.borrow(options.kernel ?? Kernel.fastest)
    this.window = new Window(this.kernel)
    this.elements = new ElementReader(this.kernel, this.window, options.strict === true)
    this.plan = planFor(spec)
    this.come = new Uint8Array(this.plan.names.length)
    this.table = new TableBuilder(this.plan, this.elements, this.kernel, options)
  }

  push(piece: Uint8Array): boolean {
    for (let start = 0; start < piece.length && this.outcome === undefined;) {
      start = this.window.fill(piece, start)
      this.read()
    }
    return this.outcome === undefined
  }

  end(): Result.Result<Decoded, DecodeError> {
    if (this.outcome === undefined) {
      this.window.finish()
      this.read()
    }
    return this.outcome!
  }

  /** Reads as far as the bytes go. */
  private read(): void {
    const { window } = this
    try {
      while (window.isWorthReading && this.step());
      if (!window.complete) return window.pause()
      if (this.state === "object") {
        throw new Malformed("UnexpectedEnd", window.limit, expectedIn.object, "an empty body")
      }
      if (this.state !== "nothing") throw cutShort(window, expectedIn[this.state])
      this.settle(this.finish())
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.settle(Result.fail(
        new DecodeError({
          code: error.code,
          column: this.field,
          index: this.rowOfFailure(),
          offset: window.offsetOf(error.position),
          expected: error.expected,
          received: error.received
        })
      ))
    }
  }

  private finish(): Result.Result<Decoded, DecodeError> {
    const hasStatus = this.others.has("s") || this.options.statusOptional === true
    const decoded = this.table.finish(hasStatus, this.window.offsetOf(this.window.limit))
    return this.options.strict === true
      ? Result.flatMap(decoded, (decoded) => Result.map(refuse(decoded.findings), () => decoded))
      : decoded
  }

  /** Whatever comes now changes nothing: the kernel is free for another reply. */
  private settle(outcome: Result.Result<Decoded, DecodeError>): void {
    this.outcome = outcome
    KernelPool.giveBack(this.kernel)
  }

  /** The row at which reading failed: that of the element, or of the one before a separator. */
  private rowOfFailure(): number | undefined {
    if (this.state === "element") return this.elements.row
    return this.state === "elementSeparator" ? this.elements.row - 1 : undefined
  }

  /** Takes what comes next. Answers false if it has not arrived. */
  private step(): boolean {
    if (this.state === "element") return this.readElements()
    if (this.state === "skipped") return this.readSkipped()
    const { window } = this
    if (!skipWhitespace(window)) return false
    const code = window.bytes[window.position]!
    switch (this.state) {
      case "object":
        return this.readOpening(code)
      case "firstKey":
        if (code === Byte.closeBrace) return this.take("nothing")
        return this.readKey(code)
      case "key":
        return this.readKey(code)
      case "colon":
        if (code === Byte.colon) return this.take(this.valueState)
        break
      case "status":
        return this.readStatus()
      case "array":
        if (code !== Byte.openBracket) return this.refuseValue("NotAnArray")
        this.elements.start(this.plan.columns[this.last]!, this.table.length, this.capacity)
        return this.take("firstElement")
      case "firstElement":
        if (code === Byte.closeBracket) return this.endColumn()
        this.state = "element"
        return true
      case "elementSeparator":
        if (code === Byte.comma) return this.take("element")
        if (code === Byte.closeBracket) return this.endColumn()
        break
      case "fieldSeparator":
        if (code === Byte.comma) return this.take("key")
        if (code === Byte.closeBrace) return this.take("nothing")
        break
      case "nothing":
        throw new Malformed("TrailingData", window.position, expectedIn.nothing, show(code))
    }
    throw unexpected(window, expectedIn[this.state])
  }

  /** Takes one byte, and goes on. */
  private take(next: State): true {
    this.window.position++
    this.state = next
    return true
  }

  private readOpening(code: number): boolean {
    const { window } = this
    if (code === byteOrderMark[0] && window.offsetOf(window.position) === 0) {
      if (window.limit - window.position < byteOrderMark.length && !window.complete) return false
      if (byteOrderMark.every((part, at) => window.bytes[window.position + at] === part)) {
        window.position += byteOrderMark.length
        return true
      }
    }
    if (code === Byte.openBrace) return this.take("firstKey")
    throw new Malformed("NotAnObject", window.position, expectedIn.object, show(code))
  }

  private readKey(code: number): boolean {
    const { window } = this
    if (code !== Byte.quote) throw unexpected(window, expectedIn[this.state])
    const next = this.plan.keys[this.last + 1]
    const isNext = next !== undefined && isAt(window, next)
    const end = isNext ? window.position + next.length : stringEnd(window)
    if (end === undefined) return false
    const name = isNext ? this.plan.names[this.last + 1]! : textOf(window.bytes, window.position, end)
    const index = isNext ? this.last + 1 : this.plan.indexOf.get(name)
    if (index === undefined ? this.others.has(name) : this.come[index] === 1) {
      throw new Malformed("DuplicateKey", window.position, "each key once", quote(name))
    }
    if (this.fields++ === maxFields) {
      throw new Malformed("TooManyFields", window.position, `at most ${maxFields} fields`, quote(name))
    }
    if (index === undefined) this.others.add(name)
    else {
      this.come[index] = 1
      this.last = index
    }
    this.valueState = name === "s"
      ? "status"
      : index !== undefined && this.table.isAskedFor(index)
      ? "array"
      : "skipped"
    if (this.valueState === "skipped") {
      this.skip.start()
      if (index === undefined && this.options.scalars?.includes(name) !== true) this.noteUnknown(name)
    }
    window.position = end
    this.field = name
    this.state = "colon"
    return true
  }

  private noteUnknown(name: string): void {
    if (this.options.strict === true) {
      this.field = name
      throw new Malformed("UnknownField", this.window.position, "the contract's fields and no others", quote(name))
    }
    this.table.findings.push({ code: "UnknownField", column: name, count: 1, examples: [] })
  }

  private readStatus(): boolean {
    const { window } = this
    const { bytes, position } = window
    if (bytes[position] === Byte.openBracket || bytes[position] === Byte.openBrace) return this.refuseValue("NotOk")
    const status = readScalar(window, expectedIn.status)
    if (status === undefined) return false
    if (status !== "ok") throw new Malformed("NotOk", position, expectedIn.status, showScalar(status))
    return this.endField()
  }

  /** Refuses a value of the wrong shape; it is read first if it is short, because the error names it. */
  private refuseValue(code: Code): boolean {
    const { window } = this
    const { bytes, position } = window
    if (bytes[position] === Byte.openBracket) throw new Malformed(code, position, expectedIn[this.state], "an array")
    if (bytes[position] === Byte.openBrace) throw new Malformed(code, position, expectedIn[this.state], "an object")
    const value = readScalar(window, expectedIn[this.state])
    if (value === undefined) return false
    throw new Malformed(code, position, expectedIn[this.state], showScalar(value))
  }

  private readSkipped(): boolean {
    return this.skip.take(this.window) && this.endField()
  }

  private readElements(): boolean {
    const next = this.elements.read()
    if (next === "wait") return false
    if (next === "end") return this.endColumn()
    this.state = next === "separator" ? "elementSeparator" : "element"
    return true
  }

  private endColumn(): true {
    this.state = "element"
    this.table.add(this.last, this.window.position)
    this.window.position++
    return this.endField()
  }

  private endField(): true {
    this.field = undefined
    this.state = "fieldSeparator"
    return true
  }
}

/** A row with all columns takes more bytes than that; of one with fewer, the room grows. */
const leastBytesPerRow = 128

const byteOrderMark = [0xef, 0xbb, 0xbf]
