/**
 * A chart for a terminal: lines of Braille, whose characters are two dots wide and four high, or of letters where the terminal knows nothing but ASCII.
 *
 * @example
 * ```ts
 * import type * as Chart from "@effect-marketdata/pictures/Chart"
 * import * as TextChart from "@effect-marketdata/pictures/TextChart"
 * import * as Result from "effect/Result"
 *
 * // The chart as one text, without colours.
 * export const textOf = (chart: Chart.Chart) =>
 *   Result.map(
 *     TextChart.lines(chart, { columns: 80 }),
 *     (lines) => lines.map((line) => line.map(({ text }) => text).join("")).join("\n")
 *   )
 * ```
 *
 * @since 0.1.0
 */
import type { InvalidInput } from "@effect-marketdata/volatility/InvalidInput"
import * as Result from "effect/Result"
import type { Chart, Unit } from "./Chart.ts"
import { charting } from "./charting.ts"
import * as Checked from "./checked.ts"

/**
 * A piece of a line, and what it means, which a terminal may show in a colour. It holds nothing that a terminal obeys.
 *
 * @category models
 * @since 0.1.0
 */
export interface Part {
  readonly text: string
  readonly means?: "heading" | "aside" | "call" | "put"
}

type Meaning = NonNullable<Part["means"]>

const { boundsOf, format } = charting()

const rows = 10
const labels = 9

/** The bit of each dot of a character, by row and column. */
const bits = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

/**
 * Draws the lines of a chart: its title, ten lines of points, its axis and what its tones are; no notes. What is not of puts is drawn as what is of calls.
 * `columns` are those of the terminal, from 1 to 10000; at least 20 of them are taken, and at most 110. With `ascii` points are the letters `c` and `p`. Fails with
 * `InvalidInput` for what is not a chart, and for columns out of their range.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lines = (
  chart: Chart,
  options: { readonly columns: number; readonly ascii?: boolean | undefined }
): Result.Result<ReadonlyArray<ReadonlyArray<Part>>, InvalidInput> =>
  Result.gen(function*() {
    const columns = yield* Checked.ranged("columns", options?.columns, 1, 10_000, "80")
    return draw(yield* Checked.chart(chart), columns, options.ascii === true)
  })

const draw = (chart: Chart, columns: number, isAscii: boolean): ReadonlyArray<ReadonlyArray<Part>> => {
  const width = Math.max(10, Math.min(100, Math.floor(columns) - labels - 1))
  const [wide, high] = isAscii ? [1, 1] : [2, 4]
  const cells = Array.from(
    { length: rows * width },
    (): { bits: number; means: Meaning } => ({ bits: 0, means: "aside" })
  )
  const points = chart.series.flatMap(({ points }) => points.flatMap(([x, y]) => y === null ? [] : [[x, y] as const]))
  if (points.length === 0) return [[{ text: chart.title, means: "heading" }], [{ text: "no values" }]]
  const [left, right] = boundsOf(points.map(([x]) => x))
  const [bottom, top] = boundsOf(points.map(([, y]) => y))
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
  const partOf = ({ bits, means }: typeof cells[number]): Part =>
    bits === 0
      ? { text: " " }
      : { text: isAscii ? means === "put" ? "p" : "c" : String.fromCodePoint(0x2800 + bits), means }
  const printed = (value: number, unit: Unit) =>
    isAscii ? format(value, unit).replace("\u2212", "-") : format(value, unit)
  const label = (row: number) =>
    row === 0 || row === rows - 1 || row === rows >> 1
      ? printed(top - (top - bottom) * row / (rows - 1), chart.y.unit).padStart(labels - 1)
      : " ".repeat(labels - 1)
  const ends = [printed(left, chart.x.unit), printed(right, chart.x.unit)] as const
  return [
    [{ text: chart.title, means: "heading" }],
    ...Array.from({ length: rows }, (_, row): ReadonlyArray<Part> => [
      { text: `${label(row)} `, means: "aside" },
      ...cells.slice(row * width, (row + 1) * width).map(partOf)
    ]),
    [{ text: " ".repeat(labels) + ends[0] + ends[1].padStart(width - ends[0].length), means: "aside" }],
    [
      { text: " ".repeat(labels) },
      ...chart.series.flatMap(({ name, tone }): ReadonlyArray<Part> => [
        { text: `${isAscii ? name.charAt(0) : "\u2022"} ${name}`, means: tone === "put" ? "put" : "call" },
        { text: "  " }
      ])
    ]
  ]
}
