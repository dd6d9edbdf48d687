/** What is kept between runs, as JSON that git ignores: what the tests said of clauses, and the verdicts on faults. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import type { TestCase } from "vitest/node"
import type { Fault } from "../faults/fault.ts"
import * as Clause from "./clause.ts"

/** A test that names clauses, and how it ended. */
export interface ClauseTest {
  /** The folder under packages/ in whose test folder it lies; empty elsewhere. */
  readonly package: string
  /** Its file, from the root of the repository. */
  readonly file: string
  /** Its full name, suites first, joined by " > ". */
  readonly name: string
  readonly clauses: ReadonlyArray<string>
  readonly state: "passed" | "failed" | "skipped"
}

/** Every test of a package that names clauses, of one complete run, and the fingerprint of the sources it ran on. */
export interface Report {
  readonly fingerprint: string
  readonly tests: ReadonlyArray<ClauseTest>
}

/** How a trial ended. Only `caught` is good: under `stale` and `error` the fault itself needs repair. */
export interface Verdict {
  readonly outcome: "caught" | "missed" | "stale" | "error"
  /** The test that caught the fault, or what went wrong. */
  readonly detail: string
}

/** Verdicts by fault. One counts as long as neither its fault nor any source or test has changed. */
export type Verdicts = ReadonlyMap<string, Verdict>

interface Judged {
  readonly fingerprint: string
  readonly verdicts: Readonly<Record<string, Verdict>>
}

export const testOf = (test: TestCase, root: string): ClauseTest => {
  const file = relative(root, test.module.moduleId).replaceAll(sep, "/")
  const { state } = test.result()
  return {
    package: /^packages\/([^/]+)\/test\//.exec(file)?.[1] ?? "",
    file,
    name: test.fullName,
    clauses: Clause.idsIn(test.fullName),
    state: state === "pending" ? "skipped" : state
  }
}

/** Names a fault by its content. */
export const keyOf = ({ broken, clause, declaration, file, from, index, package: own }: Fault): string =>
  createHash("sha256").update(JSON.stringify([own, clause, file, declaration, broken, from, index])).digest("hex")

const reportOf = (root: string): string => join(root, ".conformance", "report.json")
const verdictsOf = (root: string): string => join(root, ".conformance", "faults.json")

const readJson = <A>(path: string): A | undefined =>
  existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined

const writeJson = (path: string, value: object): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)
}

/** Reads the report of the repository at `root`: undefined where no complete run has left one. */
export const read = (root: string): Report | undefined => readJson(reportOf(root))

export const write = (root: string, report: Report): void => writeJson(reportOf(root), report)

export const remove = (root: string): void => rmSync(reportOf(root), { force: true })

/** Reads the verdicts that hold for sources of this fingerprint. */
export const readVerdicts = (root: string, fingerprint: string): Verdicts => {
  const judged = readJson<Judged>(verdictsOf(root))
  return new Map(judged?.fingerprint === fingerprint ? Object.entries(judged.verdicts) : [])
}

export const writeVerdicts = (root: string, fingerprint: string, verdicts: Verdicts): void =>
  writeJson(verdictsOf(root), { fingerprint, verdicts: Object.fromEntries(verdicts) } satisfies Judged)
