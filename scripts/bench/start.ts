/**
 * The bench of beginnings, each in a process of its own, with the packages as they are published: what importing the client adds to what a program of
 * Effect loads anyway, and the first call of a process against one that only fetches and parses.
 */
import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import type { Options } from "../bench.ts"
import * as Child from "./child.ts"
import type * as Report from "./report.ts"
import * as Setting from "./setting.ts"
import { median, spread } from "./statistics.ts"
import { tell } from "./tell.ts"

const root = dirname(dirname(import.meta.dirname))

const cases = [
  { case: "import-client", unit: "× import of Effect", subject: "client", baseline: "effect" },
  { case: "92-first-call", unit: "× HttpClient", subject: "own-call", baseline: "bare-call" }
] as const

/** With the packages as they are published. */
const start = (bench: string, ...args: ReadonlyArray<string>) => Child.start(bench, args, [])

const ms = (value: number): string => `${value.toFixed(0)} ms`

async function* measure(port: number, runs: number): AsyncGenerator<Report.Row> {
  for (const { baseline, subject, unit, ...named } of cases) {
    const pairs: Array<{ readonly subject: number; readonly baseline: number }> = []
    for (let run = 0; run < runs; run++) {
      pairs.push({
        baseline: await Child.answerOf<number>(start("start", baseline, String(port))),
        subject: await Child.answerOf<number>(start("start", subject, String(port)))
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
export const run = async (options: Options): Promise<boolean> => {
  Setting.install()
  if (
    spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-b"], { cwd: root, stdio: ["ignore", 2, 2] }).status !== 0
  ) {
    throw new Error("the packages do not compile")
  }
  const setting = Setting.describe(options.quick ? 3 : 15, [])
  const server = start("beside", "serve", "plain")
  try {
    await tell(options, setting, measure(await Child.answerOf(server), setting.runs))
    return true
  } finally {
    server.kill()
  }
}
