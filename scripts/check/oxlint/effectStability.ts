/**
 * What Effect itself says of its modules and exports: each has a `@stability` tag, in the sources that its package ships.
 * What is unstable or experimental may change in a minor release, which our peer range lets in.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const sources = join(import.meta.dirname, "..", "..", "..", "node_modules", "effect", "src")

interface Module {
  readonly stable: boolean
  readonly unstableExports: ReadonlySet<string>
}

/** A docstring and, after it, the name of the export it documents. */
const documentedExport =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export\s+(?:declare\s+)?(?:abstract\s+)?(?:const|function|class|interface|type|namespace)\s+(\w+)|\w+\s+as\s+(\w+))/g

const isUnstable = (docs: string): boolean => /@stability\s+(?:unstable|experimental)/.test(docs)

const read = (specifier: string): Module => {
  const path = join(sources, `${specifier.slice("effect/".length)}.ts`)
  if (!existsSync(path)) return { stable: false, unstableExports: new Set() }
  const text = readFileSync(path, "utf8")
  return {
    stable: /@stability\s+stable/.test(text.slice(0, text.indexOf("*/"))),
    unstableExports: new Set(
      Array.from(text.matchAll(documentedExport))
        .filter(([, docs = ""]) => isUnstable(docs))
        .map(([, , declared, renamed]) => declared ?? renamed ?? "")
    )
  }
}

const modules = new Map<string, Module>()

const moduleOf = (specifier: string): Module => {
  const known = modules.get(specifier)
  if (known !== undefined) return known
  const module = read(specifier)
  modules.set(specifier, module)
  return module
}

/** True for `effect/Schema`, false for `effect/Path` and for what does not exist. */
export const isStableModule = (specifier: string): boolean => moduleOf(specifier).stable

/** True for an export that is marked otherwise than its stable module. */
export const isUnstableExport = (specifier: string, name: string): boolean =>
  moduleOf(specifier).unstableExports.has(name)
