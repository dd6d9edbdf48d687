import { existsSync, globSync, mkdtempDisposableSync, readFileSync, rmSync, statSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import * as Program from "../../packages/cli/bundle.ts"
import * as Command from "../shared/command.ts"
import * as NodeFiles from "../shared/nodeFiles.ts"
import { ScriptError } from "../shared/script.ts"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"

/** Whether dist/ of a package holds a module that no longer exists; what is gathered in dist/node is always made anew. */
const isStale = ({ directory }: Workspace.Package): boolean =>
  globSync("**/*.js", { cwd: join(directory, "dist"), exclude: ["node/**"] })
    .some((path) => !existsSync(join(directory, "src", path.replace(/js$/, "ts"))))

/** Builds, from the ground up where it has to, and packs every package as a release would. */
const pack = async (root: string, folder: string) => {
  const packages = Workspace.packages(root)
  for (const { directory } of packages.filter(isStale)) {
    rmSync(join(directory, "dist"), { recursive: true, force: true })
  }
  const built = await Command.runInstalled(root, "tsc", ["-b", ...packages.map(({ directory }) => directory)])
  if (!built.ok) throw new ScriptError(`the build failed:\n${built.output.trimEnd()}`)
  await NodeFiles.writeAll(root)
  await Program.bundle(root)
  const args = ["pack", "--workspaces", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder]
  const packed = await Command.run("npm", args, { cwd: root })
  if (!packed.ok) throw new ScriptError(`npm pack failed:\n${packed.output.trimEnd()}`)
  return packages.map((pkg) => ({
    ...pkg,
    path: join(folder, `${pkg.manifest.name.replace("@", "").replace("/", "-")}-${pkg.manifest.version}.tgz`)
  }))
}

/** The entries of attw's report in which a resolver that we care for finds something wrong; the whole report where none is. */
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
  const entrypoints = Workspace.specifiers(pkg).map((specifier) => specifier.replace(manifest.name, "").slice(1) || ".")
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-emoji"]
  // A package that is only a program has no types to find.
  const attw = entrypoints.length === 0
    ? { ok: true, output: "" }
    : await Command.runInstalled(root, "attw", [path, ...options, "--include-entrypoints", ...entrypoints])
  return [
    ...messages.map((message) => `${manifest.name}: ${formatMessage(message, read, { color: false }) ?? message.code}`),
    ...attw.ok ? [] : [`${manifest.name}: attw finds its types wrong\n${wrongIn(attw.output)}`]
  ]
}

/** The packages that a built one imports and does not name: with no other beside it, it would not load. */
const unnamed = ({ directory, manifest }: Workspace.Package): ReadonlyArray<string> => {
  const { name } = manifest
  const named = new Set([name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })])
  const imported = globSync("dist/**/*.{js,d.ts}", { cwd: directory }).flatMap((path) => {
    const code = readFileSync(join(directory, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "")
    return Array.from(
      code.matchAll(/\b(?:from |import ?\(?)"(?!\.)((?:@[^/"]+\/)?[^/"]+)/g),
      ([, from = ""]) => from
    )
  })
  return [...new Set(imported)].filter((from) => !named.has(from) && !isBuiltin(from)).map((from) =>
    `${name} imports ${from} and does not name it`
  )
}

export const tarball: Rule = {
  why:
    "What users install is the tarball, not the repository. `npm run rehearse` installs them all, and runs what a user would.",
  run: async (root) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "marketdata-package-"))
    const tarballs = await pack(root, folder.path)
    const inspected = await Promise.all(tarballs.map(({ path, ...pkg }) => inspect(root, path, pkg)))
    return {
      problems: [...inspected.flat(), ...tarballs.filter(Workspace.isLibrary).flatMap(unnamed)],
      notes: tarballs.map(({ manifest, path }) => `${manifest.name} ${Math.ceil(statSync(path).size / 1000)} kB packed`)
    }
  }
}
