/** The memory of a table that is being read: the slab in which all its columns come to lie, and the column that arrives, in the kernel's memory. */
import type { Codes, ColumnKind, PackedVector } from "../ColumnKind.ts"
import { allocate, expect, largestKept } from "../TableMemory.ts"
import * as Abi from "./abi.ts"

/** One typed array. */
type Lane = PackedVector["lanes"][number]

/** The constructor of a lane. */
export interface LaneType<out A extends Lane = Lane> {
  new (buffer: ArrayBuffer, offset: number, length: number): A
  readonly BYTES_PER_ELEMENT: number
}

/** This many bytes may wait in the kernel's memory; a table that is larger moves to its slab in chunks. */
const mostWaiting = 512 * 1024

/** A buffer, and how many bytes of the table lie before it. */
interface Chunk {
  readonly buffer: ArrayBuffer
  readonly before: number
}

/**
 * The buffer in which all columns of a table lie: one thing to keep, to send to a worker, or to use again. Columns wait for each other in the
 * kernel's memory, from which one copy makes the slab: it need not be filled with zeros first.
 *
 * A table that is larger than what the allocator keeps for the next one lies in several buffers that are not, because fresh memory would be a
 * third of the time of its decoding.
 */
export class Slab {
  private readonly kernel: Abi.Kernel
  private readonly recycled: ArrayBuffer | undefined
  private readonly chunks: Array<Chunk> = []
  /** How many bytes are in the buffers. */
  private moved = 0

  /** Takes a buffer to use again, if there is one. */
  constructor(kernel: Abi.Kernel, recycled: ArrayBuffer | undefined) {
    this.kernel = kernel
    this.recycled = recycled
  }

  /** The buffers of a table that is closed: one, unless it is larger than any has to be. */
  get buffers(): ReadonlyArray<ArrayBuffer> {
    return this.chunks.map(({ buffer }) => buffer)
  }

  /** Turns an address in the kernel's memory into an offset in the table. */
  offsetOf(address: number): number {
    return this.moved + address - Abi.columnAt
  }

  /** Makes room in the kernel's memory if too much waits there before `end`; `expected` bytes will come in all. Returns where the next column begins. */
  relieve(end: number, expected: number): number {
    if (end - Abi.columnAt <= mostWaiting) return end
    this.move(end, expected)
    return Abi.columnAt
  }

  /** Ends the filling with what waits before `end`. */
  close(end: number): void {
    const { kernel, chunks, recycled } = this
    const size = this.offsetOf(end)
    if (chunks.length === 0 && !this.isReusable(size)) {
      expect(size)
      chunks.push({ buffer: kernel.memory.bytes.buffer.slice(Abi.columnAt, end), before: 0 })
      return
    }
    const { before, buffer } = this.move(end, size)
    // Room that was made for columns which never came is given back.
    const used = size - before
    if (used < buffer.byteLength - buffer.byteLength / 8 && buffer !== recycled) {
      chunks.splice(-1, 1, { buffer: buffer.slice(0, used), before })
    } else this.clear(buffer, used)
  }

  /** A typed array over one lane of a finished table. */
  view<A extends Lane>(type: LaneType<A>, offset: number, length: number): A {
    const { chunks } = this
    let at = chunks.length - 1
    while (chunks[at]!.before > offset) at--
    const { before, buffer } = chunks[at]!
    return new type(buffer, offset - before, length)
  }

  /** Writes zeros where no column lies: an allocated buffer may hold anything. A recycled one holds what its pool has read before. */
  private clear(buffer: ArrayBuffer, from: number): void {
    if (buffer !== this.recycled) new Uint8Array(buffer, from).fill(0)
  }

  private isReusable(size: number): boolean {
    const { chunks, recycled } = this
    // One that was transferred has no bytes, and no views.
    return recycled !== undefined && Math.max(1, size) <= recycled.byteLength &&
      !chunks.some(({ buffer }) => buffer === recycled)
  }

  private move(end: number, expected: number): Chunk {
    const chunk = this.chunkFor(end - Abi.columnAt, expected)
    const waiting = this.kernel.memory.bytes.subarray(Abi.columnAt, end)
    new Uint8Array(chunk.buffer, this.moved - chunk.before).set(waiting)
    this.moved += waiting.length
    return chunk
  }

  /** The chunk that has room for more bytes: the last one, which grows as far as a buffer may, or another. */
  private chunkFor(size: number, expected: number): Chunk {
    const { moved, chunks } = this
    const last = chunks.at(-1)
    const filled = last === undefined ? 0 : moved - last.before
    if (last !== undefined && filled + size <= last.buffer.byteLength) return last
    const grows = last !== undefined && filled + size <= largestKept
    const before = grows ? last.before : moved
    const room = Math.max(moved - before + size, Math.min(expected - before, largestKept))
    const chunk = { buffer: this.isReusable(room) ? this.recycled! : allocate(room), before }
    if (grows) {
      new Uint8Array(chunk.buffer).set(new Uint8Array(last.buffer, 0, filled))
      chunks.pop()
    } else if (last !== undefined) this.clear(last.buffer, filled)
    chunks.push(chunk)
    return chunk
  }
}

/** The narrowest type for codes into a legend of that size. */
export const narrowest = (size: number): LaneType<Codes> & (new (length: number) => Codes) =>
  size <= 0x100 ? Uint8Array : size <= 0x10000 ? Uint16Array : Uint32Array

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
