/** The bench of decoding: a fresh process for each figure, five times, on each Node; their medians are held against the limits. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundle } from "../shared/bundle.ts"
import { temporaryFolder } from "../shared/files.ts"
import { bodies } from "./decode/chains.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { median, medians, pair, type Paired } from "./statistics.ts"

/** Whole replies: how each is decoded, the reply, and the most that it may take of what `JSON.parse` takes. */
const wholes: ReadonlyArray<readonly [name: string, way: string, body: string, limit?: number]> = [
  ["22718-whole", "fastest", "22718", 0.25],
  ["22718-whole-returned", "returned", "22718"],
  ["2000-whole", "fastest", "2000", 0.3],
  ["22718-three-columns", "few", "22718", 0.6],
  ["92-whole", "fastest", "92", 0.7],
  ["200000-whole", "fastest", "200000", 0.28],
  ["22718-17-digit-greeks", "fastest", "22718-17-digit-greeks", 0.42],
  ["22718-typescript-kernel", "typescript", "22718", 0.45],
  ["2000-typescript-kernel", "typescript", "2000", 0.5]
]

/** First calls of a process, by the size of the reply; a prepared one has done what the client does while its layer is built. */
const firsts: ReadonlyArray<readonly [body: string, prepared: string, limit?: number]> = [
  ["22718", "", 0.75],
  ["22718", "-prepared"],
  ["92", ""],
  ["92", "-prepared"]
]

/** Conversions a second, with the aim in millions. */
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

/**
 * What one request took, in milliseconds: from the arrival of the last piece to the result (to read that piece, to learn that it was the last, and
 * to finish); the longest that decoding kept anything else from running; and from the request to the result.
 */
export interface Streamed extends Readonly<Record<"afterLastByte" | "block" | "total", number>> {}

/** Runs the worker on one of the replies, or on what it is asked. */
type Ask = <A>(what: string, body?: string, milliseconds?: number) => Promise<A>

async function* measure(ask: Ask, { isBun, milliseconds, runs }: Report.How): AsyncGenerator<Report.Row> {
  const repeated = <A>(...asked: Parameters<Ask>) => Process.repeat(runs, () => ask<A>(...asked))
  const unit = "× JSON.parse"
  for (const [name, way, body, limit] of wholes) {
    yield Report.paired(name, unit, await repeated<Paired>(way, body), { limit })
  }
  for (const [body, prepared, limit] of firsts) {
    const both = async () => pair(await ask("first-parse", body), await ask(`first${prepared}`, body))
    yield Report.paired(`${body}-first-decode${prepared}`, unit, await Process.repeat(runs, both), { limit })
  }

  type Streams = Record<"subject" | "baseline", Streamed>
  const streams = await Process.besideReplies(runs, (port) => ask<Streams>("streamed", largest, port))
  const ofParse = medians(streams.map(({ baseline }) => baseline))
  const streamed = (name: string, figure: keyof Streamed, limit?: number): Report.Row => {
    const figures = streams.map(({ subject }) => subject[figure])
    return { case: `22718-${name}`, unit: "ms", figures, limit, beside: `JSON.parse ${Report.ms(ofParse[figure])}` }
  }
  yield streamed("after-last-byte", "afterLastByte", 5)
  yield streamed("longest-block", "block", 2)
  yield streamed("request", "total")

  const parsed = medians(await repeated<Memory>("memory-parse"))
  const kept = await repeated<Memory>("memory")
  const beside = `JSON.parse ${(parsed.heap / 1e6).toFixed(1)} MB`
  yield { case: "22718-retained-heap", unit: "MB", figures: kept.map(({ heap }) => heap / 1e6), limit: 0.5, beside }
  const buffers = kept.map(({ buffers }) => buffers / contracts)
  yield { case: "22718-buffers-per-contract", unit: "B", figures: buffers, limit: 180 }

  // Bun does not report how long its collector works.
  const heaps = isBun ? [] : [["", 0.1], ["-large", undefined]] as const
  for (const [heap, limit] of heaps) {
    const parse = median(await repeated<number>(`polling${heap}-parse`))
    for (const buffer of ["", "-recycled"]) {
      const ours = await repeated<number>(`polling${heap}${buffer}`)
      const figures = ours.map((collecting) => collecting / parse)
      const beside = `${Report.ms(median(ours))} of ${Report.ms(parse)} a poll`
      yield { case: `22718-gc${heap}${buffer}`, unit, figures, limit, beside }
    }
  }

  // Less time, because these have no limit.
  const all = await repeated<Record<string, number>>("rates", largest, milliseconds / 6)
  for (const [name, aim] of Object.entries(rates)) {
    yield { case: name, unit: "M/s", figures: all.map((rates) => rates[name]! / 1e6), aim }
  }
}

export const decode: Report.Bench = {
  runs: 5,
  onOlder: true,
  measure: async function*(how) {
    using folder = temporaryFolder()
    for (const [name, body] of bodies()) writeFileSync(join(folder.path, `${name}.json`), body)
    const program = { node: how.node, flags: ["--expose-gc"], program: await bundle(worker, folder.path) }
    const ask: Ask = (what, body = largest, given = how.milliseconds) =>
      Process.ask(program, what, join(folder.path, `${body}.json`), given)
    yield* measure(ask, how)
  }
}
