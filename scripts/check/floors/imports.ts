/**
 * What the modules of a package import, types and re-exports alike. What a module only loads when it is needed, by `import()`, is not counted: that may
 * stand above it, and what stands above is loaded by nothing else.
 */
import { parseSync, Visitor } from "oxc-parser"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Posix from "node:path/posix"

/** Each module by its path below src/, and what it imports: modules of the same package by their paths too, others by their names. */
export type Imports = ReadonlyMap<string, ReadonlyArray<string>>

const importsOf = (path: string, code: string): ReadonlyArray<string> => {
  const imports = new Set<string>()
  const add = ({ source }: { readonly source: object | null }) => {
    if (source === null || !("value" in source) || typeof source.value !== "string") return
    imports.add(source.value.startsWith(".") ? Posix.join(Posix.dirname(path), source.value) : source.value)
  }
  new Visitor({
    ImportDeclaration: add,
    ExportAllDeclaration: add,
    ExportNamedDeclaration: add,
    TSImportType: add
  }).visit(parseSync(path, code).program)
  return [...imports]
}

/** Reads the modules below a folder `src`. */
export const read = (src: string): Imports =>
  new Map(
    globSync("**/*.ts", { cwd: src }).map((path) => path.replaceAll("\\", "/")).toSorted()
      .map((path) => [path, importsOf(path, readFileSync(join(src, path), "utf8"))])
  )
