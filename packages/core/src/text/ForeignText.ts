/**
 * Text from outside, on its way to a person: what a service said, a field it named, a file, an argument. A terminal obeys some characters
 * instead of showing them, and some turn the order of those around them: this is where they lose that power, and where what looks like a token is
 * taken out.
 *
 * Every message of these packages passes it. Print data that a reply holds with `ForeignText.line` as well.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.line("AAPL\u001b[2J\nexit 0") // => "AAPL\\u001b[2J\\nexit 0"
 * ForeignText.line("GET /?token=c3VwZXI HTTP/1.1") // => "GET /?token=<redacted> HTTP/1.1"
 * ForeignText.quote("\u202eLPAA") // => "\"\\u202eLPAA\""
 * ```
 *
 * @since 0.1.0
 */
import { redact } from "./redact.ts"
import * as Secret from "./secret.ts"

/**
 * Prints a text in one line: without control characters, line ends, characters that are invisible or turn the direction of writing, and halves of
 * surrogate pairs, which appear as JSON would escape them; and without what looks like a token. Once done, doing it again changes nothing.
 * `maxLength` is the most characters of the text that are shown.
 *
 * @category formatting
 * @since 0.1.0
 */
export const line = (text: string, maxLength = Infinity): string =>
  cut(redact(text), maxLength).replace(unprintable, escape)

/**
 * Prints a text in quotation marks, in one line, and of a bounded length: a message is not a place for a megabyte.
 *
 * @category formatting
 * @since 0.1.0
 */
export const quote = (text: string): string => `"${line(text, 80).replaceAll("\"", "\\\"")}"`

/**
 * Prints a text of several lines: what `line` does, except that line feeds stay. Inside a string of JSON each escape stands for the character that it
 * replaces, so JSON that is printed so is still the same value. Does not look for tokens: a text of several lines was put together of parts that have
 * passed `line`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lines = (text: string): string => text.replace(unprintableInLines, escape)

/**
 * Prints a text in printable ASCII, for the cell of a table: its length is then its width. Tickers are ASCII; a letter of another alphabet that looks like
 * one of theirs shows itself.
 *
 * @category formatting
 * @since 0.1.0
 */
export const ascii = (text: string): string => redact(text).replace(/[^ -~]/g, escape)

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`

/** Controls, formats (those of direction among them), halves of pairs, separators of lines and paragraphs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const unprintableInLines = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Writes a character as a string of JSON may. */
const escape = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at)
    return unit === 10 ? "\\n" : unit === 13 ? "\\r" : unit === 9 ? "\\t" : `\\u${unit.toString(16).padStart(4, "0")}`
  }).join("")

/**
 * Makes a function that takes a secret out of a text, however it is written there: escaped as JSON or HTML, in a URL, in base64 or hexadecimal, in
 * another case, cut at the end, or with blanks and tags within it. A secret of fewer than 8 characters is not looked for: it could be any word.
 *
 * @category formatting
 * @since 0.1.0
 */
export const without: (secret: string) => (text: string) => string = Secret.without
