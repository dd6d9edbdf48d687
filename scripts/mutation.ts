/**
 * `npm run mutation`: changes the rules of core in one place at a time, and counts how often a test notices.
 * `npm run mutation -- Credits internal/tariff` does it for these modules only. docs/mutation.md tells how to read the table.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import * as Report from "./mutation/report.ts"

/** The least share of mutants that tests have to notice, in percent. */
const goal = 85

const root = dirname(import.meta.dirname)
const tool = join(import.meta.dirname, "mutation")

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

const stop = (message: string): never => {
  console.error(`mutation: ${message}`)
  process.exit(2)
}

/** Runs a program whose output goes to standard error, because ours may be JSON. */
const run = (args: ReadonlyArray<string>, cwd: string): void => {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: ["ignore", 2, 2] })
  if (status !== 0) stop(`\`${args.join(" ")}\` ended with ${status}`)
}

/** Stryker and what it needs are 64 MB that only this command uses: they are installed apart from the rest, by their own lockfile. */
const install = (): void => {
  if (existsSync(join(tool, "node_modules", "@stryker-mutator", "core"))) return
  const npm = process.env["npm_execpath"] ?? stop("run it with npm: `npm run mutation`")
  console.error("mutation: installing Stryker into scripts/mutation (once)")
  run([npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], tool)
}

const pathOf = (module: string): string => `packages/core/src/${module}.ts`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, incremental: { type: "boolean", default: false } }
})
const config = join("scripts", "mutation", "stryker.config.json")
const { jsonReporter, mutate }: { mutate: ReadonlyArray<string>; jsonReporter: { fileName: string } } = readJson(
  join(root, config)
)
const all = globSync([...mutate], { cwd: root }).map((path) => path.replaceAll("\\", "/")).toSorted()
const unknown = positionals.filter((module) => !all.includes(pathOf(module)))
if (unknown.length > 0) stop(`${unknown.join(", ")} is no rule module; ${config} lists them`)

install()
run([
  join(tool, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
  "run",
  config,
  "--mutate",
  (positionals.length > 0 ? positionals.map(pathOf) : all).join(","),
  ...values.incremental ? ["--incremental"] : []
], root)

const equivalents: ReadonlyArray<Report.Equivalent> = readJson(join(tool, "equivalents.json"))
const rows = Report.rows(readJson(join(root, jsonReporter.fileName)), equivalents)
const score = Report.score(Report.total(rows))
if (values.json) {
  console.log(JSON.stringify({ goal, score, modules: rows }, undefined, 2))
} else {
  for (const line of Report.survivorLines(rows)) console.log(line)
  console.log(`\n${Report.table(rows)}`)
}
if (score < goal) console.error(`mutation: ${score.toFixed(1)} is below ${goal}`)
process.exit(score < goal ? 1 : 0)
