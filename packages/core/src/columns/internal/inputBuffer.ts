import type { Kernel } from "./abi.ts"
import * as Abi from "./abi.ts"
import type { Input } from "./json.ts"

/** From this many bytes on, a token that has not arrived whole is not looked at again before it has doubled. */
const patience = 4096

/**
 * The part of the reply that is still to be read, in the kernel's memory. Bytes enter at its end; what has been read makes room at its
 * front.
 */
export class InputBuffer implements Input {
  position: number = Abi.inputAt
  limit: number = Abi.inputAt
  complete = false
  private readonly kernel: Kernel
  private awaited = 0
  /** How many bytes of the reply lie before address 0. */
  private before = -Abi.inputAt

  constructor(kernel: Kernel) {
    this.kernel = kernel
    kernel.reserve(Abi.columnAt)
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.kernel.memory.bytes
  }

  /** Turns a position into an offset in the reply. */
  offsetOf(position: number): number {
    return this.before + position
  }

  /** Takes the next batch of a piece from `start` on, and returns where the batch after it starts. */
  fill(piece: Uint8Array, start: number): number {
    this.discard()
    const end = Math.min(piece.length, start + Abi.batchBytes)
    this.bytes.set(start === 0 && end === piece.length ? piece : piece.subarray(start, end), this.limit)
    this.limit += end - start
    return end
  }

  /** Says that the reply has arrived. Zeros follow, which belong to no token, so that the loops may look beyond the end. */
  finish(): void {
    this.complete = true
    this.bytes.fill(0, this.limit, this.limit + Abi.lookAhead)
  }

  /** Returns whether reading on may lead further. */
  get isWorthReading(): boolean {
    return this.complete || this.limit >= this.awaited
  }

  /**
   * Remembers where reading stopped: a long token that grows by a byte at a time is not scanned at each of them. One that is too long is
   * scanned as soon as that is certain, before it outgrows the input.
   */
  pause(): void {
    const unread = this.limit - this.position
    this.awaited = unread > patience ? Math.min(this.limit + unread, this.position + Abi.maxTokenBytes + 1) : 0
  }

  private discard(): void {
    const taken = this.position - Abi.inputAt
    if (taken === 0) return
    this.bytes.copyWithin(Abi.inputAt, this.position, this.limit)
    this.before += taken
    this.position -= taken
    this.limit -= taken
    this.awaited -= taken
  }
}
