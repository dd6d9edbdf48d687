/** The bench of decoding: a fresh process for each figure, five times, on each Node; their medians are held against the limits. */
import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundle } from "../shared/bundle.ts"
import { bodies } from "./decode/chains.ts"
import type { Streamed } from "./decode/streamed.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { median, medians, type Paired } from "./statistics.ts"

/** Whole replies, and the most that they may take of what `JSON.parse` takes. */
const wholes = [
  { name: "22718-whole", subject: "fastest", body: "22718", limit: 0.25 },
  { name: "22718-whole-returned", subject: "returned", body: "22718", limit: undefined },
  { name: "2000-whole", subject: "fastest", body: "2000", limit: 0.3 },
  { name: "22718-three-columns", subject: "few", body: "22718", limit: 0.6 },
  { name: "92-whole", subject: "fastest", body: "92", limit: 0.7 },
  { name: "200000-whole", subject: "fastest", body: "200000", limit: 0.28 },
  { name: "22718-17-digit-greeks", subject: "fastest", body: "22718-17-digit-greeks", limit: 0.42 },
  { name: "22718-typescript-kernel", subject: "typescript", body: "22718", limit: 0.45 },
  { name: "2000-typescript-kernel", subject: "typescript", body: "2000", limit: 0.5 }
] as const

const firsts = [
  { name: "22718-first-decode", subject: "first", body: "22718", limit: 0.75 },
  { name: "22718-first-decode-prepared", subject: "first-prepared", body: "22718", limit: undefined },
  { name: "92-first-decode", subject: "first", body: "92", limit: undefined },
  { name: "92-first-decode-prepared", subject: "first-prepared", body: "92", limit: undefined }
] as const

/** Conversions a second, and how many millions of them we aim at. */
const rates = {
  "option-symbol-parse": 5,
  "option-symbol-format": 5,
  "new-york-offset": 50,
  "new-york-day": 50,
  "new-york-wall-clock": undefined,
  "new-york-wall-clock-by-intl": undefined
}

const largest = "22718"
const contracts = 22_718

const worker = join(import.meta.dirname, "decode", "worker.ts")

/** What a decoded chain keeps, in bytes. */
export interface Memory extends Readonly<Record<"heap" | "buffers", number>> {}

/** Runs the worker on one of the replies. */
type Ask = <A>(what: string, body?: string, milliseconds?: number) => Promise<A>

async function* streamed(ask: Ask, { runs }: Report.How): AsyncGenerator<Report.Row> {
  const pairs = await Process.repeat(runs, () => ask<{ subject: Streamed; baseline: Streamed }>("streamed"))
  const baseline = medians(pairs.map(({ baseline }) => baseline))
  const row = (name: string, figure: keyof Streamed, limit?: number): Report.Row => ({
    case: name,
    unit: "ms",
    figures: pairs.map(({ subject }) => subject[figure]),
    limit,
    beside: `JSON.parse ${Report.ms(baseline[figure])}`
  })
  yield row("22718-after-last-byte", "afterLastByte", 5)
  yield row("22718-longest-block", "block", 2)
  yield row("22718-request", "total")
}

async function* memory(ask: Ask, { runs }: Report.How): AsyncGenerator<Report.Row> {
  const measure = (what: string) => Process.repeat(runs, () => ask<Memory>(what))
  const parsed = medians(await measure("memory-parse"))
  const ours = await measure("memory")
  const beside = `JSON.parse ${(parsed.heap / 1e6).toFixed(1)} MB`
  yield { case: "22718-retained-heap", unit: "MB", figures: ours.map(({ heap }) => heap / 1e6), limit: 0.5, beside }
  const figures = ours.map(({ buffers }) => buffers / contracts)
  yield { case: "22718-buffers-per-contract", unit: "B", figures, limit: 180 }
}

async function* polling(ask: Ask, { runs }: Report.How): AsyncGenerator<Report.Row> {
  const measure = (what: string) => Process.repeat(runs, () => ask<number>(what))
  for (const { limit, suffix } of [{ suffix: "", limit: 0.1 }, { suffix: "-large", limit: undefined }]) {
    const parsed = median(await measure(`polling${suffix}-parse`))
    for (const memory of ["", "-recycled"]) {
      const ours = await measure(`polling${suffix}${memory}`)
      yield {
        case: `22718-gc${suffix}${memory}`,
        unit: "× JSON.parse",
        figures: ours.map((collecting) => collecting / parsed),
        limit,
        beside: `${Report.ms(median(ours))} of ${Report.ms(parsed)} a poll`
      }
    }
  }
}

async function* measure(ask: Ask, how: Report.How): AsyncGenerator<Report.Row> {
  const { milliseconds, runs } = how
  const unit = "× JSON.parse"
  for (const { body, limit, name, subject } of wholes) {
    yield Report.paired(name, unit, await Process.repeat(runs, () => ask<Paired>(subject, body)), { limit })
  }
  for (const { body, limit, name, subject: what } of firsts) {
    const pairs = await Process.repeat(runs, async () => {
      const baseline = await ask<number>("first-parse", body)
      const subject = await ask<number>(what, body)
      return { baseline, subject, ratio: subject / baseline }
    })
    yield Report.paired(name, unit, pairs, { limit })
  }
  yield* streamed(ask, how)
  yield* memory(ask, how)
  yield* polling(ask, how)
  // What has no limit gets less time.
  const all = await Process.repeat(runs, () => ask<Record<string, number>>("rates", largest, milliseconds / 6))
  for (const [name, aim] of Object.entries(rates)) {
    yield { case: name, unit: "M/s", figures: all.map((rates) => rates[name]! / 1e6), aim }
  }
}

export const decode: Report.Bench = {
  runs: 5,
  onOlder: true,
  measure: async function*(how) {
    using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"))
    for (const [name, body] of bodies()) writeFileSync(join(folder.path, `${name}.json`), body)
    const program = { node: how.node, flags: ["--expose-gc"], program: await bundle(worker, folder.path) }
    const ask: Ask = (what, body = largest, milliseconds = how.milliseconds) =>
      Process.ask(program, what, join(folder.path, `${body}.json`), milliseconds)
    yield* measure(ask, how)
  }
}
