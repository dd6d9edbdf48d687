/** Writes texts and numbers as bytes. A number with few decimals is written without making a text of it. */
import type { Bytes } from "./encoder.ts"

const utf8 = new TextEncoder()

/** A text as bytes. */
export const encoded = (text: string): Bytes => utf8.encode(text)

/** The most bytes that a number takes, its sign and exponent included. */
export const longest = 32

/** Numbers below it have at most fifteen digits with six decimals: only such a number is named by its digits alone. */
const most = 1e9

const [zero, minus, point] = [48, 45, 46]

/** Writes a whole number below 2 ** 31 so that its digits end there, with zeros before it where it has fewer than asked for. Returns where they begin. */
const digits = (bytes: Bytes, end: number, value: number, least: number): number => {
  let at = end
  let rest = value | 0
  do {
    const next = (rest / 10) | 0
    bytes[--at] = zero + rest - 10 * next
    rest = next
  } while (rest > 0 || end - at < least)
  return at
}

/** Writes a text so that it ends there. Returns where it begins. */
export const copy = (bytes: Bytes, end: number, text: Bytes): number => {
  let at = end
  for (let left = text.length - 1; left >= 0; left--) bytes[--at] = text[left]!
  return at
}

/**
 * Writes a number so that it ends there and reads back to the same bits, as `String` prints it, and `-0`. Returns where it begins. One with many digits, and
 * what is not finite, is written as `print` has it.
 */
export const number = (bytes: Bytes, end: number, value: number, print: (value: number) => string): number => {
  const size = Math.abs(value)
  const whole = size | 0
  let at = end
  if (whole !== size) {
    let unit = 100
    let count = 2
    while (count < 6 && Math.round(size * unit) / unit !== size) {
      unit *= 100
      count += 2
    }
    const scaled = Math.round(size * unit)
    if (size >= most || scaled / unit !== size) return copy(bytes, end, encoded(print(value)))
    const decimals = (scaled - whole * unit) | 0
    const shorter = (decimals / 10) | 0
    const isShorter = shorter * 10 === decimals
    at = digits(bytes, at, isShorter ? shorter : decimals, isShorter ? count - 1 : count)
    bytes[--at] = point
  }
  at = digits(bytes, at, whole, 1)
  if (value < 0 || (value === 0 && 1 / value < 0)) bytes[--at] = minus
  return at
}

/** Writes bytes one after the other, into memory that grows. */
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

  /** Returns the written bytes. The writer must not be used any more. */
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

  /** Writes an integer with a number of digits. */
  digits(value: number, count: number): void {
    this.reserve(count)
    this.at += count
    digits(this.bytes, this.at, value, count)
  }
}
