/**
 * Bundles the program `marketdata` into packages/cli/bundle/, with everything that it needs, the planner page and the guide for agents: `bin` leads there, and the tarball
 * holds nothing else.
 * What a command loads when it runs stays in files of its own. No name is shortened: a stack names functions and lines, and compiled code is kept.
 */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { type ChunkingContext, type OutputChunk, type Plugin, rolldown } from "rolldown"
import { parseSync, Visitor } from "rolldown/utils"
import * as Called from "./called.ts"
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
const queries = ["options", "listed", "stock"]

/**
 * What is gathered in one file each, by the modules that need it: what every start loads, symbols and calendar, queries, prices, and the client. To find and read
 * a file takes Node about a millisecond; divided by who needs what, a command would have up to fifty.
 */
const gathered: Readonly<Record<string, ReadonlyArray<string>>> = {
  version: ["text/version.ts", "output/ending.ts"],
  start: ["program.ts"],
  symbols: ["commands/symbol.ts"],
  queries: queries.map((name) => `commands/${name}.ts`),
  prices: ["plans/estimate.ts"],
  client: ["call/ask.ts"]
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

/** The same code without indentation, which means something within backticks alone: Node reads a tenth less. */
const unindented = (code: string): string => {
  const texts: Array<{ readonly start: number; readonly end: number }> = []
  new Visitor({ TemplateLiteral: (node) => void texts.push(node) }).visit(parseSync("bundled.js", code).program)
  const long = texts.filter(({ end, start }) => code.slice(start, end).includes("\n"))
  return code.replaceAll(
    /(?<=\n)\t+/g,
    (tabs, at: number) => long.some(({ end, start }) => start < at && at < end) ? tabs : ""
  )
}

/** The same code in ASCII. */
const ascii = (code: string): string =>
  code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * What takes the place of a module that others import: of cryptography for the name of a temporary file, TLS before it is used, and WebSockets; of formats of files that
 * flags could take, and of completions, of which the program has its own; and of the look at a stack that tells Effect whether a tool cut frames out of it.
 */
const instead: ReadonlyArray<readonly [importer: string, imported: string, ours: string]> = [
  ["NodeFileSystem.js", "node:crypto", "lighter.ts"],
  ["Primitive.js", "../encoding/Ini.js", "lighter.ts"],
  ["Primitive.js", "../encoding/Toml.js", "lighter.ts"],
  ["Primitive.js", "../encoding/Yaml.js", "lighter.ts"],
  ["GlobalFlag.js", "./Completions.js", "lighter.ts"],
  ["Utils.js", "./internal/stackTraceLimit.js", "lighter.ts"],
  ["NodeHttpClient.js", "./internal/http.js", "lighter.ts"],
  ["NodeHttpServer.js", "./internal/http.js", "lighter.ts"],
  ["NodeHttpServer.js", "./NodeWS.js", "lighter.ts"]
]

/** Modules of Node that take long to load, and that not every command uses. */
const heavy = new Set(["node:crypto", "node:http", "node:https", "node:readline", "node:zlib"])

/**
 * The same code, which requires Node's own modules. Where one is imported, all that it has is looked at, which loads what it has for others: fetch with `node:http`,
 * comparisons with `node:util`. Heavy ones are required when they are first used.
 */
const requiring = (code: string): string => {
  const required = code.replaceAll(
    /^import (.+) from "(node:(?!module")\w+)";$/gm,
    (_, names: string, builtin: string) => {
      const module = `requireBuiltin("${builtin}")`
      if (!names.startsWith("{")) {
        const own = names.replace("* as ", "")
        return heavy.has(builtin)
          ? `const ${own} = new Proxy({}, { get: (_, name) => ${module}[name] });`
          : `const ${own} = ${module};`
      }
      if (!heavy.has(builtin)) return `const ${names.replaceAll(" as ", ": ")} = ${module};`
      return names.slice(1, -1).split(",").map((named) => {
        const [name, own = name] = named.trim().split(" as ")
        return `const ${own} = (...given) => ${module}.${name}(...given);`
      }).join("\n")
    }
  )
  return required === code
    ? code
    : `import { createRequire as makeRequire } from "node:module";\nconst requireBuiltin = makeRequire(import.meta.url);\n${required}`
}

/** Names of whole packages in one line, each as the module that it stands for: what a command does not use is not in its files. */
const asModules = (code: string): string =>
  code.replaceAll(
    /^import (type )?\{\s([\w,\s]+?)\s\} from "(effect|@effect-marketdata\/\w+)"$/gm,
    (_, type: string | undefined, names: string, from: string) =>
      names.trim().split(/,\s+/).map((named) => {
        const [, own = type, name, local = name] = /^(type )?(\w+)(?: as (\w+))?$/.exec(named)!
        return `import ${own ?? ""}* as ${local} from "${from}/${name}"`
      }).join("\n")
  )

/** Leaves out what a start does not need, and texts of two bytes a character, which Node reads more slowly. */
const lighter = (sources: string): Plugin => ({
  name: "lighter",
  transform: (code, id) => id.startsWith(sources) ? asModules(code) : undefined,
  resolveId: (id, importer = "") => {
    const found = instead.find(([file, imported]) => id === imported && importer.endsWith(file))
    return found && join(sources, "..", found[2])
  },
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) {
      if (file.type === "chunk") file.code = ascii(requiring(unindented(file.code)))
    }
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
    transform: { inject: { "Intl.Segmenter": [join(sources, "../lighter.ts"), "Segmenter"] }, target: "node20" },
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
  await Called.compiledWithFile(join(root, program))
  writeFileSync(join(root, Planner.planner), await Planner.page(root))
  // What the server for agents tells of itself.
  copyFileSync(join(root, "docs/guide/mcp.md"), join(outdir, "mcp.md"))
  return chunks
}

if (import.meta.main) await bundle(join(import.meta.dirname, "../.."))
