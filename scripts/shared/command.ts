/** Runs commands and installed tools. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

export interface Result {
  readonly ok: boolean
  readonly stdout: string
  /** Both streams, one after the other. */
  readonly output: string
}

interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The milliseconds after which the command is killed, and has failed. */
  readonly timeout?: number
}

const windows = process.platform === "win32"

/** Runs a command to its end; a command that cannot be started has failed and says why. */
export const run = (command: string, args: ReadonlyArray<string>, { cwd, env, timeout }: Options): Promise<Result> => {
  const all = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...env }
  const options = { cwd, env: all, maxBuffer: Infinity, shell: windows, timeout }
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const killed = error?.signal ? `${command} was ended by ${error.signal}\n` : ""
      const unstarted = typeof error?.code === "string" ? `${error.message}\n` : ""
      resolve({ ok: error === null, stdout, output: stdout + stderr + killed + unstarted })
    }).stdin?.end()
  })
}

/** Runs a tool that the repository at `root` has installed, with its Node before the machine's. */
export const runInstalled = (root: string, tool: string, args: ReadonlyArray<string>) => {
  const bin = join(root, "node_modules", ".bin")
  const PATH = `${bin}${delimiter}${process.env["PATH"] ?? ""}`
  return run(join(bin, tool), args, { cwd: root, env: { PATH } })
}

/** Returns the messages of a compiler's output: each may go on over indented lines. */
export const messages = (text: string): ReadonlyArray<string> =>
  text.split(/\n(?=\S)/).map((message) => message.trimEnd()).filter((message) => message !== "")

/** Returns the lines of a command's output that are not blank. */
export const lines = (text: string): ReadonlyArray<string> =>
  text.split("\n").map((line) => line.trimEnd()).filter((line) => line !== "")

/** Returns the first `node` on the PATH that is the machine's own, not one installed in a node_modules. */
export const machineNode = (): string | undefined =>
  (process.env["PATH"] ?? "").split(delimiter)
    .filter((folder) => folder !== "" && !folder.includes("node_modules"))
    .map((folder) => join(folder, windows ? "node.exe" : "node"))
    .find((path) => existsSync(path))
