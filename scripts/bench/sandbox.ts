/** The bench of the sandbox: what its server adds to a bare one, how fast it writes the largest chain, and what it keeps in memory. */
import type { ChildProcess } from "node:child_process"
import type { Options } from "../bench.ts"
import * as Child from "./child.ts"
import type { Paired } from "./decode/paired.ts"
import * as Report from "./report.ts"
import * as Load from "./sandbox/load.ts"
import * as Setting from "./setting.ts"
import { median, spread } from "./statistics.ts"
import { tell } from "./tell.ts"

/** A small reply: one row, a few columns. */
const target = "/v1/stocks/quotes/AAPL/?mode=cached"

const start = (...args: ReadonlyArray<string>) => Child.start("sandbox", args, [Child.fromSource, "--expose-gc"])

interface Bench {
  readonly runs: number
  readonly milliseconds: number
  readonly requests: number
  readonly warming: number
}

const repeat = async <A>({ runs }: Bench, measure: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let run = 0; run < runs; run++) all.push(await measure())
  return all
}

/** Both servers in processes of their own, by turns: what disturbs one disturbs the other. */
const rates = async (
  { milliseconds, warming }: Bench
): Promise<{ readonly sandbox: number; readonly bare: number }> => {
  const servers: Array<ChildProcess> = []
  const listen = (...args: ReadonlyArray<string>): Promise<number> => {
    const server = start(...args)
    servers.push(server)
    return Child.answerOf(server)
  }
  try {
    const request = Load.requestOf(target)
    const sandbox = await listen("serve")
    const bare = await listen("bare", "0", await Load.replyTo(sandbox, request))
    // A server is as fast as its compiler has had requests to make it.
    for (const port of [sandbox, bare]) await Load.count(port, request, warming)
    const rounds: Array<{ readonly sandbox: number; readonly bare: number }> = []
    for (let round = 0; round < 3; round++) {
      rounds.push({
        bare: await Load.rate(bare, request, milliseconds / 3),
        sandbox: await Load.rate(sandbox, request, milliseconds / 3)
      })
    }
    return { sandbox: median(rounds.map(({ sandbox }) => sandbox)), bare: median(rounds.map(({ bare }) => bare)) }
  } finally {
    for (const server of servers) server.kill()
  }
}

const perSecond = (value: number): string => `${Math.round(value / 100) * 100}/s`

async function* measure(bench: Bench): AsyncGenerator<Report.Row> {
  const pairs = await repeat(bench, () => rates(bench))
  yield {
    case: "small-requests",
    unit: "× node:http",
    figure: spread(pairs.map(({ bare, sandbox }) => sandbox / bare)),
    floor: 0.3,
    beside: `${perSecond(median(pairs.map(({ sandbox }) => sandbox)))} of ${
      perSecond(median(pairs.map(({ bare }) => bare)))
    }`
  }
  const encoded = await repeat(bench, () => Child.answerOf<Paired>(start("encode", String(bench.milliseconds))))
  yield {
    case: "22718-encoded",
    unit: "× JSON.stringify",
    figure: spread(encoded.map(({ ratio }) => 1 / ratio)),
    floor: 0.5,
    beside: `${median(encoded.map(({ subject }) => subject)).toPrecision(3)} ms, ${
      median(encoded.map(({ baseline }) => baseline)).toPrecision(3)
    } ms`
  }
  const kept = await repeat(
    bench,
    () =>
      Child.answerOf<{ readonly held: number; readonly grown: number }>(start("memory", String(bench.requests), target))
  )
  yield {
    case: `heap-after-${bench.requests}-requests`,
    unit: "MB",
    figure: spread(kept.map(({ grown }) => grown / 1e6)),
    limit: 1,
    beside: `of ${(median(kept.map(({ held }) => held)) / 1e6).toFixed(1)} MB`
  }
}

/** Runs the bench; answers whether all limits hold. */
export const run = async (options: Options): Promise<boolean> => {
  const { quick } = options
  const setting = Setting.describe(quick ? 1 : 3, [])
  const measured = measure({
    runs: setting.runs,
    milliseconds: quick ? 600 : 3000,
    requests: quick ? 10_000 : 100_000,
    warming: quick ? 10_000 : 50_000
  })
  return !(await tell(options, setting, measured)).some(Report.isBroken)
}
