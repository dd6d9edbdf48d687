/** Keeps the arrows between packages as they were drawn: see `rooms`. */
import { isBuiltin } from "node:module"
import { dirname, resolve } from "node:path"
import { isStableModule } from "./stableEffect.ts"
import type { Context, LintRule, Node } from "./lintRule.ts"
import { type Place, placeOf, type Room, rooms } from "./room.ts"

const scope = "@effect-marketdata/"

/** Whole parts of Effect in one module: `effect`, `effect/http`, `@effect/platform-node`. */
const isBarrel = (specifier: string): boolean =>
  /^(?:effect(?:\/[a-z][a-z-]*)?|@effect\/platform-[a-z-]+)$/.test(specifier)

const complaintAboutOurs = (specifier: string, from: Place, room: Room | undefined): string | undefined => {
  const [name = "", ...path] = specifier.slice(scope.length).split("/")
  if (name === from.package && from.folder === "src") return `${name} imports its own modules by relative path`
  if (path.length === 0) return `import a module of ${name}, such as ${specifier}/Module, not everything at once`
  if (path.includes("internal")) return `${specifier} is internal to ${name}: use what ${name} exports`
  if (room !== undefined && !room.imports.includes(name)) {
    return room.imports.length === 0
      ? `${from.package} imports no other package of this repository`
      : `${from.package} may import ${room.imports.join(", ")}, not ${name}`
  }
  return undefined
}

const complaintAboutOthers = (specifier: string, from: Place, room: Room): string | undefined => {
  if (isBuiltin(specifier)) {
    return room.node ? undefined : `${from.package} runs without Node: it cannot import ${specifier}`
  }
  if (isBarrel(specifier)) {
    return `import a module, such as ${specifier}/Module: the whole of ${specifier} is slow to load`
  }
  if (room.stable) {
    if (!specifier.startsWith("effect/")) return `${from.package} depends on effect alone, not on ${specifier}`
    if (!isStableModule(specifier)) {
      return `${from.package} uses stable modules of Effect only, and ${specifier} may change in a minor release`
    }
  }
  return undefined
}

/** Says what is wrong with an import of `specifier` in a file of a package, or undefined when nothing is. */
const complaint = (root: string, file: string, specifier: string): string | undefined => {
  const from = placeOf(root, file)
  if (from === undefined) return undefined
  if (specifier.startsWith(".")) {
    const to = placeOf(root, resolve(dirname(file), specifier))
    return to?.package === from.package ? undefined : `import another package by its name, not by the path ${specifier}`
  }
  // Tests may look into every package, and use whole tools.
  const room = from.folder === "src" ? rooms.get(from.package) : undefined
  if (room === undefined && from.folder === "src") return `scripts/check/oxlint/room.ts does not know ${from.package}`
  if (specifier.startsWith(scope)) return complaintAboutOurs(specifier, from, room)
  return room === undefined ? undefined : complaintAboutOthers(specifier, from, room)
}

export const importDirection: LintRule = {
  create: (context: Context) => {
    const check = (source: Node<"ImportDeclaration">["source"] | null) => {
      if (source === null) return
      const message = complaint(context.cwd, context.filename, source.value)
      if (message !== undefined) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
      ImportExpression: ({ source }) => {
        if (source.type === "Literal" && typeof source.value === "string") check(source)
      }
    }
  }
}
