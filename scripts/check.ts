/** `npm run check`: holds the repository to its rules. */
import * as Argument from "effect/cli/Argument"
import { writeFileSync } from "node:fs"
import type { Rule, Verdict } from "./check/rule.ts"
import * as Script from "./shared/script.ts"

/** The rules in the order in which they run: those whose failures make others fail first, the slowest last. Each module is loaded when its rule runs. */
const rules = {
  types: async () => (await import("./check/tools.ts")).types,
  format: async () => (await import("./check/tools.ts")).format,
  lint: async () => (await import("./check/tools.ts")).lint,
  modules: async () => (await import("./check/modules.ts")).modules,
  columns: async () => (await import("./check/generated.ts")).columns,
  imports: async () => (await import("./check/imports.ts")).imports,
  floors: async () => (await import("./check/floors.ts")).floors,
  messages: async () => (await import("./check/generated.ts")).messages,
  pages: async () => (await import("./check/pages.ts")).pages,
  tests: async () => (await import("./check/tests.ts")).tests,
  docs: async () => (await import("./check/docs.ts")).docs,
  weight: async () => (await import("./check/weight.ts")).weight,
  unused: async () => (await import("./check/tools.ts")).unused,
  effect: async () => (await import("./check/tools.ts")).effect,
  secrets: async () => (await import("./check/secrets.ts")).secrets,
  lockfile: async () => (await import("./check/dependencies.ts")).lockfile,
  licences: async () => (await import("./check/dependencies.ts")).licences,
  vulnerabilities: async () => (await import("./check/dependencies.ts")).vulnerabilities,
  examples: async () => (await import("./check/examples.ts")).examples,
  hovers: async () => (await import("./check/hovers.ts")).hovers,
  kernel: async () => (await import("./check/generated.ts")).kernel,
  sessions: async () => (await import("./check/sessions.ts")).sessions,
  size: async () => (await import("./check/size.ts")).size,
  package: async () => (await import("./check/tarball.ts")).tarball
} satisfies Readonly<Record<string, () => Promise<Rule>>>

type Name = keyof typeof rules

const names = Object.keys(rules) as ReadonlyArray<Name>

/** Runs a rule; one that throws does not hold. */
const verdictOf = async (name: Name, write: boolean): Promise<Verdict & { readonly why?: string }> => {
  try {
    const { run, why } = await rules[name]()
    return { why, ...await run(Script.root, write) }
  } catch (error) {
    return { problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
}

const indent = (text: string): string => text.replaceAll(/^/gm, "    ")

/** Runs one rule, and prints its line and what it found. */
const check = async (name: Name, write: boolean): Promise<"ok" | "failed" | "not checked"> => {
  const start = performance.now()
  const { notChecked, notes = [], problems, why } = await verdictOf(name, write)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const outcome = problems.length > 0 ? "failed" : notChecked === undefined ? "ok" : "not checked"
  console.log(`${name.padEnd(15)} ${outcome.padEnd(11)} ${seconds.padStart(5)} s`)
  for (const line of [notChecked ?? [], notes].flat()) console.log(indent(line))
  if (outcome === "failed") console.log(indent([why ?? [], problems.map((line) => `- ${line}`)].flat(2).join("\n")))
  return outcome
}

Script.run({
  what: "Holds the repository to its rules. Prints a line for each, and what is wrong where one does not hold.",
  examples: [
    ["types lint", "these rules only"],
    ["floors --write", "draw the picture in CONTRIBUTING.md anew"]
  ]
}, {
  chosen: Argument.Literals("rule", names).pipe(
    Argument.withDescription(`What to hold it to, everything without: ${names.join(", ")}`),
    Argument.variadic()
  ),
  write: Script.toggle("write", "Write what a rule compares with the sources, such as the picture of `floors`, anew"),
  report: Script.text("report", "A file to leave { \"passed\": n, \"failed\": [name, …] } in")
}, async ({ chosen, report, write }) => {
  const wanted = names.filter((name) => chosen.length === 0 || chosen.includes(name))
  const outcomes = new Map<Name, string>()
  for (const name of wanted) outcomes.set(name, await check(name, write))
  const those = (outcome: string) => wanted.filter((name) => outcomes.get(name) === outcome)
  const [passed, failed, notChecked] = [those("ok").length, those("failed"), those("not checked")]
  const broken = `${failed.length} of ${passed + failed.length} rules do not hold: ${failed.join(", ")}`
  const rest = notChecked.length === 0 ? "." : `; not checked: ${notChecked.join(", ")}.`
  console.log((failed.length === 0 ? `All ${passed} rules hold` : broken) + rest)
  if (report !== undefined) writeFileSync(report, JSON.stringify({ passed, failed }))
  return failed.length === 0
})
