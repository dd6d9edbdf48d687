/** The process that asks: with a small heap, under any Node, and started again when it dies. */
import { build } from "esbuild"
import { type ChildProcess, execFileSync, fork } from "node:child_process"
import { join } from "node:path"
import type { Round, Task } from "./child.ts"

/** Runs tasks one after the other. */
export interface Process {
  /** The version of Node, and that of undici in it. */
  readonly node: string
  readonly undici: string
  /** Does a task; fails where the process dies, and starts another one. */
  readonly work: (task: Task) => Promise<Round>
  /** Ends it. */
  readonly end: () => Promise<void>
}

/** Starts a process of a Node with a heap of so many megabytes. Older ones read no types: what it runs is bundled. */
export const start = async (root: string, node: string, heapMegabytes: number): Promise<Process> => {
  const program = join(root, "node_modules/.cache/hostile/child.mjs")
  await build({
    entryPoints: [join(root, "scripts/hostile/child.ts")],
    absWorkingDir: root,
    bundle: true,
    conditions: ["@effect-marketdata/source"],
    external: ["effect", "effect/*", "@effect/*"],
    format: "esm",
    logLevel: "silent",
    outfile: program,
    platform: "node"
  })
  const fresh = (): ChildProcess =>
    fork(program, {
      execPath: node,
      execArgv: ["--expose-gc", `--max-old-space-size=${heapMegabytes}`],
      stdio: "inherit"
    })
  const [version = "", undici = ""] = execFileSync(
    node,
    ["-p", "[process.version, process.versions.undici].join(' ')"],
    {
      encoding: "utf8"
    }
  ).trim().split(" ")
  let child = fresh()
  return {
    node: version,
    undici,
    work: (task) =>
      new Promise((resolve, reject) => {
        const died = (code: number | null, signal: string | null) => {
          child = fresh()
          reject(new Error(`the process died: ${signal ?? `exit code ${code}`}`))
        }
        child.once("exit", died)
        child.once("message", (round: Round) => {
          child.off("exit", died)
          resolve(round)
        })
        child.send(task)
      }),
    end: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve())
        // A socket that was left would keep it for ever.
        child.kill()
      })
  }
}
