/** The first bytes of a body that is read elsewhere, while it arrives: a bounded copy. */
export class FirstBytes {
  private readonly kept: Uint8Array<ArrayBuffer>
  private length = 0
  /** Whether there were more bytes than are kept. */
  overflowed = false

  constructor(most: number) {
    this.kept = new Uint8Array(most)
  }

  /** Whether there is room for another byte. */
  get hasRoom(): boolean {
    return this.length < this.kept.length
  }

  take(bytes: Uint8Array): void {
    const room = bytes.subarray(0, this.kept.length - this.length)
    this.kept.set(room, this.length)
    this.length += room.length
    this.overflowed ||= room.length < bytes.length
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.kept.subarray(0, this.length)
  }

  /** As text; what is cut within a character ends in a replacement character. */
  get text(): string {
    return new TextDecoder().decode(this.bytes)
  }
}
