/**
 * Keeps core to what Effect promises not to break: each of its modules and exports has a `@stability` tag, in the sources that its package
 * ships. What is unstable or experimental may change in a minor release, which our peer range lets in.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { LintRule } from "./lintRule.ts"
import { placeOf, rooms } from "./room.ts"

const sources = join(import.meta.dirname, "..", "..", "..", "node_modules", "effect", "src")

interface Module {
  readonly stable: boolean
  readonly unstableExports: ReadonlySet<string>
}

/** A docstring and, after it, the name of the export it documents. */
const documentedExport =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export\s+(?:declare\s+)?(?:abstract\s+)?(?:const|function|class|interface|type|namespace)\s+(\w+)|\w+\s+as\s+(\w+))/g

const modules = new Map<string, Module>()

const moduleOf = (specifier: string): Module => {
  const known = modules.get(specifier)
  if (known !== undefined) return known
  const path = join(sources, `${specifier.slice("effect/".length)}.ts`)
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  const unstable = Array.from(text.matchAll(documentedExport))
    .filter(([, docs = ""]) => /@stability\s+(?:unstable|experimental)/.test(docs))
  const module = {
    stable: /@stability\s+stable/.test(text.slice(0, text.indexOf("*/"))),
    unstableExports: new Set(unstable.map(([, , declared, renamed]) => declared ?? renamed ?? ""))
  }
  modules.set(specifier, module)
  return module
}

/** True for `effect/Schema`, false for `effect/Path` and for what does not exist. */
export const isStableModule = (specifier: string): boolean => moduleOf(specifier).stable

/** The unstable exports of stable modules, such as `Schema.ByteSize`. */
export const stableEffect: LintRule = {
  create: (context) => {
    const place = placeOf(context.cwd, context.filename)
    if (place?.folder !== "src" || rooms.get(place.package)?.stable !== true) return {}
    /** Local name of a namespace to the module behind it. */
    const namespaces = new Map<string, string>()
    const check = (node: { readonly range: [number, number] }, specifier: string | undefined, name: string) => {
      if (specifier === undefined || !moduleOf(specifier).unstableExports.has(name)) return
      const message = `${name} of ${specifier} may change in a minor release: ${place.package} keeps to what is stable`
      context.report({ node, message })
    }
    return {
      ImportDeclaration: ({ source, specifiers }) => {
        if (!source.value.startsWith("effect/")) return
        for (const specifier of specifiers) {
          if (specifier.type === "ImportNamespaceSpecifier") namespaces.set(specifier.local.name, source.value)
          if (specifier.type === "ImportSpecifier" && specifier.imported.type === "Identifier") {
            check(specifier, source.value, specifier.imported.name)
          }
        }
      },
      MemberExpression: (node) => {
        if (node.object.type !== "Identifier" || node.property.type !== "Identifier" || node.computed) return
        check(node, namespaces.get(node.object.name), node.property.name)
      },
      TSQualifiedName: (node) => {
        if (node.left.type === "Identifier") check(node, namespaces.get(node.left.name), node.right.name)
      }
    }
  }
}
