/** How far every clause is proven, package by package: from the report, the faults and their verdicts. */
import * as Arr from "effect/Array"
import type { Fault } from "../faults/fault.ts"
import { type Clause, type Package, packages } from "./clause.ts"
import * as Report from "./report.ts"

/** One clause in one package that must prove it. */
export interface Standing {
  readonly clause: Clause
  readonly package: Package
  /** The full names of the tests that pass. */
  readonly passed: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
  /** How many faults are written for it. */
  readonly faults: number
  /** `caught` when all of them were, `missed` when one was not, `none` while that is not known. */
  readonly fault: "caught" | "missed" | "none"
}

/** Returns a standing for every pair of a clause and a package it is asked of. */
export const all = (
  clauses: ReadonlyArray<Clause>,
  tests: ReadonlyArray<Report.ClauseTest>,
  faults: ReadonlyArray<Fault>,
  verdicts: Report.Verdicts
): ReadonlyArray<Standing> =>
  clauses.flatMap((clause) =>
    clause.where.map((name) => {
      const naming = tests.filter((test) => test.package === name && test.clauses.includes(clause.id))
      const namesOf = (state: Report.ClauseTest["state"]) =>
        naming.filter((test) => test.state === state).map((test) => test.name)
      const own = faults.filter((fault) => fault.package === name && fault.clause === clause.id)
      const outcomes = own.map((fault) => verdicts.get(Report.keyOf(fault))?.outcome)
      return {
        clause,
        package: name,
        passed: namesOf("passed"),
        failed: namesOf("failed"),
        faults: own.length,
        fault: summary(outcomes)
      }
    })
  )

const summary = (outcomes: ReadonlyArray<Report.Verdict["outcome"] | undefined>): Standing["fault"] => {
  if (outcomes.includes("missed")) return "missed"
  return outcomes.length > 0 && outcomes.every((outcome) => outcome === "caught") ? "caught" : "none"
}

/** Says what a clause lacks in a package, or undefined where it is proven. */
export const gap = ({ failed, fault, faults, passed }: Standing): string | undefined => {
  if (failed.length > 0) return "a test fails"
  if (passed.length === 0) return "no test"
  if (faults === 0) return "no fault"
  if (fault === "missed") return "fault missed"
  return fault === "none" ? "no verdict on its fault" : undefined
}

/** The standings as plain data, one entry a clause. */
export const toJson = (standings: ReadonlyArray<Standing>) => ({
  clauses: byClause(standings).map((own) => ({
    id: own[0].clause.id,
    where: own[0].clause.where,
    proven: Object.fromEntries(own.map(({ fault, package: name, passed }) => [name, { tests: passed, fault }]))
  }))
})

const byClause = (standings: ReadonlyArray<Standing>) =>
  Object.values(Arr.groupBy(standings, ({ clause }) => clause.id))

const cell = (standing: Standing | undefined): string => {
  if (standing === undefined) return ""
  const { failed, fault, faults, passed } = standing
  if (failed.length > 0) return `${failed.length} failing`
  if (passed.length === 0) return "-"
  const word = faults === 0 ? "" : fault === "none" ? "fault" : fault
  return `✓${passed.length} ${word}`
}

const row = (head: string, cells: ReadonlyArray<string>): string =>
  (head.padEnd(30) + cells.map((text) => text.padEnd(12)).join("")).trimEnd()

const countProven = (standings: ReadonlyArray<Standing>): string =>
  `${standings.filter((standing) => gap(standing) === undefined).length} of ${standings.length}`

/** Prints the table by sections, then what is unproven and why, then the count. */
export const render = (standings: ReadonlyArray<Standing>): string => {
  const lines = [row("", packages)]
  for (const [section, own] of Object.entries(Arr.groupBy(standings, ({ clause }) => clause.section))) {
    const cellsOf = (clause: ReadonlyArray<Standing>) =>
      packages.map((name) => cell(clause.find((standing) => standing.package === name)))
    lines.push("", section, ...byClause(own).map((clause) => row(`  ${clause[0].clause.id}`, cellsOf(clause))))
  }
  const unproven = standings.filter((one) => gap(one) !== undefined)
  if (unproven.length > 0) lines.push("", "Unproven")
  for (const name of packages) {
    const reasons = Arr.groupBy(unproven.filter((one) => one.package === name), (one) => gap(one) ?? "")
    for (const [reason, own] of Object.entries(reasons)) {
      lines.push(`  ${name}, ${reason}: ${own.map(({ clause }) => clause.id).join(" ")}`)
    }
  }
  const each = packages.map((name) => `${name} ${countProven(standings.filter((own) => own.package === name))}`)
  return [...lines, "", `Proven: ${countProven(standings)} (${each.join(", ")})`].join("\n")
}
