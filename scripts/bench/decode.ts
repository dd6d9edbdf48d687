/** The bench of decoding: a fresh process for each figure, five times, on each Node; their medians are held against the limits. */
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Options } from "../bench.ts"
import { bodies } from "./decode/chains.ts"
import type { Memory } from "./decode/memory.ts"
import type { Paired } from "./decode/paired.ts"
import type { Stage } from "./decode/stage.ts"
import type { Streamed } from "./decode/streamed.ts"
import * as Report from "./report.ts"
import * as Setting from "./setting.ts"
import { median, spread } from "./statistics.ts"

const root = dirname(dirname(import.meta.dirname))

/** Whole replies, and the most that they may take of what `JSON.parse` takes. */
const wholes = [
  { case: "22718-whole", subject: "fastest", body: "22718", limit: 0.25 },
  { case: "22718-whole-defaults", subject: "22718-whole-defaults", body: "22718", limit: undefined },
  { case: "2000-whole", subject: "fastest", body: "2000", limit: 0.3 },
  { case: "92-whole", subject: "fastest", body: "92", limit: 0.7 },
  { case: "200000-whole", subject: "fastest", body: "200000", limit: 0.28 },
  { case: "22718-17-digit-greeks", subject: "fastest", body: "22718-17-digit-greeks", limit: 0.42 },
  { case: "22718-typescript-kernel", subject: "typescript", body: "22718", limit: 0.45 },
  { case: "2000-typescript-kernel", subject: "typescript", body: "2000", limit: 0.5 }
] as const

const firsts = [
  { case: "22718-first-decode", subject: "first", body: "22718", limit: 0.75 },
  { case: "22718-first-decode-prepared", subject: "first-prepared", body: "22718", limit: undefined },
  { case: "92-first-decode", subject: "first", body: "92", limit: undefined },
  { case: "92-first-decode-prepared", subject: "first-prepared", body: "92", limit: undefined }
] as const

/** Names in competitors.ts, which only the worker imports: it needs what is installed apart. */
const others = [
  "22718-parse-and-rows",
  "22718-zod-columns",
  "22718-apache-arrow",
  "22718-effect-schema-columns",
  "22718-effect-schema-columns-jit"
]

/** Conversions a second, and how many millions of them we aim at. */
const rates: ReadonlyArray<readonly [name: string, aim: number | undefined]> = [
  ["option-symbol-parse", 5],
  ["option-symbol-format", 5],
  ["new-york-offset", 50],
  ["new-york-day", 50],
  ["new-york-wall-clock", undefined],
  ["new-york-wall-clock-by-intl", undefined]
]

const largest = "22718"
const contracts = 22_718

/** A Node to measure with, the bundled worker, where the replies are, and how long and how often to measure. */
interface Bench {
  readonly node: string
  readonly worker: string
  readonly folder: string
  readonly runs: number
  readonly milliseconds: number
}

/** Runs one process, and returns what it measured. */
const ask = <A>({ folder, milliseconds, node, worker }: Bench, what: string, body = largest): A => {
  const args = ["--expose-gc", worker, what, folder, body, String(milliseconds)]
  const { error, status, stderr, stdout } = spawnSync(node, args, { encoding: "utf8", maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`${what} ${body} failed: ${error?.message ?? stderr}`)
  return JSON.parse(stdout)
}

const repeat = <A>({ runs }: Bench, measure: () => A): ReadonlyArray<A> => Array.from({ length: runs }, measure)

const ms = (value: number): string => `${value.toPrecision(3)} ms`

const ratio = (bench: Bench, name: string, subject: string, body: string, limit?: number): Report.Row => {
  const pairs = repeat(bench, () => ask<Paired>(bench, subject, body))
  const took = ms(median(pairs.map(({ subject }) => subject)))
  const baseline = ms(median(pairs.map(({ baseline }) => baseline)))
  return {
    case: name,
    unit: "× JSON.parse",
    figure: spread(pairs.map(({ ratio }) => ratio)),
    limit,
    beside: `${took} of ${baseline}`
  }
}

const first = (
  bench: Bench,
  { body, case: name, limit, subject }: (typeof firsts)[number]
): Report.Row => {
  const pairs = repeat(bench, () => ({
    baseline: ask<number>(bench, "first-parse", body),
    subject: ask<number>(bench, subject, body)
  }))
  const took = ms(median(pairs.map(({ subject }) => subject)))
  const baseline = ms(median(pairs.map(({ baseline }) => baseline)))
  const figure = spread(pairs.map(({ baseline, subject }) => subject / baseline))
  return { case: name, unit: "× JSON.parse", figure, limit, beside: `${took} of ${baseline}` }
}

function* streamed(bench: Bench): Generator<Report.Row> {
  const pairs = repeat(bench, () => ask<{ subject: Streamed; baseline: Streamed }>(bench, "streamed"))
  const row = (name: string, figure: keyof Streamed, limit?: number): Report.Row => ({
    case: name,
    unit: "ms",
    figure: spread(pairs.map(({ subject }) => subject[figure])),
    limit,
    beside: `JSON.parse ${ms(median(pairs.map(({ baseline }) => baseline[figure])))}`
  })
  yield row("22718-after-last-byte", "afterLastByte", 5)
  yield row("22718-longest-block", "block", 2)
  yield row("22718-request", "total")
}

function* memory(bench: Bench): Generator<Report.Row> {
  const pairs = repeat(bench, () => ({
    baseline: ask<Memory>(bench, "memory-parse"),
    subject: ask<Memory>(bench, "memory"),
    recycled: ask<Memory>(bench, "memory-recycled")
  }))
  const middle = (figure: keyof Memory, of: "baseline" | "subject" | "recycled"): number =>
    median(pairs.map((pair) => pair[of][figure]))
  yield {
    case: "22718-retained-heap",
    unit: "MB",
    figure: spread(pairs.map(({ subject }) => subject.heap / 1e6)),
    limit: 0.5,
    beside: `JSON.parse ${(middle("heap", "baseline") / 1e6).toFixed(1)} MB`
  }
  yield {
    case: "22718-buffers-per-contract",
    unit: "B",
    figure: spread(pairs.map(({ subject }) => subject.buffers / contracts)),
    limit: 180
  }
  const collecting = (name: string, of: "subject" | "recycled"): Report.Row => ({
    case: name,
    unit: "× JSON.parse",
    figure: spread(pairs.map((pair) => pair[of].collecting / pair.baseline.collecting)),
    limit: 0.1,
    beside: `${ms(middle("collecting", of))} of ${ms(middle("collecting", "baseline"))} a decode`
  })
  yield collecting("22718-gc", "subject")
  yield collecting("22718-gc-recycled", "recycled")
}

function* conversions(bench: Bench): Generator<Report.Row> {
  const runs = repeat(bench, () => ask<Readonly<Record<string, number>>>(bench, "rates"))
  for (const [name, aim] of rates) {
    yield { case: name, unit: "M/s", figure: spread(runs.map((run) => run[name]! / 1e6)), aim }
  }
}

/** Everything that one Node is asked. What has no limit gets less time. */
function* measure(bench: Bench): Generator<Report.Row> {
  for (const { body, case: name, limit, subject } of wholes) yield ratio(bench, name, subject, body, limit)
  for (const row of firsts) yield first(bench, row)
  yield* streamed(bench)
  yield* memory(bench)
  const brief = { ...bench, milliseconds: bench.milliseconds / 2 }
  for (const name of others) yield ratio(brief, name, name, largest)
  yield* conversions({ ...bench, milliseconds: bench.milliseconds / 6 })
}

/**
 * Bundles the worker with our sources, so that every Node runs the same code, also one that cannot read TypeScript. What is loaded later
 * stays in files of its own: a first decode must not wait for the parsing of libraries that it does not use.
 */
const bundle = async (folder: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "decode", "worker.ts")],
    absWorkingDir: root,
    bundle: true,
    conditions: ["@effect-marketdata/source"],
    format: "esm",
    logLevel: "error",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    splitting: true,
    target: "node20",
    write: false
  })
  for (const { contents, path } of outputFiles) writeFileSync(path, contents)
  return join(folder, "worker.mjs")
}

const stageTable = (stages: ReadonlyArray<Stage>): string =>
  stages.map(({ floor, milliseconds, share, stage }) =>
    `${stage.padEnd(34)} ${milliseconds.toFixed(3)} ms ${(share * 100).toFixed(1).padStart(5)} %` +
    (floor > 0 ? `   floor ${floor.toFixed(3)} ms` : "")
  ).join("\n")

/** Runs the bench; answers whether all limits hold. */
export const run = async ({ json, markdown, node20, quick, stages }: Options): Promise<boolean> => {
  Setting.install()
  Setting.checkTypes()
  const folder = mkdtempSync(join(tmpdir(), "bench-"))
  try {
    for (const [name, body] of bodies()) writeFileSync(join(folder, `${name}.json`), body)
    const worker = await bundle(folder)
    const setting = Setting.describe(quick ? 1 : 5)
    // Where the result is printed at the end, progress goes where it does not get into it.
    const say = json || markdown ? console.error : console.log
    if (stages) {
      for (const node of quick ? [process.execPath] : Setting.nodes(node20)) {
        console.log(`Node ${Setting.nodeVersion(node)}, a chain of ${largest} contracts`)
        const bench = { node, worker, folder, runs: 1, milliseconds: 4000 }
        console.log(stageTable(ask<ReadonlyArray<Stage>>(bench, "stages")))
      }
      return true
    }
    const results: Array<Report.Result> = []
    for (const node of quick ? [process.execPath] : Setting.nodes(node20)) {
      const version = Setting.nodeVersion(node)
      const rows: Array<Report.Row> = []
      say(`Node ${version}`)
      for (const row of measure({ node, worker, folder, runs: setting.runs, milliseconds: quick ? 300 : 1500 })) {
        rows.push(row)
        say(Report.line(row))
      }
      results.push({ node: version, rows })
    }
    if (json) console.log(Report.json(setting, results))
    if (markdown) console.log(Report.markdown(setting, results))
    return !results.some(({ rows }) => rows.some(Report.isBroken))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
