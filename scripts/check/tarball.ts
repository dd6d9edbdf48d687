import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import * as Command from "../shared/command.ts"
import { ScriptError } from "../shared/script.ts"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"
import { temporaryFolder } from "../shared/files.ts"

/** Runs a step, which has to succeed. */
const step = async (root: string, command: string, ...args: ReadonlyArray<string>): Promise<void> => {
  const { ok, output } = await Command.run(command, args, { cwd: root })
  if (!ok) throw new ScriptError(`\`${command} ${args.join(" ")}\` failed:\n${output.trimEnd()}`)
}

/** The problems in attw's report that concern resolvers which we support; the whole report if there are none. */
const wrongIn = (report: string): string => {
  const wrong = report.split(/^\*+$/m).filter((entry) => /^(?:node16 \(from ESM\)|bundler): (?!OK)/m.test(entry))
  return (wrong.length > 0 ? wrong.join("") : report).trim()
}

/** Has publint and attw read a tarball: its manifest against its files, and its types as each resolver finds them. */
const inspect = async (root: string, path: string, pkg: Workspace.Package): Promise<ReadonlyArray<string>> => {
  const { manifest } = pkg
  const file = readFileSync(path)
  const tarball = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
  const { messages, pkg: read } = await publint({ pack: { tarball }, level: "warning" })
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-emoji", "--exclude-entrypoints", "package.json"]
  // A package that is only a program has no types to find.
  const attw = Workspace.isLibrary(pkg)
    ? await Command.runInstalled(root, "attw", [path, ...options])
    : { ok: true, output: "" }
  return [
    ...messages.map((message) => `${manifest.name}: ${formatMessage(message, read, { color: false }) ?? message.code}`),
    ...attw.ok ? [] : [`${manifest.name}: attw finds its types wrong\n${wrongIn(attw.output)}`]
  ]
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
