/** Installs the dependencies that only one script needs, in the folder of that script, from its own lockfile. */
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { ScriptError } from "./script.ts"

/** Runs a step in a folder; its output goes to standard error, because ours may be JSON. */
export const run = (folder: string, command: string, ...args: ReadonlyArray<string>): void => {
  // npm chooses native packages for the Node that runs it.
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) }
  const shell = process.platform === "win32"
  const { error, status } = spawnSync(command, args, { cwd: folder, env, shell, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new ScriptError(`\`${command} ${args.join(" ")}\` failed${error ? `: ${error.message}` : ""}`)
}

/** Installs from the lockfile in a folder, unless that was done since the lockfile last changed. */
export const install = (folder: string): void => {
  const installed = join(folder, "node_modules", ".package-lock.json")
  const isInstalled = existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(folder, "package-lock.json")).mtimeMs
  if (isInstalled) return
  console.error(`installing what ${folder} names (once)`)
  run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
}
