/**
 * The bench of volatility: implied volatility and five greeks for each row of the largest chain, against `JSON.parse` of it; and single options, against two
 * packages of npm: `implied-volatility`, a search by bisection, over the formula of `black-scholes`.
 */
import { join } from "node:path"
import { bundle } from "../shared/bundle.ts"
import { temporaryFolder } from "../shared/files.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { medians, type Paired } from "./statistics.ts"

const cases = [
  { name: "22718-chain", unit: "× JSON.parse", limit: 0.5 },
  { name: "22718-chain-quotes", unit: "× JSON.parse", limit: undefined },
  { name: "one-solve", unit: "× implied-volatility", limit: undefined },
  { name: "one-price", unit: "× black-scholes", limit: undefined }
]

export const volatility: Report.Bench = {
  runs: 5,
  onOlder: true,
  measure: async function*({ milliseconds, node, runs }) {
    using folder = temporaryFolder()
    const program = await bundle(join(import.meta.dirname, "volatility", "worker.ts"), folder.path)
    const worker = { node, flags: [], program }
    for (const { limit, name, unit } of cases) {
      const pairs = await Process.repeat(runs, () => Process.ask<Paired>(worker, name, milliseconds))
      const { baseline, subject } = medians(pairs)
      const [ours, theirs] = [Math.round(1e6 * subject), Math.round(1e6 * baseline)]
      yield {
        ...Report.paired(name, unit, pairs, { limit }),
        ...name.startsWith("one-") ? { beside: `${ours} ns of ${theirs} ns`, also: { nanoseconds: ours, theirs } } : {}
      }
    }
  }
}
