/** The packages of the repository, and what each of them lets others import. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Package {
  readonly directory: string
  readonly manifest: {
    readonly name: string
    readonly version: string
    readonly bin?: Readonly<Record<string, string>>
    readonly exports?: Readonly<Record<string, unknown>>
    readonly engines?: { readonly node?: string }
  }
}

/** Reads every package under packages/, in the order of their names. */
export const packages = (root: string): ReadonlyArray<Package> =>
  globSync("packages/*/package.json", { cwd: root }).toSorted().map((path) => ({
    directory: join(root, path, ".."),
    manifest: JSON.parse(readFileSync(join(root, path), "utf8"))
  }))

/** The version of a package that the repository at `root` has installed. */
export const installedVersion = (root: string, name: string): string =>
  JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version

/** Whether others import the package; one that is only a program hands out no module. */
export const isLibrary = ({ manifest }: Package): boolean => manifest.exports?.["."] !== undefined

/** A module of a package by the name it would be imported with, and whether that import must work or must fail. */
export interface Entry {
  readonly specifier: string
  readonly isPublic: boolean
}

/**
 * Returns an entry for every module of a package. Those of a library whose names begin with a capital are open, by that name alone; the others are
 * closed.
 */
export const entries = (pkg: Package): ReadonlyArray<Entry> => {
  const { directory, manifest } = pkg
  return globSync("**/*.ts", { cwd: join(directory, "src") }).toSorted().map((path) => {
    const name = path.replaceAll("\\", "/").replace(/\.ts$/, "")
    if (name === "index") return { specifier: manifest.name, isPublic: true }
    const module = name.split("/").at(-1) ?? name
    const isPublic = isLibrary(pkg) && /^[A-Z]/.test(module)
    return { specifier: `${manifest.name}/${isPublic ? module : name}`, isPublic }
  })
}

/** The ways around a package's exports, which must all fail: its closed modules by their paths. */
export const paths = (pkg: Package): ReadonlyArray<Entry> =>
  entries(pkg).filter(({ isPublic }) => !isPublic).map(({ specifier }) => ({
    specifier: `${specifier.replace(pkg.manifest.name, `${pkg.manifest.name}/dist`)}.js`,
    isPublic: false
  }))
