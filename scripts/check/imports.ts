/**
 * Checks imports: between packages only those that their manifests declare, of Effect single modules instead of barrels, and in core only what Effect has
 * marked as stable, by the `@stability` tags in its sources. What is unstable may change in a minor release, which our peer range allows. The compiler checks
 * the rest: no Node in packages without its types, and no internal modules of other packages.
 */
import { existsSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { type Building, buildings, type Module } from "./buildings.ts"
import type { Rule } from "./rule.ts"

const scope = "@effect-marketdata/"

/** Whole parts of Effect in one module: `effect`, `effect/http`, `@effect/platform-node`. */
const barrel = /^(?:effect(?:\/[a-z][a-z-]*)?|@effect\/platform-[a-z-]+)$/

const sources = join(import.meta.dirname, "../../node_modules/effect/src")

const textOf = (specifier: string): string => {
  const path = join(sources, `${specifier.slice("effect/".length)}.ts`)
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}

/** True for `effect/Schema`, false for `effect/Path` and for what does not exist. */
const isStable = (specifier: string): boolean => {
  const text = textOf(specifier)
  return /@stability\s+stable/.test(text.slice(0, text.indexOf("*/")))
}

/** A docstring and, after it, the name of the export it documents. */
const documentedExport =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export\s+(?:declare\s+)?(?:abstract\s+)?(?:const|function|class|interface|type|namespace)\s+(\w+)|\w+\s+as\s+(\w+))/g

/** A line that imports a module of Effect: as a namespace, or some of its names. */
const ofEffect = /^import (?:type )?(?:\* as (\w+)|\{([^}]*)\}) from "(effect\/\w+)"/gm

/** The unstable exports of stable modules that a module uses, such as `Schema.ByteSize`. */
const unstable = ({ code }: Module): ReadonlyArray<string> =>
  Array.from(code.matchAll(ofEffect)).flatMap(([, namespace, names = "", specifier = ""]) => {
    const used = namespace === undefined
      ? names.split(",").map((name) => /\w+/.exec(name.replace("type ", ""))?.[0])
      : Array.from(code.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, "g")), ([, name]) => name)
    const unstable = Array.from(textOf(specifier).matchAll(documentedExport))
      .filter(([, docs = ""]) => /@stability\s+(?:unstable|experimental)/.test(docs))
      .map(([, , declared, renamed]) => declared ?? renamed)
    return [...new Set(unstable)].filter((name) => used.includes(name)).map((name) =>
      `${name} of ${specifier} may change in a minor release: core keeps to what is stable`
    )
  })

const complaintAboutOurs = (specifier: string, { isLibrary, mayImport, name: own }: Building): string | undefined => {
  const [name = "", ...path] = specifier.slice(scope.length).split("/")
  if (name === own) return `${name} imports its own modules by relative path`
  // `testing` loads all of core in any case.
  if (path.length === 0 && isLibrary && !(own === "testing" && name === "core")) {
    return `import a module of ${name}, such as ${specifier}/Module, not everything at once`
  }
  if (mayImport.includes(name)) return undefined
  return `${own} may import ${mayImport.join(", ") || "no other package"}, not ${name}`
}

/** Says what is wrong with what a module of a package imports, or undefined when nothing is. */
const complaint = (specifier: string, from: Building): string | undefined => {
  if (specifier.startsWith(scope)) return complaintAboutOurs(specifier, from)
  if (barrel.test(specifier)) {
    return specifier === "effect" && !from.isLibrary
      ? undefined
      : `import a module, such as ${specifier}/Module: the whole of ${specifier} is slow to load`
  }
  const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  if (!isBuiltin(specifier) && !from.named.includes(name)) return `${from.name} imports ${name} and does not name it`
  if (from.name !== "core") return undefined
  if (!specifier.startsWith("effect/")) return `core depends on effect alone, not on ${specifier}`
  if (isStable(specifier)) return undefined
  return `core uses stable modules of Effect only, and ${specifier} may change in a minor release`
}

export const imports: Rule = {
  why: "An arrow that runs back, or a module that may change in a minor release, compiles and is wrong all the same.",
  run: (root) => ({
    problems: buildings(root).flatMap((building) =>
      building.modules.flatMap((module) => {
        const foreign = [...module.imports, ...module.later].filter((specifier) => !specifier.endsWith(".ts"))
        return [
          ...foreign.flatMap((specifier) => complaint(specifier, building) ?? []),
          ...building.name === "core" ? unstable(module) : []
        ].map((problem) => `packages/${building.name}/src/${module.path}: ${problem}`)
      })
    )
  })
}
