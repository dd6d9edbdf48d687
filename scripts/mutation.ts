/** `npm run mutation`: has Stryker change the sources of each package in one place at a time, and see whether a test of that package notices. */
import * as Arr from "effect/Array"
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Apart from "./shared/apart.ts"
import * as Script from "./shared/script.ts"

/** The least share of changes that tests have to notice, in percent, in packages that were measured as a whole. */
const goals: Readonly<Record<string, number>> = { core: 85 }

const { root } = Script
const tool = join(import.meta.dirname, "mutation")

/** Left out are WebAssembly that was compiled into text, and the loops of the decoder, whose kernels are compared with each other at length. */
const leftOut = /^packages\/core\/src\/(columns\/internal\/|.*Module\.ts$)/

/** The sources of packages; with a commit, those that have changed since. */
const sources = (since: string | undefined): ReadonlyArray<string> => {
  const all = globSync("packages/*/src/**/*.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !leftOut.test(path)).toSorted()
  if (since === undefined) return all
  const args = ["diff", "--name-only", since, "--", "packages"]
  const { status, stderr, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" })
  if (status !== 0) throw new Script.ScriptError(`git knows no commit ${JSON.stringify(since)}: ${stderr.trim()}`)
  const changed = new Set(stdout.split("\n"))
  return all.filter((path) => changed.has(path))
}

/** The sources that are named: a package, or a module of it by its path, such as `core/credits/tariff`. */
const named = (paths: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const [own, ...module] = name.split("/")
  const beginning = `packages/${own}/src/${module.length === 0 ? "" : `${module.join("/")}.ts`}`
  const found = paths.filter((path) => path.startsWith(beginning))
  if (found.length > 0) return found
  throw new Script.ScriptError(`${name}: neither a package nor one of its modules, such as core/credits/tariff`)
}

/** Has Stryker change modules of one package, and answers whether the package reached its goal. */
const measure = (own: string, mutate: ReadonlyArray<string>, incremental: boolean): boolean => {
  const folder = join(".mutation", own)
  const config = join(folder, "stryker.config.json")
  mkdirSync(join(root, folder), { recursive: true })
  const settings = {
    ...JSON.parse(readFileSync(join(tool, "stryker.config.json"), "utf8")),
    mutate,
    jsonReporter: { fileName: join(folder, "report.json") },
    thresholds: { break: goals[own] ?? null },
    incremental,
    incrementalFile: join(folder, "incremental.json")
  }
  writeFileSync(join(root, config), JSON.stringify(settings))
  const stryker = join(tool, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js")
  // The configuration of Vitest asks for the package.
  const env = { ...process.env, MUTATION_PACKAGE: own }
  return spawnSync(process.execPath, [stryker, "run", config], { cwd: root, env, stdio: "inherit" }).status === 0
}

Script.run({
  name: "mutation",
  what: "Changes the sources in one place at a time, and counts how often a test notices; docs/mutation.md tells more.",
  examples: [
    ["core", "one package"],
    ["core/credits/tariff client/config/limits", "these modules only"],
    ["--incremental", "what changed since the last run with this flag"],
    ["--since main", "the modules that changed since a commit"]
  ]
}, {
  names: Script.words("package|module", "Packages, and modules of packages by their paths; everything without"),
  incremental: Script.toggle("incremental", "Leave out what did not change since the last run with this flag"),
  since: Script.text("since", "Take only modules that changed since this commit")
}, async ({ incremental, names, since }) => {
  const all = sources(since)
  const chosen = names.length === 0 ? all : [...new Set(names.flatMap((name) => named(all, name)))]
  // Stryker and what it needs are 64 MB that only this command uses.
  Apart.install(tool)
  const below = Object.entries(Arr.groupBy(chosen, (path) => path.split("/")[1]!))
    .filter(([own, paths]) => !measure(own, paths, incremental))
  for (const [own] of below) console.error(`mutation: ${own} is below its goal, or could not be measured`)
  return below.length === 0
})
