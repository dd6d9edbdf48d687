/** A siege: the sandbox as a process of its own, the attackers as a thread, and an honest program that asks meanwhile. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import type { Tally, Task } from "./attackers.ts"

/** How long an honest client waits for an answer before it counts as unanswered. */
const patience = 30_000

/** The port that the sandbox announces. It ends once its output is no longer read, so that is read to the end. */
const portOf = (sandbox: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    createInterface({ input: sandbox.stdout! }).on("line", (line) => {
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    sandbox.once("exit", () => reject(new Error("the sandbox did not start")))
  })

/** The megabytes that a process holds, as the system counts them. */
const megabytesOf = ({ pid }: ChildProcess): number => {
  const status = `/proc/${pid}/status`
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })
  return Math.round(Number(kilobytes) / 1024)
}

/**
 * The milliseconds that a process has been ready to run on its main thread while the system ran others, where the system counts them. They tell of the
 * machine, not of the process.
 */
const heldUpOf = ({ pid }: ChildProcess): number => {
  const counted = `/proc/${pid}/schedstat`
  return existsSync(counted) ? Number(readFileSync(counted, "utf8").split(" ")[1]) / 1e6 : 0
}

/** A whole reply over a connection of its own or over one that stays open; undefined if none came. */
const ask = async (port: number, agent: Http.Agent | false): Promise<string | undefined> => {
  try {
    const path = "/v1/options/chain/AAPL/?mode=cached&columns=strike,bid,ask"
    const headers = { authorization: "Bearer sandbox-paid" }
    const signal = AbortSignal.timeout(patience)
    const request = Http.get({ port, agent, host: "127.0.0.1", path, headers, signal })
    const [response]: ReadonlyArray<Http.IncomingMessage> = await once(request, "response")
    return `${response!.statusCode} ${await text(response!)}`
  } catch {
    return undefined
  }
}

/** Starts a sandbox with so much heap; the process that besieges it ends it. */
const start = (heapMegabytes: number): ChildProcess => {
  const program = join(import.meta.dirname, "../../../cli/src/bin.ts")
  const flags = ["--conditions=@effect-marketdata/source", `--max-old-space-size=${heapMegabytes}`]
  const args = ["sandbox", "--clock", "frozen", "--at", "2026-11-20T12:00"]
  const sandbox = spawn(process.execPath, [...flags, program, ...args], { stdio: ["pipe", "pipe", "inherit"] })
  process.once("exit", () => sandbox.kill())
  return sandbox
}

/**
 * Besieges a sandbox for some minutes, counted from when it answers, with `size` times all connections; tells now and then how it stands. Returns what
 * came of the attacks, and how long honest requests waited for their answers, in milliseconds, without those in which the system ran others instead of
 * the sandbox; `memory` is in MB, the first before it began.
 */
export const besiege = async (
  { heapMegabytes, minutes, size }: Readonly<Record<"heapMegabytes" | "minutes" | "size", number>>,
  tell: (text: () => string) => void
) => {
  const sandbox = start(heapMegabytes)
  const isAlive = (): boolean => sandbox.exitCode === null && sandbox.signalCode === null
  const port = await portOf(sandbox)
  const kept = new Http.Agent({ keepAlive: true, maxSockets: 1 })
  const expected = await ask(port, false)
  if (expected === undefined) throw new Error("the sandbox does not answer in quiet times")
  const memory = [megabytesOf(sandbox)]

  const task: Task = { port, size }
  const attackers = new Worker(new URL("./attackers.ts", import.meta.url), { workerData: task })
  const waits: Array<number> = []
  let unanswered = 0
  const end = performance.now() + minutes * 60_000
  while (performance.now() < end && isAlive()) {
    for (const agent of [kept, false] as const) {
      const [asked, heldUp] = [performance.now(), heldUpOf(sandbox)]
      if (await ask(port, agent) !== expected) unanswered++
      if (isAlive()) waits.push(performance.now() - asked - (heldUpOf(sandbox) - heldUp))
    }
    memory.push(megabytesOf(sandbox))
    tell(() => `${waits.length} honest requests; the sandbox holds ${memory.at(-1)} MB`)
    await sleep(100)
  }

  attackers.postMessage("enough")
  const [tallies = []]: ReadonlyArray<ReadonlyArray<Tally>> = await once(attackers, "message")
  await attackers.terminate()
  const answersAfterwards = isAlive() && await ask(port, false) === expected
  kept.destroy()
  sandbox.kill()
  return { tallies, waits, unanswered, memory, answersAfterwards }
}
