/**
 * The bench of kept replies: the largest chain from a cache in memory, and from one on disk, against the same call of the same client without a cache,
 * which fetches it over loopback and decodes it.
 */
import type { Bench } from "../bench.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import type { Paired } from "./statistics.ts"

const cases = [
  { name: "22718-hit", bounds: { limit: 0.5 } },
  { name: "22718-hit-disk", bounds: {} }
] as const

export const cache: Bench = {
  runs: 5,
  measure: async function*({ milliseconds, runs }) {
    const worker = { program: "call" }
    for (const { bounds, name } of cases) {
      const pairs = await Process.withServer(
        worker,
        ["serve", "plain"],
        (port) => Process.repeat(runs, () => Process.ask<Paired>(worker, name, port, milliseconds * 3))
      )
      yield Report.paired(name, "× fetch and decode", pairs, bounds)
    }
  }
}
