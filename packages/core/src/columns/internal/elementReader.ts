import type { Choices, Numbers, Texts } from "../ColumnKind.ts"
import type { Column } from "../ColumnSpec.ts"
import * as Abi from "./abi.ts"
import * as Json from "./json.ts"
import { ColumnBuffer } from "./slab.ts"

/** The initial room in rows, if their number is not known. */
const firstCapacity = 1024

/** How many rows the reply has, and which column said so. */
export interface Length {
  readonly rows: number
  readonly column: string
}

/** Names the length that a column should have. */
export const elementsAsIn = ({ column, rows }: Length): string =>
  `${rows} ${rows === 1 ? "element" : "elements"}, as in ${column}`

/** What is expected next in the array, as errors say it. */
const expectedIn = { first: "an element or \"]\"", separator: "\",\" or \"]\"" }

/**
 * Reads one array into the column buffer, from its opening bracket to its closing one, as far as it has arrived. A hot loop reads elements in the usual form;
 * every other element is read here, one at a time.
 */
export class ElementReader {
  /** The column's elements. */
  readonly buffer: ColumnBuffer
  /** Skips values that were not asked for. */
  readonly skip: Skip
  private readonly kernel: Abi.Kernel
  private readonly input: Json.InputBuffer
  private readonly strict: boolean
  private readonly maxRows: number
  private readonly codes = new Map<string, number>()
  private column!: Column
  private length: Length | undefined
  private flags = 0
  private hasLoop = false
  private next: "first" | "element" | "separator" = "first"
  /** If the array is too long: where its first extra element begins, and how many elements have come. */
  private surplus: { readonly offset: number; count: number } | undefined

  constructor(kernel: Abi.Kernel, input: Json.InputBuffer, strict: boolean, maxRows: number) {
    this.kernel = kernel
    this.input = input
    this.strict = strict
    this.maxRows = maxRows
    this.buffer = new ColumnBuffer(kernel)
    this.skip = new Skip(kernel, this.buffer)
  }

  /** The texts that the codes of the column stand for. */
  get legend(): ReadonlyArray<string> {
    return this.column.kind.storage._tag === "Texts" ? [...this.codes.keys()] : []
  }

  /** The row at which reading has failed: that of the element, or of the one before a separator. */
  get rowOfFailure(): number | undefined {
    const { buffer: { row }, next, surplus } = this
    return surplus !== undefined || next === "element" ? row : next === "separator" ? row - 1 : undefined
  }

  /** Begins a column. `length` is how many rows it must have; `capacity` a guess where it is the first. */
  start(column: Column, length: Length | undefined, capacity = firstCapacity): void {
    const { kind: { storage }, null: nulls } = column
    this.column = column
    this.length = length
    this.next = "first"
    this.buffer.start(storage, length?.rows ?? Math.min(capacity, this.maxRows))
    const { memory } = this.kernel
    this.hasLoop = storage._tag !== "Choices" || Abi.writeChoices(memory, storage.values)
    if (storage._tag === "Texts") {
      this.codes.clear()
      Abi.clearLegend(memory)
    } else if (storage._tag === "Numbers") {
      const allowed = nulls === "nullable" || (nulls === "finding" && !this.strict)
      this.flags = (allowed ? Abi.nullsAllowed : 0) | (storage.repeats ? Abi.repeats : 0)
    }
  }

  /** Makes a column of nulls for one that is missing. */
  fillWithNulls(column: Column, length: Length): void {
    this.start(column, length)
    while (this.buffer.row < length.rows) this.buffer.addNull()
  }

  /** Reads as far as the array has arrived. Returns whether it has ended. */
  read(): boolean {
    const { input } = this
    for (;;) {
      if (this.next !== "element") {
        const expected = expectedIn[this.next]
        if (!this.hasArrived(expected)) return false
        const code = input.bytes[input.position]!
        if (code === Abi.closeBracket) return this.end()
        if (this.next === "separator") {
          if (code !== Abi.comma) throw Json.unexpected(input, expected)
          input.position++
        }
        this.next = "element"
      }
      if (this.surplus !== undefined ? !this.readSurplus() : !this.runLoop() && !this.readOne()) return false
    }
  }

  /** Skips white space. Returns whether a byte after it has arrived; fails if the reply ends here. */
  private hasArrived(expected: string): boolean {
    if (Json.skipWhitespace(this.input)) return true
    if (this.input.complete) throw Json.cutShort(this.input, expected)
    return false
  }

  private end(): true {
    // An array that is too short fails at the row after its last, where another element belongs.
    this.next = "element"
    const { input, length, surplus } = this
    if (surplus === undefined) return true
    throw new Json.Malformed(
      "LengthMismatch",
      surplus.offset - input.offsetOf(0),
      elementsAsIn(length!),
      String(surplus.count)
    )
  }

  /** Reads elements in the loop for the column's storage. Returns false if the driver has to read the next one. */
  private runLoop(): boolean {
    const { buffer, input } = this
    if (!this.hasLoop) return false
    const safe = input.complete ? input.limit : input.limit - Abi.lookAhead
    if (input.position >= safe) return false
    const stop = this.loop(safe)
    const { words } = this.kernel.memory
    input.position = words[Abi.positionRegister]!
    buffer.row = words[Abi.rowRegister]!
    if (stop === Abi.stopEnd || stop === Abi.stopSeparator) this.next = "separator"
    return stop <= Abi.stopEnd || stop === Abi.stopSeparator || stop === Abi.stopUnknown && this.learn()
  }

  private loop(safe: number): number {
    const { buffer: { at, capacity, nullsAt, numbersAt, row }, column: { kind: { storage } }, kernel } = this
    const { position } = this.input
    if (storage._tag === "Numbers") return kernel.numbers(position, safe, at, row, capacity, nullsAt, this.flags)
    if (storage._tag === "Choices") return kernel.choices(position, safe, at, row, capacity)
    return kernel.texts(position, safe, at, row, capacity, numbersAt, storage.digits)
  }

  /** Reads the element at the position in any form. Returns false if it has not arrived yet. */
  private readOne(): boolean {
    const { buffer, column, input } = this
    const { expected } = column.kind
    if (this.hasLoop && !input.complete && input.position >= input.limit - Abi.lookAhead) return false
    if (!this.hasArrived(expected)) return false
    const start = input.position
    const code = input.bytes[start]!
    if (code === Abi.comma || code === Abi.closeBracket) throw Json.unexpected(input, expected)
    if (buffer.row === buffer.capacity) {
      if (this.length !== undefined) {
        this.surplus = { offset: input.offsetOf(start), count: buffer.row }
        this.skip.start()
        return this.readSurplus()
      }
      this.makeRoom()
    }
    const value = Json.readOnlyScalar(input, expected)
    if (value === undefined) return false
    this.add(value, start)
    this.next = "separator"
    return true
  }

  /** Counts an element of an array that is too long, for the error, without keeping it. */
  private readSurplus(): boolean {
    if (!this.skip.take(this.input)) {
      if (this.input.complete) throw Json.cutShort(this.input, "an element")
      return false
    }
    this.surplus!.count++
    this.skip.start()
    this.next = "separator"
    return true
  }

  private makeRoom(): void {
    if (this.buffer.row >= this.maxRows) {
      throw new Json.Malformed("TooManyRows", this.input.position, `at most ${this.maxRows} rows`, "another one")
    }
    this.buffer.grow(this.maxRows)
  }

  private add(value: Json.Scalar, start: number): void {
    const { buffer, column } = this
    const { storage } = column.kind
    if (value === null) {
      if (column.null === "identity" || (column.null === "finding" && this.strict)) {
        throw new Json.Malformed("NullNotAllowed", start, "a value", "null")
      }
      buffer.addNull()
    } else if (storage._tag === "Numbers") buffer.addNumber(this.numberOf(value, storage, start))
    else if (storage._tag === "Choices") buffer.addChoice(this.choiceOf(value, storage, start))
    else {
      const text = this.textOf(value, storage, start)
      const end = text.length - storage.digits
      buffer.addText(this.codeOf(text.slice(0, end), storage, start), Number(text.slice(end)))
    }
  }

  private numberOf(value: string | number | boolean, storage: Numbers, start: number): number {
    if (typeof value === "number") {
      if (Number.isFinite(value)) return value
      throw new Json.Malformed("NumberOutOfRange", start, "a number that a double can hold", "a larger one")
    }
    if (typeof value !== "string" || storage.ofText === undefined) throw this.refusal("WrongType", value, start)
    const number = storage.ofText(value)
    if (number === undefined) throw this.refusal("WrongValue", value, start)
    return number
  }

  private choiceOf(value: string | number | boolean, { values }: Choices, start: number): number {
    if (typeof value !== typeof values[0]) throw this.refusal("WrongType", value, start)
    const code = values.indexOf(value as string | boolean)
    if (code < 0) throw this.refusal("WrongValue", value, start)
    return code
  }

  private textOf(value: string | number | boolean, { problem }: Texts, start: number): string {
    if (typeof value !== "string") throw this.refusal("WrongType", value, start)
    const reason = problem?.(value)
    if (reason === undefined) return value
    throw new Json.Malformed("WrongValue", start, `${this.column.kind.expected} (${reason})`, Json.showScalar(value))
  }

  private refusal(code: "WrongType" | "WrongValue", value: Json.Scalar, start: number): Json.Malformed {
    return new Json.Malformed(code, start, this.column.kind.expected, Json.showScalar(value))
  }

  private codeOf(text: string, { most }: Texts, start: number): number {
    const known = this.codes.get(text)
    if (known !== undefined) return known
    const code = this.codes.size
    if (code >= most) throw new Json.Malformed("TooManyTexts", start, `at most ${most} different texts`, "another one")
    this.codes.set(text, code)
    return code
  }

  /** Puts the text at the position into the legend, if it is one that the column takes. */
  private learn(): boolean {
    const { column: { kind: { storage } }, kernel: { memory }, input } = this
    if (storage._tag !== "Texts") return false
    const start = input.position + 1
    const end = start + memory.words[Abi.lengthRegister]! - storage.digits
    if (!Json.isPlain(memory.bytes, start, end)) return false
    const text = Json.ascii(memory.bytes, start, end)
    if (storage.problem?.(text + "0".repeat(storage.digits)) !== undefined) return false
    Abi.writeLegend(memory, start, end, this.codeOf(text, storage, input.position))
    return true
  }
}

/** How deep arrays and objects may be nested. */
const maxDepth = 512

/** How many numbers the loop passes over at a time, and the room that it takes for them and their nulls. */
const atOnce = 1024
const floatBytes = 8 * atOnce
const roomBytes = floatBytes + atOnce / 8 + Abi.lookAhead

/** What comes next in the value that is being skipped. */
type Next = "value" | "firstElement" | "firstKey" | "key" | "colon" | "separator"

/**
 * Skips one value that was not asked for, which may arrive in pieces. Its grammar is checked, because a reply is only accepted if all of it is JSON. The
 * skipper has its own stack, so that nesting takes a byte a level and no recursion.
 */
class Skip {
  /** Whether each level is an object; made for the first value that has levels, because most replies have nothing to skip. */
  private isObject: Uint8Array | undefined
  private depth = 0
  private next: Next = "value"
  private readonly kernel: Abi.Kernel
  private readonly column: ColumnBuffer

  /** Numbers that are skipped may be written where the next column will be. */
  constructor(kernel: Abi.Kernel, column: ColumnBuffer) {
    this.kernel = kernel
    this.column = column
  }

  /** Prepares for another value. */
  start(): void {
    this.depth = 0
    this.next = "value"
  }

  /** Skips what has arrived of the value. Returns whether the value has ended. */
  take(input: Json.Input): boolean {
    while (Json.skipWhitespace(input)) {
      const code = input.bytes[input.position]!
      switch (this.next) {
        case "firstElement":
        case "value": {
          if (code === Abi.closeBracket && this.next === "firstElement") this.close(input)
          else if (code === Abi.openBracket || code === Abi.openBrace) this.open(input, code === Abi.openBrace)
          else if (this.isInArray && Json.beginsNumber(code) && this.passNumbers(input)) break
          else if (!Json.skipScalar(input)) return false
          else this.next = "separator"
          break
        }
        case "firstKey":
        case "key": {
          if (code === Abi.closeBrace && this.next === "firstKey") {
            this.close(input)
            break
          }
          if (code !== Abi.quote) throw Json.unexpected(input, "a key")
          if (!Json.skipScalar(input)) return false
          this.next = "colon"
          break
        }
        case "colon": {
          if (code !== Abi.colon) throw Json.unexpected(input, "\":\"")
          input.position++
          this.next = "value"
          break
        }
        case "separator": {
          const { isInArray } = this
          if (code === (isInArray ? Abi.closeBracket : Abi.closeBrace)) this.close(input)
          else if (code === Abi.comma) {
            input.position++
            this.next = isInArray ? "value" : "key"
          } else throw Json.unexpected(input, isInArray ? "\",\" or \"]\"" : "\",\" or \"}\"")
          break
        }
      }
      if (this.depth === 0 && this.next === "separator") return true
    }
    return false
  }

  private get isInArray(): boolean {
    return this.isObject?.[this.depth - 1] === 0
  }

  /** Skips numbers with the loop for columns, up to the first element that it leaves. Returns whether there were any. */
  private passNumbers(input: Json.Input): boolean {
    const { kernel } = this
    const { position } = input
    const { at } = this.column
    kernel.reserve(at + roomBytes)
    const safe = input.complete ? input.limit : input.limit - Abi.lookAhead
    let stop: number = Abi.stopFull
    while (stop === Abi.stopFull && input.position < safe) {
      stop = kernel.numbers(input.position, safe, at, 0, atOnce, at + floatBytes, Abi.nullsAllowed)
      input.position = kernel.memory.words[Abi.positionRegister]!
    }
    this.next = stop === Abi.stopEnd || stop === Abi.stopSeparator ? "separator" : "value"
    return input.position > position
  }

  private open(input: Json.Input, isObject: boolean): void {
    if (this.depth === maxDepth) {
      throw new Json.Malformed(
        "TooDeep",
        input.position,
        `at most ${maxDepth} arrays and objects in each other`,
        "one more"
      )
    }
    this.isObject ??= new Uint8Array(maxDepth)
    this.isObject[this.depth++] = isObject ? 1 : 0
    this.next = isObject ? "firstKey" : "firstElement"
    input.position++
  }

  private close(input: Json.Input): void {
    this.depth--
    this.next = "separator"
    input.position++
  }
}
