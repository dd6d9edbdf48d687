import type { Choices, Numbers, Texts } from "../ColumnKind.ts"
import type { Column } from "../ColumnSpec.ts"
import * as ChoiceTable from "./choiceTable.ts"
import { ColumnBuffer } from "./columnBuffer.ts"
import * as Flag from "./flag.ts"
import type { Kernel } from "./kernel.ts"
import * as layout from "./layout.ts"
import * as LegendCache from "./legendCache.ts"
import { Malformed } from "./malformed.ts"
import * as Register from "./register.ts"
import { goToElement, readOnlyScalar, type Scalar, showScalar } from "./scalars.ts"
import * as Stop from "./stop.ts"
import { ascii, isPlain } from "./strings.ts"
import type { InputBuffer } from "./inputBuffer.ts"

/** The rows for which there is room at first where nobody knows how many will come. */
const firstCapacity = 1024

/**
 * What comes after what was read: another element, a separator, or the bracket that ends the array; `wait` if it has not arrived. Where the array
 * is longer than it may be, what is wrong comes: the element at the position is the first too many.
 */
export type Next = "element" | "separator" | "end" | "wait" | Malformed

/** How many rows the reply has, and which column said so. */
export interface Length {
  readonly rows: number
  readonly column: string
}

/**
 * Reads the elements of one array into the column buffer. A hot loop reads as long as elements are written in the usual way; every other
 * element is read here, one at a time.
 */
export class ElementReader {
  /** The column's elements. */
  readonly buffer: ColumnBuffer
  private readonly kernel: Kernel
  private readonly input: InputBuffer
  private readonly strict: boolean
  private readonly maxRows: number
  private readonly codes = new Map<string, number>()
  private column!: Column
  private length: Length | undefined
  private flags = 0
  private hasLoop = false

  constructor(kernel: Kernel, input: InputBuffer, strict: boolean, maxRows: number) {
    this.kernel = kernel
    this.input = input
    this.strict = strict
    this.maxRows = maxRows
    this.buffer = new ColumnBuffer(kernel)
  }

  /** The number of elements read. */
  get row(): number {
    return this.buffer.row
  }

  /** The texts that the codes of the column stand for. */
  get legend(): ReadonlyArray<string> {
    return this.column.kind.storage._tag === "Texts" ? [...this.codes.keys()] : []
  }

  /** Begins a column. `length` is how many rows it must have; `capacity` a guess where it is the first. */
  start(column: Column, length: Length | undefined, capacity = firstCapacity): void {
    const { kind: { storage }, null: nulls } = column
    this.column = column
    this.length = length
    this.buffer.start(storage, length?.rows ?? Math.min(capacity, this.maxRows))
    const { memory } = this.kernel
    this.hasLoop = storage._tag !== "Choices" || ChoiceTable.write(memory, storage.values)
    if (storage._tag === "Texts") {
      this.codes.clear()
      LegendCache.clear(memory)
    } else if (storage._tag === "Numbers") {
      const allowed = nulls === "nullable" || (nulls === "finding" && !this.strict)
      this.flags = (allowed ? Flag.nullsAllowed : 0) | (storage.repeats ? Flag.repeats : 0)
    }
  }

  /** Reads a column of nulls, in place of one that has not come. */
  fillWithNulls(column: Column, length: Length): void {
    this.start(column, length)
    while (this.row < length.rows) this.buffer.addNull()
  }

  /** Reads as many elements as have arrived, up to whatever stops the loop. */
  read(): Next {
    const { buffer, kernel, input } = this
    if (this.hasLoop) {
      const safe = input.complete ? input.limit : input.limit - layout.lookAhead
      if (input.position < safe) {
        const stop = this.loop(safe)
        const { words } = kernel.memory
        input.position = words[Register.position]!
        buffer.row = words[Register.row]!
        if (stop === Stop.end) return "end"
        if (stop === Stop.separator) return "separator"
        if (stop === Stop.more) return "element"
        if (stop === Stop.unknown && this.learn()) return "element"
      } else if (!input.complete) return "wait"
    }
    return this.readOne()
  }

  /** Runs the loop for the column's storage. */
  private loop(safe: number): number {
    const { buffer: { at, capacity, nullsAt, numbersAt, row }, column: { kind: { storage } }, kernel } = this
    const { position } = this.input
    if (storage._tag === "Numbers") return kernel.numbers(position, safe, at, row, capacity, nullsAt, this.flags)
    if (storage._tag === "Choices") return kernel.choices(position, safe, at, row, capacity)
    return kernel.texts(position, safe, at, row, capacity, numbersAt, storage.digits)
  }

  /** Reads the element at the position, however it is written. */
  private readOne(): Next {
    const { buffer, column, input } = this
    const { expected } = column.kind
    if (!goToElement(input, expected)) return "wait"
    if (buffer.row === buffer.capacity) {
      if (this.length !== undefined) return tooLong(input.position, this.length)
      this.makeRoom()
    }
    const start = input.position
    const value = readOnlyScalar(input, expected)
    if (value === undefined) return "wait"
    this.add(value, start)
    return "separator"
  }

  private makeRoom(): void {
    if (this.row >= this.maxRows) {
      throw new Malformed("TooManyRows", this.input.position, `at most ${this.maxRows} rows`, "another one")
    }
    this.buffer.grow(this.maxRows)
  }

  private add(value: Scalar, start: number): void {
    const { buffer, column } = this
    const { storage } = column.kind
    if (value === null) {
      if (column.null === "identity" || (column.null === "finding" && this.strict)) {
        throw new Malformed("NullNotAllowed", start, "a value", "null")
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
      throw new Malformed("NumberOutOfRange", start, "a number that a double can hold", "a larger one")
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
    throw new Malformed("WrongValue", start, `${this.column.kind.expected} (${reason})`, showScalar(value))
  }

  private refusal(code: "WrongType" | "WrongValue", value: Scalar, start: number): Malformed {
    return new Malformed(code, start, this.column.kind.expected, showScalar(value))
  }

  private codeOf(text: string, { most }: Texts, start: number): number {
    const known = this.codes.get(text)
    if (known !== undefined) return known
    const code = this.codes.size
    if (code >= most) throw new Malformed("TooManyTexts", start, `at most ${most} different texts`, "another one")
    this.codes.set(text, code)
    return code
  }

  /** Puts the text at the position into the legend and the cache, if it is one that the column takes. */
  private learn(): boolean {
    const { column: { kind: { storage } }, kernel: { memory }, input } = this
    if (storage._tag !== "Texts") return false
    const start = input.position + 1
    const end = start + memory.words[Register.length]! - storage.digits
    if (!isPlain(memory.bytes, start, end)) return false
    const text = ascii(memory.bytes, start, end)
    if (storage.problem?.(text + "0".repeat(storage.digits)) !== undefined) return false
    LegendCache.write(memory, start, end, this.codeOf(text, storage, input.position))
    return true
  }
}

/** Names the length that a column should have. */
export const elementsAsIn = (rows: number, column: string): string =>
  `${rows} ${rows === 1 ? "element" : "elements"}, as in ${column}`

/** Says that an array goes on at a position where it should have ended; how long it is nobody has counted yet. */
const tooLong = (position: number, { column, rows }: Length): Malformed =>
  new Malformed("LengthMismatch", position, elementsAsIn(rows, column), "more")
