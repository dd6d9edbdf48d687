/**
 * The bench of exports: the largest chain in each format, against `JSON.parse` of its reply, in a fresh process for each figure. Beside ours is what
 * others' libraries make of the arrays of the reply, which has nothing to hold. The time of the processor is
 * told, too: what else runs on the machine does not count in it.
 */
import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundle } from "../shared/bundle.ts"
import { fromSource } from "../shared/script.ts"
import { bodies } from "./decode/chains.ts"
import type { Written } from "./export/written.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"

/** The formats, with the most that they may take of what `JSON.parse` takes, and the most megabytes. */
const formats = [
  { name: "arrow", limit: 0.4, size: undefined },
  { name: "parquet", limit: 9, size: 0.66 },
  { name: "csv", limit: 4, size: undefined },
  { name: "jsonl", limit: undefined, size: undefined },
  { name: "apache-arrow", limit: undefined, size: undefined },
  { name: "parquet-wasm", limit: undefined, size: undefined }
] as const

const worker = (name: string) => join(import.meta.dirname, "export", name)

/** What others' libraries do runs as it is installed: what is compiled lies beside the text of parquet-wasm. */
const isOthers = (name: string) => name === "apache-arrow" || name === "parquet-wasm"

export const exporting: Report.Bench = {
  runs: 3,
  measure: async function*({ milliseconds, node, runs }) {
    using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"))
    const file = join(folder.path, "22718.json")
    writeFileSync(file, bodies().get("22718")!)
    const ours = { node, flags: ["--expose-gc"], program: await bundle(worker("worker.ts"), folder.path) }
    const others = { node, flags: ["--expose-gc", fromSource], program: worker("others.ts") }
    for (const { limit, name, size } of formats) {
      const program = isOthers(name) ? others : ours
      const written = await Process.repeat(runs, () => Process.ask<Written>(program, name, file, milliseconds))
      const took = (time: "clock" | "processor") => written.map((one) => one[time])
      yield Report.paired(`22718-${name}`, "× JSON.parse", took("clock"), { limit })
      yield Report.paired(`22718-${name}-processor`, "× JSON.parse", took("processor"))
      const row = (figure: "bytes" | "memory") => written.map((one) => one[figure] / 1e6)
      yield { case: `22718-${name}-size`, unit: "MB", figures: row("bytes"), limit: size }
      yield { case: `22718-${name}-memory`, unit: "MB", figures: row("memory") }
    }
  }
}
