/** What the modules of a package import: types, re-exports and imports at run time alike. */
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
    ImportExpression: add,
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

/** A shortest way from a module back to itself. */
const circleThrough = (imports: Imports, module: string): ReadonlyArray<string> | undefined => {
  const ways = [[module]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of imports.get(way.at(-1)!) ?? []) {
      if (next === module) return way
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}

/** The circles of modules, short ones first. Those that are only detours of shorter ones are left out. */
export const circles = (imports: Imports): ReadonlyArray<ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const module of imports.keys()) {
    const circle = circleThrough(imports, module)
    const members = circle?.toSorted().join() ?? ""
    if (circle !== undefined && !found.has(members)) found.set(members, circle)
  }
  return [...found.values()].toSorted((a, b) => a.length - b.length)
}
