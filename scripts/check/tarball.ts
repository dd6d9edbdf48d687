import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import * as Program from "../../packages/cli/bundle.ts"
import * as Command from "../shared/command.ts"
import * as NodeFiles from "../shared/nodeFiles.ts"
import { ScriptError } from "../shared/script.ts"
import type { Rule } from "./rule.ts"
import * as Runtimes from "./tarball/runtimes.ts"
import * as Workspace from "./workspace.ts"

interface Tarball extends Workspace.Package {
  readonly path: string
}

/** Throws where a step fails whose result every later one needs. */
const need = ({ ok, output }: Command.Result, step: string): void => {
  if (!ok) throw new ScriptError(`${step} failed:\n${output.trimEnd()}`)
}

/** Whether dist/ of a package holds a module that no longer exists; what is gathered in dist/node is always made anew. */
const isStale = ({ directory }: Workspace.Package): boolean =>
  globSync("**/*.js", { cwd: join(directory, "dist"), exclude: ["node/**"] })
    .some((path) => !existsSync(join(directory, "src", path.replace(/js$/, "ts"))))

/** Builds, from the ground up where it has to, and packs every package as a release would. */
const pack = async (root: string, folder: string): Promise<ReadonlyArray<Tarball>> => {
  const packages = Workspace.packages(root)
  for (const { directory } of packages.filter(isStale)) {
    rmSync(join(directory, "dist"), { recursive: true, force: true })
  }
  need(await Command.runInstalled(root, "tsc", ["-b", ...packages.map(({ directory }) => directory)]), "the build")
  await NodeFiles.writeAll(root)
  await Program.bundle(root)
  const args = ["pack", "--workspaces", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder]
  need(await Command.run("npm", args, { cwd: root }), "npm pack")
  return packages.map((pkg) => ({
    ...pkg,
    path: join(folder, `${pkg.manifest.name.replace("@", "").replace("/", "-")}-${pkg.manifest.version}.tgz`)
  }))
}

/** The entries of attw's report in which a resolver that we care for finds something wrong; the whole report where none is. */
const wrongIn = (report: string): string => {
  const wrong = report.split(/^\*+$/m).filter((entry) => /^(?:node16 \(from ESM\)|bundler): (?!OK)/m.test(entry))
  return (wrong.length > 0 ? wrong.join("") : report).trim()
}

/** Has publint and attw read a tarball: its manifest against its files, and its types as each resolver finds them. */
const inspect = async (root: string, { manifest, path, ...pkg }: Tarball): Promise<ReadonlyArray<string>> => {
  const file = readFileSync(path)
  const tarball = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
  const { messages, pkg: read } = await publint({ pack: { tarball }, level: "warning" })
  const entrypoints = Workspace.specifiers({ ...pkg, manifest })
    .map((specifier) => specifier.replace(manifest.name, "").slice(1) || ".")
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-emoji"]
  // A package that is only a program has no types to find.
  const attw = entrypoints.length === 0
    ? { ok: true, output: "" }
    : await Command.runInstalled(root, "attw", [path, ...options, "--include-entrypoints", ...entrypoints])
  return [
    ...messages.map((message) => `${manifest.name}: ${formatMessage(message, read, { color: false }) ?? message.code}`),
    ...attw.ok ? [] : [`${manifest.name}: attw finds its types wrong\n${wrongIn(attw.output)}`]
  ]
}

/** What a strict application has, with nothing of ours that is not in the tarballs. Declarations are checked too, as `skipLibCheck` is off. */
const strict = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "esnext", "dom"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node"]
  },
  include: ["*.ts", "examples/**/*.ts"]
}

/** What the applications of docs/examples install beside our packages. */
const neededBy = (examples: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync("*/package.json", { cwd: examples })
      .map((path) => JSON.parse(readFileSync(join(examples, path), "utf8")))
      .flatMap(({ dependencies, devDependencies }) => Object.entries<string>({ ...dependencies, ...devDependencies }))
      .filter(([name]) => !name.startsWith("@effect-marketdata/"))
  )

/** Installs the tarballs in an empty application, the way a user gets them. */
const install = async (root: string, folder: string, tarballs: ReadonlyArray<Tarball>): Promise<string> => {
  const application = join(folder, "application")
  mkdirSync(application)
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const ours = Object.fromEntries(tarballs.map(({ manifest, path }) => [manifest.name, `file:${path}`]))
  const examples = join(root, "docs/examples")
  const needed = {
    ...neededBy(examples),
    effect: devDependencies.effect,
    "@types/node": devDependencies["@types/node"]
  }
  const manifest = { private: true, type: "module", dependencies: { ...ours, ...needed } }
  writeFileSync(join(application, "package.json"), JSON.stringify(manifest))
  writeFileSync(join(application, "tsconfig.json"), JSON.stringify(strict))
  const modules = tarballs.flatMap(Workspace.specifiers).map((specifier, at) =>
    `export * as m${at} from "${specifier}"\n`
  )
  writeFileSync(join(application, "modules.ts"), modules.join(""))
  cpSync(examples, join(application, "examples"), { recursive: true })
  for (const program of ["imports.mjs", "asking.mjs", "applications.mjs", "example.ts"]) {
    cpSync(join(import.meta.dirname, "tarball", program), join(application, program))
  }
  need(await Runtimes.npmInstall(application), "npm install of the tarballs")
  return application
}

/** The packages that an installed one imports and does not name: with no other beside it, it would not load. */
const unnamed = (application: string, name: string): ReadonlyArray<string> => {
  const folder = join(application, "node_modules", name)
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const named = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })])
  const imported = globSync("dist/**/*.{js,d.ts}", { cwd: folder }).flatMap((path) => {
    const code = readFileSync(join(folder, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "")
    return Array.from(
      code.matchAll(/\b(?:from |import ?\(?)"(?!\.)((?:@[^/"]+\/)?[^/"]+)/g),
      ([, from = ""]) => from
    )
  })
  return [...new Set(imported)].filter((from) => !named.has(from) && !isBuiltin(from)).map((from) =>
    `${name} imports ${from} and does not name it`
  )
}

/** Runs one of the programs in the application: every line that it prints is wrong. */
const problemsOf = async (node: string, application: string, args: ReadonlyArray<string>, env = {}) => {
  const { ok, output } = await Command.run(node, args, { cwd: application, env, timeout: 240_000 })
  const problems = Command.lines(output)
  return ok || problems.length > 0 ? problems : [`${args[0]} failed on ${node} without a word`]
}

/** Imports every module of the packages that promise to run on a Node, and asks the sandbox with the fetch of that Node. */
const tryOut = async (node: string, major: number, application: string, packages: ReadonlyArray<Workspace.Package>) => {
  const specifiers = packages
    .filter(({ manifest }) => Number(/\d+/.exec(manifest.engines?.node ?? "0")) <= major)
    .flatMap(Workspace.specifiers)
  return [
    ...await problemsOf(node, application, ["imports.mjs", ...specifiers]),
    ...await problemsOf(node, application, ["asking.mjs"])
  ]
}

/** Runs the tests of each example application, or the application where it has none. Those that need PostgreSQL have a server of their own. */
const runExamples = async (root: string, application: string) => {
  const [tests, programs] = ["*.test.ts", "main.ts"].map((name) => globSync(`examples/*/${name}`, { cwd: application }))
  const isTested = (path: string) => tests!.some((test) => dirname(test) === dirname(path))
  const files = [...tests!, ...programs!.filter((path) => !isTested(path))]
  const run = (files: ReadonlyArray<string>, env = {}) =>
    problemsOf(process.execPath, application, ["applications.mjs", ...files], env)
  const needsDatabase = (path: string) => readFileSync(join(application, path), "utf8").includes("DATABASE is")
  const problems = await run(files.filter((path) => !needsDatabase(path)))
  const others = files.filter(needsDatabase)
  if (!existsSync("/usr/lib/postgresql")) {
    return { problems, notes: [`no PostgreSQL here: ${others.join(", ")} was not run`] }
  }
  // Its own user has to reach it, which no folder of ours lets it do.
  using data = mkdtempDisposableSync(join(tmpdir(), "marketdata-postgres-"))
  const server = join(root, ".ci", "postgres")
  const started = await Command.run(server, ["start", data.path], { cwd: root })
  need(started, "the start of PostgreSQL")
  const more = await run(others, { DATABASE: started.stdout.trim() })
  await Command.run(server, ["stop", data.path], { cwd: root })
  return { problems: [...problems, ...more], notes: [`${files.length} example applications`] }
}

/** The compilers that are older than ours, and still in use. */
const older = ["5.9", "6.0"]

/** Compiles the application with an older compiler. */
const compileWith = async (folder: string, application: string, version: string): Promise<ReadonlyArray<string>> => {
  const cwd = join(folder, `typescript-${version}`)
  mkdirSync(cwd)
  need(await Runtimes.npmInstall(cwd, `typescript@~${version}.0`), `npm install of TypeScript ${version}`)
  const args = [join(cwd, "node_modules/typescript/bin/tsc"), "-p", application, "--pretty", "false"]
  const { ok, output } = await Command.run(process.execPath, args, { cwd, timeout: 300_000 })
  return ok ? [] : Command.messages(output).map((message) => `TypeScript ${version}: ${message}`)
}

/** Compiles and runs a program as a user writes it, and every program of the packages far enough to say its version. */
const runPrograms = async (root: string, application: string, packages: ReadonlyArray<Workspace.Package>) => {
  const compiled = await Command.runInstalled(root, "tsc", ["-p", application, "--pretty", "false"])
  const ran = await Command.run(process.execPath, ["example.ts"], { cwd: application, timeout: 60_000 })
  const programs = packages.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {})).map(async (program) => {
    const { ok, output } = await Command.runInstalled(application, program, ["--version"], { timeout: 60_000 })
    return ok ? [] : [`\`${program} --version\` fails: ${output.trimEnd()}`]
  })
  return [
    ...compiled.ok ? [] : Command.messages(compiled.output).map((message) => `the user's example: ${message}`),
    ...ran.stdout === exampleSays ? [] : [`the user's example says: ${ran.output.trimEnd()}`],
    ...(await Promise.all(programs)).flat()
  ]
}

const exampleSays = "a symbol is read as it was written: holds; true Unbounded 1\n"

const majorOf = async (node: string): Promise<number> =>
  Number(/\d+/.exec((await Command.run(node, ["--version"], { cwd: tmpdir() })).stdout))

export const tarball: Rule = {
  why: "What users install is the tarball, not the repository: it must hold every module, and import.",
  run: async (root) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "marketdata-package-"))
    try {
      const tarballs = await pack(root, folder.path)
      const inspected = Promise.all(tarballs.map((packed) => inspect(root, packed)))
      const application = await install(root, folder.path, tarballs)
      const notes = tarballs.map(({ manifest, path }) =>
        `${manifest.name} ${Math.ceil(statSync(path).size / 1000)} kB packed`
      )
      const ofExamples = await runExamples(root, application)
      const problems = [
        ...(await inspected).flat(),
        ...tarballs.flatMap(({ manifest }) => unnamed(application, manifest.name)),
        ...await tryOut(process.execPath, await majorOf(process.execPath), application, tarballs),
        ...await runPrograms(root, application, tarballs),
        ...ofExamples.problems
      ]
      notes.push(...ofExamples.notes)
      if (process.env["TEST_DEPTH"] === "full") {
        for (const version of older) problems.push(...await compileWith(folder.path, application, version))
        notes.push(`their declarations are right for TypeScript ${older.join(", ")} and ours`)
      }
      const old = Command.machineNode()
      const major = old === undefined ? Infinity : await majorOf(old)
      if (old !== undefined && major < 22) problems.push(...await tryOut(old, major, application, tarballs))
      const nodes = [process.execPath, ...old === undefined || major >= 22 ? [] : [old]]
      for (const { path } of tarballs.filter(({ manifest }) => manifest.bin !== undefined)) {
        const tried = await Runtimes.tryProgram(
          folder.path,
          path,
          await Promise.all(
            nodes.map(async (command) => ({ name: `Node ${await majorOf(command)}`, command, args: [] }))
          )
        )
        problems.push(...tried.problems)
        notes.push(...tried.notes)
      }
      notes.push(major < 22 ? `and so on Node ${major}` : "this machine has no Node 20: nothing was tried on one")
      return { problems, notes }
    } catch (error) {
      if (error instanceof ScriptError) return { problems: [error.message] }
      throw error
    }
  }
}
