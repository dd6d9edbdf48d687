/**
 * One number, string or word of JSON, read with all the care that the hot loops leave out.
 */
import { quote } from "../../text/ForeignText.ts"
import * as Byte from "./byte.ts"
import { Malformed } from "./malformed.ts"
import { scanned, scanNumber } from "./numbers.ts"
import { ascii, isPlain, textOf } from "./strings.ts"
import { cutShort, type Input, scalarEnd, skipWhitespace, stringEnd, unexpected } from "./tokens.ts"

/** A value that is neither array nor object. */
export type Scalar = string | number | boolean | null

const words: ReadonlyMap<string, Scalar> = /* @__PURE__ */ new Map<string, Scalar>([
  ["true", true],
  ["false", false],
  ["null", null]
])

/**
 * Reads the value at the input's position, and takes it; `undefined` while it has not arrived as a whole. `expected` says in an error
 * what should have stood there.
 */
export const readScalar = (input: Input, expected: string): Scalar | undefined => {
  const { bytes, position } = input
  const isText = bytes[position] === Byte.quote
  const end = isText ? stringEnd(input) : scalarEnd(input)
  if (end === undefined) return undefined
  if (end === position) throw unexpected(input, expected)
  const value = isText ? textOf(bytes, position, end) : readWord(input, end, expected)
  input.position = end
  return value
}

/** Takes the value at the input's position, once it has arrived as a whole, for its grammar alone. Answers whether it has. */
export const skipScalar = (input: Input): boolean => {
  const { bytes, position } = input
  if (bytes[position] !== Byte.quote) return readScalar(input, "a value") !== undefined
  const end = stringEnd(input)
  if (end === undefined) return false
  if (!isPlain(bytes, position + 1, end - 1)) textOf(bytes, position, end)
  input.position = end
  return true
}

/** Whether a byte begins a number. */
export const beginsNumber = (code: number): boolean => code === Byte.minus || (code >= 48 && code <= 57)

/** Goes to the element of an array that comes next. Answers false while it has not arrived. */
export const goToElement = (input: Input, expected: string): boolean => {
  if (!skipWhitespace(input)) {
    if (input.complete) throw cutShort(input, expected)
    return false
  }
  const code = input.bytes[input.position]!
  if (code === Byte.comma || code === Byte.closeBracket) throw unexpected(input, expected)
  return true
}

/** Does the same as `readScalar` where an array or an object is of the wrong type. */
export const readOnlyScalar = (input: Input, expected: string): Scalar | undefined => {
  const { bytes, position } = input
  if (bytes[position] === Byte.openBracket) throw new Malformed("WrongType", position, expected, "an array")
  if (bytes[position] === Byte.openBrace) throw new Malformed("WrongType", position, expected, "an object")
  return readScalar(input, expected)
}

const readWord = (input: Input, end: number, expected: string): Scalar => {
  const { bytes, position } = input
  const isNumeric = beginsNumber(bytes[position]!)
  const word = isNumeric ? readNumber(bytes, position, end) : words.get(ascii(bytes, position, end))
  if (word !== undefined) return word
  // No value ends a reply: what is invalid there was cut off.
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
