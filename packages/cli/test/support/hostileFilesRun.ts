/**
 * Plays hostile files in a process of its own for some milliseconds, and prints what came of it: each command is a process, which is ended by SIGTERM where it
 * does not end. Its arguments: seed, milliseconds, the program.
 */
import { spawn } from "node:child_process"
import { writeSync } from "node:fs"
import { drawnFor } from "../../../client/test/support/hostileKinds.ts"
import { hostile, play, type Run } from "./hostileFiles.ts"

const [seed = "0", milliseconds = "0", program = ""] = process.argv.slice(2)

/** How long a command may take, and how long to end after SIGTERM, in milliseconds. */
const [patience, mostAfterSignal] = [60_000, 10_000]

/** Starts the program with nothing of this one's variables. */
const start = (words: ReadonlyArray<string>, variables: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [program, ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...variables }
  })

const run: Run = (words, variables) =>
  new Promise((resolve) => {
    const child = start(words, variables)
    let [out, errors] = ["", ""]
    let isSlow = false
    child.stdout.on("data", (text) => out += text)
    child.stderr.on("data", (text) => errors += text)
    const timers = [
      setTimeout(() => {
        isSlow = true
        child.kill("SIGTERM")
      }, patience),
      setTimeout(() => child.kill("SIGKILL"), patience + mostAfterSignal)
    ]
    child.on("close", (code) => {
      timers.forEach(clearTimeout)
      resolve({ code: isSlow || code === null ? undefined : code, out, errors })
    })
  })

const sandbox = start(["sandbox", "--port", "0", "--json"], { MARKETDATA_HOME: "/proc/nowhere" })
const baseUrl = await new Promise<string>((resolve) =>
  sandbox.stdout.once("data", (text) => resolve(JSON.parse(String(text)).baseUrl))
)
const came = await play(drawnFor(hostile, Number(seed), Number(milliseconds)), run, baseUrl)
sandbox.kill("SIGKILL")
writeSync(1, JSON.stringify(came))
