/** A repository for one test: files as given, and the tools and dependencies of this one. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
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

/** Lays the files out below a temporary folder, hands its path to `use`, and removes it whatever comes of it. */
export const withFiles = async <A>(
  files: Readonly<Record<string, string>>,
  use: (root: string) => Promise<A>
): Promise<A> => {
  const root = mkdtempSync(join(tmpdir(), "marketdata-check-"))
  try {
    write(root, { "package.json": `{ "type": "module" }`, ...files })
    symlinkSync(join(here, "node_modules"), join(root, "node_modules"), "junction")
    return await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
