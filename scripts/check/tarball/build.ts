/** Packs every package as a release would: from a clean build, because dist/ may hold modules that no longer exist. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import * as Command from "../command.ts"
import * as Workspace from "../workspace.ts"

/** Thrown where a step fails whose result every later one needs. */
export class StepFailed extends Error {
  constructor(step: string, output: string) {
    super(`${step} failed:\n${output.trimEnd()}`)
  }
}

const notPublished = new Set(["dist", "node_modules", "test"])

/** Copies what a build needs, and links the installed dependencies beside it, ours excepted: those are the copies. */
const layOut = (root: string, folder: string): void => {
  for (const file of ["package.json", "tsconfig.base.json"]) cpSync(join(root, file), join(folder, file))
  const modules = join(folder, "node_modules")
  mkdirSync(modules, { recursive: true })
  const ours = Workspace.packages(root)
  const scopes = new Set(ours.map(({ manifest }) => manifest.name.split("/")[0]))
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!scopes.has(name)) symlinkSync(join(root, "node_modules", name), join(modules, name), "junction")
  }
  for (const { directory, folder: name, manifest } of ours) {
    const copy = join(folder, "packages", name)
    cpSync(directory, copy, { recursive: true, filter: (path) => !notPublished.has(basename(path)) })
    if (existsSync(join(directory, "node_modules"))) {
      symlinkSync(join(directory, "node_modules"), join(copy, "node_modules"), "junction")
    }
    mkdirSync(join(modules, manifest.name, ".."), { recursive: true })
    symlinkSync(copy, join(modules, manifest.name), "junction")
  }
}

export interface Tarball {
  readonly package: Workspace.Package
  readonly path: string
}

/** Builds and packs every package below `folder`, and returns the tarballs. */
export const pack = async (root: string, folder: string): Promise<ReadonlyArray<Tarball>> => {
  const copy = join(folder, "build")
  layOut(root, copy)
  const packages = Workspace.packages(copy)
  const build = await Command.runInstalled(root, "tsc", ["-b", ...packages.map(({ directory }) => directory)], {
    cwd: copy
  })
  if (!build.ok) throw new StepFailed("a clean build", build.output)

  const tarballs = join(folder, "tarballs")
  mkdirSync(tarballs)
  const args = ["pack", "--workspaces", "--ignore-scripts", "--loglevel=error", "--pack-destination", tarballs]
  const packed = await Command.run("npm", args, { cwd: copy })
  if (!packed.ok) throw new StepFailed("npm pack", packed.output)
  return packages.map((pkg) => ({
    package: pkg,
    path: join(tarballs, `${pkg.manifest.name.replace("@", "").replace("/", "-")}-${pkg.manifest.version}.tgz`)
  }))
}
