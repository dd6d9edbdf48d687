/** The first bytes of a body that is read elsewhere, while it arrives: a bounded copy, which grows with what comes. */
export class FirstBytes {
  private readonly most: number
  private kept = nothing
  private length = 0
  /** Whether there were more bytes than are kept. */
  overflowed = false

  constructor(most: number) {
    this.most = most
  }

  /** Whether there is room for another byte. */
  get hasRoom(): boolean {
    return this.length < this.most
  }

  take(bytes: Uint8Array): void {
    const room = bytes.subarray(0, this.most - this.length)
    this.makeRoom(this.length + room.length)
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

  /** Most bodies that are kept come in one piece, of their own size. */
  private makeRoom(size: number): void {
    if (size <= this.kept.length) return
    const { bytes } = this
    this.kept = new Uint8Array(Math.min(this.most, Math.max(size, 2 * bytes.length)))
    this.kept.set(bytes)
  }
}

const nothing = new Uint8Array(0)
