/** Bytes of texts and numbers, one after the other, in memory that grows. No text is made for a number that has few decimals. */
import type { Bytes } from "./encoder.ts"

const utf8 = new TextEncoder()

/** A text as bytes. */
export const encoded = (text: string): Bytes => utf8.encode(text)

/** The most bytes that a number takes, its sign and exponent included. */
const longest = 32

/** The decimals that are written digit by digit; a number of at most fifteen digits is the only one that its digits name. */
const decimals = 6
const unit = 10 ** decimals
const most = 1e15

const [zero, minus, point] = [48, 45, 46]

export class Writer {
  private bytes: Bytes
  private at = 0

  /** How many bytes were written. */
  get length(): number {
    return this.at
  }

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  /** What was written. The writer is not to be used any more. */
  get written(): Bytes {
    return this.bytes.subarray(0, this.at)
  }

  private reserve(length: number): void {
    if (this.at + length <= this.bytes.length) return
    const more = new Uint8Array(2 * (this.at + length))
    more.set(this.bytes)
    this.bytes = more
  }

  text(text: Uint8Array): void {
    const { length } = text
    this.reserve(length)
    const { at, bytes } = this
    // Most texts are shorter than what a call of `set` is worth.
    if (length < 64) { for (let from = 0; from < length; from++) bytes[at + from] = text[from]! }
    else bytes.set(text, at)
    this.at = at + length
  }

  /** Writes a text of ASCII. */
  ascii(text: string): void {
    const { length } = text
    this.reserve(length)
    const { at, bytes } = this
    for (let from = 0; from < length; from++) bytes[at + from] = text.charCodeAt(from)
    this.at = at + length
  }

  /** Writes a whole number below 2 ** 31, with zeros before it where it has fewer digits than asked for. */
  digits(value: number, least: number): void {
    this.reserve(longest)
    let count = 1
    for (let left = (value / 10) | 0; left > 0 || count < least; left = (left / 10) | 0) count++
    const { bytes } = this
    let rest = value | 0
    for (let at = this.at + count - 1; at >= this.at; at--) {
      const next = (rest / 10) | 0
      bytes[at] = zero + rest - 10 * next
      rest = next
    }
    this.at += count
  }

  /** Writes a number so that it reads back to the same bits, as `String` prints it, and `-0`. */
  number(value: number): void {
    const scaled = Math.round(Math.abs(value) * unit)
    if (scaled / unit !== Math.abs(value) || scaled >= most || scaled === 0) {
      return this.ascii(Object.is(value, -0) ? "-0" : String(value))
    }
    this.reserve(longest)
    if (value < 0) this.bytes[this.at++] = minus
    const whole = Math.floor(scaled / unit)
    this.digits(whole, 1)
    let fraction = (scaled - whole * unit) | 0
    if (fraction === 0) return
    this.bytes[this.at++] = point
    let count = decimals
    while (fraction % 10 === 0) {
      fraction = (fraction / 10) | 0
      count--
    }
    this.digits(fraction, count)
  }
}
