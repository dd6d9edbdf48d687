/** The setting of a bench: the Nodes it runs on, versions, the machine. */
import { execFileSync, spawnSync } from "node:child_process"
import { cpus } from "node:os"
import { join } from "node:path"
import * as Apart from "../shared/apart.ts"
import * as Command from "../shared/command.ts"
import * as Files from "../shared/files.ts"
import * as NodeFiles from "../shared/nodeFiles.ts"
import { root } from "../shared/script.ts"

const here = import.meta.dirname

/** Installs the libraries of the baselines, and type-checks the workers, which `npm run check` leaves out. That builds the packages too. */
export const prepare = async (): Promise<void> => {
  Apart.install(here)
  Apart.run(root, join(root, "node_modules", ".bin", "tsc"), "-b", root, here)
  await NodeFiles.writeAll(root)
}

/** The version of a Node by its path, such as "24.21.0", or of bun, such as "bun 1.4.5". */
export const nodeVersion = (node: string): string => {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim()
  return version.startsWith("v") ? version.slice(1) : `bun ${version}`
}

/** The Nodes to measure with: the one that runs this, and the machine's own where that is version 20. */
export const nodes = (): ReadonlyArray<string> => {
  const machine = Command.machineNode()
  if (machine !== undefined && nodeVersion(machine).startsWith("20.")) return [process.execPath, machine]
  console.error("bench: no Node 20 on the PATH")
  return [process.execPath]
}

/** Says where and with what is measured; the commit has a plus where the sources have changed since. */
export const describe = (runs: number) => {
  const git = spawnSync("git", ["describe", "--always", "--abbrev=7", "--dirty=+"], { cwd: root, encoding: "utf8" })
  const model = cpus()[0]?.model.trim() ?? "an unknown processor"
  const { effect } = Files.json(root, "package.json").devDependencies
  const versions: Readonly<Record<string, string>> = { effect, ...Files.json(here, "package.json").dependencies }
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: git.status === 0 ? git.stdout.trim() : "unknown",
    machine: `${cpus().length} × ${model}, ${process.platform} ${process.arch}`,
    versions,
    runs
  }
}

export type Setting = ReturnType<typeof describe>
