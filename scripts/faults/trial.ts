/** A trial: some tests, run on sources with one fault in them. What was seen, and the verdict on it. */
import { stripVTControlCharacters } from "node:util"
import type { Fault } from "./fault.ts"

/** What to run, and the one file whose text is not the one on disk. */
export interface Run {
  /** The tests that name one of these, or all tests where there is none. */
  readonly clauses: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly overlay?: { readonly file: string; readonly text: string }
}

/** A test that ran, by its file and its full name, and what it says of itself. */
interface Test {
  readonly file: string
  readonly name: string
  readonly clauses: ReadonlyArray<string>
  readonly state: "passed" | "failed"
  readonly errors: ReadonlyArray<string>
}

/** What the tests of a run did. */
export interface Observation {
  readonly tests: ReadonlyArray<Test>
  /** Errors of files and suites that kept tests from running. */
  readonly broken: ReadonlyArray<string>
  /** Errors that no test owns. */
  readonly stray: ReadonlyArray<string>
  /** True when a test loaded the overlaid file. */
  readonly loaded: boolean
}

/**
 * How a trial ended. Only `caught` is good: under `stale` and `error` the fault itself needs repair. What was not planted may only be `sound`:
 * its tests pass.
 */
export interface Verdict {
  readonly outcome: "caught" | "missed" | "stale" | "error" | "sound"
  /** The test that caught the fault, or what went wrong. */
  readonly detail: string
}

// Such errors say that the planted text is no running program, whatever its clause.
const notAProgram = /^(?:ReferenceError|SyntaxError)\b/

const inOneLine = (text: string): string => stripVTControlCharacters(text).replaceAll(/\s+/g, " ").trim().slice(0, 160)

/** The tests by which a fault is judged. */
export const judges = ({ clause, tests }: Fault, seen: Observation): Observation["tests"] =>
  seen.tests.filter(({ clauses, file }) => tests.includes(file) && (clause === undefined || clauses.includes(clause)))

/** Judges a fault by what its tests did under it. */
export const verdict = (fault: Fault, seen: Observation): Verdict => {
  const error = (detail: string): Verdict => ({ outcome: "error", detail })
  const tests = judges(fault, seen)
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

/** Says why the tests of a fault cannot judge it: without any fault there must be some, and all must pass. */
export const objection = (fault: Fault, control: Observation): string | undefined => {
  const tests = judges(fault, control)
  const failed = tests.find(({ state }) => state === "failed")
  if (failed !== undefined) return `without the fault this test fails too: ${failed.name}`
  return tests.length > 0
    ? undefined
    : `without the fault no test passes either${
      control.stray.slice(0, 1).map((error) => `: ${inOneLine(error)}`).join("")
    }`
}
