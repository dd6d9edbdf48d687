import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import * as Command from "./command.ts"
import type { Rule } from "./rule.ts"
import * as Build from "./tarball/build.ts"
import * as Workspace from "./workspace.ts"

/** The entries of attw's report in which a resolver that we care for finds something wrong; the whole report where none is. */
const wrongIn = (report: string): string => {
  const wrong = report.split(/^\*+$/m).filter((entry) => /^(?:node16 \(from ESM\)|bundler): (?!OK)/m.test(entry))
  return (wrong.length > 0 ? wrong.join("") : report).trim()
}

/** Has publint and attw read a tarball: its manifest against its files, and its types as each resolver finds them. */
const inspect = async (root: string, tarball: Build.Tarball): Promise<ReadonlyArray<string>> => {
  const { manifest } = tarball.package
  const file = readFileSync(tarball.path)
  const { messages, pkg } = await publint({
    pack: { tarball: file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) },
    level: "warning"
  })
  const entrypoints = Workspace.entries(tarball.package)
    .filter(({ isPublic }) => isPublic)
    .map(({ specifier }) => specifier === manifest.name ? "." : specifier.slice(manifest.name.length + 1))
  const attw = await Command.runInstalled(root, "attw", [
    tarball.path,
    "--profile",
    "esm-only",
    "--format",
    "ascii",
    "--no-emoji",
    "--include-entrypoints",
    ...entrypoints
  ])
  return [
    ...messages.map((message) => `${manifest.name}: ${formatMessage(message, pkg, { color: false }) ?? message.code}`),
    ...(attw.ok ? [] : [`${manifest.name}: attw finds its types wrong\n${wrongIn(attw.output)}`])
  ]
}

/** The least version of Node that a package says it runs on, as numbers to compare. */
const floor = ({ engines }: Workspace.Manifest): ReadonlyArray<number> =>
  (/\d+(?:\.\d+)*/.exec(engines?.node ?? "0")?.[0] ?? "0").split(".").map(Number)

const isAtLeast = (version: ReadonlyArray<number>, least: ReadonlyArray<number>): boolean => {
  const at = least.findIndex((part, index) => part !== (version[index] ?? 0))
  return at === -1 || (version[at] ?? 0) > (least[at] ?? 0)
}

/** Installs the tarballs in an empty application, the way a user gets them. */
const install = async (root: string, folder: string, tarballs: ReadonlyArray<Build.Tarball>): Promise<string> => {
  const application = join(folder, "application")
  mkdirSync(application)
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const ours = tarballs.map(({ package: { manifest }, path }) => [manifest.name, `file:${path}`])
  const manifest = {
    name: "application",
    private: true,
    type: "module",
    dependencies: { ...Object.fromEntries(ours), effect: devDependencies.effect }
  }
  writeFileSync(join(application, "package.json"), JSON.stringify(manifest))
  for (const program of ["imports.mjs", "asking.mjs", "example.ts"]) {
    cpSync(join(import.meta.dirname, "tarball", program), join(application, program))
  }
  const args = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  const installed = await Command.run("npm", args, { cwd: application, timeout: 300_000 })
  if (!installed.ok) throw new Build.StepFailed("npm install of the tarballs", installed.output)
  return application
}

/** Imports every module of the packages that promise to run on this Node, and tries every one that is closed. */
const importAll = async (
  node: string,
  version: ReadonlyArray<number>,
  application: string,
  packages: ReadonlyArray<Workspace.Package>
): Promise<ReadonlyArray<string>> => {
  const entries = packages
    .filter(({ manifest }) => isAtLeast(version, floor(manifest)))
    .flatMap((pkg) => [...Workspace.entries(pkg), ...hiddenPaths(pkg)])
  const list = join(application, `entries-${version[0]}.json`)
  writeFileSync(list, JSON.stringify(entries))
  const { ok, output } = await Command.run(node, ["imports.mjs", list], { cwd: application, timeout: 120_000 })
  const problems = Command.lines(output)
  return ok || problems.length > 0 ? problems : [`importing the packages on ${node} failed without a word`]
}

/** Asks the sandbox from the installed packages, with the fetch of this Node. */
const askSandbox = async (node: string, application: string): Promise<ReadonlyArray<string>> => {
  const { ok, output } = await Command.run(node, ["asking.mjs"], { cwd: application, timeout: 120_000 })
  const problems = Command.lines(output)
  return ok || problems.length > 0 ? problems : [`asking the sandbox on ${node} failed without a word`]
}

/** The ways around a package's exports: its files by their paths. */
const hiddenPaths = (pkg: Workspace.Package): ReadonlyArray<Workspace.Entry> =>
  Workspace.entries(pkg).filter(({ isPublic }) => !isPublic).map(({ specifier }) => ({
    specifier: specifier.replace(pkg.manifest.name, `${pkg.manifest.name}/dist`) + ".js",
    isPublic: false
  }))

/** Runs every program of the packages far enough to say its version. */
const runPrograms = async (
  application: string,
  packages: ReadonlyArray<Workspace.Package>
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const program of packages.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))) {
    const { ok, output } = await Command.runInstalled(application, program, ["--version"], { timeout: 60_000 })
    if (!ok) problems.push(`\`${program} --version\` fails: ${output.trimEnd()}`)
  }
  return problems
}

/** What a strict application has, with nothing of ours that is not in the tarballs. */
const strict = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "esnext", "dom"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: []
  },
  files: ["example.ts"]
}

/** Compiles and runs a program as a user writes it: arbitraries, a law, and the client over the sandbox. */
const runExample = async (root: string, application: string): Promise<ReadonlyArray<string>> => {
  writeFileSync(join(application, "tsconfig.json"), JSON.stringify(strict))
  const compiled = await Command.runInstalled(root, "tsc", ["-p", application, "--pretty", "false"], {
    cwd: application
  })
  if (!compiled.ok) return Command.messages(compiled.output).map((message) => `the user's example: ${message}`)
  const ran = await Command.run(process.execPath, ["example.ts"], { cwd: application, timeout: 60_000 })
  return ran.ok && ran.stdout === exampleSays ? [] : [`the user's example says: ${ran.output.trimEnd()}`]
}

const exampleSays = "a symbol is read as it was written: holds; true Unbounded 1\n"

const versionOf = async (node: string): Promise<ReadonlyArray<number>> => {
  const { stdout } = await Command.run(node, ["--version"], { cwd: tmpdir() })
  return stdout.trim().replace(/^v/, "").split(".").map(Number)
}

export const tarball: Rule = {
  name: "package",
  why:
    "What users install is the tarball, not the repository: it must hold every module, import, and close what is internal.",
  run: async (root) => {
    const folder = mkdtempSync(join(tmpdir(), "marketdata-package-"))
    try {
      const tarballs = await Build.pack(root, folder)
      const packages = tarballs.map((packed) => packed.package)
      const [inspected, application] = await Promise.all([
        Promise.all(tarballs.map((packed) => inspect(root, packed))),
        install(root, folder, tarballs)
      ])
      const notes = tarballs.map(({ package: { manifest }, path }) =>
        `${manifest.name} ${Math.ceil(statSync(path).size / 1000)} kB packed`
      )
      const problems = [
        ...inspected.flat(),
        ...await importAll(process.execPath, await versionOf(process.execPath), application, packages),
        ...await askSandbox(process.execPath, application),
        ...await runPrograms(application, packages),
        ...await runExample(root, application)
      ]
      const old = Workspace.machineNode()
      const version = old === undefined ? undefined : await versionOf(old)
      if (old === undefined || version === undefined) {
        notes.push("the machine has no Node of its own: nothing was imported on an older one")
      } else if ((version[0] ?? 0) >= 22) {
        notes.push(`the machine's Node is ${version.join(".")}: nothing was imported on Node 20`)
      } else {
        problems.push(...await importAll(old, version, application, packages), ...await askSandbox(old, application))
        notes.push(`imported, and asked the sandbox with fetch, on Node ${version.join(".")} too`)
      }
      return { problems, notes }
    } catch (error) {
      if (error instanceof Build.StepFailed) return { problems: [error.message] }
      throw error
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
