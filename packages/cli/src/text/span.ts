/**
 * Text for a terminal, with its meaning beside it: what a text holds is made printable, and only what it means becomes a colour. So no text from
 * outside can carry a command of the terminal, and the width of a line is the length of its texts.
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Width from "./width.ts"

/** What a text means, which decides its colour. */
export type Meaning = "heading" | "aside" | "good" | "warning" | "bad" | "call" | "put" | "here"

/** A text of one line, plain or with its meaning. */
export type Span = string | { readonly text: string; readonly means: Meaning }

/** One line. */
export type Line = Span | ReadonlyArray<Span>

/** Gives a text a meaning. */
export const means = (meaning: Meaning, text: string): Span => ({ text, means: meaning })

export const spansOf = (line: Line): ReadonlyArray<Span> => Array.isArray(line) ? line : [line as Span]

export const textOf = (span: Span): string => typeof span === "string" ? span : span.text

/** The columns of a terminal that a line takes. */
export const widthOf = (line: Line): number =>
  spansOf(line).reduce((width, span) => width + Width.of(ForeignText.line(textOf(span))), 0)

/** The beginning of a line, as much as takes that many columns. */
export const cut = (line: Line, width: number): Line => {
  let room = width
  return spansOf(line).flatMap((span) => {
    const text = Width.cut(ForeignText.line(textOf(span)), Math.max(0, room))
    room -= Width.of(text)
    return text === "" ? [] : [typeof span === "string" ? text : { ...span, text }]
  })
}

const codes: Readonly<Record<Meaning, string>> = {
  heading: "1",
  aside: "2",
  good: "32",
  warning: "33",
  bad: "31",
  call: "36",
  put: "35",
  here: "7"
}

const render = (span: Span, colour: boolean): string => {
  const text = ForeignText.line(textOf(span))
  return colour && typeof span !== "string" && text !== "" ? `\u001b[${codes[span.means]}m${text}\u001b[0m` : text
}

/** Prints lines, in colour where the reader sees colours. */
export const format = (lines: ReadonlyArray<Line>, colour: boolean): string =>
  lines.map((line) => spansOf(line).map((span) => render(span, colour)).join("")).join("\n")
