/** The packages as they are built: their floors, their modules, and what these import. */
import { parseSync, Visitor } from "oxc-parser"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Posix from "node:path/posix"
import * as Workspace from "./workspace.ts"

/** A module, and what it imports: modules of the same package by their paths below src/, others by their names. */
export interface Module {
  /** Below src/. */
  readonly path: string
  readonly code: string
  /** Types and re-exports alike. */
  readonly imports: ReadonlySet<string>
  /** What it loads when it is needed, by `import()`: that may stand above it, and what stands above is loaded by nothing else. */
  readonly later: ReadonlySet<string>
}

export interface Building {
  readonly name: string
  /**
   * The folders of the package, the lowest first, each with what stands there, as its `floors.json` has them: a module imports from its own floor and
   * from those below. `index.ts` imports from all. What stands above `commands` in the command line is loaded when a command runs, and nothing else
   * imports it: so the program starts without it.
   */
  readonly floors: Readonly<Record<string, string>>
  /** Whether others build on its modules. What a library imports is loaded by all who use it; a program is bundled. */
  readonly isLibrary: boolean
  /** The packages that it may import: those that its manifest depends on. A program is bundled with what it depends on. */
  readonly named: ReadonlyArray<string>
  /** Those of them that are ours. */
  readonly mayImport: ReadonlyArray<string>
  readonly modules: ReadonlyArray<Module>
}

const read = (src: string, path: string): Module => {
  const code = readFileSync(join(src, path), "utf8")
  const [imports, later] = [new Set<string>(), new Set<string>()]
  const addTo = (all: Set<string>) => ({ source }: { readonly source: object | null }) => {
    if (source === null || !("value" in source) || typeof source.value !== "string") return
    all.add(source.value.startsWith(".") ? Posix.join(Posix.dirname(path), source.value) : source.value)
  }
  new Visitor({
    ImportDeclaration: addTo(imports),
    ExportAllDeclaration: addTo(imports),
    ExportNamedDeclaration: addTo(imports),
    TSImportType: addTo(imports),
    ImportExpression: addTo(later)
  }).visit(parseSync(path, code).program)
  return { path, code, imports, later }
}

/** Reads them, each after those that it imports. */
export const buildings = (root: string): ReadonlyArray<Building> =>
  Workspace.packages(root).filter(({ directory }) => existsSync(join(directory, "floors.json"))).map(
    (pkg): Building => {
      const { directory, manifest } = pkg
      const isLibrary = Workspace.isLibrary(pkg)
      const { dependencies, devDependencies, peerDependencies } = manifest
      const named = Object.keys({ ...dependencies, ...peerDependencies, ...isLibrary ? {} : devDependencies })
      const src = join(directory, "src")
      return {
        name: basename(directory),
        floors: JSON.parse(readFileSync(join(directory, "floors.json"), "utf8")),
        isLibrary,
        named,
        mayImport: named.flatMap((other) => /^@effect-marketdata\/(.*)/.exec(other)?.[1] ?? []),
        modules: globSync("**/*.ts", { cwd: src }).map((path) => path.replaceAll("\\", "/")).toSorted()
          .map((path) => read(src, path))
      }
    }
  ).toSorted((a, b) => a.mayImport.length - b.mayImport.length || (a.name < b.name ? -1 : 1))
