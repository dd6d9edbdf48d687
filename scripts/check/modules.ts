/** What a package says of its modules: their subpaths in its manifest, and the barrel. Both are written from the folders. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"

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

/** The texts of the files that list modules, as they are and as they should be. */
const listsOf = (pkg: Workspace.Package) => {
  const modules = modulesOf(pkg)
  const manifest = readFileSync(join(pkg.directory, "package.json"), "utf8")
  const exports = {
    "./package.json": "./package.json",
    ".": subpath("index"),
    ...Object.fromEntries(modules.map(([name, path]) => [`./${name}`, subpath(path)]))
  }
  const barrel = readFileSync(join(pkg.directory, "src/index.ts"), "utf8")
  const header = barrel.slice(0, barrel.indexOf("*/\n") + 3)
  const lines = modules.map(([name, path]) => `export * as ${name} from "./${path}.ts"\n`)
  return [
    ["package.json", manifest, `${JSON.stringify({ ...JSON.parse(manifest), exports }, undefined, 2)}\n`],
    ["src/index.ts", barrel, header + lines.join("")]
  ] as const
}

/** The same text but for how it is laid out. */
const isSame = (a: string, b: string): boolean => a.replaceAll(/\s/g, "") === b.replaceAll(/\s/g, "")

export const modules: Rule = {
  why: "A module that nobody can import is not there: manifest and barrel list what lies in the folders.",
  run: async (root, write = false) => {
    const problems: Array<string> = []
    for (const pkg of Workspace.packages(root).filter(Workspace.isLibrary)) {
      for (const [name, is, should] of listsOf(pkg)) {
        if (isSame(is, should)) continue
        if (write) writeFileSync(join(pkg.directory, name), should)
        else {problems.push(
            `${name} of ${pkg.manifest.name} does not list its modules: \`npm run check -- modules --write\``
          )}
      }
    }
    return { problems }
  }
}
