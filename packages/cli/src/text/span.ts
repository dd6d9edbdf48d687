/**
 * Text for a terminal, with its meaning beside it. Control characters in the text are made visible, and only the meaning becomes a colour: so no text from
 * outside can send the terminal a command, and the width of a line is that of its texts.
 */
import { ForeignText } from "@effect-marketdata/core"

/** How many columns of a terminal characters take: letters of East Asia and pictures two, marks above a letter none. */
const nothing = /^[\p{Mn}\p{Me}]$/u

const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u

const isPlain = /^[ -~]*$/

const widthOfCharacter = (character: string): number => nothing.test(character) ? 0 : wide.test(character) ? 2 : 1

/** The columns that a printable text takes. */
const columnsOf = (text: string): number =>
  isPlain.test(text) ? text.length : Array.from(text).reduce((sum, each) => sum + widthOfCharacter(each), 0)

/** The text if it takes at most that many columns, else its beginning and an ellipsis. */
export const cutText = (text: string, width: number): string => {
  if (columnsOf(text) <= width) return text
  let [kept, room] = ["", width - 1]
  for (const character of text) {
    room -= widthOfCharacter(character)
    if (room < 0) break
    kept += character
  }
  return width < 1 ? "" : `${kept}…`
}

/** The text with blanks before or behind it, so that it takes that many columns. */
export const padText = (text: string, width: number, align: "left" | "right"): string => {
  const blanks = " ".repeat(Math.max(0, width - columnsOf(text)))
  return align === "left" ? text + blanks : blanks + text
}

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

/** The columns that any text takes once it is made printable. */
export const widthOf = (text: string): number => columnsOf(ForeignText.line(text))

/** The beginning of a line, as much as takes that many columns. */
export const cut = (line: Line, width: number): Line => {
  let room = width
  return spansOf(line).flatMap((span) => {
    const text = cutText(ForeignText.line(textOf(span)), Math.max(0, room))
    room -= columnsOf(text)
    return text === "" ? [] : [typeof span === "string" ? text : { ...span, text }]
  })
}

/** How far the lines after the first of a wrapped line are indented: to the end of its label, which ends with a blank, or as far as the first; not at all where that takes over half the width. */
const indentOf = (first: string, width: number): number => {
  const indent = first.endsWith(" ") ? widthOf(first) : first.search(/[^ ]|$/)
  return indent * 2 > width ? 0 : indent
}

/** The indentation of a column that was moved to a line of its own, beyond that of its text. */
const belowColumn = 4

/** The lines of a terminal that a line takes, broken between its words. */
export const wrap = (line: Line, width: number): ReadonlyArray<Line> => {
  const spans = spansOf(line)
  if (spans.reduce((sum, span) => sum + widthOf(textOf(span)), 0) <= width) return [line]
  const indent = indentOf(textOf(spans[0] ?? ""), width)
  const lines: Array<Array<Span>> = [[]]
  let room = width
  for (const span of spans) {
    let text = ""
    const end = () => lines.at(-1)!.push(typeof span === "string" ? text : { ...span, text })
    for (const [at, column] of textOf(span).split(/(?<= {2})(?! )/).entries()) {
      // A column in the left half is wrapped below its own beginning. One further right moves to a line of its own, if it fits on one.
      const here = width - room
      const isBeside = at > 0 && here * 2 <= width
      const isWhole = at > 0 && !isBeside && indent + belowColumn + widthOf(column.trimEnd()) <= width
      const begin = isBeside ? here : isWhole ? indent + belowColumn : indent
      for (const word of isWhole ? [column] : column.split(/(?<= )(?! )/)) {
        if (widthOf(word.trimEnd()) > room && room < width - begin) {
          text = text.trimEnd()
          end()
          lines.push([" ".repeat(begin)])
          text = ""
          room = width - begin
        }
        text += word
        room -= widthOf(word)
      }
    }
    end()
  }
  return lines
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
