/** How many columns of a terminal a text takes: letters of East Asia and pictures take two, marks above a letter none. */

const nothing = /^[\p{Mn}\p{Me}]$/u

const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u

const isPlain = /^[ -~]*$/

const widthOfCharacter = (character: string): number => nothing.test(character) ? 0 : wide.test(character) ? 2 : 1

/** The columns that a text takes which holds nothing unprintable. */
export const of = (text: string): number =>
  isPlain.test(text)
    ? text.length
    : Array.from(text).reduce((width, character) => width + widthOfCharacter(character), 0)

/** The text if it takes at most that many columns, else its beginning and an ellipsis. */
export const cut = (text: string, width: number): string => {
  if (of(text) <= width) return text
  let [kept, room] = ["", width - 1]
  for (const character of text) {
    room -= widthOfCharacter(character)
    if (room < 0) break
    kept += character
  }
  return width < 1 ? "" : `${kept}…`
}

/** The text with blanks before or behind it, so that it takes that many columns. */
export const pad = (text: string, width: number, align: "left" | "right"): string => {
  const blanks = " ".repeat(Math.max(0, width - of(text)))
  return align === "left" ? text + blanks : blanks + text
}
