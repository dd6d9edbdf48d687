import type { ColumnKind } from "../ColumnKind.ts"
import type { Kernel } from "./kernel.ts"
import * as layout from "./layout.ts"
import * as Register from "./register.ts"
import { type LaneType, narrowest } from "./slab.ts"

/** Every lane begins at a multiple of this, as 64-bit floats must. */
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
 * The column that is being read, in the kernel's memory, behind those that were read before: elements, the numbers beside codes, and one bit
 * a row for nulls. The loops write into it, and so does the driver where a loop leaves an element to it.
 */
export class ColumnBuffer {
  /** Where the column begins. */
  at: number = layout.columnAt
  /** Where the numbers beside the codes lie. */
  numbersAt = 0
  /** Where the bits of nulls lie. */
  nullsAt = 0
  /** The number of rows read. */
  row = 0
  /** The number of rows there is room for. */
  capacity = 0
  private readonly kernel: Kernel
  private storage!: ColumnKind["storage"]

  constructor(kernel: Kernel) {
    this.kernel = kernel
  }

  /** The number of nulls read. */
  get nulls(): number {
    return this.kernel.memory.words[Register.nulls]!
  }

  /** Begins a column with room for a number of rows. */
  start(storage: ColumnKind["storage"], capacity: number): void {
    this.row = 0
    this.storage = storage
    this.makeRoom(capacity)
    this.kernel.memory.words[Register.nulls] = 0
    this.kernel.memory.bytes.fill(0, this.nullsAt, this.nullsAt + bitmapBytes(capacity))
  }

  /** Doubles the room, up to a number of rows. */
  grow(most: number): void {
    const { capacity, nullsAt, numbersAt } = this
    this.makeRoom(Math.min(most, Math.max(64, capacity * 2)))
    // From the back to the front: what moves never lands on what has still to move.
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
    words[Register.nulls]!++
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
   * Ends the column: what it holds moves together, and the next begins behind it. Adds its lanes to `kept`, the last of which are the bits of
   * nulls if there are any; they are to lie at `offset` in the slab. Codes become as narrow as a legend of that size allows.
   */
  keep(legend: number, offset: number, kept: Array<Kept>): void {
    const { at, kernel: { memory: { bytes, words } }, row, storage } = this
    const base = offset - at
    const first = kept.length
    if (storage._tag === "Numbers") this.at = place(bytes, kept, base, Float64Array, row, at, at)
    else if (storage._tag === "Choices") this.at = place(bytes, kept, base, Uint8Array, row, at, at)
    else {
      const type = narrowest(legend)
      new type(bytes.buffer, at, row).set(words.subarray(at / 4, at / 4 + row))
      this.at = place(bytes, kept, base, type, row, at, at)
      if (storage.digits > 0) this.at = place(bytes, kept, base, Int32Array, row, this.at, this.numbersAt)
    }
    if (this.nulls > 0) this.at = place(bytes, kept, base, Uint8Array, bitmapBytes(row), this.at, this.nullsAt)
    // The gaps go into the table's buffer as well, and nothing of an earlier reply may show there.
    for (let lane = first; lane < kept.length; lane++) {
      const { length, offset, type } = kept[lane]!
      const end = offset - base + length * type.BYTES_PER_ELEMENT
      if (end !== aligned(end)) bytes.fill(0, end, aligned(end))
    }
  }

  private makeRoom(rows: number): void {
    this.capacity = rows
    this.numbersAt = this.at + rows * 4
    this.nullsAt = this.at + rows * bytesOf[this.storage._tag]
    this.kernel.reserve(this.nullsAt + bitmapBytes(rows) + alignment + layout.lookAhead)
  }
}

const bitmapBytes = (rows: number): number => (rows + 7) >> 3

/** Moves a lane down to where it is to lie, and returns where the next may begin. */
const place = (
  bytes: Uint8Array,
  kept: Array<Kept>,
  base: number,
  type: LaneType,
  length: number,
  to: number,
  from: number
): number => {
  const size = length * type.BYTES_PER_ELEMENT
  if (from !== to) bytes.copyWithin(to, from, from + size)
  kept.push({ type, offset: base + to, length })
  return aligned(to + size)
}

const aligned = (address: number): number => Math.ceil(address / alignment) * alignment
