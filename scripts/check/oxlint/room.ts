/** The rooms of the house: what each package may import, and which file stands in which of them. */
import { relative, sep } from "node:path"

export interface Room {
  /** The packages it may import. */
  readonly imports: ReadonlyArray<string>
  /** Whether it may use Node: otherwise it runs in a browser too. */
  readonly node: boolean
  /** Whether it keeps to what Effect promises not to break in a minor release. */
  readonly stable: boolean
  /** Whether others build on its modules: each then shows how. */
  readonly library: boolean
}

export const rooms: ReadonlyMap<string, Room> = new Map([
  ["core", { imports: [], node: false, stable: true, library: true }],
  ["client", { imports: ["core"], node: false, stable: false, library: true }],
  ["sandbox", { imports: ["core"], node: true, stable: false, library: true }],
  ["testing", { imports: ["core", "client", "sandbox"], node: false, stable: false, library: true }],
  ["cli", { imports: ["core", "client", "sandbox", "testing"], node: true, stable: false, library: false }]
])

/** A file of a package: `core`, `src`, `columns/Column.ts`. */
export interface Place {
  readonly package: string
  readonly folder: string
  readonly path: string
}

/** Returns where under packages/ a file stands, or undefined when it stands elsewhere. */
export const placeOf = (root: string, file: string): Place | undefined => {
  const [top, name, folder, ...path] = relative(root, file).split(sep)
  return top === "packages" && name !== undefined && folder !== undefined
    ? { package: name, folder, path: path.join("/") }
    : undefined
}

/** True for a module that other packages can import: its name begins with a capital, and that of a module for its package alone does not. */
export const isPublicModule = ({ folder, path }: Place): boolean =>
  folder === "src" && /^[A-Z][^/]*\.ts$/.test(path.split("/").at(-1) ?? "")
