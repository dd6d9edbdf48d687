/** `npm run mutation`: changes the sources of each package in one place at a time, and counts how often a test of that package notices. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Modules from "./mutation/modules.ts"
import * as Report from "./mutation/report.ts"
import * as Apart from "./shared/apart.ts"
import * as Script from "./shared/script.ts"

/** The least share of mutants that tests have to notice, in percent, in packages that were measured as a whole. */
const goals: Readonly<Record<string, number>> = { core: 85 }

const { root } = Script
const tool = join(import.meta.dirname, "mutation")

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

/** The sources of packages; with a commit, those that have changed since. */
const sources = (since: string | undefined): ReadonlyArray<string> => {
  const all = globSync("packages/*/src/**/*.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"))
  if (since === undefined) return all
  const { status, stderr, stdout } = spawnSync("git", ["diff", "--name-only", since, "--", "packages"], {
    cwd: root,
    encoding: "utf8"
  })
  if (status !== 0) throw new Script.ScriptError(`git knows no commit ${JSON.stringify(since)}: ${stderr.trim()}`)
  const changed = new Set(stdout.split("\n"))
  return all.filter((path) => changed.has(path))
}

/** Changes modules of one package, and reads what the tests of that package noticed. */
const measure = (own: string, mutate: ReadonlyArray<string>, incremental: boolean): Report.Report => {
  const folder = join(".mutation", own)
  const fileName = join(folder, "report.json")
  const config = join(folder, "stryker.config.json")
  const incrementalFile = join(folder, "incremental.json")
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(
    join(root, config),
    JSON.stringify({
      ...readJson(join(tool, "stryker.config.json")),
      mutate,
      jsonReporter: { fileName },
      incremental,
      incrementalFile
    })
  )
  // The configuration of Vitest asks for it.
  process.env["MUTATION_PACKAGE"] = own
  Apart.run(
    root,
    process.execPath,
    join(tool, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
    "run",
    config
  )
  return readJson(join(root, fileName))
}

Script.run({
  name: "mutation",
  what: `Changes the sources in one place at a time, and counts how often a test notices; fails where core is below ${
    goals["core"]
  } percent. docs/mutation.md tells how to read the table.`,
  examples: [
    ["core", "one package"],
    ["core/credits/tariff client/config/limits", "these modules only"],
    ["--incremental", "what changed since the last run with this flag"],
    ["--since main", "the modules that changed since a commit"]
  ]
}, {
  names: Argument.String("package|module").pipe(
    Argument.withDescription("Packages, and modules of packages by their paths; everything without"),
    Argument.variadic()
  ),
  json: Script.toggle("json", "Print the report as JSON and nothing else"),
  incremental: Script.toggle("incremental", "Leave out what did not change since the last run with this flag"),
  since: Flag.String("since").pipe(
    Flag.withDescription("Take only modules that changed since this commit"),
    Flag.withDefault(undefined)
  )
}, async ({ incremental, json, names, since }) => {
  const chosen = Modules.choose(sources(since), names)
  if ("unknown" in chosen) {
    throw new Script.ScriptError(
      `${chosen.unknown.join(", ")}: neither a package nor one of its modules, such as core/credits/tariff`
    )
  }

  // Stryker and what it needs are 64 MB that only this command uses.
  Apart.install(tool)
  const equivalents: ReadonlyArray<Report.Equivalent> = readJson(join(tool, "equivalents.json"))
  const packages = Object.entries(chosen.packages).map(([name, paths]) => {
    const modules = Report.rows(measure(name, paths, incremental), equivalents)
    return { name, goal: goals[name], score: Report.score(Report.total(modules)), modules }
  })
  const rows = packages.flatMap(({ modules }) => modules)
  if (json) console.log(JSON.stringify({ packages }, undefined, 2))
  else console.log([...Report.survivorLines(rows), "", Report.table(rows)].join("\n"))
  const below = packages.filter(({ goal = 0, score }) => score < goal)
  for (const { goal, name, score } of below) console.error(`mutation: ${name}: ${score.toFixed(1)} is below ${goal}`)
  return below.length === 0
})
