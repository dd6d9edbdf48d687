/** What is kept between runs, as JSON in a folder that git ignores. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Reads a file below `root`; undefined where there is none. */
export const read = <A>(root: string, path: string): A | undefined =>
  existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), "utf8")) : undefined

export const write = (root: string, path: string, value: object): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(value, undefined, 2) + "\n")
}
