/** The files of a repository, and folders for what scripts and their tests lay out. */
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** The paths of the files that match, from the root and in order, without those that are installed. */
export const found = (root: string, patterns: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  Fs.globSync(patterns, { cwd: root, exclude: ["**/node_modules"] }).map((path) => path.replaceAll("\\", "/"))
    .toSorted()

export const text = (...path: ReadonlyArray<string>): string => Fs.readFileSync(join(...path), "utf8")

/** The line of a text, counted from 1, that a place in it is on. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

export const json = (...path: ReadonlyArray<string>) => JSON.parse(text(...path))

/** A folder that `using` removes at the end of its block. */
export const temporaryFolder = () => Fs.mkdtempDisposableSync(join(tmpdir(), "marketdata-"))

/** Writes files below a folder, by their paths in it. */
export const writeAll = (folder: string, files: Iterable<readonly [path: string, text: string]>): void => {
  for (const [path, text] of files) {
    Fs.mkdirSync(dirname(join(folder, path)), { recursive: true })
    Fs.writeFileSync(join(folder, path), text)
  }
}

/** Lays out a repository in a temporary folder, with the tools and dependencies of this one, and passes on its path. */
export const withFiles = async <A>(files: Readonly<Record<string, string>>, use: (root: string) => Promise<A>) => {
  using folder = temporaryFolder()
  const root = Fs.realpathSync(folder.path)
  writeAll(root, Object.entries({ "package.json": `{ "type": "module" }`, ...files }))
  Fs.symlinkSync(join(import.meta.dirname, "../../node_modules"), join(root, "node_modules"), "junction")
  return await use(root)
}
