/** The files of a repository: which there are, and what those of JSON say. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The paths of the files that match, from the root and in order. */
export const found = (root: string, patterns: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync(patterns, { cwd: root }).map((path) => path.replaceAll("\\", "/")).toSorted()

export const json = (...path: ReadonlyArray<string>) => JSON.parse(readFileSync(join(...path), "utf8"))
