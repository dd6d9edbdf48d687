/** The bench of decoding: spawns a fresh process for each figure, five times, on each Node, and compares the medians with the limits. */
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Options } from "../bench.ts"
import { bodies } from "./decode/chains.ts"
import { type Spread, spread } from "./statistics.ts"

const here = import.meta.dirname
const root = dirname(dirname(here))

/** One line of the result. */
interface Row {
  readonly case: string
  readonly unit: "× JSON.parse" | "ms" | "MB" | "B" | "M/s"
  readonly figure: Spread
  readonly limit: number | undefined
  readonly beside?: string
}

interface Ratio {
  readonly ratio: number
  readonly baseline: number
  readonly subject: number
}

/** Whole replies, and the most that they may take of what `JSON.parse` takes. */
const ratios = [
  { case: "22718-whole", subject: "fastest", body: "22718", limit: 0.35 },
  { case: "2000-whole", subject: "fastest", body: "2000", limit: 0.4 },
  { case: "92-whole", subject: "fastest", body: "92", limit: 0.7 },
  { case: "200000-whole", subject: "fastest", body: "200000", limit: 0.4 },
  { case: "22718-17-digit-greeks", subject: "fastest", body: "22718-17-digit-greeks", limit: 0.6 },
  { case: "22718-typescript-kernel", subject: "typescript", body: "22718", limit: 0.5 },
  { case: "2000-typescript-kernel", subject: "typescript", body: "2000", limit: 0.5 }
] as const

/** A Node to measure with, the worker bundled for it, and how often to ask it. */
interface Machine {
  readonly node: string
  readonly worker: string
  readonly folder: string
  readonly runs: number
  readonly milliseconds: number
}

/** Runs one process, and returns what it measured. */
const ask = <A>({ folder, milliseconds, node, worker }: Machine, what: string, body = "22718"): A => {
  const args = ["--expose-gc", worker, what, folder, body, String(milliseconds)]
  const { error, status, stderr, stdout } = spawnSync(node, args, { encoding: "utf8", maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`${what} ${body} failed: ${error?.message ?? stderr}`)
  return JSON.parse(stdout) as A
}

const askOften = <A>(machine: Machine, what: string, body?: string): ReadonlyArray<A> =>
  Array.from({ length: machine.runs }, () => ask<A>(machine, what, body))

const milliseconds = (figure: number): string => `${figure.toPrecision(3)} ms`

function* measure(machine: Machine): Generator<Row> {
  for (const { body, limit, subject, ...row } of ratios) {
    const runs = askOften<Ratio>(machine, subject, body)
    const times = `${milliseconds(spread(runs.map((run) => run.subject)).median)}, JSON.parse ${
      milliseconds(spread(runs.map((run) => run.baseline)).median)
    }`
    yield { ...row, unit: "× JSON.parse", figure: spread(runs.map((run) => run.ratio)), limit, beside: times }
  }
  for (const [body, limit] of [["22718", 0.75], ["92", undefined]] as const) {
    const pairs = Array.from({ length: machine.runs }, () => {
      const baseline = ask<number>(machine, "first-parse", body)
      return { baseline, subject: ask<number>(machine, "first", body) }
    })
    const baseline = spread(pairs.map((pair) => pair.baseline)).median
    yield {
      case: `${body}-first-decode`,
      unit: "× JSON.parse",
      figure: spread(pairs.map((pair) => pair.subject / baseline)),
      limit,
      beside: `JSON.parse ${milliseconds(baseline)}`
    }
  }
  const streams = askOften<{ afterLastByte: number; block: number }>(machine, "streamed")
  const parsed = ask<{ afterLastByte: number; block: number }>(machine, "streamed-parse")
  yield {
    case: "22718-after-last-byte",
    unit: "ms",
    figure: spread(streams.map((run) => run.afterLastByte)),
    limit: 5,
    beside: `JSON.parse ${milliseconds(parsed.afterLastByte)}`
  }
  yield {
    case: "22718-longest-block",
    unit: "ms",
    figure: spread(streams.map((run) => run.block)),
    limit: 2,
    beside: `JSON.parse ${milliseconds(parsed.block)}`
  }
  const memory = askOften<{ heap: number; buffers: number; collecting: number }>(machine, "memory")
  const baseline = ask<{ heap: number; collecting: number }>(machine, "memory-parse")
  yield {
    case: "22718-retained-heap",
    unit: "MB",
    figure: spread(memory.map((run) => run.heap)),
    limit: 0.5,
    beside: `JSON.parse ${baseline.heap.toFixed(1)} MB`
  }
  yield { case: "22718-buffers-per-contract", unit: "B", figure: spread(memory.map((run) => run.buffers)), limit: 180 }
  yield {
    case: "22718-gc",
    unit: "× JSON.parse",
    figure: spread(memory.map((run) => run.collecting / baseline.collecting)),
    limit: 0.1,
    beside: `JSON.parse ${milliseconds(baseline.collecting)} a decode`
  }
  for (const [name, { ratio }] of Object.entries(ask<Record<string, Ratio>>(machine, "others"))) {
    yield { case: `22718, ${name}`, unit: "× JSON.parse", figure: spread([ratio]), limit: undefined }
  }
  for (const [name, rate] of Object.entries(ask<Record<string, number>>(machine, "rates"))) {
    yield { case: name, unit: "M/s", figure: spread([rate / 1e6]), limit: undefined }
  }
}

const isOver = ({ figure, limit }: Row): boolean => limit !== undefined && figure.median > limit

const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const cells = (row: Row): ReadonlyArray<string> => [
  row.case,
  `${figure(row.figure.median)} ${row.unit}`,
  row.figure.least === row.figure.most ? "" : `${figure(row.figure.least)}–${figure(row.figure.most)}`,
  row.limit === undefined ? "" : String(row.limit),
  row.limit === undefined ? "" : isOver(row) ? "OVER" : "ok",
  row.beside ?? ""
]

const widths = [34, 20, 14, 6, 5, 0]

const print = (row: Row, markdown: boolean): void =>
  console.log(
    markdown
      ? `| ${cells(row).filter((_, at) => at !== 4).join(" | ")} |`
      : cells(row).map((cell, at) => cell.padEnd(widths[at]!)).join(" ").trimEnd()
  )

/** Installs what we compare with, where it is not. */
const install = (): void => {
  if (existsSync(join(here, "node_modules"))) return
  console.error("bench: installing what to compare with (once)")
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    shell: process.platform === "win32",
    stdio: ["ignore", 2, 2]
  })
  if (status !== 0) throw new Error("`npm ci` failed in scripts/bench")
}

/** Checks the worker, which the repository's own check leaves out: it needs what is installed apart. */
const checkTypes = (): void => {
  const { status } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", here], {
    shell: process.platform === "win32",
    stdio: ["ignore", 2, 2]
  })
  if (status !== 0) throw new Error("scripts/bench does not compile")
}

const bundle = async (folder: string): Promise<string> => {
  const worker = join(folder, "worker.mjs")
  await build({
    entryPoints: [join(here, "decode", "worker.ts")],
    absWorkingDir: root,
    bundle: true,
    conditions: ["@effect-marketdata/source"],
    format: "esm",
    logLevel: "error",
    outfile: worker,
    platform: "node"
  })
  return worker
}

const versionOf = (node: string): string => spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim()

/** Another Node beside the one that runs: the one that was named, or a version 20 that the machine has. */
const otherNode = (named: string | undefined): string | undefined => {
  const paths = named === undefined
    ? (process.env["PATH"] ?? "").split(process.platform === "win32" ? ";" : ":").map((folder) => join(folder, "node"))
    : [named]
  return paths.find((path) => existsSync(path) && (named !== undefined || versionOf(path).startsWith("v20.")))
}

/** Runs the bench; answers whether all limits hold. */
export const run = async (options: Options): Promise<boolean> => {
  install()
  checkTypes()
  const folder = mkdtempSync(join(tmpdir(), "bench-"))
  try {
    for (const [name, body] of bodies()) writeFileSync(join(folder, `${name}.json`), body)
    const worker = await bundle(folder)
    const other = otherNode(options.node20)
    const runs = options.quick ? 1 : 5
    const results: Array<{ readonly node: string; readonly cases: ReadonlyArray<Row> }> = []
    for (const node of other === undefined || options.quick ? [process.execPath] : [process.execPath, other]) {
      const machine = { node, worker, folder, runs, milliseconds: options.quick ? 300 : 1500 }
      const rows: Array<Row> = []
      if (!options.json) console.log(options.markdown ? `\n### Node ${versionOf(node)}\n` : `\nNode ${versionOf(node)}`)
      if (options.markdown) console.log("| case | median | spread | limit | beside |\n| --- | --- | --- | --- | --- |")
      for (const row of measure(machine)) {
        rows.push(row)
        if (!options.json) print(row, options.markdown)
      }
      results.push({ node: versionOf(node), cases: rows })
    }
    if (options.json) {
      const cases = results.flatMap(({ cases, node }) =>
        cases.map(({ figure, ...row }) => ({
          node,
          ...row,
          ratio: figure.median,
          least: figure.least,
          most: figure.most
        }))
      )
      console.log(JSON.stringify({ effect: versionOfEffect(), cases }, null, 2))
    }
    return results.every(({ cases }) => !cases.some(isOver))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const versionOfEffect = (): string => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(root, "node_modules", "effect", "package.json"), "utf8")
  )
  return manifest.version
}
