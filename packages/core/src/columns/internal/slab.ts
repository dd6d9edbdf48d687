import type { Codes, PackedVector } from "../ColumnKind.ts"
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
