/** A symbol in either of its two forms: without blanks, or padded to 21 characters. */
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"

const padded = /^.{6}\d{6}[CP]\d{8}$/s

/** Whether a text is meant to be the padded form: no other symbol has 21 characters with blanks where those of the padding are. */
export const isPadded = (text: string): boolean => text.length === 21 && text.includes(" ") && padded.test(text)

/** Reads a symbol in either form. */
export const read = (text: string) => isPadded(text) ? OptionSymbol.parseOsi(text) : OptionSymbol.parse(text)
