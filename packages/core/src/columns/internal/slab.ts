import type { Codes, Parts } from "../ColumnKind.ts"

/** One typed array. */
export type Lane = Parts["lanes"][number]

/** The constructor of a lane. */
export interface LaneType<out A extends Lane> {
  new (buffer: ArrayBuffer, offset: number, length: number): A
  readonly BYTES_PER_ELEMENT: number
}

/** Every lane begins at a multiple of this, as 64-bit floats must. */
const alignment = 8

const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment

/**
 * The one buffer in which all columns of a table lie: one thing to keep, to send to a worker, or to use again. How much it must hold is
 * nearly known when the first column has been read; where it turns out too small, it grows.
 */
export class Slab {
  private readonly recycled: ArrayBuffer | undefined
  private buffer: ArrayBuffer
  private used = 0

  /** Takes a buffer to use again, if there is one. */
  constructor(recycled?: ArrayBuffer) {
    this.recycled = recycled
    this.buffer = recycled ?? new ArrayBuffer(0)
  }

  /** Sees to it that so many bytes fit beside those already there. */
  reserve(bytes: number): void {
    const needed = this.used + aligned(bytes)
    if (needed <= this.buffer.byteLength) return
    const before = new Uint8Array(this.buffer, 0, this.used)
    this.buffer = new ArrayBuffer(needed)
    new Uint8Array(this.buffer).set(before)
  }

  /** Copies a lane. Its view is asked for when all lanes are there, because until then the buffer may be replaced. */
  append<A extends Lane>(type: LaneType<A>, source: ArrayLike<number>): () => A {
    this.reserve(source.length * type.BYTES_PER_ELEMENT)
    const offset = this.used
    const lane = new type(this.buffer, offset, source.length)
    lane.set(source)
    this.used += aligned(source.length * type.BYTES_PER_ELEMENT)
    return () => lane.buffer === this.buffer ? lane : new type(this.buffer, offset, lane.length)
  }

  /** Ends the filling, and returns the buffer; room that was reserved for columns which never came is given back. */
  close(): ArrayBuffer {
    const isLoose = this.used < this.buffer.byteLength - this.buffer.byteLength / 8
    if (isLoose && this.buffer !== this.recycled) this.buffer = this.buffer.slice(0, this.used)
    return this.buffer
  }
}

/** The narrowest type for codes into a legend of that size. */
export const narrowest = (size: number): LaneType<Codes> & (new (length: number) => Codes) =>
  size <= 0x100 ? Uint8Array : size <= 0x10000 ? Uint16Array : Uint32Array
