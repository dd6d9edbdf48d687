/** What a package says of its modules: their subpaths in its manifest, and the barrel. Both are written from the folders. */
import { globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"
import * as Written from "./written.ts"

/** The public modules of a package, by name, with their paths below src/. */
const modulesOf = ({ directory }: Workspace.Package): ReadonlyArray<readonly [name: string, path: string]> =>
  globSync("**/[A-Z]*.ts", { cwd: join(directory, "src") })
    .map((path) => path.replaceAll("\\", "/").replace(/\.ts$/, ""))
    .map((path) => [path.split("/").at(-1) ?? path, path] as const)
    .toSorted(([a], [b]) => a < b ? -1 : 1)

const subpath = (path: string) => ({
  "@effect-marketdata/source": `./src/${path}.ts`,
  types: `./dist/${path}.d.ts`,
  default: `./dist/${path}.js`
})

/** The texts of the files that list the modules of a package. */
const listsOf = (pkg: Workspace.Package): Readonly<Record<string, string>> => {
  const modules = modulesOf(pkg)
  const read = (path: string) => readFileSync(join(pkg.directory, path), "utf8")
  const exports = {
    "./package.json": "./package.json",
    ".": subpath("index"),
    ...Object.fromEntries(modules.map(([name, path]) => [`./${name}`, subpath(path)]))
  }
  const barrel = read("src/index.ts")
  const header = barrel.slice(0, barrel.indexOf("*/\n") + 3)
  const lines = modules.map(([name, path]) => `export * as ${name} from "./${path}.ts"\n`)
  return {
    "package.json": `${JSON.stringify({ ...JSON.parse(read("package.json")), exports }, undefined, 2)}\n`,
    "src/index.ts": header + lines.join("")
  }
}

export const modules: Rule = {
  why: "A module that nobody can import is not there: manifest and barrel list what lies in the folders.",
  run: async (root, write = false) => ({
    problems: Workspace.packages(root).filter(Workspace.isLibrary).flatMap((pkg) =>
      Object.entries(listsOf(pkg)).flatMap(([name, text]) => {
        const path = relative(root, join(pkg.directory, name)).replaceAll("\\", "/")
        return Written.file({ root, path, rule: "modules", write }, text)
      })
    )
  })
}
