/** The packages as they are built: their floors, their modules, and what these import. */
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import * as Posix from "node:path/posix"
import { parseSync, Visitor } from "oxc-parser"
import * as Files from "../shared/files.ts"
import * as Workspace from "./workspace.ts"

/**
 * A module by its path below src/, and what it imports: modules of the same package by their paths below src/, others by their names. `imports` has types and
 * re-exports too; what is imported `later`, by `import()`, may be on a higher floor.
 */
export type Module = ReturnType<typeof read>

export type Building = ReturnType<typeof buildingOf>

const read = (src: string, path: string) => {
  const code = Files.text(src, path)
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

const buildingOf = (pkg: Workspace.Package) => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = pkg.manifest
  /** Whether others import its modules; a package that is none is a program, which is bundled with what it depends on. */
  const isLibrary = Workspace.isLibrary(pkg)
  const own = isLibrary ? {} : { ...devDependencies, ...optionalDependencies }
  /** The packages that it may import: those that its manifest depends on. */
  const named = Object.keys({ ...dependencies, ...peerDependencies, ...own })
  /** The packages of this repository among them. */
  const mayImport = named.flatMap((other) => /^@effect-marketdata\/(.*)/.exec(other)?.[1] ?? [])
  /**
   * The folders of the package with their descriptions, the lowest first, as in its `floors.json`: a module imports from its own floor and lower ones,
   * `index.ts` from all. Floors above `commands` in the command line are loaded only when a command runs, by `import()`.
   */
  const floors: Readonly<Record<string, string>> = Files.json(pkg.directory, "floors.json")
  const src = join(pkg.directory, "src")
  const modules = Files.found(src, "**/*.ts").map((path) => read(src, path))
  return { name: basename(pkg.directory), floors, isLibrary, named, mayImport, modules }
}

/** Reads them, each after those that it imports. */
export const buildings = (root: string) =>
  Workspace.packages(root).filter(({ directory }) => existsSync(join(directory, "floors.json"))).map(buildingOf)
    .toSorted((a, b) => a.mayImport.length - b.mayImport.length || (a.name < b.name ? -1 : 1))
