/** `npm run mutation`: changes the rules of core in one place at a time, and counts how often a test notices. */
import * as Argument from "effect/cli/Argument"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Report from "./mutation/report.ts"
import * as Apart from "./shared/apart.ts"
import * as Script from "./shared/script.ts"

/** The least share of mutants that tests have to notice, in percent. */
const goal = 85

const { root } = Script
const tool = join(import.meta.dirname, "mutation")
const config = join("scripts", "mutation", "stryker.config.json")

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

const pathOf = (module: string): string => `packages/core/src/${module}.ts`

Script.run({
  name: "mutation",
  what:
    `Changes rules in one place at a time, and counts how often a test notices; fails below ${goal} percent. docs/mutation.md tells how to read the table.`,
  examples: [
    ["credits/Credits credits/tariff", "these modules of core only"],
    ["--incremental", "what changed since the last run with this flag"]
  ]
}, {
  modules: Argument.String("module").pipe(
    Argument.withDescription("Modules below packages/core/src; all rule modules without"),
    Argument.variadic()
  ),
  json: Script.toggle("json", "Print the report as JSON and nothing else"),
  incremental: Script.toggle("incremental", "Leave out what did not change since the last run with this flag")
}, async ({ incremental, json, modules }) => {
  const { jsonReporter, mutate }: { mutate: ReadonlyArray<string>; jsonReporter: { fileName: string } } = readJson(
    join(root, config)
  )
  const all = globSync([...mutate], { cwd: root }).map((path) => path.replaceAll("\\", "/")).toSorted()
  const unknown = modules.filter((module) => !all.includes(pathOf(module)))
  if (unknown.length > 0) throw new Script.ScriptError(`${unknown.join(", ")} is no rule module; ${config} lists them`)

  // Stryker and what it needs are 64 MB that only this command uses.
  Apart.install(tool)
  const stryker = join(tool, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js")
  const chosen = (modules.length > 0 ? modules.map(pathOf) : all).join(",")
  const flags = ["run", config, "--mutate", chosen, ...incremental ? ["--incremental"] : []]
  Apart.run(root, process.execPath, stryker, ...flags)

  const rows = Report.rows(readJson(join(root, jsonReporter.fileName)), readJson(join(tool, "equivalents.json")))
  const score = Report.score(Report.total(rows))
  if (json) console.log(JSON.stringify({ goal, score, modules: rows }, undefined, 2))
  else console.log([...Report.survivorLines(rows), "", Report.table(rows)].join("\n"))
  if (score < goal) console.error(`mutation: ${score.toFixed(1)} is below ${goal}`)
  return score >= goal
})
