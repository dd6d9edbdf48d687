/** What a run of Stryker found, module by module. */
import * as Modules from "./modules.ts"

/** The part of Stryker's report that we read. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: ReadonlyArray<Mutant> }>>
}

interface Mutant {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
  readonly location: { readonly start: Position; readonly end: Position }
}

interface Position {
  readonly line: number
  readonly column: number
}

/** A mutant that means the same as the code it replaces, and why. The code is told by its text, because lines move. */
export interface Equivalent {
  readonly module: string
  readonly code: string
  readonly replacement: string
  readonly reason: string
}

/** What nothing noticed: where it is, and what it changes. */
interface Survivor {
  readonly line: number
  readonly mutator: string
  readonly code: string
  readonly replacement: string
  readonly reason: string | undefined
}

export interface Row {
  readonly module: string
  readonly mutants: number
  readonly killed: number
  readonly survivors: ReadonlyArray<Survivor>
}

const killed: ReadonlySet<string> = new Set(["Killed", "Timeout"])
const survived: ReadonlySet<string> = new Set(["Survived", "NoCoverage"])

/** Counts a report. Mutants that cannot run at all are none; those that no test reaches have survived. */
export const rows = (report: Report, equivalents: ReadonlyArray<Equivalent>): ReadonlyArray<Row> =>
  Object.entries(report.files).map(([path, { mutants, source }]) => {
    const module = Modules.nameOf(path)
    const survivors = mutants.filter(({ status }) => survived.has(status)).map((mutant): Survivor => {
      const { location, mutatorName, replacement = "" } = mutant
      const code = textAt(source, location)
      const known = equivalents.find((known) =>
        known.module === module && known.code === code && known.replacement === replacement
      )
      return { line: location.start.line, mutator: mutatorName, code, replacement, reason: known?.reason }
    })
    const deaths = mutants.filter(({ status }) => killed.has(status)).length
    return { module, mutants: deaths + survivors.length, killed: deaths, survivors }
  }).filter(({ mutants }) => mutants > 0).toSorted((a, b) => a.module < b.module ? -1 : 1)

const textAt = (source: string, { end, start }: Mutant["location"]): string => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join("\n")
}

/** The share of mutants that a test noticed, in percent. Equivalent mutants count as unnoticed. */
export const score = ({ killed, mutants }: Pick<Row, "killed" | "mutants">): number =>
  mutants === 0 ? 100 : killed / mutants * 100

/** All modules together. */
export const total = (all: ReadonlyArray<Row>): Row => ({
  module: "total",
  mutants: all.reduce((sum, { mutants }) => sum + mutants, 0),
  killed: all.reduce((sum, { killed }) => sum + killed, 0),
  survivors: all.flatMap(({ survivors }) => survivors)
})

/** Prints a row for each module, and one for all of them. */
export const table = (all: ReadonlyArray<Row>): string => {
  const cells = [...all, total(all)].map((row) => [
    row.module,
    String(row.mutants),
    String(row.killed),
    String(row.survivors.length),
    String(row.survivors.filter(({ reason }) => reason !== undefined).length),
    score(row).toFixed(1)
  ])
  const lines = [["module", "mutants", "killed", "survived", "equivalent", "score"], ...cells]
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const line = (texts: ReadonlyArray<string>) =>
    `| ${
      texts.map((text, column) => column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!)).join(" | ")
    } |`
  const rule = `| ${
    widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`).join(" | ")
  } |`
  return [line(lines[0]!), rule, ...lines.slice(1).map(line)].join("\n")
}

/** Prints what survived, a line for each. */
export const survivorLines = (all: ReadonlyArray<Row>): ReadonlyArray<string> =>
  all.flatMap(({ module, survivors }) =>
    survivors.map(({ code, line, reason, replacement }) =>
      `${module}:${line} ${short(code)} => ${short(replacement)}${
        reason === undefined ? "" : ` (equivalent: ${reason})`
      }`
    )
  )

const short = (code: string): string => {
  const text = code.replace(/\s+/g, " ")
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
