/** The bench of the sandbox: what its server adds to a bare one, how fast it writes the largest chain, and what it keeps in memory. */
import * as Load from "../../packages/sandbox/test/support/load.ts"
import { fromSource } from "../shared/script.ts"
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { medians, type Paired } from "./statistics.ts"

const worker = { program: "sandbox", flags: [fromSource, "--expose-gc"] }

/** Requests a second of both servers, in processes of their own, by turns: what disturbs one disturbs the other. */
const rates = async ({ milliseconds, quick }: Report.How) => {
  using sandbox = await Process.serve(worker, "serve")
  using bare = await Process.serve(worker, "bare", await Load.replyTo(sandbox.port))
  // Warms up both servers, until V8 has compiled what a request runs.
  for (const { port } of [sandbox, bare]) await Load.count(port, quick ? 10_000 : 50_000)
  const rate = ({ port }: typeof bare) => Load.rate(port, milliseconds * 2 / 3)
  return medians(await Process.repeat(3, async () => ({ bare: await rate(bare), sandbox: await rate(sandbox) })))
}

const perSecond = (value: number): string => `${Math.round(value / 100) * 100}/s`

export const sandbox: Report.Bench = {
  runs: 3,
  measure: async function*(how) {
    const { milliseconds, quick, runs } = how
    const pairs = await Process.repeat(runs, () => rates(how))
    const ratios = pairs.map(({ bare, sandbox }) => sandbox / bare)
    const usual = medians(pairs)
    const rate = `${perSecond(usual.sandbox)} of ${perSecond(usual.bare)}`
    yield { case: "small-requests", unit: "× node:http", figures: ratios, floor: 0.45, beside: rate }
    const encoded = await Process.repeat(runs, () => Process.ask<Paired>(worker, "encode", milliseconds * 2))
    const faster = encoded.map((pair) => ({ ...pair, ratio: 1 / pair.ratio }))
    yield Report.paired("22718-encoded", "× JSON.stringify", faster, { floor: 0.7 })
    const requests = quick ? 10_000 : 100_000
    type Heap = Record<"held" | "grown", number>
    const kept = await Process.repeat(runs, () => Process.ask<Heap>(worker, "memory", requests))
    const grown = kept.map(({ grown }) => grown / 1e6)
    const held = `of ${(medians(kept).held / 1e6).toFixed(1)} MB`
    yield { case: `heap-after-${requests}-requests`, unit: "MB", figures: grown, limit: 1, beside: held }
  }
}
