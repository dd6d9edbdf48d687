import * as Result from "effect/Result"
import { quote } from "../../text/ForeignText.ts"
import type { ColumnSpec } from "../ColumnSpec.ts"
import type { Decoded, DecodeOptions } from "../tableContent.ts"
import { type Code, DecodeError } from "../DecodeError.ts"
import * as Kernel from "../Kernel.ts"
import * as Abi from "./abi.ts"
import { ElementReader } from "./elementReader.ts"
import * as Json from "./json.ts"
import * as KernelPool from "./kernelPool.ts"
import { type Plan, planFor, TableBuilder } from "./tableBuilder.ts"

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

/** A row with all columns takes more bytes than that; of one with fewer, the room grows. */
const leastBytesPerRow = 128

/** Where in the object the reader may be, with what it takes next in the words of an error. */
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

/** Where the reader is. */
type State = keyof typeof expectedIn

/**
 * Walks through the one JSON object that a reply is, while its bytes arrive, and reads its fields into a table. It holds no more of the reply than
 * a token.
 */
export class TableReader {
  private readonly options: DecodeOptions
  private readonly kernel: Abi.Kernel
  private readonly input: Json.InputBuffer
  private readonly plan: Plan
  private readonly elements: ElementReader
  private readonly table: TableBuilder
  /** How many rows the first column is given room for. */
  private readonly capacity: number | undefined
  /** The fields that have come. */
  private readonly fields = new Set<string>()
  /** The position in the spec of the column that came last: most likely the next one follows. */
  private last = -1
  private state: State = "object"
  /** What follows the colon of the field that is being read. */
  private valueState: State = "skipped"
  private field: string | undefined
  private outcome: Result.Result<Decoded, DecodeError> | undefined

  /** Borrows a kernel, and gives it back at the end. `size` is the length of the reply in bytes, where that is known. */
  constructor(spec: ColumnSpec, options: DecodeOptions, size?: number) {
    this.options = options
    this.kernel = KernelPool.borrow(options.kernel ?? Kernel.fastest)
    this.input = new Json.InputBuffer(this.kernel)
    this.plan = planFor(spec)
    this.elements = new ElementReader(this.kernel, this.input, options.strict === true, mostRows(options))
    this.table = new TableBuilder(this.plan, this.elements, this.kernel, options)
    this.capacity = size === undefined ? undefined : Math.ceil(size / leastBytesPerRow)
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

  /** Reads as far as the bytes go. */
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
      this.settle(Result.fail(
        new DecodeError({
          code,
          column: this.field,
          index: this.state === "elements" ? this.elements.rowOfFailure : undefined,
          offset: input.offsetOf(position),
          expected,
          received
        })
      ))
    }
  }

  /** Whatever comes now changes nothing: the kernel is free for another reply. */
  private settle(outcome: Result.Result<Decoded, DecodeError>): void {
    this.outcome = outcome
    KernelPool.giveBack(this.kernel)
  }

  /** Takes what comes next. Answers false if it has not arrived. */
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

  /** Takes one byte, and goes on. */
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

  /** How the value of a field is read. */
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

  /** Refuses a value of the wrong shape; it is read first if it is short, because the error names it. */
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

/** How many rows are taken; what is not a number of rows takes no bound away. */
const mostRows = ({ maxRows: most = maxRows }: DecodeOptions): number =>
  Number.isSafeInteger(most) && most >= 0 ? Math.min(most, maxRows) : maxRows

const byteOrderMark = [0xef, 0xbb, 0xbf]
