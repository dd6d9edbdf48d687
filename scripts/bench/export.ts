/**
 * The bench of exports: the largest chain in each format, against `JSON.parse` of its reply, in a fresh process for each figure. Other libraries are measured
 * beside ours, from the arrays of the reply; they have no limit. Processor time is reported too, which other work on the machine does not affect.
 */
import { temporaryFolder } from "../shared/files.ts"
import { fromSource } from "../shared/script.ts"
import { layOutLargest } from "./decode/chains.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import type { Paired } from "./statistics.ts"

/** The time that an export took, by the clock and of the processor, its bytes, and the most memory besides the chain itself. */
export interface Written {
  readonly clock: Paired
  readonly processor: Paired
  readonly bytes: number
  readonly memory: number
}

/** The formats, with the most that they may take of what `JSON.parse` takes, and the most megabytes. */
const formats: ReadonlyArray<readonly [name: string, limit?: number, size?: number]> = [
  ["arrow", 0.4],
  ["parquet", 9, 0.66],
  ["csv", 4],
  ["jsonl"],
  ["apache-arrow"],
  ["parquet-wasm"]
]

export const exporting: Report.Bench = {
  runs: 3,
  measure: async function*({ milliseconds, node, runs }) {
    using folder = temporaryFolder()
    const file = layOutLargest(folder.path)
    const worker = { node, flags: ["--expose-gc", fromSource], program: "export" }
    for (const [name, limit, size] of formats) {
      const written = await Process.repeat(runs, () => Process.ask<Written>(worker, name, file, milliseconds))
      const took = (time: "clock" | "processor") => written.map((one) => one[time])
      yield Report.paired(`22718-${name}`, "× JSON.parse", took("clock"), { limit })
      yield Report.paired(`22718-${name}-processor`, "× JSON.parse", took("processor"))
      const row = (figure: "bytes" | "memory") => written.map((one) => one[figure] / 1e6)
      yield { case: `22718-${name}-size`, unit: "MB", figures: row("bytes"), limit: size }
      yield { case: `22718-${name}-memory`, unit: "MB", figures: row("memory") }
    }
  }
}
