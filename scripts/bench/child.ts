/** A bench measures in processes of their own: how one is started, and what it says. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"

/** Makes Node read the packages from their sources. */
export const fromSource = "--conditions=@effect-marketdata/source"

/** Starts `worker.ts` of a bench's folder. */
export const start = (
  bench: string,
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = [fromSource]
): ChildProcess =>
  spawn(process.execPath, [...flags, join(import.meta.dirname, bench, "worker.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"]
  })

/** The first line that a process prints. */
export const answerOf = async <A>(child: ChildProcess): Promise<A> => {
  if (child.stdout === null) throw new Error("the process has no output")
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line)
  throw new Error("the process of the bench ended without a figure")
}
