/** One text for the state of everything that decides how the tests end, so that an outdated report is known as such. */
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const inputs = [
  "packages/*/{src,test}/**",
  "packages/*/package.json",
  "docs/conformance/clauses.md",
  "package-lock.json",
  "vitest.workspace.ts"
]

/** Hashes the paths and contents of packages, their tests without the faults, the clauses, the locked dependencies and the test configuration. */
export const of = (root: string): string => {
  const hash = createHash("sha256")
  const files = globSync(inputs, { cwd: root, exclude: ["packages/*/test/faults/**"], withFileTypes: true }).filter((
    entry
  ) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted()) {
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0")
  }
  return hash.digest("hex")
}
