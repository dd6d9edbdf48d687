/** The packages of the repository, and what each of them lets others import. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Package {
  /** Its folder under packages/. */
  readonly folder: string
  readonly directory: string
  readonly manifest: Manifest
}

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, unknown>>
  readonly bin?: Readonly<Record<string, string>>
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Reads every package under packages/, in the order of their names. */
export const packages = (root: string): ReadonlyArray<Package> =>
  globSync("packages/*/package.json", { cwd: root }).toSorted().map((path) => {
    const directory = join(root, path, "..")
    return {
      folder: path.split(/[\\/]/)[1] ?? "",
      directory,
      manifest: JSON.parse(readFileSync(join(root, path), "utf8"))
    }
  })

/** The version of a package that the repository at `root` has installed. */
export const installedVersion = (root: string, name: string): string =>
  JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version

/** A module of a package by the name it would be imported with, and whether that import must work or must fail. */
export interface Entry {
  readonly specifier: string
  readonly isPublic: boolean
}

/**
 * Returns an entry for every module of a package. Those whose names begin with a capital are open: in a package of folders by that name alone, where
 * its manifest lists them, and else by their path. The others are closed.
 */
export const entries = ({ directory, manifest }: Package): ReadonlyArray<Entry> => {
  const isFlat = manifest.exports?.["./*"] === undefined
  return globSync("**/*.ts", { cwd: join(directory, "src") }).toSorted().map((path) => {
    const name = path.replaceAll("\\", "/").replace(/\.ts$/, "")
    if (name === "index") return { specifier: manifest.name, isPublic: true }
    const module = name.split("/").at(-1) ?? name
    const isPublic = /^[A-Z]/.test(module)
    return { specifier: `${manifest.name}/${isPublic && isFlat ? module : name}`, isPublic }
  })
}

/** Returns the first `node` on the PATH that is the machine's own, not one installed in a node_modules. */
export const machineNode = (): string | undefined => {
  const windows = process.platform === "win32"
  return (process.env["PATH"] ?? "").split(windows ? ";" : ":")
    .filter((folder) => folder !== "" && !folder.includes("node_modules"))
    .map((folder) => join(folder, windows ? "node.exe" : "node"))
    .find((path) => existsSync(path))
}
