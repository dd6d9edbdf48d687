/** The clauses of the service's interface, read from their page in docs/conformance, and the test names that claim them. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The packages whose tests can prove a clause. */
export const packages = ["core", "client", "sandbox"] as const

export type Package = (typeof packages)[number]

export const isPackage = (name: string): name is Package => packages.some((known) => known === name)

/** One rule of the service, the heading it stands under, and the packages that must prove it. */
export interface Clause {
  readonly id: string
  readonly text: string
  readonly section: string
  readonly where: ReadonlyArray<Package>
}

export class ClauseTableError extends Data.TaggedError("ClauseTableError")<{
  readonly line: number
  readonly reason: string
}> {
  override get message(): string {
    return `${path} line ${this.line}: ${this.reason}`
  }
}

export const path = "docs/conformance/clauses.md"

const idPattern = /^\d{1,2}(?:\.\d+)?-[a-z0-9-]+$/

/** Returns what looks like a clause's id among the square brackets of a test's full name, each once. */
export const idsIn = (testName: string): ReadonlyArray<string> => {
  const bracketed = Array.from(testName.matchAll(/\[([^[\]]+)\]/g), ([, text]) => text ?? "")
  return [...new Set(bracketed.filter((text) => idPattern.test(text)))]
}

const cellsOf = (line: string): ReadonlyArray<string> => line.split("|").slice(1, -1).map((cell) => cell.trim())

const parseRow = (cells: ReadonlyArray<string>, section: string): Result.Result<Clause, string> => {
  const [id = "", text = "", where = ""] = cells
  if (cells.length !== 3) return Result.fail(`a clause has 3 cells (id, clause, where), and here are ${cells.length}`)
  if (!idPattern.test(id)) {
    return Result.fail(`"${id}" is no clause id: write the section, a dash and a name, as in 2.1-mid`)
  }
  if (text === "") return Result.fail(`${id} has no text`)
  const names = where.split(",").map((name) => name.trim())
  const known = names.filter(isPackage)
  if (known.length !== names.length || new Set(known).size !== known.length) {
    return Result.fail(`"${where}" does not list packages, each once: choose from ${packages.join(", ")}`)
  }
  return Result.succeed({ id, text, section, where: known })
}

/** Parses the page: every line of its tables, but for heads and rules, is a clause. */
export const parse = (markdown: string): Result.Result<ReadonlyArray<Clause>, ClauseTableError> => {
  const clauses: Array<Clause> = []
  let section = ""
  for (const [index, line] of markdown.split("\n").entries()) {
    if (line.startsWith("## ")) section = line.slice(3)
    if (!line.startsWith("|")) continue
    const cells = cellsOf(line)
    if (cells.join() === "id,clause,where" || cells.every((cell) => /^-+$/.test(cell))) continue
    const fail = (reason: string) => Result.fail(new ClauseTableError({ line: index + 1, reason }))
    const row = parseRow(cells, section)
    if (Result.isFailure(row)) return fail(row.failure)
    if (clauses.some(({ id }) => id === row.success.id)) return fail(`${row.success.id} stands here a second time`)
    clauses.push(row.success)
  }
  return Result.succeed(clauses)
}

/** Reads and parses the page of the repository at `root`. */
export const read = (root: string): Result.Result<ReadonlyArray<Clause>, ClauseTableError> =>
  parse(readFileSync(join(root, path), "utf8"))
