/**
 * `npm run siege`: besieges the sandbox, and asks it meanwhile, as a program would that has nothing to do with it.
 *
 *     npm run siege -- [--minutes 2] [--size 1]      for so long, with so many times 1,020 connections
 *     npm run siege -- --attack "slow readers"       one of the attacks only
 *
 * The sandbox, the attackers (`siege/attacks.ts`) and the honest client are three processes. Prints what came of each attack, the memory of the sandbox and
 * how long the honest client waited; exits with 1 where the sandbox ended, left an honest request without its answer, or held ever more memory.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import { cpus } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { run } from "./shared/command.ts"
import { all } from "./siege/attacks.ts"
import type { Tally } from "./siege/attackers.ts"
import * as Verdict from "./siege/verdict.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    size: { type: "string", default: "1" },
    attack: { type: "string" }
  }
})

const positive = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  console.error(`--${name} must be a positive number, such as 2, not ${text}`)
  process.exit(2)
}

const minutes = positive("minutes", values.minutes)
const size = positive("size", values.size)
if (values.attack !== undefined && !all.some(({ name }) => name === values.attack)) {
  console.error(`--attack must be one of ${all.map(({ name }) => `"${name}"`).join(", ")}`)
  process.exit(2)
}
const root = join(import.meta.dirname, "..")
const source = "--conditions=@effect-marketdata/source"

const sandbox = spawn(
  process.execPath,
  [
    source,
    `--max-old-space-size=${Verdict.heapMegabytes}`,
    join(root, "packages/cli/src/bin.ts"),
    "sandbox",
    "--clock",
    "frozen",
    "--at",
    "2026-11-20T12:00"
  ],
  { stdio: ["ignore", "pipe", "inherit"] }
)
process.once("exit", () => sandbox.kill())

/** The port that the sandbox announces. It ends where nobody listens to it any more, so its output is read to the end. */
const listening = (): Promise<number> =>
  new Promise((resolve, reject) => {
    let said = ""
    sandbox.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    sandbox.once("exit", () => reject(new Error(`the sandbox did not start: ${said}`)))
  })

/** The megabytes that a process holds, as the system counts them. */
const megabytesOf = async (pid: number): Promise<number> => {
  const status = `/proc/${pid}/status`
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, "utf8"))?.[1]
    : (await run("ps", ["-o", "rss=", "-p", String(pid)], { cwd: root })).stdout
  return Math.round(Number(kilobytes) / 1024)
}

/** How long an honest client waits for an answer before it says that there is none. */
const patience = 30_000

/** A whole reply over a connection of its own or over one that stays open; undefined where there is none. */
const ask = (port: number, agent: Http.Agent | false): Promise<string | undefined> =>
  new Promise((resolve) => {
    const request = Http.get({
      port,
      agent,
      host: "127.0.0.1",
      path: "/v1/options/chain/AAPL/?mode=cached&columns=strike,bid,ask",
      headers: { authorization: "Bearer sandbox-paid" },
      signal: AbortSignal.timeout(patience)
    }, (response) => {
      text(response).then((body) => resolve(`${response.statusCode} ${body}`), () => resolve(undefined))
    })
    request.on("error", () => resolve(undefined))
  })

const port = await listening()
const pid = sandbox.pid ?? 0
const kept = new Http.Agent({ keepAlive: true, maxSockets: 1 })
const expected = await ask(port, false)
const calm = await megabytesOf(pid)
console.log(
  `Node ${process.version}, ${cpus()[0]?.model ?? "an unknown processor"}; the sandbox answers with ${
    expected?.slice(0, 3)
  } and holds ${calm} MB`
)

const attackers = spawn(process.execPath, [
  join(import.meta.dirname, "siege/attackers.ts"),
  String(port),
  String(size),
  ...(values.attack === undefined ? [] : [values.attack])
], {
  stdio: ["pipe", "pipe", "inherit"]
})
process.once("exit", () => attackers.kill())

const latencies: Array<number> = []
const memory: Array<number> = []
let unanswered = 0
let told = 0
const started = performance.now()
while (performance.now() - started < minutes * 60_000 && sandbox.exitCode === null && sandbox.signalCode === null) {
  for (const agent of [kept, false] as const) {
    const asked = performance.now()
    if (await ask(port, agent) !== expected) unanswered++
    latencies.push(performance.now() - asked)
  }
  memory.push(await megabytesOf(pid))
  if (performance.now() - told > 15_000) {
    told = performance.now()
    console.log(
      `${
        ((told - started) / 1000).toFixed(0)
      } s: ${latencies.length} honest requests, ${unanswered} without their answer; the sandbox holds ${
        memory.at(-1)
      } MB`
    )
  }
  await sleep(100)
}

attackers.stdin.end()
const tallies: ReadonlyArray<Tally> = JSON.parse(await text(attackers.stdout))
const isAlive = sandbox.exitCode === null && sandbox.signalCode === null
const answersAfterwards = isAlive && await ask(port, false) === expected
const afterwards = isAlive ? await megabytesOf(pid) : 0
kept.destroy()
if (isAlive) {
  sandbox.kill()
  await once(sandbox, "exit")
}

for (const { answered, ended, name, opened } of tallies) {
  console.log(`${name.padEnd(30)} ${opened} connections, ${answered} answered, ${ended} ended by the sandbox`)
}
const report: Verdict.Report = { isAlive, answersAfterwards, latencies, unanswered, memory, calm, afterwards }
console.log(Verdict.format(report))
const problems = Verdict.problems(report)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
