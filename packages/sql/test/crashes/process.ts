import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** A program that runs. */
export type Running = ReturnType<typeof start>

/**
 * Starts a program with a task, which it finds as JSON behind its name. `ready` is done once it has said a line, or has ended; `ended` once all that it
 * said was heard; `errors` is what it wrote as errors.
 */
export const start = (file: string, task: object, heard: (line: string) => void) => {
  const flags = ["--conditions=@effect-marketdata/source", "--disable-warning=ExperimentalWarning"]
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(task)], { stdio: ["pipe", "pipe", "pipe"] })
  let errors = ""
  child.stderr.setEncoding("utf8").on("data", (text) => errors += text).pipe(process.stderr, { end: false })
  const lines = createInterface({ input: child.stdout }).on("line", heard)
  const ended = Promise.all([once(child, "exit"), once(lines, "close"), once(child.stderr, "close")])
  return { child, ended, errors: () => errors, ready: Promise.race([once(lines, "line"), ended]) }
}
