/** A repository for one test: files as given, and the tools and dependencies of this one. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root as here } from "./script.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

/** Lays the files out below a temporary folder, hands its path to `use`, and removes it whatever comes of it. */
export const withFiles = async <A>(files: Readonly<Record<string, string>>, use: (root: string) => Promise<A>) => {
  using folder = temporaryFolder()
  const root = realpathSync(folder.path)
  for (const [path, text] of Object.entries({ "package.json": `{ "type": "module" }`, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  symlinkSync(join(here, "node_modules"), join(root, "node_modules"), "junction")
  return await use(root)
}
