/** A trial: tests that are run on sources with a fault, and the verdict on what they did. */
import { stripVTControlCharacters } from "node:util"
import type { Fault } from "./fault.ts"

/** The tests to run, and the file that gets another text. */
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
  /** Errors that kept tests from running, and those that no test owns. */
  readonly errors: ReadonlyArray<string>
  /** True when a test loaded the overlaid file. */
  readonly loaded: boolean
}

/**
 * The outcome of a trial. Only `caught` is good; under `stale` and `error` the fault itself has to be repaired. `sound` is the good outcome without a fault: the
 * tests pass.
 */
export interface Verdict {
  readonly outcome: "caught" | "missed" | "stale" | "error" | "sound"
  /** The test that caught the fault, or what went wrong. */
  readonly detail: string
}

const error = (detail: string): Verdict => ({
  outcome: "error",
  detail: stripVTControlCharacters(detail).replaceAll(/\s+/g, " ").trim().slice(0, 200)
})

/** The tests by which a fault is judged. */
export const judges = ({ clause, tests }: Fault, seen: Observation): Observation["tests"] =>
  seen.tests.filter(({ clauses, file }) => tests.includes(file) && (clause === undefined || clauses.includes(clause)))

/** Judges a fault by what its tests did under it. */
export const verdict = (fault: Fault, seen: Observation): Verdict => {
  const failed = judges(fault, seen).filter(({ state }) => state === "failed")
  // Such errors mean that the planted text is not a valid program.
  const crash = failed.flatMap(({ errors }) => errors).find((text) => /^(?:ReferenceError|SyntaxError)\b/.test(text))
  if (crash !== undefined) return error(`the fault is not a running program: ${crash}`)
  if (failed[0] !== undefined) return { outcome: "caught", detail: failed[0].name }
  if (seen.errors[0] !== undefined) return error(`tests could not run: ${seen.errors[0]}`)
  const detail = seen.loaded ? "its tests pass all the same" : `its tests never load ${fault.file}`
  return { outcome: "missed", detail }
}

/** The verdict without the fault: there must be tests, and all must pass, or they cannot judge it. */
export const control = (fault: Fault, seen: Observation): Verdict => {
  const tests = judges(fault, seen)
  const failed = tests.find(({ state }) => state === "failed")
  if (failed !== undefined) return error(`without the fault this test fails too: ${failed.name}`)
  if (tests.length === 0) return error(`without the fault no test passes either: ${seen.errors[0] ?? "there is none"}`)
  return { outcome: "sound", detail: `tests that pass: ${tests.length}` }
}
