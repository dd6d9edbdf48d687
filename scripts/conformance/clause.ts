/** The clauses of the service's interface, read from their page in docs/conformance, and the test names that claim them. */
import * as Files from "../shared/files.ts"

/** The packages whose tests can prove a clause. */
export const packages = ["core", "client", "sandbox"] as const

export type Package = (typeof packages)[number]

export const path = "docs/conformance/clauses.md"

const id = "\\d{1,2}(?:\\.\\d+)?-[a-z0-9-]+"

/** Returns what looks like a clause's id among the square brackets of a test's full name, each once. */
export const idsIn = (testName: string): ReadonlyArray<string> => [
  ...new Set(Array.from(testName.matchAll(new RegExp(`\\[(${id})\\]`, "g")), ([, id = ""]) => id))
]

const row = new RegExp(`^\\| (${id}) \\| [^|]*[^|\\s][^|]* \\| ([^|]+) \\|$`)

/** A line of a table: one rule of the service, and the packages that must prove it. Throws where it is not a clause. */
const clauseOf = (line: string) => {
  const [, id = "", where = ""] = row.exec(line) ?? []
  const names = where.split(", ")
  const known = packages.filter((name) => names.includes(name))
  if (known.length === names.length) return { id, where: known }
  const form = "| 2.1-mid | What the service does. | core, client |"
  throw new Error(`${path}: "${line.slice(0, 60)}" is not a clause, as in ${form}`)
}

/** Reads the page of the repository at `root`: every row of its tables is a clause. Throws if one is there twice. */
export const read = (root: string) => {
  const rows = Files.text(root, path).split("\n")
  const clauses = rows.filter((line) => line.startsWith("|") && !/^\| (?:id|-+) \|/.test(line)).map(clauseOf)
  const twice = clauses.find(({ id }, at) => clauses.findIndex((other) => other.id === id) !== at)
  if (twice !== undefined) throw new Error(`${path}: ${twice.id} stands here a second time`)
  return clauses
}
