/** `npm run siege`: besieges the sandbox, and asks it meanwhile, as a program would that has nothing to do with it. The sandbox is a process of its own. */
import * as Flag from "effect/cli/Flag"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import { cpus } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import * as Command from "./shared/command.ts"
import * as Script from "./shared/script.ts"
import type { Tally, Task } from "./siege/attackers.ts"

/** The heap that the sandbox is given, and the most that it may hold at any time, sockets and compression included. */
const heapMegabytes = 512
const mostMegabytes = 2 * heapMegabytes

/** How long an honest client waits for an answer before it says that there is none. */
const patience = 30_000

/** The port that the sandbox announces. It ends where nobody listens to it any more, so its output is read to the end. */
const portOf = (sandbox: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    createInterface({ input: sandbox.stdout! }).on("line", (line) => {
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    sandbox.once("exit", () => reject(new Script.ScriptError("the sandbox did not start")))
  })

/** The megabytes that a process holds, as the system counts them. */
const megabytesOf = async ({ pid }: ChildProcess): Promise<number> => {
  const status = `/proc/${pid}/status`
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, "utf8"))?.[1]
    : (await Command.run("ps", ["-o", "rss=", "-p", String(pid)], { cwd: Script.root })).stdout
  return Math.round(Number(kilobytes) / 1024)
}

/** A whole reply over a connection of its own or over one that stays open; undefined where there is none. */
const ask = async (port: number, agent: Http.Agent | false): Promise<string | undefined> => {
  try {
    const request = Http.get({
      port,
      agent,
      host: "127.0.0.1",
      path: "/v1/options/chain/AAPL/?mode=cached&columns=strike,bid,ask",
      headers: { authorization: "Bearer sandbox-paid" },
      signal: AbortSignal.timeout(patience)
    })
    const [response]: ReadonlyArray<Http.IncomingMessage> = await once(request, "response")
    return `${response!.statusCode} ${await text(response!)}`
  } catch {
    return undefined
  }
}

Script.run({
  name: "siege",
  what:
    `Besieges the sandbox, and asks it meanwhile. Fails where it ended, left an honest request without its answer, or held more than ${mostMegabytes} MB.`,
  examples: [
    ["--minutes 2", "for so long"],
    ["--size 0.1", "with so many times 1,020 connections"]
  ]
}, {
  minutes: Script.positive("minutes", "How long to go on; 2 by default").pipe(Flag.withDefault(2)),
  size: Script.positive("size", "How many times all connections; 1 by default").pipe(Flag.withDefault(1))
}, async ({ minutes, size }) => {
  const program = [
    join(Script.root, "packages/cli/src/bin.ts"),
    "sandbox",
    "--clock",
    "frozen",
    "--at",
    "2026-11-20T12:00"
  ]
  const flags = [Script.fromSource, `--max-old-space-size=${heapMegabytes}`]
  const sandbox = spawn(process.execPath, [...flags, ...program], { stdio: ["pipe", "pipe", "inherit"] })
  process.once("exit", () => sandbox.kill())
  const isAlive = (): boolean => sandbox.exitCode === null && sandbox.signalCode === null
  const port = await portOf(sandbox)
  const kept = new Http.Agent({ keepAlive: true, maxSockets: 1 })
  const expected = await ask(port, false)
  if (expected === undefined) throw new Script.ScriptError("the sandbox does not answer in quiet times")
  const memory = [await megabytesOf(sandbox)]
  console.log(`Node ${process.version}, ${cpus()[0]?.model}; the sandbox answers, and holds ${memory[0]} MB`)

  const task: Task = { port, size }
  const attackers = new Worker(new URL("./siege/attackers.ts", import.meta.url), { workerData: task })
  const latencies: Array<number> = []
  let unanswered = 0
  const progress = Script.progress(15)
  while (progress.elapsed() < minutes * 60_000 && isAlive()) {
    for (const agent of [kept, false] as const) {
      const asked = performance.now()
      if (await ask(port, agent) !== expected) unanswered++
      latencies.push(performance.now() - asked)
    }
    memory.push(await megabytesOf(sandbox))
    progress.tell(console.log, () => `${latencies.length} honest requests; the sandbox holds ${memory.at(-1)} MB`)
    await sleep(100)
  }

  attackers.postMessage("enough")
  const [tallies]: ReadonlyArray<ReadonlyArray<Tally>> = await once(attackers, "message")
  await attackers.terminate()
  const answersAfterwards = isAlive() && await ask(port, false) === expected
  kept.destroy()
  sandbox.kill()

  for (const { answered, ended, name, opened } of tallies ?? []) {
    console.log(`${name.padEnd(30)} ${opened} connections, ${answered} answered, ${ended} ended by the sandbox`)
  }
  const within = (share: number): string =>
    `${latencies.toSorted((a, b) => a - b)[Math.ceil(latencies.length * share) - 1]?.toFixed(0)} ms`
  const most = Math.max(...memory)
  console.log(
    `${latencies.length} honest requests, ${unanswered} without their answer: half within ${within(0.5)}, all within ${
      within(1)
    }`
  )
  console.log(`memory of the sandbox: ${memory[0]} MB before, at most ${most} MB`)
  if (!answersAfterwards) console.log("The sandbox does not answer when the attackers have gone.")
  return answersAfterwards && unanswered === 0 && latencies.length > 0 && most <= mostMegabytes
})
