/**
 * Bundles the modules of core and client into a few files for Node, below dist/node: Node takes about a millisecond to find and read a file, and the client
 * imports two hundred. Bundlers for browsers get the single modules, of which they leave out what is not used.
 */
import { isAbsolute, join, relative } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import * as Workspace from "../check/workspace.ts"

/**
 * The packages that every program imports, and the file that each of their modules goes to: one for the client, one for each folder of core, of which programs
 * import single modules. `QuoteResolver` is not in the client's file, because Effect's resolvers load twenty files for databases. Other packages have modules
 * that need what not every program has, such as `node:sqlite`, and are not gathered.
 */
const gathered: Readonly<Record<string, (path: string) => string>> = {
  "@effect-marketdata/client": (path) => /QuoteResolver|together|index/.test(path) ? "index" : "client",
  "@effect-marketdata/core": (path) => path.split(/[/\\]/)[0]!.replace(/\.ts$/, "")
}

export const isGathered = ({ manifest }: Workspace.Package): boolean => Object.hasOwn(gathered, manifest.name)

/** Imports modules of core from its index: Node then finds and reads one file instead of one for each; all of core is read in either case. */
const fromIndex: Plugin = {
  name: "from-index",
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) {
      if (file.type !== "chunk") continue
      let count = 0
      file.code = file.code.replaceAll(
        /^import (?:\* as ([\w$]+)|\{ ([^}]+) \}) from "@effect-marketdata\/core\/(\w+)";$/gm,
        (_, whole: string | undefined, names: string, module: string) => {
          const local = whole ?? `core$${count++}`
          const parts = whole === undefined ? ` const { ${names.replaceAll(" as ", ": ")} } = ${local};` : ""
          return `import { ${module} as ${local} } from "@effect-marketdata/core";${parts}`
        }
      )
    }
  }
}

const write = async (pkg: Workspace.Package): Promise<void> => {
  const group = gathered[pkg.manifest.name]!
  const sources = join(pkg.directory, "src")
  const modules = Workspace.modules(pkg).map(([name, path]) => [name, join(sources, `${path}.ts`)])
  const input = { index: join(sources, "index.ts"), ...Object.fromEntries(modules) }
  const external = (specifier: string) => !specifier.startsWith(".") && !isAbsolute(specifier)
  const asItIs = { external, logLevel: "warn", platform: "neutral", treeshake: false, tsconfig: false } as const
  const build = await rolldown({ ...asItIs, input, plugins: [fromIndex] })
  // Editors read the docstrings in the declarations; here they would only be parsed and skipped.
  const comments = { annotation: true, jsdoc: false, legal: true }
  const groups = [{ debugName: "folder", name: (module: string) => group(relative(sources, module)) }]
  const names = { entryFileNames: "[name].js", chunkFileNames: "shared/[name].js" }
  const maps = { sourcemap: true, sourcemapExcludeSources: true }
  const dir = join(pkg.directory, "dist", "node")
  await build.write({ ...names, ...maps, cleanDir: true, codeSplitting: { groups }, comments, dir })
}

/** Writes them for the packages of the repository. */
export const writeAll = async (root: string): Promise<void> => {
  for (const pkg of Workspace.packages(root).filter(isGathered)) await write(pkg)
}

if (import.meta.main) await writeAll(join(import.meta.dirname, "../.."))
