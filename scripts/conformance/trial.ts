/** A trial: the tests of a clause, run on sources with one fault in them. What was seen, and the verdict on it. */
import { stripVTControlCharacters } from "node:util"
import type { ClauseTest, Verdict } from "./report.ts"

/** What to run, and the one file whose text is not the one on disk. */
export interface Run {
  /** The tests that name one of these, or all tests where there is none. */
  readonly clauses: ReadonlyArray<string>
  readonly targets: ReadonlyArray<Target>
  readonly overlay?: { readonly file: string; readonly text: string }
}

/** A test file, and the Vitest project it belongs to. */
interface Target {
  readonly package: string
  readonly file: string
}

/** What the tests of a query did. */
export interface Observation {
  readonly tests: ReadonlyArray<ClauseTest & { readonly errors: ReadonlyArray<string> }>
  /** Errors of files and suites that kept tests from running. */
  readonly broken: ReadonlyArray<string>
  /** Errors that no test owns. */
  readonly stray: ReadonlyArray<string>
  /** True when a test loaded the overlaid file. */
  readonly loaded: boolean
}

// Such errors say that the planted text is no running program, whatever its clause.
const notAProgram = /^(?:ReferenceError|SyntaxError)\b/

const inOneLine = (text: string): string => stripVTControlCharacters(text).replaceAll(/\s+/g, " ").trim().slice(0, 160)

/** What a fault is judged by: the tests in some files that name one of its clauses, or all of them where it breaks none. */
export interface Judged {
  readonly file: string
  readonly clauses: ReadonlyArray<string>
  readonly targets: ReadonlyArray<Target>
}

const judges = ({ clauses, targets }: Judged, { tests }: Observation): Observation["tests"] =>
  tests.filter((test) =>
    targets.some(({ file }) => file === test.file) &&
    (clauses.length === 0 || clauses.some((id) => test.clauses.includes(id)))
  )

/** Judges a fault by what its tests did under it. */
export const verdict = (fault: Judged, seen: Observation): Verdict => {
  const error = (detail: string): Verdict => ({ outcome: "error", detail })
  const tests = judges(fault, seen).filter(({ state }) => state !== "skipped")
  const failed = tests.filter(({ state }) => state === "failed")
  const [broken] = seen.broken
  const [stray] = seen.stray
  if (broken !== undefined) return error(`tests could not run: ${inOneLine(broken)}`)
  if (tests.length === 0) return error("no test ran")
  const crash = failed.flatMap(({ errors }) => errors).find((text) => notAProgram.test(text))
  if (crash !== undefined) return error(`the fault is no running program: ${inOneLine(crash)}`)
  if (failed[0] !== undefined) return { outcome: "caught", detail: failed[0].name }
  if (stray !== undefined) return error(`an error outside of tests: ${inOneLine(stray)}`)
  return {
    outcome: "missed",
    detail: seen.loaded ? "its tests pass all the same" : `its tests never load ${fault.file}`
  }
}

/** Says why the tests of a fault cannot judge it: without any fault they must all pass. */
export const objection = (fault: Judged, control: Observation): string | undefined => {
  const tests = judges(fault, control)
  const failed = tests.find(({ state }) => state === "failed")
  if (failed !== undefined) return `without the fault this test fails too: ${failed.name}`
  return tests.some(({ state }) => state === "passed") ? undefined : "without the fault no test passes either"
}
