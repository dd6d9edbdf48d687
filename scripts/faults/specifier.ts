/** Which file a fault's module is. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"

const condition = "@effect-marketdata/source"

type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** The source behind a public specifier, such as `@effect-marketdata/core/Reply`. */
const ofPackage = (root: string, name: string, subpath: string): string | undefined => {
  const folder = `packages/${name}`
  const manifest = join(root, folder, "package.json")
  if (!existsSync(manifest)) return undefined
  const { exports }: { readonly exports: Exports } = JSON.parse(readFileSync(manifest, "utf8"))
  const own = exports[`./${subpath}`]
  return typeof own !== "object" || own[condition] === undefined ? undefined : posix.join(folder, own[condition])
}

/**
 * The file, from the root, that `() => import("…")` in the file `from` would load; undefined where none can be told. The test runner
 * rewrites such an import to the whole path.
 */
export const fileOf = (root: string, from: string, module: () => Promise<unknown>): string | undefined => {
  const specifier = /\(\s*["'`]([^"'`]+)["'`]\s*\)\s*$/.exec(String(module))?.[1]?.replace(/^\/@fs/, "")
  if (specifier === undefined) return undefined
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier)
  if (specifier.startsWith(root)) return specifier.slice(root.length).replace(/^\//, "")
  const [, name, subpath] = /^@effect-marketdata\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return name === undefined || subpath === undefined ? undefined : ofPackage(root, name, subpath)
}

/** The specifier by which one file of the repository imports another. */
export const between = (from: string, to: string): string => {
  const path = posix.relative(dirname(from), to)
  return path.startsWith(".") ? path : `./${path}`
}
