import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Program from "../../packages/cli/bundle.ts"
import * as Planner from "../../packages/cli/plannerPage.ts"
import { bundleText } from "../shared/bundle.ts"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"

/** The code of an application, and the most that its bundle may have, in bytes after gzip. */
interface Application {
  readonly name: string
  readonly code: string
  readonly limit?: number
  readonly platform?: "browser" | "node"
  /** Modules that the application has anyway, and that do not count. */
  readonly external?: ReadonlyArray<string>
}

/** A program that imports modules of core. */
const ofCore = (...modules: ReadonlyArray<string>): string =>
  modules.map((name) => `export * as ${name} from "@effect-marketdata/core/${name}"`).join("\n")

const ours: ReadonlyArray<Application> = [{
  name: "OptionSymbol alone",
  code: `export { format, parse } from "@effect-marketdata/core/OptionSymbol"`,
  limit: 9000
}, {
  name: "a planner: Query, Credits, Freshness, Workload",
  code: ofCore("Query", "Credits", "Freshness", "Workload"),
  limit: 55_000
}, {
  name: "the column engine with both kernels and all kinds, Effect left out",
  code: ofCore("ColumnDecoder", "ColumnKind", "Kernel"),
  limit: 17_050,
  external: ["effect/*"]
}]

/** The packages that no browser runs. */
const forNode = new Set(["sandbox", "sql", "cluster"].map((name) => `@effect-marketdata/${name}`))

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** A size after gzip, in words, and whether it is above its bound. */
const weighed = (name: string, code: string | Uint8Array, limit = Infinity) => {
  const bytes = gzipSync(code, { level: 9 }).byteLength
  return { says: `${name}: ${kilobytes(bytes)} gzip`, isTooLarge: bytes > limit, limit }
}

const weigh = async (root: string, { code, external = [], limit, name, platform = "browser" }: Application) => {
  const options = { external: platform === "node" ? ["redis", ...external] : [...external], minify: true, platform }
  return weighed(name, await bundleText(root, code, options), limit)
}

/** The files of the bundle that are loaded with one of them: its static imports, and theirs. */
const loadedWith = (files: Awaited<ReturnType<typeof Program.bundle>>, first: string): ReadonlySet<string> => {
  const loaded = new Set(files.filter(({ name }) => name === first).map(({ fileName }) => fileName))
  for (const name of loaded) {
    const { imports = [] } = files.find(({ fileName }) => fileName === name) ?? {}
    for (const imported of imports) if (files.some(({ fileName }) => fileName === imported)) loaded.add(imported)
  }
  return loaded
}

/** Weighs the program as it is packed: all of its files, those that every start reads, and those that `--version` reads. */
const weighProgram = async (root: string) => {
  const folder = join(root, Program.program, "..")
  const read = (names: Iterable<string>) => Buffer.concat(Array.from(names, (name) => readFileSync(join(folder, name))))
  const files = await Program.bundle(root)
  return [
    weighed("the program", read(globSync("*.js", { cwd: folder }).toSorted()), 723_900),
    weighed("what every start loads of it", read(loadedWith(files, "program")), 180_300),
    weighed("what --version loads of it", read(loadedWith(files, "marketdata")), 960)
  ]
}

export const size: Rule = {
  why:
    "A web page pays for every byte, and a program at every start: one import too many brings all of Schema with it.",
  run: async (root) => {
    const whole = Workspace.packages(root).filter(Workspace.isLibrary).map(({ manifest: { name } }): Application => ({
      name: `${name}, all of it`,
      code: `export * from "${name}"`,
      platform: forNode.has(name) ? "node" : "browser"
    }))
    const all = [...await weighProgram(root), weighed("the planner page", await Planner.page(root), 70_350)]
    for (const application of [...ours, ...whole]) all.push(await weigh(root, application))
    const tooLarge = all.filter(({ isTooLarge }) => isTooLarge)
    return {
      problems: tooLarge.map(({ limit, says }) => `${says}, more than ${kilobytes(limit)}`),
      notes: all.map(({ says }) => says)
    }
  }
}
