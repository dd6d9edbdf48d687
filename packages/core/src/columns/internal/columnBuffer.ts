import type { ColumnKind } from "../ColumnKind.ts"
import * as Abi from "./abi.ts"
import { type LaneType, narrowest } from "./slab.ts"

/** Every lane begins at a multiple of this many bytes, as 64-bit floats must. */
const alignment = 8

/** Bytes that an element takes while it is read: a float, a choice, or a code and the number beside it. */
const bytesOf = { Numbers: 8, Choices: 1, Texts: 8 } as const

/** A lane that has been read: a number of elements of a type, at an offset of the slab. Its view is made last, when the slab is there. */
export interface Kept {
  readonly type: LaneType
  readonly offset: number
  readonly length: number
}

/**
 * The column that is being read, in the kernel's memory behind the columns before it: elements, the numbers beside codes, and one bit a row for nulls. The
 * loops write into it, and the driver writes the elements that a loop leaves to it.
 */
export class ColumnBuffer {
  /** Where the column begins. */
  at: number = Abi.columnAt
  /** Where the numbers beside the codes lie. */
  numbersAt = 0
  /** Where the bits of nulls lie. */
  nullsAt = 0
  /** The number of rows read. */
  row = 0
  /** The number of rows there is room for. */
  capacity = 0
  private readonly kernel: Abi.Kernel
  private storage!: ColumnKind["storage"]

  constructor(kernel: Abi.Kernel) {
    this.kernel = kernel
  }

  /** The number of nulls read. */
  get nulls(): number {
    return this.kernel.memory.words[Abi.nullsRegister]!
  }

  /** Begins a column with room for a number of rows. */
  start(storage: ColumnKind["storage"], capacity: number): void {
    this.row = 0
    this.storage = storage
    this.makeRoom(capacity)
    this.kernel.memory.words[Abi.nullsRegister] = 0
    this.kernel.memory.bytes.fill(0, this.nullsAt, this.nullsAt + bitmapBytes(capacity))
  }

  /** Doubles the room, up to a number of rows. */
  grow(most: number): void {
    const { capacity, nullsAt, numbersAt } = this
    this.makeRoom(Math.min(most, Math.max(64, capacity * 2)))
    // From back to front, so that no lane is moved onto one that still has to move.
    const { bytes } = this.kernel.memory
    bytes.copyWithin(this.nullsAt, nullsAt, nullsAt + bitmapBytes(capacity))
    bytes.fill(0, this.nullsAt + bitmapBytes(capacity), this.nullsAt + bitmapBytes(this.capacity))
    if (this.storage._tag === "Texts") bytes.copyWithin(this.numbersAt, numbersAt, numbersAt + capacity * 4)
  }

  /** Adds a number. */
  addNumber(value: number): void {
    this.kernel.memory.floats[this.at / 8 + this.row++] = value
  }

  /** Adds a choice. */
  addChoice(code: number): void {
    this.kernel.memory.bytes[this.at + this.row++] = code
  }

  /** Adds a text by its code, with the number that it ends in. */
  addText(code: number, number: number): void {
    this.kernel.memory.words[this.at / 4 + this.row] = code
    this.kernel.memory.words[this.numbersAt / 4 + this.row++] = number
  }

  /** Adds a null: a mark, and in the place of the element NaN or 0. */
  addNull(): void {
    const { bytes, words } = this.kernel.memory
    bytes[this.nullsAt + (this.row >> 3)]! |= 1 << (this.row & 7)
    words[Abi.nullsRegister]!++
    if (this.storage._tag === "Numbers") this.addNumber(NaN)
    else if (this.storage._tag === "Choices") this.addChoice(0)
    else this.addText(0, 0)
  }

  /** Returns the first rows that are null, at most `most`. */
  firstNulls(most: number): ReadonlyArray<number> {
    const { bytes } = this.kernel.memory
    const rows: Array<number> = []
    for (let row = 0; row < this.row && rows.length < most; row++) {
      if ((bytes[this.nullsAt + (row >> 3)]! & (1 << (row & 7))) !== 0) rows.push(row)
    }
    return rows
  }

  /**
   * Ends the column: what it holds moves together, and the next begins behind it. Returns its lanes, the last of which are the bits of nulls if
   * there are any; they are to lie at `offset` in the slab. Codes become as narrow as a legend of that size allows.
   */
  keep(legend: number, offset: number): ReadonlyArray<Kept> {
    const { at, kernel: { memory: { bytes } }, nullsAt, row } = this
    const base = offset - at
    const kept = this.elements(legend, base)
    if (this.nulls > 0) kept.push(this.move(Uint8Array, bitmapBytes(row), nullsAt, base))
    // The gaps go into the table's buffer as well, and nothing of an earlier reply may show there. Until now another lane may have lain in them.
    for (const { length, offset, type } of kept) {
      const end = offset - base + length * type.BYTES_PER_ELEMENT
      if (end !== aligned(end)) bytes.fill(0, end, aligned(end))
    }
    return kept
  }

  /** Moves the elements, codes and the numbers beside them. */
  private elements(legend: number, base: number): Array<Kept> {
    const { at, kernel: { memory: { bytes, words } }, numbersAt, row, storage } = this
    if (storage._tag === "Numbers") return [this.move(Float64Array, row, at, base)]
    if (storage._tag === "Choices") return [this.move(Uint8Array, row, at, base)]
    const type = narrowest(legend)
    new type(bytes.buffer, at, row).set(words.subarray(at / 4, at / 4 + row))
    const codes = this.move(type, row, at, base)
    return storage.digits === 0 ? [codes] : [codes, this.move(Int32Array, row, numbersAt, base)]
  }

  /** Moves a lane down to where the column has come to. */
  private move(type: LaneType, length: number, from: number, base: number): Kept {
    const { at } = this
    const size = length * type.BYTES_PER_ELEMENT
    if (from !== at) this.kernel.memory.bytes.copyWithin(at, from, from + size)
    this.at = aligned(at + size)
    return { type, offset: base + at, length }
  }

  private makeRoom(rows: number): void {
    this.capacity = rows
    this.numbersAt = this.at + rows * 4
    this.nullsAt = this.at + rows * bytesOf[this.storage._tag]
    this.kernel.reserve(this.nullsAt + bitmapBytes(rows) + alignment + Abi.lookAhead)
  }
}

const bitmapBytes = (rows: number): number => (rows + 7) >> 3

const aligned = (address: number): number => Math.ceil(address / alignment) * alignment
