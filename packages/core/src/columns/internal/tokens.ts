/**
 * Where tokens end. A token is judged only once it is there as a whole, so that an error is the same however the bytes were cut.
 */
import * as Byte from "./byte.ts"
import { maxTokenBytes } from "./layout.ts"
import { Malformed } from "./malformed.ts"

/** Bytes to read, from `position` to before `limit`; `complete` says that no more will come. */
export interface Input {
  bytes: Uint8Array
  position: number
  limit: number
  complete: boolean
}

const isWhitespace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Takes whitespace. Answers whether a byte follows that is there already. */
export const skipWhitespace = (input: Input): boolean => {
  while (input.position < input.limit && isWhitespace(input.bytes[input.position]!)) input.position++
  return input.position < input.limit
}

/** Returns whether these bytes have arrived at the position. */
export const isAt = ({ bytes, limit, position }: Input, token: Uint8Array): boolean => {
  if (position + token.length > limit) return false
  for (let at = 0; at < token.length; at++) if (bytes[position + at] !== token[at]) return false
  return true
}

const tooLong = (start: number): Malformed =>
  new Malformed("TokenTooLong", start, `no token of more than ${maxTokenBytes} bytes`, "a longer one")

/** The end of everything where something should be. */
export const cutShort = (input: Input, expected: string): Malformed =>
  new Malformed("UnexpectedEnd", input.limit, expected, "the end of the reply")

/**
 * Returns the position after the string that starts at the input's position; `undefined` while its end has not arrived.
 */
export const stringEnd = (input: Input): number | undefined => {
  const { bytes, position } = input
  const last = Math.min(input.limit, position + maxTokenBytes)
  for (let at = position + 1; at < last; at++) {
    const code = bytes[at]!
    if (code === Byte.quote) return at + 1
    if (code === Byte.backslash) at++
    else if (code < 32) {
      throw new Malformed("ControlCharacter", at, "a character that JSON allows in a string", show(code))
    }
  }
  if (last < input.limit) throw tooLong(position)
  if (input.complete) throw cutShort(input, "the end of a string")
  return undefined
}

const isScalar = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 45 ||
  code === 43 || code === 46

/**
 * Returns the position after the number or the word that starts at the input's position; `undefined` while more of it may arrive.
 */
export const scalarEnd = ({ bytes, complete, limit, position }: Input): number | undefined => {
  const last = Math.min(limit, position + maxTokenBytes + 1)
  for (let at = position; at < last; at++) if (!isScalar(bytes[at]!)) return at
  if (last - position > maxTokenBytes) throw tooLong(position)
  return complete ? limit : undefined
}

/** Names one byte in an error. */
export const show = (code: number): string =>
  code > 32 && code < 127 ? JSON.stringify(String.fromCharCode(code)) : `byte 0x${code.toString(16).padStart(2, "0")}`

/** Something that may not stand where it stands. */
export const unexpected = ({ bytes, position }: Input, expected: string): Malformed =>
  new Malformed("UnexpectedToken", position, expected, show(bytes[position]!))
