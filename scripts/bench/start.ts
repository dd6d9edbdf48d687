/**
 * The bench of beginnings, each in a process of its own, with the packages as they are published: what importing the client adds to what a program of
 * Effect loads anyway, and the first call of a process against one that only fetches and parses. There is nothing to hold.
 */
import type { Bench } from "../bench.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"

const cases = [
  { name: "import-client", unit: "× import of Effect", subject: "client", baseline: "effect" },
  { name: "92-first-call", unit: "× HttpClient", subject: "own-call", baseline: "bare-call" }
] as const

const published = { program: "start", flags: [] }

export const start: Bench = {
  runs: 15,
  measure: async function*({ runs }) {
    for (const { name, unit, ...works } of cases) {
      const pairs = await Process.withServer(
        { program: "beside" },
        ["serve", "plain"],
        (port) =>
          Process.repeat(runs, async () => {
            const baseline = await Process.ask<number>(published, works.baseline, port)
            const subject = await Process.ask<number>(published, works.subject, port)
            return { baseline, subject, ratio: subject / baseline }
          })
      )
      yield Report.paired(name, unit, pairs)
    }
  }
}
