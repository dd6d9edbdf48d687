/** The results of a bench, as a table for docs/benchmarks.md and as JSON. */
import type { Setting } from "./setting.ts"
import { median, medians, type Paired } from "./statistics.ts"

/** The bounds of a figure. A bench fails above `limit` or below `floor`; missing its `aim` is not a failure. */
export interface Bounds extends Readonly<Partial<Record<"limit" | "floor" | "aim", number | undefined>>> {}

/** One figure of one Node, measured several times. */
export interface Row extends Bounds {
  readonly case: string
  /** The unit; that of a ratio begins with ×. */
  readonly unit: string
  readonly figures: ReadonlyArray<number>
  /** The figure of the baseline, or the two that the ratio was made of. */
  readonly beside?: string | undefined
  /** Other figures of the same, which `--json` prints as they are. */
  readonly also?: Readonly<Record<string, number>>
}

/** How to measure: with which Node or bun, how often, and how long in milliseconds, or a fifth of it where it is to be quick. */
export interface How {
  readonly node: string
  readonly runs: number
  readonly milliseconds: number
  readonly quick: boolean
  readonly isBun: boolean
}

/** A bench: in how many processes each figure is measured, whether on an older Node too, and how. */
export interface Bench {
  readonly runs: number
  readonly onOlder?: boolean
  readonly measure: (how: How) => AsyncIterable<Row>
}

/** All rows of one Node, in the order in which they were measured. */
export interface Result {
  readonly node: string
  readonly rows: ReadonlyArray<Row>
}

/** Prints milliseconds. */
export const ms = (value: number): string => `${value < 1000 ? value.toPrecision(3) : Math.round(value)} ms`

/** The row of several pairs, with what took how long beside it. */
export const paired = (name: string, unit: string, pairs: ReadonlyArray<Paired>, bounds: Bounds = {}): Row => {
  const { baseline, subject } = medians(pairs)
  const beside = `${ms(subject)} of ${ms(baseline)}`
  return { case: name, unit, figures: pairs.map(({ ratio }) => ratio), ...bounds, beside }
}

/** Returns whether the limit of a row, or its floor, is broken: by its median. */
export const isBroken = ({ figures, floor = -Infinity, limit = Infinity }: Row): boolean =>
  !(median(figures) <= limit && median(figures) >= floor)

/** Prints a figure with about three digits. */
const number = (value: number): string => value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)

/** A median, with the least and the most behind it. */
const spread = (figures: ReadonlyArray<number>): string => {
  const [least, most] = [Math.min(...figures), Math.max(...figures)]
  return `**${number(median(figures))}**${least === most ? "" : ` (${number(least)}–${number(most)})`}`
}

const cells = (...texts: ReadonlyArray<string>): string => `| ${texts.join(" | ")} |`

/** The lines above the tables of docs/benchmarks.md. */
export const about = ({ commit, date, machine, runs, versions }: Setting): string => {
  const used = Object.entries(versions).map((entry) => entry.join(" "))
  return `${date}, ${machine}, commit ${commit}; ${used.join(", ")}; processes a figure: ${runs}.`
}

/** The head of a table. */
export const head = (node: string): string => {
  const names = cells("case", "unit", "bound", node.startsWith("bun") ? node : `Node ${node}`)
  return `\n${names}\n${cells("---", "---", "---", "---")}`
}

/** A row of it. */
export const line = (row: Row): string => {
  const { aim, beside, figures, floor, limit } = row
  const bounds = Object.entries({ "at most": limit, "at least": floor, aim })
    .flatMap(([word, value]) => value === undefined ? [] : [`${word} ${value}`])
  const broken = isBroken(row) ? ["BROKEN"] : []
  return cells(row.case, row.unit, [...bounds, ...broken].join(", "), [spread(figures), beside ?? []].flat().join("; "))
}

/** What `--json` prints: one case for each figure of each Node, its `value` called `ratio` where it is one. */
export const json = (setting: Setting, results: ReadonlyArray<Result>): string => {
  const cases = results.flatMap(({ node, rows }) =>
    rows.map(({ figures, ...row }) => ({
      ...row,
      node,
      [row.unit.startsWith("×") ? "ratio" : "value"]: median(figures),
      least: Math.min(...figures),
      most: Math.max(...figures),
      holds: row.limit === undefined && row.floor === undefined ? undefined : !isBroken({ figures, ...row })
    }))
  )
  const versions = { node: results.map(({ node }) => node), ...setting.versions }
  return JSON.stringify({ ...setting, versions, cases }, undefined, 2)
}
