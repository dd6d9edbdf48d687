/** A repository for one test: files as given, and the tools and dependencies of this one. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { root as here } from "./script.ts"

/** Lays files out below a folder. */
export const write = (root: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** Lays the files out below a temporary folder, and returns its path. */
export const make = (files: Readonly<Record<string, string>>): string => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "marketdata-")))
  write(root, { "package.json": `{ "type": "module" }`, ...files })
  symlinkSync(join(here, "node_modules"), join(root, "node_modules"), "junction")
  return root
}

export const remove = (root: string): void => rmSync(root, { recursive: true, force: true })

/** Makes one, hands its path to `use`, and removes it whatever comes of it. */
export const withFiles = async <A>(
  files: Readonly<Record<string, string>>,
  use: (root: string) => Promise<A>
): Promise<A> => {
  const root = make(files)
  return use(root).finally(() => remove(root))
}
