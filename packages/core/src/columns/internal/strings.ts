/**
 * Texts of JSON strings: escapes and UTF-8, each judged at its own byte.
 */
import * as Byte from "./byte.ts"
import { Malformed } from "./malformed.ts"
import { show } from "./tokens.ts"

/** From so many bytes on, a decoder of the platform is faster than a loop. */
const short = 64

/** Reads bytes of ASCII. */
export const ascii = (bytes: Uint8Array, start: number, end: number): string => {
  if (end - start > short) return utf8.decode(bytes.subarray(start, end))
  let text = ""
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return text
}

/** Tells whether a text is written in plain ASCII: no escape, no byte of a longer character, no control character. */
export const isPlain = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const code = bytes[at]!
    if (code < 32 || code > 126 || code === Byte.backslash || code === Byte.quote) return false
  }
  return true
}

/** Reads the text of the string token from its opening quote at `start` to before `end`. */
export const textOf = (bytes: Uint8Array, start: number, end: number): string => {
  if (isPlain(bytes, start + 1, end - 1)) return ascii(bytes, start + 1, end - 1)
  let text = ""
  let from = start + 1
  for (let at = from; at < end - 1;) {
    if (bytes[at] !== Byte.backslash) {
      at++
      continue
    }
    text += utf8Of(bytes, from, at)
    const escaped = unescape(bytes, at, end - 1)
    text += escaped.text
    from = at = escaped.end
  }
  return text + utf8Of(bytes, from, end - 1)
}

const strictly = { fatal: true, ignoreBOM: true }

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", strictly)

/** Reads bytes of UTF-8, which the platform judges. */
const utf8Of = (bytes: Uint8Array, start: number, end: number): string => {
  try {
    return utf8.decode(bytes.subarray(start, end))
  } catch {
    const at = brokenAt(bytes, start, end)
    throw new Malformed("InvalidUtf8", at, "UTF-8 text", show(bytes[at]!))
  }
}

/** Where the first character that is none begins: the platform, which does not say it, is given a byte at a time. */
const brokenAt = (bytes: Uint8Array, start: number, end: number): number => {
  const decoder = new TextDecoder("utf-8", strictly)
  let begin = start
  for (let at = start; at < end; at++) {
    try {
      if (decoder.decode(bytes.subarray(at, at + 1), { stream: true }) !== "") begin = at + 1
    } catch {
      break
    }
  }
  return begin
}

const escapes: { readonly [code: string]: string } = {
  "\"": "\"",
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t"
}

const unescape = (bytes: Uint8Array, at: number, end: number): { readonly text: string; readonly end: number } => {
  const letter = String.fromCharCode(bytes[at + 1]!)
  if (letter === "u") {
    const digits = ascii(bytes, at + 2, Math.min(at + 6, end))
    if (/^[0-9A-Fa-f]{4}$/.test(digits)) return { text: String.fromCharCode(parseInt(digits, 16)), end: at + 6 }
    throw new Malformed("InvalidEscape", at, "four hexadecimal digits after \\u", JSON.stringify(digits))
  }
  const text = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined
  if (text === undefined) {
    throw new Malformed("InvalidEscape", at, "one of the escapes of JSON after a backslash", show(bytes[at + 1]!))
  }
  return { text, end: at + 2 }
}
