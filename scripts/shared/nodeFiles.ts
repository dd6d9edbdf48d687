/**
 * Gathers the modules of core and client in few files for Node, below dist/node. To find and read a file takes Node about a millisecond, and who imports the
 * client would wait for two hundred of them. Bundlers take the modules one by one, and leave out those that nobody uses.
 */
import * as Predicate from "effect/Predicate"
import { isAbsolute, join, relative } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import * as Workspace from "../check/workspace.ts"

/** The modules that a package lets others import, by name. */
const modulesOf = ({ directory, manifest }: Workspace.Package): Record<string, string> =>
  Object.fromEntries(
    Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
      if (!Predicate.hasProperty(target, "@effect-marketdata/source")) return []
      return [[
        subpath === "." ? "index" : subpath.slice(2),
        join(directory, String(target["@effect-marketdata/source"]))
      ]]
    })
  )

/**
 * The packages that every program imports, and what their modules are gathered in: one file, or one a folder in core, of which programs import single
 * modules. What asks for quotes together is beside the client: Effect's resolvers bring twenty files for databases along. The other packages have
 * modules that need what not every program has, such as `node:sqlite`, and stay as they are.
 */
const gathered: Readonly<Record<string, (path: string) => string>> = {
  "@effect-marketdata/client": (path) => /QuoteResolver|together|index/.test(path) ? "index" : "client",
  "@effect-marketdata/core": (path) => path.split(/[/\\]/)[0]!.replace(/\.ts$/, "")
}

export const isGathered = ({ manifest }: Workspace.Package): boolean => Object.hasOwn(gathered, manifest.name)

/** Modules of core as what its index has of them: one file is found and read, and not one for each. All of core is read in either case. */
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
  const build = await rolldown({
    external: (specifier) => !specifier.startsWith(".") && !isAbsolute(specifier),
    input: modulesOf(pkg),
    logLevel: "warn",
    platform: "neutral",
    plugins: [fromIndex],
    treeshake: false,
    tsconfig: false
  })
  await build.write({
    cleanDir: true,
    chunkFileNames: "shared/[name].js",
    // Editors read the docstrings of the declarations; Node would read past them.
    comments: { annotation: true, jsdoc: false, legal: true },
    codeSplitting: { groups: [{ debugName: "folder", name: (module) => group(relative(sources, module)) }] },
    dir: join(pkg.directory, "dist", "node"),
    entryFileNames: "[name].js",
    sourcemap: true,
    sourcemapExcludeSources: true
  })
}

/** Writes them for the packages of the repository. */
export const writeAll = async (root: string): Promise<void> => {
  for (const pkg of Workspace.packages(root).filter(isGathered)) await write(pkg)
}

if (import.meta.main) await writeAll(join(import.meta.dirname, "../.."))
