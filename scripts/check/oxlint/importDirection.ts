/**
 * Keeps the arrows between packages as they were drawn: see `rooms`. The compiler refuses Node where a package has none of its types, and what
 * other packages keep to themselves.
 */
import { isStableModule } from "./stableEffect.ts"
import type { LintRule, Node } from "./lintRule.ts"
import { type Place, placeOf, rooms } from "./room.ts"

const scope = "@effect-marketdata/"

/** Whole parts of Effect in one module: `effect`, `effect/http`, `@effect/platform-node`. */
const isBarrel = (specifier: string): boolean =>
  /^(?:effect(?:\/[a-z][a-z-]*)?|@effect\/platform-[a-z-]+)$/.test(specifier)

/** What a library imports is loaded by all who use it; a program is bundled, and names modules as an application does. */
const isLibrary = (name: string): boolean => rooms.get(name)?.library !== false

const complaintAboutOurs = (specifier: string, { folder, package: own }: Place): string | undefined => {
  const [name = "", ...path] = specifier.slice(scope.length).split("/")
  if (name === own && folder === "src") return `${name} imports its own modules by relative path`
  // Tests may look into every package, and name several of its modules in a line, as a user does.
  if (folder !== "src") return undefined
  // A program that tests a client loads all of core in any case.
  if (path.length === 0 && isLibrary(own) && !(own === "testing" && name === "core")) {
    return `import a module of ${name}, such as ${specifier}/Module, not everything at once`
  }
  const { imports = [] } = rooms.get(own) ?? {}
  return imports.includes(name)
    ? undefined
    : `${own} may import ${imports.length === 0 ? "no other package" : imports.join(", ")}, not ${name}`
}

/** Says what is wrong with an import of `specifier` in a file of a package, or undefined when nothing is. */
const complaint = (specifier: string, from: Place): string | undefined => {
  if (specifier.startsWith(".")) return undefined
  if (specifier.startsWith(scope)) return complaintAboutOurs(specifier, from)
  if (from.folder !== "src") return undefined
  if (isBarrel(specifier)) {
    if (specifier === "effect" && !isLibrary(from.package)) return undefined
    return `import a module, such as ${specifier}/Module: the whole of ${specifier} is slow to load`
  }
  if (rooms.get(from.package)?.stable !== true) return undefined
  if (!specifier.startsWith("effect/")) return `${from.package} depends on effect alone, not on ${specifier}`
  return isStableModule(specifier)
    ? undefined
    : `${from.package} uses stable modules of Effect only, and ${specifier} may change in a minor release`
}

export const importDirection: LintRule = {
  create: (context) => {
    const place = placeOf(context.cwd, context.filename)
    if (place === undefined) return {}
    if (!rooms.has(place.package)) throw new Error(`packages/${place.package} has no floors.json`)
    const check = (source: Node<"ImportExpression">["source"] | null) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return
      const message = complaint(source.value, place)
      if (message !== undefined) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source)
    }
  }
}
