/** Draws what a terminal shows as SVG: each character in its place, in the colours of its meaning. */

/** The colours of the terminal, by the number that turns them on; 1 is bold, 2 faint, 7 turned round. */
const styles: Readonly<Record<string, string>> = {
  1: "font-weight:bold;fill:#fff",
  2: "fill:#8b949e",
  4: "text-decoration:underline",
  7: "fill:#0d1117",
  31: "fill:#ff7b72",
  32: "fill:#7ee787",
  33: "fill:#e3b341",
  34: "fill:#79c0ff",
  35: "fill:#d2a8ff",
  36: "fill:#76e3ea",
  90: "fill:#8b949e"
}

const character = { width: 8, height: 18 }
const margin = 14

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** A piece of a line with the numbers of its style. */
interface Piece {
  readonly at: number
  readonly text: string
  readonly codes: ReadonlyArray<string>
}

const escape = new RegExp(String.raw`${String.fromCodePoint(27)}\[([\d;]*)m`)

/** The text without its colours. */
export const plain = (shown: string): string => shown.replaceAll(new RegExp(escape, "g"), "")

/** The rows of a line on a terminal of so many columns: what is longer goes on in the next one. */
const rowsOf = (line: string, columns: number): ReadonlyArray<ReadonlyArray<Piece>> => {
  const rows: Array<Array<Piece>> = [[]]
  let codes: ReadonlyArray<string> = []
  let at = 0
  for (const [index, part] of line.split(escape).entries()) {
    if (index % 2 === 1) codes = part === "" || part === "0" ? [] : [...codes, ...part.split(";")]
    for (let text = index % 2 === 1 ? "" : part; text !== "";) {
      if (at === columns) {
        rows.push([])
        at = 0
      }
      const piece = text.slice(0, columns - at)
      rows.at(-1)!.push({ at, text: piece, codes })
      at += piece.length
      text = text.slice(piece.length)
    }
  }
  return rows
}

const draw = ({ at, codes, text }: Piece, row: number): string => {
  const x = margin + at * character.width
  const y = margin + row * character.height
  const width = text.length * character.width
  const style = codes.map((code) => styles[code] ?? "").filter((style) => style !== "").join(";")
  const ground = codes.includes("7")
    ? `<rect x="${x}" y="${y}" width="${width}" height="${character.height}" fill="#c9d1d9"/>`
    : ""
  const drawn = style === "" ? "" : ` style="${style}"`
  return `${ground}<text x="${x}" y="${y + 13}" textLength="${width}"${drawn}>${escaped(text)}</text>`
}

/** Draws it on a terminal of so many columns. */
export const picture = (shown: string, columns: number): string => {
  const rows = shown.split("\n").flatMap((line) => rowsOf(line, columns))
  const width = 2 * margin + columns * character.width
  const height = 2 * margin + rows.length * character.height
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="6" fill="#0d1117"/>`,
    // Browsers do not pass this on from the group to its texts.
    "<style>text{white-space:pre}</style>",
    `<g fill="#c9d1d9" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">`,
    ...rows.flatMap((pieces, row) => pieces.filter(({ text }) => text.trim() !== "").map((piece) => draw(piece, row))),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}
