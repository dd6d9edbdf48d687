/** The bench of exports: the largest chain in each format, against `JSON.parse` of its reply, in a fresh process for each figure. */
import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundle } from "../shared/bundle.ts"
import { bodies } from "./decode/chains.ts"
import type { Written } from "./export/worker.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"

/** The formats, with the most that they may take of what `JSON.parse` takes, and the most megabytes. */
const formats = [
  { name: "arrow", limit: 0.4, size: undefined },
  { name: "parquet", limit: 9, size: 0.66 },
  { name: "csv", limit: 4, size: undefined },
  { name: "jsonl", limit: undefined, size: undefined }
] as const

const worker = join(import.meta.dirname, "export", "worker.ts")

export const exporting: Report.Bench = {
  runs: 3,
  measure: async function*({ milliseconds, node, runs }) {
    using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"))
    const file = join(folder.path, "22718.json")
    writeFileSync(file, bodies().get("22718")!)
    const program = { node, flags: ["--expose-gc"], program: await bundle(worker, folder.path) }
    for (const { limit, name, size } of formats) {
      const written = await Process.repeat(runs, () => Process.ask<Written>(program, name, file, milliseconds))
      yield Report.paired(`22718-${name}`, "× JSON.parse", written, { limit })
      const row = (figure: "bytes" | "peak") => written.map((one) => one[figure] / 1e6)
      yield { case: `22718-${name}-size`, unit: "MB", figures: row("bytes"), limit: size }
      yield { case: `22718-${name}-peak-memory`, unit: "MB", figures: row("peak") }
    }
  }
}
