/** The packages of the repository, and what each of them lets others import. */
import { basename, dirname, join } from "node:path"
import * as Files from "../shared/files.ts"

type Dependencies = "dependencies" | "devDependencies" | "optionalDependencies" | "peerDependencies"

interface Manifest extends Readonly<Partial<Record<Dependencies, Readonly<Record<string, string>>>>> {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, unknown>>
  readonly engines?: { readonly node?: string }
}

export interface Package {
  readonly directory: string
  readonly manifest: Manifest
}

/** Reads every package under packages/, in the order of their names. */
export const packages = (root: string): ReadonlyArray<Package> =>
  Files.found(root, "packages/*/package.json").map((path) => ({
    directory: join(root, dirname(path)),
    manifest: Files.json(root, path)
  }))

/** The address of the repository on the web, as its manifest says. */
export const address = (root: string): string =>
  Files.json(root, "package.json").repository.url.replace(/^git\+|\.git$/g, "")

/** The version of a package that the repository at `root` has installed. */
export const installedVersion = (root: string, name: string): string =>
  Files.json(root, "node_modules", name, "package.json").version

/** Whether others import the package; one that is only a program hands out no module. */
export const isLibrary = ({ manifest }: Package): boolean => manifest.exports?.["."] !== undefined

/** The public modules of a package, by name, with their paths below src/. */
export const modules = ({ directory }: Package): ReadonlyArray<readonly [name: string, path: string]> =>
  Files.found(join(directory, "src"), "**/[A-Z]*.ts")
    .map((path) => [basename(path, ".ts"), path.replace(/\.ts$/, "")] as const)
    .toSorted(([a], [b]) => a < b ? -1 : 1)

/** The names by which the modules of a package are imported: what its manifest lists, which is what lies in its folders (the rule `modules`). */
export const specifiers = ({ manifest }: Package): ReadonlyArray<string> =>
  Object.keys(manifest.exports ?? {}).filter((path) => path !== "./package.json").map((path) =>
    manifest.name + path.slice(1)
  )
