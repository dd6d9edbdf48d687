/** The clauses of the service's interface, read from their page in docs/conformance, and the test names that claim them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The packages whose tests can prove a clause. */
export const packages = ["core", "client", "sandbox"] as const

export type Package = (typeof packages)[number]

const isPackage = (name: string): name is Package => packages.some((known) => known === name)

/** One rule of the service, and the packages that must prove it. */
export interface Clause {
  readonly id: string
  readonly where: ReadonlyArray<Package>
}

export const path = "docs/conformance/clauses.md"

const idPattern = /^\d{1,2}(?:\.\d+)?-[a-z0-9-]+$/

/** Returns what looks like a clause's id among the square brackets of a test's full name, each once. */
export const idsIn = (testName: string): ReadonlyArray<string> => {
  const bracketed = Array.from(testName.matchAll(/\[([^[\]]+)\]/g), ([, text]) => text ?? "")
  return [...new Set(bracketed.filter((text) => idPattern.test(text)))]
}

/** A row of the page: id, text, where. Says what is wrong with it. */
const clauseOf = (cells: ReadonlyArray<string>): Clause | string => {
  const [id = "", text = "", where = ""] = cells
  if (cells.length !== 3) return `a clause has 3 cells (id, clause, where), and here are ${cells.length}`
  if (!idPattern.test(id)) return `"${id}" is no clause id: write the section, a dash and a name, as in 2.1-mid`
  if (text === "") return `${id} has no text`
  const names = where.split(",").map((name) => name.trim())
  const known = names.filter(isPackage)
  return known.length === names.length && new Set(known).size === known.length
    ? { id, where: known }
    : `"${where}" does not list packages, each once: choose from ${packages.join(", ")}`
}

/** Parses the page: every line of its tables, but for heads and rules, is a clause. Throws where one is none, and says on which line. */
export const parse = (markdown: string): ReadonlyArray<Clause> => {
  const clauses = new Map<string, Clause>()
  for (const [index, line] of markdown.split("\n").entries()) {
    const cells = line.split("|").slice(1, -1).map((cell) => cell.trim())
    const isRule = cells.join() === "id,clause,where" || cells.every((cell) => /^-+$/.test(cell))
    if (!line.startsWith("|") || isRule) continue
    const clause = clauseOf(cells)
    const problem = typeof clause === "string" ? clause : `${clause.id} stands here a second time`
    if (typeof clause === "string" || clauses.has(clause.id)) throw new Error(`${path} line ${index + 1}: ${problem}`)
    clauses.set(clause.id, clause)
  }
  return [...clauses.values()]
}

/** Reads and parses the page of the repository at `root`. */
export const read = (root: string): ReadonlyArray<Clause> => parse(readFileSync(join(root, path), "utf8"))
