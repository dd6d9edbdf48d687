/** Lines that fit a width, broken between words. */
import type { Line, Span } from "./span.ts"
import { textOf } from "./span.ts"

/** Breaks a text into lines of at most `width` characters; a word that is longer has a line of its own. */
const words = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const indent = 12

/** A label, and beside it a text on as many lines as it takes. */
export const labelled = (label: string, span: Span, width: number): ReadonlyArray<Line> =>
  words(textOf(span), Math.max(20, width - indent)).map((text, index): Line => [
    { text: (index === 0 && label !== "" ? `${label}:` : "").padEnd(indent), means: "aside" },
    typeof span === "string" ? text : { ...span, text }
  ])
