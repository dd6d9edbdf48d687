/**
 * Text from outside that is shown to a person: what a service said, the name of a field, a file, an argument. Some characters command a
 * terminal, and some reverse the order of others. Here they are escaped, and what looks like a token is removed.
 *
 * Every message of these packages is made safe here. Print texts from a reply with `ForeignText.line` as well.
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
import * as Secret from "./secret.ts"
import * as Untyped from "./untyped.ts"

/**
 * Prints a text in one line. Control characters, line ends, invisible characters, characters that change the writing direction, and
 * halves of surrogate pairs are escaped as in JSON; what looks like a token is removed. Doing it twice changes nothing more. `maxLength`
 * is the most characters of the text that are shown.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.line("a text\nfrom \u001b[31moutside").includes("\u001b") // => false
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const line = (text: string, maxLength = Infinity): string =>
  lines(cut(Secret.redact(textOf(text)), maxLength)).replaceAll("\n", "\\n")

/**
 * Prints a text in quotation marks, in one line, and at most 80 characters of it.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.quote("AAPL") // => "\"AAPL\""
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const quote = (text: string): string => `"${line(text, 80).replaceAll("\"", "\\\"")}"`

/**
 * Prints a text of several lines: like `line`, but line feeds stay. In a string of JSON each escape stands for the character that it
 * replaces, so printed JSON keeps its value. It does not look for tokens, because such a text is made of parts that `line` has printed.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lines = (text: string): string =>
  // Controls, formats (those of direction among them), halves of pairs, separators of lines and paragraphs: such a class takes a millisecond to make.
  notPlain.test(text) ? text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escape) : text

/**
 * Prints a text in printable ASCII, for the cell of a table: its length is then its width. Tickers are ASCII, so a letter of another
 * alphabet that looks like one of theirs becomes visible.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.ascii("AAPL") // => "AAPL"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const ascii = (text: string): string => Secret.redact(textOf(text)).replace(/[^ -~]/g, escape)

/** What an untyped caller gives in place of a text is printed as in a message. */
const textOf = (text: string): string => typeof text === "string" ? text : Untyped.shown(text)

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`

/** A character that is not plain ASCII. Hardly any text has one, and this search takes a tenth of the time of the others. */
const notPlain = /[^\n -~]/

/** Writes a character as a string of JSON may. */
const escape = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at)
    return unit === 13 ? "\\r" : unit === 9 ? "\\t" : `\\u${unit.toString(16).padStart(4, "0")}`
  }).join("")

/**
 * Returns a function that removes a secret from a text, in any form: escaped as JSON or HTML, in octal, in a URL, in base64 once or twice, in
 * hexadecimal, as a list of bytes, in another case, in halves, cut at the end, or with blanks and tags inside. It does not look for secrets shorter than 8 characters, which could be
 * any word.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.without("a-long-token")("Bearer a-long-token is unknown") // => "Bearer <redacted> is unknown"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const without: (secret: string) => (text: string) => string = Secret.without
