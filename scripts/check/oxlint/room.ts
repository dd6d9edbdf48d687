/** The rooms of the house: what each package may import, and which file stands in which of them. */
import { globSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"

/**
 * The folders of a package, the lowest first, each with what stands there, as its `floors.json` has them: a module imports from its own floor and from
 * those below. `index.ts` imports from all. What stands above `commands` in the command line is loaded when a command runs, and nothing else imports
 * it: so the program starts without it.
 */
export type Floors = Readonly<Record<string, string>>

export interface Room {
  /** The packages it may import: those that its manifest depends on. */
  readonly imports: ReadonlyArray<string>
  /** Whether it keeps to what Effect promises not to break in a minor release. */
  readonly stable: boolean
  /** Whether others build on its modules: each then shows how. */
  readonly library: boolean
  readonly floors: Floors
}

const packages = join(import.meta.dirname, "../../../packages")

const readJson = (...path: ReadonlyArray<string>) => JSON.parse(readFileSync(join(packages, ...path), "utf8"))

const roomOf = (name: string): Room => {
  const { dependencies = {}, devDependencies, exports } = readJson(name, "package.json")
  const library = "." in exports
  // A program is bundled with what it depends on.
  const imports = Object.keys(library ? dependencies : devDependencies)
    .flatMap((other) => /^@effect-marketdata\/(.*)/.exec(other)?.[1] ?? [])
  return { imports, stable: name === "core", library, floors: readJson(name, "floors.json") }
}

/** Each package after those that it imports. */
export const rooms: ReadonlyMap<string, Room> = new Map(
  globSync("*/floors.json", { cwd: packages }).map((path) => path.split(sep)[0]!)
    .map((name) => [name, roomOf(name)] as const)
    .toSorted(([a, { imports: ofA }], [b, { imports: ofB }]) => ofA.length - ofB.length || (a < b ? -1 : 1))
)

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
