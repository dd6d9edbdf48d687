/** A chart in a terminal: lines of Braille, whose characters are two dots wide and four high, or of letters where it knows nothing but ASCII. */
import type { Size } from "../output/output.ts"
import { type Line, type Meaning, type Span, wrap } from "../text/span.ts"
import { type Chart, charting } from "./charting.ts"

const { format } = charting()

const rows = 10
const labels = 9

/** The bit of each dot of a character, by row and column. */
const bits = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

/** Draws the lines of a chart, those of calls and puts in their colours. */
export const lines = (chart: Chart, { columns }: Size, isAscii: boolean): ReadonlyArray<Line> => {
  const width = Math.max(10, Math.min(100, columns - labels - 1))
  const [wide, high] = isAscii ? [1, 1] : [2, 4]
  const cells = Array.from(
    { length: rows * width },
    (): { bits: number; means: Meaning } => ({ bits: 0, means: "aside" })
  )
  const points = chart.series.flatMap(({ points }) => points.flatMap(([x, y]) => y === null ? [] : [[x, y] as const]))
  const notes = chart.notes.flatMap((text) => wrap({ text, means: "aside" }, columns))
  if (points.length === 0) return [{ text: chart.title, means: "heading" }, "no values", ...notes]
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const at = (value: number, from: number, to: number, dots: number): number =>
    to > from ? Math.round((value - from) / (to - from) * (dots - 1)) : dots >> 1
  const put = (x: number, y: number, means: Meaning) => {
    const row = rows * high - 1 - y
    const cell = cells[Math.floor(row / high) * width + Math.floor(x / wide)]!
    cell.bits |= bits[row % high]![x % wide]!
    cell.means = means
  }
  for (const { points, tone } of chart.series) {
    const means = tone === "put" ? "put" : "call"
    for (const [index, [x, y]] of points.entries()) {
      if (y === null) continue
      const [here, level] = [at(x, left, right, width * wide), at(y, bottom, top, rows * high)]
      put(here, level, means)
      const [next, value = null] = points[index + 1] ?? []
      if (next === undefined || value === null) continue
      const [there, other] = [at(next, left, right, width * wide), at(value, bottom, top, rows * high)]
      const steps = Math.max(there - here, Math.abs(other - level))
      for (let step = 1; step < steps; step++) {
        put(Math.round(here + (there - here) * step / steps), Math.round(level + (other - level) * step / steps), means)
      }
    }
  }
  const spanOf = ({ bits, means }: typeof cells[number]): Span =>
    bits === 0 ? " " : { text: isAscii ? means === "put" ? "p" : "c" : String.fromCodePoint(0x2800 + bits), means }
  const label = (row: number) =>
    row === 0 || row === rows - 1 || row === rows >> 1
      ? format(top - (top - bottom) * row / (rows - 1), chart.y.unit).padStart(labels - 1)
      : " ".repeat(labels - 1)
  const ends = [format(left, chart.x.unit), format(right, chart.x.unit)] as const
  return [
    { text: chart.title, means: "heading" },
    ...Array.from({ length: rows }, (_, row): Line => [
      { text: `${label(row)} `, means: "aside" },
      ...cells.slice(row * width, (row + 1) * width).map(spanOf)
    ]),
    { text: " ".repeat(labels) + ends[0] + ends[1].padStart(width - ends[0].length), means: "aside" },
    [
      " ".repeat(labels),
      ...chart.series.flatMap(({ name, tone }): ReadonlyArray<Span> => [
        { text: `${isAscii ? name[0] : "\u2022"} ${name}`, means: tone === "put" ? "put" : "call" },
        "  "
      ])
    ],
    ...notes
  ]
}
