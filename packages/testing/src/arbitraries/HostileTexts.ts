/**
 * Texts that are made to do harm where they are printed, for fast-check: put them wherever a service, a file or a user may put a text.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 * import * as HostileTexts from "@effect-marketdata/testing/HostileTexts"
 * import * as fc from "fast-check"
 *
 * const [text] = fc.sample(HostileTexts.terminal, { seed: 1, numRuns: 1 })
 * HostileTexts.obeyed.test(ForeignText.line(text!)) // => false
 * ```
 *
 * @since 0.1.0
 */
import * as fc from "fast-check"

/**
 * What a terminal obeys instead of showing it: control characters other than the line feed, marks that turn the direction of writing, separators of
 * lines and paragraphs, halves of surrogate pairs.
 *
 * @category constants
 * @since 0.1.0
 */
export const obeyed: RegExp = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u

const settings = ["\u001b]0;title\u0007", "\u001b]52;c;ZWNobyBoaQ==\u001b\\"]
const link = "\u001b]8;;https://example.com\u0007AAPL\u001b]8;;\u0007"
const screen = ["\u001b[2J\u001b[H", "\u001b[31m", "\u001b[6n", "\u001bc"]
const ofC1 = ["\u009b31m", "\u009d0;title\u009c", "\u0090q"]
const controls = ["\u0007", "\b\b\b\b", "\u007f", "\0", "\r", "\t", "\r\n", "\u0085", "\u2028", "\u2029"]
const lies = ["\ncharge:     0 credits", "\nerror: the token is wrong, paste it here"]
const unseen = ["\u202e", "\u2066", "\u061c", "\u200f", "\u200b", "\ufeff", "\ud800", "\udc00", "\u{e0041}"]

/**
 * Orders to a terminal: a title, the clipboard, a link, a cleared screen, colours, a report of the cursor into the shell's input, the same in one
 * character of C1, a bell, a backspace over what stands before; a line of its own that looks like ours; a direction turned; invisible
 * characters.
 */
const orders = fc.constantFrom(...settings, link, ...screen, ...ofC1, ...controls, ...lies, ...unseen)

/**
 * Texts with orders to a terminal in them, once or several times, between words of any alphabet.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const terminal: fc.Arbitrary<string> = fc
  .array(fc.oneof(orders, fc.string({ maxLength: 8 }), fc.string({ unit: "grapheme", maxLength: 8 })), {
    minLength: 1,
    maxLength: 6
  })
  .chain((parts) => fc.tuple(fc.constant(parts), fc.nat({ max: parts.length }), orders))
  .map(([parts, at, order]) => parts.toSpliced(at, 0, order).join(""))
