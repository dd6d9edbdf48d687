/**
 * The bench of whole calls, with spans, ledger, retries and limits on, over loopback: the largest chain against plain `fetch` and `JSON.parse`, and one
 * quote against the same HTTP client with nothing around it. A server in a process of its own sends prepared bytes, so that what is
 * measured is the client and the transport that both ways share.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { join } from "node:path"
import type { Options } from "../bench.ts"
import type { Paired } from "./decode/paired.ts"
import * as Report from "./report.ts"
import * as Setting from "./setting.ts"
import { median, spread } from "./statistics.ts"

const cases = [
  { case: "22718", unit: "× fetch + JSON.parse", limit: 0.8 },
  { case: "one-quote", unit: "× HttpClient", limit: 1.5 }
] as const

const start = (...args: ReadonlyArray<string>): ChildProcess =>
  spawn(
    process.execPath,
    ["--conditions=@effect-marketdata/source", join(import.meta.dirname, "call", "worker.ts"), ...args],
    { stdio: ["ignore", "pipe", "inherit"] }
  )

/** The first line that a process prints. */
const answerOf = async <A>(child: ChildProcess): Promise<A> => {
  if (child.stdout === null) throw new Error("the process has no output")
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line)
  throw new Error("the process of the bench ended without a figure")
}

const ms = (value: number): string => `${value.toPrecision(3)} ms`

async function* measure(port: number, runs: number, milliseconds: number): AsyncGenerator<Report.Row> {
  for (const { limit, unit, ...named } of cases) {
    const pairs: Array<Paired> = []
    for (let run = 0; run < runs; run++) {
      pairs.push(await answerOf<Paired>(start(named.case, String(port), String(milliseconds))))
    }
    yield {
      case: named.case,
      unit,
      figure: spread(pairs.map(({ ratio }) => ratio)),
      limit,
      beside: `${ms(median(pairs.map(({ subject }) => subject)))}, ${ms(median(pairs.map(({ baseline }) => baseline)))}`
    }
  }
}

/** Runs the bench; answers whether all limits hold. */
export const run = async ({ json, markdown, quick }: Options): Promise<boolean> => {
  const setting = Setting.describe(quick ? 1 : 5, [])
  const say = json || markdown ? console.error : console.log
  const node = Setting.nodeVersion(process.execPath)
  say(`Node ${node}`)
  const rows: Array<Report.Row> = []
  const server = start("serve")
  try {
    for await (const row of measure(await answerOf(server), setting.runs, quick ? 1500 : 5000)) {
      rows.push(row)
      say(Report.line(row))
    }
  } finally {
    server.kill()
  }
  const results = [{ node, rows }]
  if (json) console.log(Report.json(setting, results))
  if (markdown) console.log(Report.markdown(setting, results))
  return !rows.some(Report.isBroken)
}
