/**
 * `npm run rehearse`: a release from its beginning to a stranger's first priced chain, in a clone and against a registry on this machine. It publishes
 * the versions as they stand, does what the README says in an empty folder, raises the versions by a changeset, publishes those, and installs them.
 */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { freePort } from "../packages/cluster/test/support/freePort.ts"
import * as Workspace from "./check/workspace.ts"
import * as Application from "./rehearse/application.ts"
import * as Apart from "./shared/apart.ts"
import * as Command from "./shared/command.ts"
import { temporaryFolder } from "./shared/files.ts"
import * as Script from "./shared/script.ts"

const { root } = Script
const tools = join(import.meta.dirname, "rehearse")

/** How each manager adds packages, runs a program that is not installed, and runs a file; and the package that it is fetched as. */
const managers = {
  npm: { add: "npm i", exec: "npx --yes", node: "node", fetched: undefined },
  pnpm: { add: "pnpm add", exec: "pnpm dlx", node: "node", fetched: "pnpm@12.21.0" },
  bun: { add: "bun add", exec: "bun x", node: "bun", fetched: "@oven/bun-linux-x64@1.4.5" }
} as const

/** Starts a program that listens, and waits until it answers. It ends with the block that started it. */
const start = async (url: string, cwd: string, ...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", 2] })
  for (let left = 300; (await fetch(url).catch(() => undefined)) === undefined; left--) {
    if (left === 0 || child.exitCode !== null) throw new Script.ScriptError(`${args[0]} does not answer at ${url}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { [Symbol.dispose]: () => void child.kill() }
}

/** The registry holds our packages, and fetches all others from the one that npm is set up with. */
const registryConfig = (port: number, upstream: string) => ({
  storage: "./storage",
  listen: `127.0.0.1:${port}`,
  uplinks: { upstream: { url: upstream, maxage: "60m", timeout: "60s" } },
  packages: {
    "@effect-marketdata/*": { access: "$all", publish: "$all" },
    "**": { access: "$all", proxy: "upstream" }
  },
  log: { type: "stdout", level: "fatal" }
})

/** A clone with the dependencies that are installed here, by links; the packages of the repository are linked to those of the clone. */
const clone = async (folder: string): Promise<string> => {
  const repository = join(folder, "repository")
  await Command.run("git", ["clone", "--quiet", "--shared", root, repository], { cwd: folder })
  const installed = join(repository, "node_modules")
  mkdirSync(join(installed, "@effect-marketdata"), { recursive: true })
  for (const name of readdirSync(join(root, "node_modules")).filter((name) => name !== "@effect-marketdata")) {
    symlinkSync(join(root, "node_modules", name), join(installed, name))
  }
  for (const { directory, manifest } of Workspace.packages(repository)) {
    symlinkSync(directory, join(installed, manifest.name), "junction")
  }
  return repository
}

/** What the README says to type, and the program below it. */
const firstSteps = () => {
  const [, install = "", program = ""] =
    /```sh\nnpm i ([^\n]+)\n```\n\n```ts\n([\s\S]+?)```/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? []
  return { install, program }
}

const marketdata = (folder: string): string => join(folder, "node_modules/@effect-marketdata/cli/bundle/marketdata.js")

const more = "Take the first steps with pnpm and bun too, and have older compilers read the declarations"

const change = "A line that a rehearsal writes into the changelog."

Script.run({
  what:
    "Rehearses a release of the last commit against a registry on this machine, and prints each command with its seconds.",
  examples: [
    ["", "with npm; then every module, the example applications, and the program on each runtime"],
    ["--all", "with pnpm and bun, and older compilers too"]
  ]
}, {
  all: Script.toggle("all", more)
}, async ({ all }) => {
  Apart.install(tools)
  using temporary = temporaryFolder()
  const folder = temporary.path
  const upstream = (await Command.run("npm", ["config", "get", "registry"], { cwd: root })).stdout.trim()
  const [registryPort, sandboxPort] = await Effect.runPromise(Effect.all([freePort, freePort]))
  const registry = `http://127.0.0.1:${registryPort}/`
  writeFileSync(join(folder, "registry.yaml"), JSON.stringify(registryConfig(registryPort, upstream)))
  // The registry needs no token, but npm does not publish without one.
  writeFileSync(join(folder, "npmrc"), `registry=${registry}\n${registry.slice(5)}:_authToken=nobody\n`)
  const verdaccio = join(tools, "node_modules/verdaccio/bin/verdaccio")
  using _registry = await start(registry, folder, verdaccio, "-c", "registry.yaml")

  const own = ["node_modules/.bin", "node_modules/@oven/bun-linux-x64/bin"].map((path) => join(folder, "tools", path))
  const env = {
    PATH: [...own, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    npm_config_registry: registry,
    npm_config_userconfig: join(folder, "npmrc"),
    npm_config_loglevel: "error",
    CI: "true",
    // The packages were built once, before packing.
    npm_config_ignore_scripts: "true",
    BUN_CONFIG_REGISTRY: registry,
    MARKETDATA_BASE_URL: `http://127.0.0.1:${sandboxPort}`,
    MARKETDATA_TOKEN: "sandbox-paid"
  }
  /** Runs a line as it is typed, prints it with its seconds, and returns what it prints. */
  const type = async (cwd: string, line: string, more = {}): Promise<string> => {
    const began = performance.now()
    const [command = "", ...args] = line.split(" ")
    const { ok, output, stdout } = await Command.run(command, args, { cwd, env: { ...env, ...more }, timeout: 300_000 })
    console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`)
    if (!ok) throw new Script.ScriptError(`\`${line}\` failed:\n${output.trimEnd().slice(-3000)}`)
    return stdout
  }
  const hold = (what: string, text: string, expected: string | RegExp): void => {
    console.log(`          ${what}: ${text.trim().split("\n")[0]?.slice(0, 100)}`)
    const holds = typeof expected === "string" ? text.includes(expected) : expected.test(text)
    if (!holds) throw new Script.ScriptError(`${what}: "${text.trim().slice(0, 1000)}" has no "${expected}"`)
  }

  const empty = (name: string): string => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  const [fetchedTools, runtimes] = [empty("tools"), empty("runtimes")]
  // A folder of its own, because the user of the PostgreSQL server cannot read ours.
  using data = temporaryFolder()
  const repository = await clone(folder)
  const versions = () => [...new Set(Workspace.packages(repository).map(({ manifest }) => manifest.version))].join(", ")
  const first = versions()
  console.log(`A first release, ${first}, by hand`)
  await type(repository, "npm run build")
  await type(repository, "npm publish --workspaces --provenance=false")

  await type(fetchedTools, `npm i --omit=optional @effect-marketdata/cli@${first}`)
  const asked = ["sandbox", "--port", `${sandboxPort}`]
  using _sandbox = await start(env.MARKETDATA_BASE_URL, folder, marketdata(fetchedTools), ...asked)
  const { install, program } = firstSteps()
  const chosen = Object.entries(managers).slice(0, all ? 3 : 1)
  for (const [name, { add, exec, fetched, node }] of chosen) {
    console.log(`An empty folder, ${name}`)
    if (fetched !== undefined) await type(fetchedTools, `npm i ${fetched}`)
    const started = empty(name)
    await type(started, `${add} ${install}`)
    writeFileSync(join(started, "chain.mts"), program)
    hold("contracts, bid, credits", await type(started, `${node} chain.mts`), " ")
    hold("version", await type(started, `${exec} @effect-marketdata/cli --version`), first)
  }

  const packages = Workspace.packages(repository)
  const nodes = [process.execPath, Command.machineNode() ?? []].flat()
  console.log("An application with all packages, by strict settings")
  const application = join(folder, "application")
  Application.layOut(root, application, packages)
  await type(application, "npm i")
  await type(application, `${join(root, "node_modules/.bin/tsc")} -p . --pretty false`)
  for (const node of nodes) {
    const major = Number(/\d+/.exec(await type(application, `${node} --version`)))
    await type(application, `${node} ${Application.importing(application, major, packages)}`)
  }
  const database = existsSync("/usr/lib/postgresql") ? await type(root, `.ci/postgres start ${data.path}`) : undefined
  // No collector listens there: applications must run without one.
  const traced = { DATABASE: database?.trim(), OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }
  try {
    for (const { line, needsDatabase } of Application.examples(application)) {
      if (needsDatabase && database === undefined) console.log(`          no PostgreSQL here: ${line} was not run`)
      else await type(application, line, traced)
    }
  } finally {
    if (database !== undefined) await type(root, `.ci/postgres stop ${data.path}`)
  }

  console.log("The program alone, on each runtime, with the sandbox in it")
  if (process.platform === "linux" && process.arch === "x64") {
    await type(runtimes, `npm i --omit=optional ${Application.runtimes.map(([name]) => name).join(" ")}`)
  }
  const alone = { HOME: folder, MARKETDATA_HOME: folder, MARKETDATA_TOKEN: undefined, MARKETDATA_BASE_URL: undefined }
  const fetched = Application.runtimes.map(([, program]) => join(runtimes, program))
  for (const runtime of [...nodes, ...fetched].filter((line) => existsSync(line.split(" ")[0]!))) {
    for (const [line, says] of Application.lines) {
      hold(line, await type(folder, `${runtime} ${marketdata(fetchedTools)} ${line}`, alone), says)
    }
  }

  if (all) {
    console.log("Their declarations, by older compilers")
    for (const version of ["5.9", "6.0"]) {
      const compiler = empty(`typescript-${version}`)
      await type(compiler, `npm i typescript@~${version}.0`)
      await type(application, `node ${join(compiler, "node_modules/typescript/bin/tsc")} -p . --pretty false`)
    }
  }

  console.log("The next release, by a changeset and the workflow's command")
  const changeset = `---\n"@effect-marketdata/core": patch\n---\n\n${change}\n`
  writeFileSync(join(repository, ".changeset/rehearsal.md"), changeset)
  await type(repository, "npm run bump")
  const next = versions()
  const changed = await type(repository, "git status --short")
  for (const file of ["package-lock.json", "packages/cli/src/text/version.ts", "packages/core/CHANGELOG.md"]) {
    if (!changed.includes(file)) throw new Script.ScriptError(`\`npm run bump\` leaves ${file} as it was`)
  }
  await type(repository, "npm run build")
  // Provenance can be had in the workflow only.
  await type(repository, "npm pkg delete publishConfig.provenance --workspaces")
  await type(repository, "npx changeset publish")
  const later = empty("later")
  await type(later, "npm i effect @effect-marketdata/core @effect-marketdata/cli")
  hold("version", await type(later, `node ${marketdata(later)} --version`), next)
  const changelog = readFileSync(join(later, "node_modules/@effect-marketdata/core/CHANGELOG.md"), "utf8")
  hold(`changelog of ${next}`, changelog.slice(changelog.indexOf(`## ${next}`)), change)
  return first !== next
})
