/**
 * Bundles the program `marketdata` into packages/cli/bundle/, with everything that it needs and the planner page: `bin` leads there, and the tarball
 * holds nothing else.
 * What a command loads when it runs stays in files of its own. Nothing is shortened: a stack names functions and lines, and compiled code is kept.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { type ChunkingContext, type OutputChunk, type Plugin, rolldown } from "rolldown"
import * as Planner from "./plannerPage.ts"

/** The file that `bin` leads to, below the repository. */
export const program = "packages/cli/bundle/marketdata.js"

/** Where the licences of what is bundled are, beside it. */
const licences = "third-party-licenses.txt"

/** The packages below node_modules that a bundle holds parts of, by their folders. */
const packagesIn = (root: string, chunks: ReadonlyArray<OutputChunk>): ReadonlyArray<string> => {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(root, id).replaceAll("\\", "/")))
  return [...new Set(modules.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].toSorted()
}

/** The name, version and licence of a package, as its licence asks of all who pass its code on. */
const licenceOf = (folder: string): string => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no file with its licence, which the bundle has to hold`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`
}

/** The commands that ask, of which each shares most of its modules with the others. */
const asking = ["chain", "quote", "lookup", "expirations", "strikes", "stock", "candles", "marketStatus"]

/**
 * What is gathered in one file each, by the modules that need it: what every start loads, symbols and calendar, queries, prices, and the client. To find and read
 * a file takes Node about a millisecond; divided by who needs what, a command would have up to fifty.
 */
const gathered: Readonly<Record<string, ReadonlyArray<string>>> = {
  version: ["text/version.ts"],
  start: ["program.ts"],
  symbols: ["commands/symbol.ts"],
  queries: asking.map((name) => `commands/${name}.ts`),
  prices: ["plans/estimate.ts"],
  client: ["asking/ask.ts"]
}

/** Gathers what some modules import, and what that imports; the earlier group comes first. */
const groupOf = (sources: string) => ([group, modules]: readonly [string, ReadonlyArray<string>], index: number) => {
  let reached: Set<string> | undefined
  return {
    debugName: group,
    priority: 10 - index,
    // What one command alone needs is in its own file.
    minShareCount: index < 2 ? 1 : 2,
    name: (id: string, context: ChunkingContext): string | undefined => {
      if (reached === undefined) {
        reached = new Set(modules.map((path) => join(sources, path)))
        for (const one of reached) for (const next of context.getModuleInfo(one)?.importedIds ?? []) reached.add(next)
      }
      return reached.has(id) ? group : undefined
    }
  }
}

/** The same code in ASCII. */
const ascii = (code: string): string =>
  code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** What a start does not need: cryptography for the name of a temporary file, and texts of two bytes a character, which Node reads more slowly. */
const lighter = (sources: string): Plugin => ({
  name: "lighter",
  resolveId: (id, importer) =>
    id === "node:crypto" && importer?.endsWith("NodeFileSystem.js") === true
      ? join(sources, "text/randomBytes.ts")
      : undefined,
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) if (file.type === "chunk") file.code = ascii(file.code)
  }
})

/** Bundles it, and returns the files. */
export const bundle = async (root: string): Promise<ReadonlyArray<OutputChunk>> => {
  const outdir = join(root, program, "..")
  const sources = join(root, "packages/cli/src")
  const build = await rolldown({
    cwd: root,
    input: { marketdata: join(sources, "bin.ts") },
    logLevel: "warn",
    platform: "node",
    plugins: [lighter(sources)],
    resolve: {
      // The same code without `require`, which each file would first have to make.
      alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
      conditionNames: ["@effect-marketdata/source", "node", "import", "module", "default"]
    },
    transform: { inject: { "Intl.Segmenter": [join(sources, "text/segmenter.ts"), "Segmenter"] }, target: "node20" },
    tsconfig: false
  })
  const { output } = await build.write({
    chunkFileNames: "[name]-[hash].js",
    cleanDir: true,
    codeSplitting: { groups: Object.entries(gathered).map(groupOf(sources)) },
    comments: false,
    dir: outdir,
    entryFileNames: "[name].js"
  })
  const chunks = output.filter((file) => file.type === "chunk")
  writeFileSync(
    join(outdir, licences),
    packagesIn(root, chunks).map((folder) => licenceOf(join(root, folder))).join(`\n${"-".repeat(80)}\n\n`)
  )
  writeFileSync(join(root, Planner.planner), await Planner.page(root))
  return chunks
}

if (import.meta.main) await bundle(join(import.meta.dirname, "../.."))
