import type { Codes, Parts } from "../ColumnKind.ts"
import type { Kernel } from "./kernel.ts"
import * as layout from "./layout.ts"

/** One typed array. */
type Lane = Parts["lanes"][number]

/** The constructor of a lane. */
export interface LaneType<out A extends Lane = Lane> {
  new (buffer: ArrayBuffer, offset: number, length: number): A
  readonly BYTES_PER_ELEMENT: number
}

/** So many bytes may wait in the kernel's memory; a table that is larger moves to its slab in parts. */
const mostWaiting = 1024 * 1024

/**
 * The one buffer in which all columns of a table lie: one thing to keep, to send to a worker, or to use again. Columns wait for each other in
 * the kernel's memory, from which one copy makes the slab: it need not be filled with zeros first.
 */
export class Slab {
  private readonly kernel: Kernel
  private readonly recycled: ArrayBuffer | undefined
  private buffer: ArrayBuffer | undefined
  /** How many bytes are in the buffer. */
  private moved = 0

  /** Takes a buffer to use again, if there is one. */
  constructor(kernel: Kernel, recycled: ArrayBuffer | undefined) {
    this.kernel = kernel
    this.recycled = recycled
  }

  /** Turns an address in the kernel's memory into an offset in the slab. */
  offsetOf(address: number): number {
    return this.moved + address - layout.columnAt
  }

  /** Makes room in the kernel's memory if too much waits there before `end`; `expected` bytes will come in all. Answers where the next begins. */
  relieve(end: number, expected: number): number {
    if (end - layout.columnAt <= mostWaiting) return end
    this.move(end, expected)
    return layout.columnAt
  }

  /** Ends the filling with what waits before `end`, and returns the buffer. */
  close(end: number): ArrayBuffer {
    const size = this.offsetOf(end)
    if (this.buffer === undefined && !this.isReusable(size)) {
      return this.kernel.memory.bytes.buffer.slice(layout.columnAt, end)
    }
    const buffer = this.move(end, size)
    // Room that was made for columns which never came is given back.
    return size < buffer.byteLength - buffer.byteLength / 8 && buffer !== this.recycled ? buffer.slice(0, size) : buffer
  }

  private isReusable(size: number): boolean {
    return this.recycled !== undefined && size <= this.recycled.byteLength
  }

  private move(end: number, expected: number): ArrayBuffer {
    const size = Math.max(this.offsetOf(end), expected)
    let { buffer } = this
    if (buffer === undefined || buffer.byteLength < this.offsetOf(end)) {
      const larger = this.isReusable(size) ? this.recycled! : new ArrayBuffer(size)
      if (buffer !== undefined) new Uint8Array(larger).set(new Uint8Array(buffer, 0, this.moved))
      this.buffer = buffer = larger
    }
    new Uint8Array(buffer).set(this.kernel.memory.bytes.subarray(layout.columnAt, end), this.moved)
    this.moved = this.offsetOf(end)
    return buffer
  }
}

/** The narrowest type for codes into a legend of that size. */
export const narrowest = (size: number): LaneType<Codes> & (new (length: number) => Codes) =>
  size <= 0x100 ? Uint8Array : size <= 0x10000 ? Uint16Array : Uint32Array
