/** What a bench needs around it, and what it says about that: Nodes, versions, the machine. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { cpus } from "node:os"
import { dirname, join } from "node:path"
import * as Command from "../shared/command.ts"
import type { Setting } from "./report.ts"

const here = import.meta.dirname
const root = dirname(dirname(here))

/** Installs what we compare with, where it is not. */
export const install = (): void => {
  if (existsSync(join(here, "node_modules", ".package-lock.json"))) return
  console.error("bench: installing what to compare with (once)")
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    shell: process.platform === "win32",
    stdio: ["ignore", 2, 2]
  })
  if (status !== 0) throw new Error("`npm ci` failed in scripts/bench")
}

/** Checks what is measured in, which the repository's own check leaves out: it needs what is installed apart. */
export const checkTypes = (): void => {
  const { status } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-b", here], {
    shell: process.platform === "win32",
    stdio: ["ignore", 2, 2]
  })
  if (status !== 0) throw new Error("scripts/bench does not compile")
}

/** The version of a Node by its path, without the v. */
export const nodeVersion = (node: string): string => {
  const { error, status, stdout } = spawnSync(node, ["--version"], { encoding: "utf8" })
  if (status !== 0) throw new Error(`${node} is no Node: ${error?.message ?? "it knows no version"}`)
  return stdout.trim().slice(1)
}

/** The Nodes to measure with: the one that runs this, and the one that was named or a version 20 that the machine has. */
export const nodes = (named: string | undefined): ReadonlyArray<string> => {
  const machine = Command.machineNode()
  const other = named ?? (machine !== undefined && nodeVersion(machine).startsWith("20.") ? machine : undefined)
  if (other === undefined) console.error("bench: no Node 20 on the PATH; --node20 names one")
  return other === undefined ? [process.execPath] : [process.execPath, other]
}

const versionIn = (folder: string, name: string): string => {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")
  )
  return version
}

/** The commit of the sources, with a plus where they have changed since. */
const commit = (): string => {
  const { status, stdout } = spawnSync("git", ["describe", "--always", "--abbrev=7", "--dirty=+"], {
    cwd: root,
    encoding: "utf8"
  })
  return status === 0 ? stdout.trim() : "unknown"
}

/** Says where and with what is measured, and what is compared with that is installed apart. */
export const describe = (runs: number, apart: ReadonlyArray<string> = ["zod", "apache-arrow"]): Setting => {
  const processors = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: `${processors.length} × ${
      processors[0]?.model.trim() ?? "an unknown processor"
    }, ${process.platform} ${process.arch}`,
    versions: {
      effect: versionIn(root, "effect"),
      ...Object.fromEntries(apart.map((name) => [name, versionIn(here, name)]))
    },
    runs
  }
}
