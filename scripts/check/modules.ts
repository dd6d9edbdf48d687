/**
 * Generates, for each package: the subpaths of its modules in its manifest, and its barrel, from the folders; the fields that all manifests share, from that of
 * the repository; the version in its code, from its manifest; and AGENTS.md, from the guide.
 */
import { dirname, join, relative } from "node:path"
import * as Files from "../shared/files.ts"
import * as NodeFiles from "../shared/nodeFiles.ts"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"
import * as Written from "./written.ts"

/**
 * The conditions of a module in `exports`: sources and types; for a package that is gathered in few files for Node, these; and the default. No condition of
 * bundlers alone, such as `module`, comes before `node`: nitro copies the files that Rollup finds, and lets Node look for those that it would take itself.
 */
const subpath = (pkg: Workspace.Package, path: string) => ({
  "@effect-marketdata/source": `./src/${path}.ts`,
  types: `./dist/${path}.d.ts`,
  ...NodeFiles.isGathered(pkg) ? { node: `./dist/node/${path.split("/").at(-1)}.js` } : {},
  default: `./dist/${path}.js`
})

/** What every package has from the manifest of the repository, and how each is built before it is packed, and published. */
const common = (root: string, directory: string) => {
  const { author, bugs, homepage, license, repository } = Files.json(root, "package.json")
  const path = relative(root, directory).replaceAll("\\", "/")
  const scripts = { prepack: "node ../../scripts/setup.mjs build" }
  const publishConfig = { access: "public", provenance: true }
  return { license, author, homepage, repository: { ...repository, directory: path }, bugs, scripts, publishConfig }
}

const page = "docs/guide/agents.md"

/** What an agent that finds the package installed needs to know: the page of the guide, whose links lead into the repository. */
const rulesForAgents = (root: string, name: string): string => {
  const pages = `${Workspace.address(root)}/blob/main/${dirname(page)}`
  const text = Files.text(root, page)
  return text.replace(/^# .*/, `# ${name}, for agents`).replaceAll(/\]\(([\w-]+\.md)/g, `](${pages}/$1`)
}

/** The texts of the files that say what a package is. */
const textsOf = (root: string, pkg: Workspace.Package): Readonly<Record<string, string>> => {
  const read = (path: string) => Files.text(pkg.directory, path)
  // Existing fields keep their order.
  const manifest = { ...Files.json(pkg.directory, "package.json"), ...common(root, pkg.directory) }
  const versions = Files.found(pkg.directory, "src/**/version.ts").map((path) =>
    [path, read(path).replace(/version = ".*"/, `version = "${manifest.version}"`)] as const
  )
  if (!Workspace.isLibrary(pkg)) return { "package.json": json(manifest), ...Object.fromEntries(versions) }
  const modules = Workspace.modules(pkg)
  const listed = {
    "./package.json": "./package.json",
    ".": subpath(pkg, "index"),
    ...Object.fromEntries(modules.map(([name, path]) => [`./${name}`, subpath(pkg, path)]))
  }
  const barrel = read("src/index.ts")
  const header = barrel.slice(0, barrel.indexOf("*/\n") + 3)
  const lines = modules.map(([name, path]) => `export * as ${name} from "./${path}.ts"\n`)
  return {
    "package.json": json({ ...manifest, exports: listed }),
    "src/index.ts": header + lines.join(""),
    ...manifest.files.includes("AGENTS.md") ? { "AGENTS.md": rulesForAgents(root, manifest.name) } : {},
    ...Object.fromEntries(versions)
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

export const modules: Rule = {
  why:
    "A module that nobody can import is not there: manifest and barrel list what lies in the folders, and say where all comes from.",
  run: async (root, write = false) => ({
    problems: Workspace.packages(root).flatMap((pkg) =>
      Object.entries(textsOf(root, pkg)).flatMap(([name, text]) => {
        const path = relative(root, join(pkg.directory, name)).replaceAll("\\", "/")
        return Written.file({ root, path, rule: "modules", write }, text)
      })
    )
  })
}
