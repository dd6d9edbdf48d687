import type { ColumnKind } from "../ColumnKind.ts"
import type { Kernel } from "./kernel.ts"
import * as layout from "./layout.ts"

/** Bytes that the widest element takes: a float, or a code and the number beside it. */
const elementBytes = 8
const numberBytes = 4

const { at } = layout.column

/**
 * The column that is being read, in the kernel's memory: elements, the numbers beside codes, and one bit a row for nulls. The loops write
 * into it, and so does the driver where a loop leaves an element to it.
 */
export class ColumnBuffer {
  /** Where the elements lie. */
  readonly at = at
  /** The number of rows read. */
  row = 0
  /** The number of rows there is room for. */
  capacity = 0
  private readonly kernel: Kernel
  private room = 0

  constructor(kernel: Kernel) {
    this.kernel = kernel
  }

  /** Where the numbers beside the codes lie. */
  get numbersAt(): number {
    return at + this.room * elementBytes
  }

  /** Where the bits of nulls lie. */
  get nullsAt(): number {
    return this.numbersAt + this.room * numberBytes
  }

  /** The number of nulls read. */
  get nulls(): number {
    return this.kernel.memory.words[layout.register.nulls]!
  }

  /** The bits of nulls read, one a row. */
  get nullBits(): Uint8Array<ArrayBuffer> {
    return this.kernel.memory.bytes.subarray(this.nullsAt, this.nullsAt + ((this.row + 7) >> 3))
  }

  /** The elements, if they are numbers. */
  get floats(): Float64Array<ArrayBuffer> {
    return this.kernel.memory.floats.subarray(at / 8, at / 8 + this.row)
  }

  /** The elements, if they are choices. */
  get choices(): Uint8Array<ArrayBuffer> {
    return this.kernel.memory.bytes.subarray(at, at + this.row)
  }

  /** The elements, if they are codes of texts. */
  get codes(): Int32Array<ArrayBuffer> {
    return this.kernel.memory.words.subarray(at / 4, at / 4 + this.row)
  }

  /** The numbers beside the codes. */
  get numbers(): Int32Array<ArrayBuffer> {
    return this.kernel.memory.words.subarray(this.numbersAt / 4, this.numbersAt / 4 + this.row)
  }

  /** Begins a column with room for so many rows, and for no more. */
  start(capacity: number): void {
    this.row = 0
    this.capacity = capacity
    this.makeRoom(capacity)
    this.kernel.memory.words[layout.register.nulls] = 0
    this.kernel.memory.bytes.fill(0, this.nullsAt, this.nullsAt + this.room / 8)
  }

  /** Doubles the room. */
  grow(): void {
    const { nullsAt, numbersAt, room } = this
    this.capacity = room * 2
    this.makeRoom(this.capacity)
    // From the back to the front: what moves never lands on what has still to move.
    const { bytes } = this.kernel.memory
    bytes.copyWithin(this.nullsAt, nullsAt, nullsAt + room / 8)
    bytes.fill(0, this.nullsAt + room / 8, this.nullsAt + this.room / 8)
    bytes.copyWithin(this.numbersAt, numbersAt, numbersAt + room * numberBytes)
  }

  /** Adds a number. */
  addNumber(value: number): void {
    this.kernel.memory.floats[at / 8 + this.row++] = value
  }

  /** Adds a choice. */
  addChoice(code: number): void {
    this.kernel.memory.bytes[at + this.row++] = code
  }

  /** Adds a text by its code, with the number that it ends in. */
  addText(code: number, number: number): void {
    this.kernel.memory.words[at / 4 + this.row] = code
    this.kernel.memory.words[this.numbersAt / 4 + this.row++] = number
  }

  /** Adds a null: a mark, and in the place of the element NaN or 0. */
  addNull(storage: ColumnKind["storage"]): void {
    const { bytes, words } = this.kernel.memory
    bytes[this.nullsAt + (this.row >> 3)]! |= 1 << (this.row & 7)
    words[layout.register.nulls]!++
    if (storage._tag === "Numbers") this.addNumber(NaN)
    else if (storage._tag === "Choices") this.addChoice(0)
    else this.addText(0, 0)
  }

  private makeRoom(rows: number): void {
    this.room = Math.max(64, Math.ceil(rows / 64) * 64)
    this.kernel.reserve(this.nullsAt + this.room / 8 + layout.lookAhead)
  }
}
