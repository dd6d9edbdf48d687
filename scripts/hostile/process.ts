/** The process that asks: with a small heap, under any Node, and started again when it dies. */
import { type ChildProcess, execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import * as Child from "../shared/child.ts"
import { bundle } from "../shared/bundle.ts"
import { root } from "../shared/script.ts"
import type { Round, Task } from "../../packages/client/test/support/hostileCalls.ts"

/** Starts a process of a Node with a bounded heap. Its program is bundled, because older versions cannot run TypeScript. */
export const start = async (node: string, heapMegabytes: number) => {
  const folder = join(root, "node_modules/.cache/hostile")
  const calls = join(root, "packages/client/test/support/hostileCalls.ts")
  const program = await bundle(calls, folder, ["effect", "effect/*", "@effect/*"])
  const execArgv = ["--expose-gc", `--max-old-space-size=${heapMegabytes}`]
  const fresh = (): ChildProcess => fork(program, { execPath: node, execArgv, stdio: "inherit" })
  const versions = execFileSync(node, ["-p", "process.version + ' ' + process.versions.undici"], { encoding: "utf8" })
  const [version = "", undici = ""] = versions.trim().split(" ")
  let child = fresh()
  return {
    /** The version of Node, and that of undici in it. */
    node: version,
    undici,
    /** Does a task; fails where the process dies, and starts another one. */
    work: (task: Task): Promise<Round> =>
      Child.ask<Round>(child, { ...task }).catch((error: unknown) => {
        child = fresh()
        throw error
      }),
    end: async (): Promise<void> => {
      // A socket that was left open would keep it running.
      child.kill()
      await once(child, "exit")
    }
  }
}
