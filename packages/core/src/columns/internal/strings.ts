/**
 * Texts of JSON strings: escapes and UTF-8, each judged at its own byte.
 */
import * as Byte from "./byte.ts"
import { Malformed } from "./malformed.ts"
import { show } from "./tokens.ts"

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
    if (code < 32 || code > 126 || code === Byte.backslash || code === Byte.quote) return false
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
    // An escape that is wrong before it is wrong first.
    unescape(utf8.decode(bytes.subarray(first, at)), bytes, first, last)
    throw new Malformed("InvalidUtf8", at, "UTF-8 text", show(bytes[at]!))
  }
  return unescape(text, bytes, first, last)
}

const strictly = { fatal: true, ignoreBOM: true }

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", strictly)

/**
 * Where the first invalid character begins. The platform does not say it: it is given half of the bytes, and half of those that are left, and
 * at last a byte at a time.
 */
const brokenAt = (bytes: Uint8Array, start: number, end: number): number => {
  let begin = start
  for (let stop = end; stop - begin > short;) {
    const middle = characterAt(bytes, (begin + stop) >> 1)
    try {
      utf8.decode(bytes.subarray(begin, middle))
      begin = middle
    } catch {
      stop = middle
    }
  }
  const decoder = new TextDecoder("utf-8", strictly)
  for (let at = begin; at < end; at++) {
    try {
      if (decoder.decode(bytes.subarray(at, at + 1), { stream: true }) !== "") begin = at + 1
    } catch {
      break
    }
  }
  return begin
}

/** The first byte of the character to which the byte at a position belongs. None has more than four bytes. */
const characterAt = (bytes: Uint8Array, position: number): number => {
  for (let at = position; at > position - 4; at--) if ((bytes[at]! & 0xc0) !== 0x80) return at
  return position
}

/** The escapes of one letter. */
const escapes: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  Object.entries({ "\"": "\"", "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" })
)

const isHex = /^[0-9A-Fa-f]{4}$/

/** Reads the escapes of a text, which is that of the bytes from `first` to before `last`, or of as many of them as are UTF-8. */
const unescape = (text: string, bytes: Uint8Array, first: number, last: number): string => {
  let read = ""
  let from = 0
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", from)) {
    const letter = text[at + 1] ?? ""
    const digits = letter === "u" ? text.slice(at + 2, at + 6) : undefined
    const character = digits === undefined
      ? escapes.get(letter)
      : isHex.test(digits)
      ? String.fromCharCode(parseInt(digits, 16))
      : undefined
    if (character === undefined) throw wrongEscape(bytes, first + bytesOf(text.slice(0, at)), last)
    read += text.slice(from, at) + character
    from = at + (digits === undefined ? 2 : 6)
  }
  return read + text.slice(from)
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
