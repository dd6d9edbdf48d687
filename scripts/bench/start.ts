/**
 * The bench of beginnings, each in a process of its own, with the packages as they are published: what importing the client adds to what a program of
 * Effect loads anyway, and the first call of a process against one that only fetches and parses.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import type { Options } from "../bench.ts"
import * as Report from "./report.ts"
import * as Setting from "./setting.ts"
import { median, spread } from "./statistics.ts"

const root = dirname(dirname(import.meta.dirname))

const cases = [
  { case: "import-client", unit: "× import of Effect", subject: "client", baseline: "effect" },
  { case: "92-first-call", unit: "× HttpClient", subject: "own-call", baseline: "bare-call" }
] as const

const start = (folder: string, ...args: ReadonlyArray<string>): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, folder, "worker.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"]
  })

const answerOf = async <A>(child: ChildProcess): Promise<A> => {
  if (child.stdout === null) throw new Error("the process has no output")
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line)
  throw new Error("the process of the bench ended without a figure")
}

const ms = (value: number): string => `${value.toFixed(0)} ms`

async function* measure(port: number, runs: number): AsyncGenerator<Report.Row> {
  for (const { baseline, subject, unit, ...named } of cases) {
    const pairs: Array<{ readonly subject: number; readonly baseline: number }> = []
    for (let run = 0; run < runs; run++) {
      pairs.push({
        baseline: await answerOf<number>(start("start", baseline, String(port))),
        subject: await answerOf<number>(start("start", subject, String(port)))
      })
    }
    yield {
      case: named.case,
      unit,
      figure: spread(pairs.map(({ baseline, subject }) => subject / baseline)),
      beside: `${ms(median(pairs.map(({ subject }) => subject)))}, ${ms(median(pairs.map(({ baseline }) => baseline)))}`
    }
  }
}

/** Runs the bench. There is nothing to hold: it says how things stand. */
export const run = async ({ json, markdown, quick }: Options): Promise<boolean> => {
  Setting.install()
  if (
    spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-b"], { cwd: root, stdio: ["ignore", 2, 2] }).status !== 0
  ) {
    throw new Error("the packages do not compile")
  }
  const setting = Setting.describe(quick ? 3 : 15, [])
  const say = json || markdown ? console.error : console.log
  const node = Setting.nodeVersion(process.execPath)
  say(`Node ${node}`)
  const rows: Array<Report.Row> = []
  const server = start("beside", "serve", "plain")
  try {
    for await (const row of measure(await answerOf(server), setting.runs)) {
      rows.push(row)
      say(Report.line(row))
    }
  } finally {
    server.kill()
  }
  const results = [{ node, rows }]
  if (json) console.log(Report.json(setting, results))
  if (markdown) console.log(Report.markdown(setting, results))
  return true
}
