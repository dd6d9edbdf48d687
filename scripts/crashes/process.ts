import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import * as Script from "../shared/script.ts"

/** A program that runs. `ready` is done once it has said a line, or has ended; `ended` once all that it said was heard. */
export interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<unknown>
  readonly ended: Promise<unknown>
}

/** Starts a program with a task, which it finds as JSON behind its name. */
export const start = (file: string, task: object, heard: (line: string) => void): Running => {
  const flags = [Script.fromSource, "--disable-warning=ExperimentalWarning"]
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(task)], { stdio: ["pipe", "pipe", "inherit"] })
  const lines = createInterface({ input: child.stdout }).on("line", heard)
  const ended = Promise.all([once(child, "exit"), once(lines, "close")])
  return { child, ended, ready: Promise.race([once(lines, "line"), ended]) }
}
