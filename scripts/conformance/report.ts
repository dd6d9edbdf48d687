/** What a complete run of the test suite said about clauses: the file between the Vitest reporter and the conformance script. */
import { rmSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { TestCase } from "vitest/node"
import * as Clause from "./clause.ts"
import * as Kept from "./kept.ts"

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

/** Every test of a package that names clauses, and the fingerprint of the sources it ran on. */
export interface Report {
  readonly fingerprint: string
  readonly tests: ReadonlyArray<ClauseTest>
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

const path = ".conformance/report.json"

/** Reads the report of the repository at `root`: undefined where no complete run has left one. */
export const read = (root: string): Report | undefined => Kept.read(root, path)

export const write = (root: string, report: Report): void => Kept.write(root, path, report)

export const remove = (root: string): void => rmSync(join(root, path), { force: true })
