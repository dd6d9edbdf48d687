/** What the lockfiles of the repository say of its dependencies. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Command from "./command.ts"

/** A package of a lockfile, as npm writes it. */
export interface Entry {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  /** A package of this repository. */
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** A lockfile: its packages by the folder they are installed in, below that of the lockfile. */
export interface Lockfile {
  /** From the root of the repository. */
  readonly path: string
  readonly packages: Readonly<Record<string, Entry>>
  /** Whether a package may run its programs when it is installed, by the package.json beside the lockfile. */
  readonly allowScripts: Readonly<Record<string, boolean>>
}

/** Reads a lockfile and the package.json beside it. */
export const parse = (path: string, text: string, manifest = "{}"): Lockfile => ({
  path,
  packages: JSON.parse(text).packages,
  allowScripts: JSON.parse(manifest).allowScripts ?? {}
})

/** Reads every lockfile of the repository at `root`, also those that are not committed yet. */
export const lockfiles = async (root: string): Promise<ReadonlyArray<Lockfile>> => {
  const names = ["package-lock.json", "**/package-lock.json"]
  const { ok, output, stdout } = await Command.run(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...names],
    { cwd: root }
  )
  if (!ok) throw new Error(`git cannot list the lockfiles: ${output}`)
  const read = (path: string) => readFileSync(join(root, path), "utf8")
  return [...new Set(Command.lines(stdout))].toSorted().map((path) =>
    parse(path, read(path), read(join(dirname(path), "package.json")))
  )
}

/** True for a package that comes from outside, and not from this repository. */
export const isForeign = (folder: string, { link }: Entry): boolean => folder.includes("node_modules/") && link !== true

/** The packages of a lockfile that come from outside. */
export const foreign = ({ packages }: Lockfile): ReadonlyArray<readonly [folder: string, entry: Entry]> =>
  Object.entries(packages).filter(([folder, entry]) => isForeign(folder, entry))

/** The name of the package in a folder: `node_modules/a/node_modules/@b/c` holds `@b/c`. */
export const nameOf = (folder: string): string => folder.replace(/^.*node_modules\//, "")

/** The folder in which a package finds another by its name, as Node looks for it: below itself, then below each folder above. */
export const find = ({ packages }: Lockfile, from: string, name: string): string | undefined => {
  for (let at = from;; at = dirname(at)) {
    const folder = at === "." || at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (folder in packages) return folder
    if (at === "." || at === "") return undefined
  }
}

/** What npm installs together with a package, but for its peers: by name, the versions that will do. */
export const neededBy = ({ dependencies, optionalDependencies }: Entry): Readonly<Record<string, string>> => ({
  ...dependencies,
  ...optionalDependencies
})

const peersOf = ({ peerDependencies = {}, peerDependenciesMeta = {} }: Entry): ReadonlyArray<string> =>
  Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)

/** The folders of everything that comes along with these packages, their peers included. */
export const closure = (lockfile: Lockfile, from: ReadonlyArray<string>): ReadonlySet<string> => {
  const seen = new Set<string>()
  const left = [...from]
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    if (seen.has(folder)) continue
    seen.add(folder)
    const { link, resolved, ...entry } = lockfile.packages[folder]!
    if (link === true) left.push(resolved!)
    for (const name of [...Object.keys(neededBy(entry)), ...peersOf(entry)]) {
      const found = find(lockfile, folder, name)
      if (found !== undefined) left.push(found)
    }
  }
  return seen
}
