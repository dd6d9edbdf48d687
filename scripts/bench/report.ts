/** What a bench found, row by row, and how it is shown: as text, as a table for docs/benchmarks.md, as JSON. */
import type { Spread } from "./statistics.ts"

type Unit =
  | "× JSON.parse"
  | "× JSON.stringify"
  | "× node:http"
  | "× fetch + JSON.parse"
  | "× HttpClient"
  | "× import of Effect"
  | "× ours"
  | "ms"
  | "MB"
  | "B"
  | "M/s"

/** One figure of one Node. */
export interface Row {
  readonly case: string
  readonly unit: Unit
  readonly figure: Spread
  /** The most that the figure may be; the bench fails above it. */
  readonly limit?: number | undefined
  /** The least that the figure may be; the bench fails below it. */
  readonly floor?: number | undefined
  /** The least that it should be; below it the bench only says so. */
  readonly aim?: number | undefined
  /** The same of `JSON.parse`, or what the ratio was made of. */
  readonly beside?: string | undefined
}

/** All rows of one Node, in the order in which they were measured. */
export interface Result {
  readonly node: string
  readonly rows: ReadonlyArray<Row>
}

/** Where and with what it was measured. */
export interface Setting {
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly runs: number
}

/** Tells whether the limit of a row, or its floor, is broken: by its median. */
export const isBroken = ({ figure, floor, limit }: Row): boolean =>
  (limit !== undefined && !(figure.median <= limit)) || (floor !== undefined && !(figure.median >= floor))

const verdict = (row: Row): string => {
  if (row.limit !== undefined || row.floor !== undefined) return isBroken(row) ? "BROKEN" : "holds"
  if (row.aim !== undefined) return row.figure.median >= row.aim ? "reached" : "not reached"
  return ""
}

const bound = ({ aim, floor, limit }: Row): string =>
  limit !== undefined
    ? `at most ${limit}`
    : floor !== undefined
    ? `at least ${floor}`
    : aim !== undefined
    ? `aim ${aim}`
    : ""

/** Prints a figure with three digits or so. */
const number = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)

const spreadOf = ({ least, most }: Spread): string => least === most ? "" : `${number(least)}–${number(most)}`

const widths = [32, 26, 13, 13, 12, 0]

/** A row as a line of text. */
export const line = (row: Row): string =>
  [
    row.case,
    `${number(row.figure.median)} ${row.unit}`,
    spreadOf(row.figure),
    bound(row),
    verdict(row),
    row.beside ?? ""
  ]
    .map((cell, at) => cell.padEnd(widths[at]!)).join(" ").trimEnd()

const cell = (row: Row | undefined): string => {
  if (row === undefined) return ""
  const spread = spreadOf(row.figure)
  const beside = row.beside === undefined ? "" : `; ${row.beside}`
  return `**${number(row.figure.median)}**${spread === "" ? "" : ` (${spread})`}${beside}`
}

const versionsOf = ({ versions }: Setting, results: ReadonlyArray<Result>): string =>
  [...results.map(({ node }) => `Node ${node}`), ...Object.entries(versions).map((entry) => entry.join(" "))].join(", ")

/** The table for docs/benchmarks.md: a row for each case, a column for each Node. */
export const markdown = (setting: Setting, results: ReadonlyArray<Result>): string => {
  const [first] = results
  if (first === undefined) throw new RangeError("nothing was measured")
  const lines = first.rows.map((row) => [
    row.case,
    row.unit,
    bound(row),
    ...results.map(({ rows }) => cell(rows.find((other) => other.case === row.case)))
  ])
  const heading = ["case", "unit", "bound", ...results.map(({ node }) => `Node ${node}`)]
  const processes = setting.runs === 1 ? "one process" : `${setting.runs} processes`
  return [
    `${setting.date}, ${setting.machine}, commit ${setting.commit}; ${
      versionsOf(setting, results)
    }; ${processes} a figure.`,
    "",
    ...table([heading, ...lines])
  ].join("\n")
}

const table = ([heading = [], ...lines]: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = heading.map((title, at) => Math.max(3, title.length, ...lines.map((line) => line[at]!.length)))
  const row = (cells: ReadonlyArray<string>): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`
  return [row(heading), row(widths.map((width) => "-".repeat(width))), ...lines.map(row)]
}

/** What `--json` prints: one case for each figure of each Node, its `value` called `ratio` where it is one. */
export const json = (setting: Setting, results: ReadonlyArray<Result>): string =>
  JSON.stringify(
    {
      ...setting,
      versions: { node: results.map(({ node }) => node), ...setting.versions },
      cases: results.flatMap(({ node, rows }) =>
        rows.map((row) => ({
          case: row.case,
          node,
          unit: row.unit,
          [row.unit.startsWith("×") ? "ratio" : "value"]: row.figure.median,
          least: row.figure.least,
          most: row.figure.most,
          limit: row.limit,
          floor: row.floor,
          holds: row.limit === undefined && row.floor === undefined ? undefined : !isBroken(row),
          aim: row.aim,
          beside: row.beside
        }))
      )
    },
    undefined,
    2
  )
