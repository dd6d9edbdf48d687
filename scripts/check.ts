/**
 * `npm run check`: holds the repository to its rules. `npm run check -- types lint` holds it to these only.
 * Prints a line for each rule, says what is wrong where one does not hold, and then exits with 1.
 * With `--write` what a rule compares with the sources, such as the picture of `floors`, is written anew.
 * With `--report=FILE` it leaves `{ "passed": n, "failed": n }` there, for continuous integration.
 */
import { writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { parseArgs } from "node:util"
import type { Rule, Verdict } from "./check/rule.ts"

/** In this order: what breaks the others comes first, what takes longest last. Each loads its tools when its turn comes. */
const rules: ReadonlyMap<string, () => Promise<Rule>> = new Map([
  ["types", async () => (await import("./check/types.ts")).types],
  ["format", async () => (await import("./check/format.ts")).format],
  ["lint", async () => (await import("./check/lint.ts")).lint],
  ["floors", async () => (await import("./check/floors.ts")).floors],
  ["docs", async () => (await import("./check/docs.ts")).docs],
  ["unused", async () => (await import("./check/unused.ts")).unused],
  ["effect", async () => (await import("./check/effect.ts")).effect],
  ["secrets", async () => (await import("./check/secrets.ts")).secrets],
  ["lockfile", async () => (await import("./check/lockfile.ts")).lockfile],
  ["licences", async () => (await import("./check/licences.ts")).licences],
  ["vulnerabilities", async () => (await import("./check/vulnerabilities.ts")).vulnerabilities],
  ["examples", async () => (await import("./check/examples.ts")).examples],
  ["kernel", async () => (await import("./check/kernel.ts")).kernel],
  ["size", async () => (await import("./check/size.ts")).size],
  ["package", async () => (await import("./check/tarball.ts")).tarball]
])

/** Those that run only where they are asked for by name: what they ask for is being built. */
const onRequest: ReadonlySet<string> = new Set(["floors"])

const root = dirname(import.meta.dirname)

/** A rule that breaks down does not hold, whatever it would have said. */
const verdictOf = async (load: () => Promise<Rule>, write: boolean): Promise<Verdict & { readonly why?: string }> => {
  try {
    const { run, why } = await load()
    return { why, ...await run(root, write) }
  } catch (error) {
    return { problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
}

const indent = (text: string): string => text.replaceAll(/^/gm, "    ")

const nameWidth = Math.max(...Array.from(rules.keys(), (name) => name.length))

/** What can come of a rule, as it is printed. */
type Outcome = "ok" | "failed" | "not checked"

/** Runs one rule, and prints its line and what it found. */
const check = async (name: string, load: () => Promise<Rule>): Promise<Outcome> => {
  const start = performance.now()
  const { notChecked, notes = [], problems, why } = await verdictOf(load, values.write)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const outcome = problems.length > 0 ? "failed" : notChecked === undefined ? "ok" : "not checked"
  console.log(`${name.padEnd(nameWidth)} ${outcome.padEnd(11)} ${seconds.padStart(5)} s`)
  if (notChecked !== undefined) console.log(indent(notChecked))
  for (const note of notes) console.log(indent(note))
  if (outcome === "failed") {
    if (why !== undefined) console.log(indent(why))
    for (const problem of problems) console.log(indent(`- ${problem}`))
  }
  return outcome
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { report: { type: "string" }, write: { type: "boolean", default: false } }
})
const unknown = positionals.filter((name) => !rules.has(name))
if (unknown.length > 0) {
  console.error(`There is no rule ${unknown.join(", ")}; there are ${[...rules.keys()].join(", ")}.`)
  process.exit(2)
}

const outcomes = new Map<Outcome, Array<string>>([["ok", []], ["failed", []], ["not checked", []]])
for (const [name, load] of rules) {
  if (positionals.length > 0 ? !positionals.includes(name) : onRequest.has(name)) continue
  outcomes.get(await check(name, load))!.push(name)
}
const passed = outcomes.get("ok")!.length
const failed = outcomes.get("failed")!.length
const notChecked = outcomes.get("not checked")!
console.log(
  (failed === 0 ? `All ${passed} rules hold` : `${failed} of ${passed + failed} rules do not hold`) +
    (notChecked.length === 0 ? "." : `; not checked: ${notChecked.join(", ")}.`)
)
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ passed, failed }))
process.exit(failed === 0 ? 0 : 1)
