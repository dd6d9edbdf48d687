/** The packages as they are built: their floors, their modules, and what these import. */
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Posix from "node:path/posix"
import { parseSync, Visitor } from "oxc-parser"
import * as Files from "../shared/files.ts"
import * as Workspace from "./workspace.ts"

/** A module, and what it imports: modules of the same package by their paths below src/, others by their names. */
export interface Module {
  /** Below src/. */
  readonly path: string
  readonly code: string
  /** Types and re-exports alike. */
  readonly imports: ReadonlySet<string>
  /** What it imports by `import()`. That may be on a higher floor. */
  readonly later: ReadonlySet<string>
}

export interface Building {
  readonly name: string
  /**
   * The folders of the package with their descriptions, the lowest first, as in its `floors.json`: a module imports from its own floor and lower ones,
   * `index.ts` from all. Floors above `commands` in the command line are loaded only when a command runs, by `import()`.
   */
  readonly floors: Readonly<Record<string, string>>
  /** Whether others import its modules; a package that is none is a program, which is bundled. */
  readonly isLibrary: boolean
  /** The packages that it may import: those that its manifest depends on. A program is bundled with what it depends on. */
  readonly named: ReadonlyArray<string>
  /** The packages of this repository among them. */
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
      const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest
      const own = isLibrary ? {} : { ...devDependencies, ...optionalDependencies }
      const named = Object.keys({ ...dependencies, ...peerDependencies, ...own })
      const src = join(directory, "src")
      return {
        name: basename(directory),
        floors: Files.json(directory, "floors.json"),
        isLibrary,
        named,
        mayImport: named.flatMap((other) => /^@effect-marketdata\/(.*)/.exec(other)?.[1] ?? []),
        modules: Files.found(src, "**/*.ts").map((path) => read(src, path))
      }
    }
  ).toSorted((a, b) => a.mayImport.length - b.mayImport.length || (a.name < b.name ? -1 : 1))
