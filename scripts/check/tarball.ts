import { statSync } from "node:fs"
import { join } from "node:path"
import * as Command from "../shared/command.ts"
import { temporaryFolder } from "../shared/files.ts"
import { ScriptError } from "../shared/script.ts"
import type { Rule } from "./rule.ts"
import { complaints } from "./tools.ts"
import * as Workspace from "./workspace.ts"

/** Runs a step, which has to succeed. */
const step = async (root: string, command: string, ...args: ReadonlyArray<string>): Promise<void> => {
  const { ok, output } = await Command.run(command, args, { cwd: root })
  if (!ok) throw new ScriptError(`\`${command} ${args.join(" ")}\` failed:\n${output.trimEnd()}`)
}

/** Has publint and attw read a tarball: its manifest against its files, and its types as each resolver finds them. */
const inspect = async (root: string, path: string, pkg: Workspace.Package): Promise<ReadonlyArray<string>> => {
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-emoji", "--exclude-entrypoints", "package.json"]
  const found = [
    await complaints(root, "publint", "run", path, "--level", "warning", "--strict"),
    // A package that is only a program has no types to find.
    Workspace.isLibrary(pkg) ? await complaints(root, "attw", path, ...options) : ""
  ]
  return found.filter((text) => text !== "").map((text) => `${pkg.manifest.name}: ${text.trim()}`)
}

export const tarball: Rule = {
  why:
    "What users install is the tarball, not the repository. `npm run rehearse` installs them all, and runs what a user would.",
  run: async (root) => {
    using folder = temporaryFolder()
    await step(root, process.execPath, "scripts/setup.mjs", "build")
    await step(root, "npm", "pack", "--workspaces", "--ignore-scripts", "--pack-destination", folder.path)
    const packed = Workspace.packages(root).map((pkg) => {
      const { name, version } = pkg.manifest
      return { ...pkg, path: join(folder.path, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`) }
    })
    return {
      problems: (await Promise.all(packed.map(({ path, ...pkg }) => inspect(root, path, pkg)))).flat(),
      notes: packed.map(({ manifest, path }) => `${manifest.name} ${Math.ceil(statSync(path).size / 1000)} kB packed`)
    }
  }
}
