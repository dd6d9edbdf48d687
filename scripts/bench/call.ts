/**
 * The bench of whole calls, with spans, ledger, retries and limits on, over loopback: the largest chain against plain `fetch` and `JSON.parse`, and one
 * quote against the same HTTP client with nothing around it. A server in a process of its own sends prepared bytes, so that what is
 * measured is the client and the transport that both ways share.
 */
import type { Bench } from "../bench.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import type { Paired } from "./statistics.ts"

const cases = [
  { name: "22718", unit: "× fetch + JSON.parse", limit: 0.8 },
  { name: "one-quote", unit: "× HttpClient", limit: 1.5 }
] as const

export const call: Bench = {
  runs: 5,
  measure: async function*({ milliseconds, runs }) {
    const worker = { program: "call" }
    for (const { limit, name, unit } of cases) {
      const pairs = await Process.withServer(
        worker,
        ["serve", "plain"],
        (port) => Process.repeat(runs, () => Process.ask<Paired>(worker, name, port, milliseconds * 3))
      )
      yield Report.paired(name, unit, pairs, { limit })
    }
  }
}
