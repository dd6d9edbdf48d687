/**
 * Reads JSON byte by byte: where tokens end, the values of words, texts and numbers, and the input as it arrives, with all checks that the hot loops omit. A
 * token is checked only when it has arrived as a whole, so that errors do not depend on how the bytes were cut.
 */
import { quote } from "../../text/ForeignText.ts"
import type { Code } from "../DecodeError.ts"
import * as Abi from "./abi.ts"

/**
 * An error at a position of the input. The scanners throw it and the decoder catches it, and adds column, row and offset: results would slow the scanners
 * down, and nearly all would be successes.
 */
export class Malformed extends Error {
  readonly code: Code
  readonly position: number
  readonly expected: string
  readonly received: string

  constructor(code: Code, position: number, expected: string, received: string) {
    super(code)
    this.code = code
    this.position = position
    this.expected = expected
    this.received = received
  }
}

// Where tokens end.

/** Bytes to read, from `position` to before `limit`; `complete` says that no more will come. */
export interface Input {
  bytes: Uint8Array
  position: number
  limit: number
  complete: boolean
}

const isWhitespace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Skips whitespace. Returns whether another byte has arrived. */
export const skipWhitespace = (input: Input): boolean => {
  const { bytes, limit } = input
  let at = input.position
  // The service writes none, which one comparison shows.
  while (at < limit && bytes[at]! <= 32 && isWhitespace(bytes[at]!)) at++
  input.position = at
  return at < limit
}

/** Returns whether these bytes have arrived at the position. */
export const isAt = ({ bytes, limit, position }: Input, token: Uint8Array): boolean => {
  if (position + token.length > limit) return false
  for (let at = 0; at < token.length; at++) if (bytes[position + at] !== token[at]) return false
  return true
}

const tooLong = (start: number): Malformed =>
  new Malformed("TokenTooLong", start, `no token of more than ${Abi.maxTokenBytes} bytes`, "a longer one")

/** The error for a reply that ends too early. */
export const cutShort = (input: Input, expected: string): Malformed =>
  new Malformed("UnexpectedEnd", input.limit, expected, "the end of the reply")

/**
 * Returns the position after the string that starts at the input's position; `undefined` while its end has not arrived.
 */
export const stringEnd = (input: Input): number | undefined => {
  const { bytes, position } = input
  const last = Math.min(input.limit, position + Abi.maxTokenBytes)
  for (let at = position + 1; at < last; at++) {
    const code = bytes[at]!
    if (code === Abi.quote) return at + 1
    if (code === Abi.backslash) at++
    else if (code < 32) {
      throw new Malformed("ControlCharacter", at, "a character that JSON allows in a string", show(code))
    }
  }
  if (last < input.limit) throw tooLong(position)
  if (input.complete) throw cutShort(input, "the end of a string")
  return undefined
}

/** Whether a byte can be part of a number or of a word. */
const isInWord = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 45 ||
  code === 43 || code === 46

/**
 * Returns the position after the number or the word that starts at the input's position; `undefined` while more of it may arrive.
 */
const scalarEnd = ({ bytes, complete, limit, position }: Input): number | undefined => {
  const last = Math.min(limit, position + Abi.maxTokenBytes + 1)
  for (let at = position; at < last; at++) if (!isInWord(bytes[at]!)) return at
  if (last - position > Abi.maxTokenBytes) throw tooLong(position)
  return complete ? limit : undefined
}

/** Names one byte in an error. */
export const show = (code: number): string =>
  code > 32 && code < 127 ? JSON.stringify(String.fromCharCode(code)) : `byte 0x${code.toString(16).padStart(2, "0")}`

/** The error for a byte that must not be at its place. */
export const unexpected = ({ bytes, position }: Input, expected: string): Malformed =>
  new Malformed("UnexpectedToken", position, expected, show(bytes[position]!))

// One number, string or word.

/** A value that is neither array nor object. */
export type Scalar = string | number | boolean | null

const words = /* @__PURE__ */ new Map<string, Scalar>([["true", true], ["false", false], ["null", null]])

/**
 * Reads the value at the input's position, and takes it; `undefined` while it has not arrived as a whole. `expected` says in an error
 * what should have stood there.
 */
const readScalar = (input: Input, expected: string): Scalar | undefined => {
  const { bytes, position } = input
  const isText = bytes[position] === Abi.quote
  const end = isText ? stringEnd(input) : scalarEnd(input)
  if (end === undefined) return undefined
  if (end === position) throw unexpected(input, expected)
  const value = isText ? textOf(bytes, position, end) : readWord(input, end, expected)
  input.position = end
  return value
}

/** Checks the grammar of the value at the input's position and skips it, once it has arrived as a whole. Returns whether it has. */
export const skipScalar = (input: Input): boolean => {
  const { bytes, position } = input
  if (bytes[position] !== Abi.quote) return readScalar(input, "a value") !== undefined
  const end = stringEnd(input)
  if (end === undefined) return false
  if (!isPlain(bytes, position + 1, end - 1)) textOf(bytes, position, end)
  input.position = end
  return true
}

/** Whether a byte begins a number. */
export const beginsNumber = (code: number): boolean => code === Abi.minus || isDigit(code)

/** Does the same as `readScalar` where an array or an object is of the wrong type. */
export const readOnlyScalar = (input: Input, expected: string, code: Code = "WrongType"): Scalar | undefined => {
  const { bytes, position } = input
  if (bytes[position] === Abi.openBracket) throw new Malformed(code, position, expected, "an array")
  if (bytes[position] === Abi.openBrace) throw new Malformed(code, position, expected, "an object")
  return readScalar(input, expected)
}

const readWord = (input: Input, end: number, expected: string): Scalar => {
  const { bytes, position } = input
  const isNumeric = beginsNumber(bytes[position]!)
  const word = isNumeric ? readNumber(bytes, position, end) : words.get(ascii(bytes, position, end))
  if (word !== undefined) return word
  // No reply ends within a value, so an invalid value at the end was cut off.
  if (end === input.limit) throw cutShort(input, expected)
  const text = quote(ascii(bytes, position, end))
  throw isNumeric
    ? new Malformed("InvalidNumber", position, "a number of JSON", text)
    : new Malformed("UnexpectedToken", position, expected, text)
}

/** Reads a number, if it is one; one that is too large for a double is infinite, as it is for `JSON.parse`. */
const readNumber = (bytes: Uint8Array, start: number, end: number): number | undefined => {
  const value = scanNumber(bytes, start)
  if (scanned.end !== end) return undefined
  return Number.isNaN(value) ? Number(ascii(bytes, start, end)) : value
}

/** Names a value in an error. */
export const showScalar = (value: Scalar): string => typeof value === "string" ? quote(value) : String(value)

// Texts of strings: escapes and UTF-8, each judged at its own byte.

/** From this many bytes on, a decoder of the platform is faster than a loop. */
const short = 64

/** Reads bytes of ASCII. */
export const ascii = (bytes: Uint8Array, start: number, end: number): string => {
  if (end - start > short) return utf8.decode(bytes.subarray(start, end))
  let text = ""
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return text
}

/** Returns whether a text is written in plain ASCII: no escape, no byte of a longer character, no control character. */
export const isPlain = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const code = bytes[at]!
    if (code < 32 || code > 126 || code === Abi.backslash || code === Abi.quote) return false
  }
  return true
}

/** Reads the text of the string token from its opening quote at `start` to before `end`. */
export const textOf = (bytes: Uint8Array, start: number, end: number): string => {
  const first = start + 1
  const last = end - 1
  if (isPlain(bytes, first, last)) return ascii(bytes, first, last)
  let text
  try {
    text = utf8.decode(bytes.subarray(first, last))
  } catch {
    const at = brokenAt(bytes, first, last)
    // An invalid escape before it is the first error.
    unescape(utf8.decode(bytes.subarray(first, at)), bytes, first, last)
    throw new Malformed("InvalidUtf8", at, "UTF-8 text", show(bytes[at]!))
  }
  return unescape(text, bytes, first, last)
}

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const lossy = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true })

/** Finds where the first invalid character begins: at a replacement character that does not stand in the bytes. */
const brokenAt = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start
  for (const part of lossy.decode(bytes.subarray(start, end)).split("\ufffd")) {
    at += bytesOf(part)
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) break
    at += 3
  }
  return at
}

/** An escape, and what stands behind the backslash where JSON has no such escape. */
const escape = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}|(.?))/gs

/** Reads the escapes of a text, which is that of the bytes from `first` to before `last`, or of as many of them as are UTF-8. */
const unescape = (text: string, bytes: Uint8Array, first: number, last: number): string => {
  if (!text.includes("\\")) return text
  for (const { 1: other, index } of text.matchAll(escape)) {
    if (other !== undefined) throw wrongEscape(bytes, first + bytesOf(text.slice(0, index)), last)
  }
  return JSON.parse(`"${text}"`)
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const wrongEscape = (bytes: Uint8Array, at: number, last: number): Malformed =>
  bytes[at + 1] === letterU
    ? new Malformed(
      "InvalidEscape",
      at,
      "four hexadecimal digits after \\u",
      JSON.stringify(ascii(bytes, at + 2, Math.min(at + 6, last)))
    )
    : new Malformed("InvalidEscape", at, "one of the escapes of JSON after a backslash", show(bytes[at + 1]!))

const letterU = 117

// The input, in the kernel's memory.

/** From this many bytes on, an incomplete token is not scanned again before its size has doubled. */
const patience = 4096

/**
 * The part of the reply that is still to be read, in the kernel's memory. Bytes are added at its end, and what has been read is removed from its front.
 */
export class InputBuffer implements Input {
  position: number = Abi.inputAt
  limit: number = Abi.inputAt
  complete = false
  private readonly kernel: Abi.Kernel
  private awaited = 0
  /** How many bytes of the reply lie before address 0. */
  private before = -Abi.inputAt

  constructor(kernel: Abi.Kernel) {
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

  /** Ends the input. It is followed by zeros, which belong to no token, so that the loops may look beyond the end. */
  finish(): void {
    this.complete = true
    this.bytes.fill(0, this.limit, this.limit + Abi.lookAhead)
  }

  /** Returns whether it is worth to scan the input again. */
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

// Numbers: their grammar, and their value as the nearest double.
//
// Digits are collected in two integers of at most nine digits each. Up to 15 digits form an exact double, which one multiplication or
// division by an exact power of ten rounds correctly. Up to 18 digits are divided with the remainder carried along, and the quotient is
// taken where the remainder proves it; the few that remain are left to `Number`.

/** The largest power of ten that is an exact double. */
const exactPower = 22

/** 10^k is the sum of two doubles exactly for k up to 45. */
const largestPower = 45

/** The powers of ten, each as the nearest double. */
export const powers = /* @__PURE__ */ Float64Array.from({ length: largestPower + 1 }, (_, k) => Number(`1e${k}`))

/** What the double nearest to 10^k leaves of it. */
export const residues = /* @__PURE__ */ Float64Array.from(
  powers,
  (power, k) => k <= exactPower ? 0 : Number(10n ** BigInt(k) - BigInt(power))
)

/** The upper half of a double's digits (Veltkamp): a product of halves is exact. */
const upperHalf = (value: number): number => {
  const scaled = value * 134_217_729
  return scaled - (scaled - value)
}

/** Below this share of a quotient the carried remainder is not trusted: 2^-97, far above its own error. */
const doubt = 2 ** -97

/**
 * Divides by a power of ten, `power` up to 45. The dividend is the sum of a double and what it leaves. Returns NaN where it cannot prove which
 * double is nearest.
 */
const dividedByPower = (dividend: number, left: number, power: number): number => {
  const divisor = powers[power]!
  const quotient = dividend / divisor
  const product = quotient * divisor
  const quotientHigh = upperHalf(quotient)
  const quotientLow = quotient - quotientHigh
  const divisorHigh = upperHalf(divisor)
  const divisorLow = divisor - divisorHigh
  const productLow = ((quotientHigh * divisorHigh - product) + quotientHigh * divisorLow + quotientLow * divisorHigh) +
    quotientLow * divisorLow
  const correction = ((dividend - product) - productLow - quotient * residues[power]! + left) / divisor
  const margin = quotient * doubt
  const above = quotient + (correction + margin)
  return above === quotient + (correction - margin) ? above : NaN
}

/** Where the number that was read last ends: the first byte after it, or -1 if the bytes are not a number. */
export const scanned = { end: 0 }

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57

const malformed = (): number => {
  scanned.end = -1
  return NaN
}

/**
 * Reads the number that starts at `start`, and sets `scanned.end`. Returns NaN with an end where the value needs `Number`. The byte after the
 * number must be in the array.
 */
export const scanNumber = (bytes: Uint8Array, start: number): number => {
  const negative = bytes[start] === 45
  let at = negative ? start + 1 : start
  // Significant digits: the first nine in `high`, the next nine in `low`.
  let high = 0
  let low = 0
  let digits = 0
  let exponent = 0
  if (!isDigit(bytes[at]!)) return malformed()
  if (bytes[at] === 48) {
    at++
    if (isDigit(bytes[at]!)) return malformed()
  } else {
    for (; isDigit(bytes[at]!); at++, digits++) {
      if (digits < 9) high = high * 10 + bytes[at]! - 48
      else if (digits < 18) low = low * 10 + bytes[at]! - 48
    }
  }
  if (bytes[at] === 46) {
    const fraction = ++at
    if (digits === 0) { while (bytes[at] === 48) at++ }
    for (; isDigit(bytes[at]!); at++, digits++) {
      if (digits < 9) high = high * 10 + bytes[at]! - 48
      else if (digits < 18) low = low * 10 + bytes[at]! - 48
    }
    if (at === fraction) return malformed()
    exponent = fraction - at
  }
  if (bytes[at] === 101 || bytes[at] === 69) {
    at++
    const smaller = bytes[at] === 45
    if (smaller || bytes[at] === 43) at++
    if (!isDigit(bytes[at]!)) return malformed()
    let power = 0
    for (; isDigit(bytes[at]!); at++) if (power < 100_000) power = power * 10 + bytes[at]! - 48
    exponent += smaller ? -power : power
  }
  scanned.end = at
  const value = valueOf(high, low, digits, exponent)
  return negative ? -value : value
}

const valueOf = (high: number, low: number, digits: number, exponent: number): number => {
  if (digits === 0) return 0
  if (digits <= 15) {
    const mantissa = digits <= 9 ? high : high * powers[digits - 9]! + low
    if (exponent === 0) return mantissa
    if (exponent > 0) return exponent <= exactPower ? mantissa * powers[exponent]! : NaN
    if (exponent >= -exactPower) return mantissa / powers[-exponent]!
    return exponent >= -largestPower ? dividedByPower(mantissa, 0, -exponent) : NaN
  }
  if (digits > 18 || exponent > 0 || exponent < -largestPower) return NaN
  const upper = high * powers[digits - 9]!
  const mantissa = upper + low
  return dividedByPower(mantissa, low - (mantissa - upper), -exponent)
}
