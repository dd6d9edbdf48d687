import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Program from "../../packages/cli/bundle.ts"
import * as Planner from "../../packages/cli/plannerPage.ts"
import { bundleText } from "../shared/bundle.ts"
import * as Workspace from "./workspace.ts"
import type { Rule } from "./rule.ts"

/** What an application writes, and the most it may weigh, in bytes after gzip. */
export interface Application {
  readonly name: string
  readonly code: string
  readonly limit?: number
  readonly platform: "browser" | "node"
  /** What the application has anyway, and does not count. */
  readonly external?: ReadonlyArray<string>
}

const ours: ReadonlyArray<Application> = [{
  name: "OptionSymbol alone",
  code: `export { format, parse } from "@effect-marketdata/core/OptionSymbol"`,
  limit: 9000,
  platform: "browser"
}, {
  name: "a planner: Query, Credits, Freshness, Workload",
  code: `export * as Query from "@effect-marketdata/core/Query"
export * as Credits from "@effect-marketdata/core/Credits"
export * as Freshness from "@effect-marketdata/core/Freshness"
export * as Workload from "@effect-marketdata/core/Workload"`,
  limit: 54_500,
  platform: "browser"
}, {
  name: "the column engine with both kernels and all kinds, Effect left out",
  code: `export * as ColumnDecoder from "@effect-marketdata/core/ColumnDecoder"
export * as ColumnKind from "@effect-marketdata/core/ColumnKind"
export * as Kernel from "@effect-marketdata/core/Kernel"`,
  limit: 16_900,
  platform: "browser",
  external: ["effect/*"]
}]

/** The packages that no browser runs. */
const forNode = new Set(["export", "sandbox", "sql", "cluster"].map((name) => `@effect-marketdata/${name}`))

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** What something comes to, and whether that is too much. */
interface Weighed {
  readonly note: string
  readonly problem?: string
}

/** Weighs one application. */
export const weigh = async (root: string, application: Application): Promise<Weighed> => {
  const { external = [], platform } = application
  const options = { external: platform === "node" ? ["redis", ...external] : [...external], minify: true, platform }
  const code = Buffer.from(await bundleText(root, application.code, options))
  const zipped = gzipSync(code, { level: 9 }).byteLength
  const note = `${application.name}: ${kilobytes(code.byteLength)} minified, ${kilobytes(zipped)} gzip`
  return application.limit !== undefined && zipped > application.limit
    ? { note, problem: `${note}, more than ${kilobytes(application.limit)}` }
    : { note }
}

/** The most that the planner page may weigh after gzip. */
const mostOfPage = 70_000

/** Weighs the page as it is packed. */
const weighPage = async (root: string): Promise<Weighed> => {
  const zipped = gzipSync(await Planner.page(root), { level: 9 }).byteLength
  const note = `the planner page: ${kilobytes(zipped)} gzip`
  return zipped > mostOfPage ? { note, problem: `${note}, more than ${kilobytes(mostOfPage)}` } : { note }
}

/** The most that the program may weigh after gzip: all of its files, and those that every start reads. */
const mostOfProgram = { all: 748_000, start: 199_500 }

/** The files of the bundle that are loaded before a command runs: what the program imports, and what that imports. */
const loadedAtStart = (files: Awaited<ReturnType<typeof Program.bundle>>): ReadonlySet<string> => {
  const loaded = new Set(files.filter(({ name }) => name === "program").map(({ fileName }) => fileName))
  for (const name of loaded) {
    const { imports = [] } = files.find(({ fileName }) => fileName === name) ?? {}
    for (const imported of imports) if (files.some(({ fileName }) => fileName === imported)) loaded.add(imported)
  }
  return loaded
}

/** Weighs the program as it is packed. */
const weighProgram = async (root: string): Promise<Weighed> => {
  const loaded = Array.from(loadedAtStart(await Program.bundle(root)), (name) => join(Program.program, "..", name))
  const weigh = (paths: Iterable<string>): number =>
    gzipSync(Buffer.concat(Array.from(paths, (path) => readFileSync(join(root, path)))), { level: 9 }).byteLength
  const all = weigh(globSync(join(Program.program, "../*.js"), { cwd: root }).toSorted())
  const start = weigh(loaded)
  const note = `the program: ${kilobytes(all)} gzip, of which ${kilobytes(start)} are loaded at every start`
  return all > mostOfProgram.all || start > mostOfProgram.start
    ? { note, problem: `${note}; it may weigh ${kilobytes(mostOfProgram.all)}, and ${kilobytes(mostOfProgram.start)}` }
    : { note }
}

export const size: Rule = {
  why:
    "A web page pays for every byte, and a program at every start: one import too many brings all of Schema with it.",
  run: async (root) => {
    const whole = Workspace.packages(root).filter(Workspace.isLibrary).map(({ manifest }): Application => ({
      name: `${manifest.name}, all of it`,
      code: `export * from "${manifest.name}"`,
      platform: forNode.has(manifest.name) ? "node" : "browser"
    }))
    const weighed = [await weighProgram(root), await weighPage(root)]
    for (const application of [...ours, ...whole]) weighed.push(await weigh(root, application))
    return { problems: weighed.flatMap(({ problem }) => problem ?? []), notes: weighed.map(({ note }) => note) }
  }
}
