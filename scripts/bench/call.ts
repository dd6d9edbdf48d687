/**
 * The bench of whole calls, with spans, ledger, retries and limits on, over loopback: the largest chain against plain `fetch` and `JSON.parse`, and one
 * quote against the same HTTP client with nothing around it. A server in a process of its own sends prepared bytes, so that what is
 * measured is the client and the transport that both ways share.
 */
import type { Options } from "../bench.ts"
import * as Child from "./child.ts"
import type { Paired } from "./decode/paired.ts"
import * as Report from "./report.ts"
import * as Setting from "./setting.ts"
import { median, spread } from "./statistics.ts"
import { tell } from "./tell.ts"

const cases = [
  { case: "22718", unit: "× fetch + JSON.parse", limit: 0.8 },
  { case: "one-quote", unit: "× HttpClient", limit: 1.5 }
] as const

const start = (...args: ReadonlyArray<string>) => Child.start("call", args)

const ms = (value: number): string => `${value.toPrecision(3)} ms`

async function* measure(port: number, runs: number, milliseconds: number): AsyncGenerator<Report.Row> {
  for (const { limit, unit, ...named } of cases) {
    const pairs: Array<Paired> = []
    for (let run = 0; run < runs; run++) {
      pairs.push(await Child.answerOf<Paired>(start(named.case, String(port), String(milliseconds))))
    }
    yield {
      case: named.case,
      unit,
      figure: spread(pairs.map(({ ratio }) => ratio)),
      limit,
      beside: `${ms(median(pairs.map(({ subject }) => subject)))}, ${ms(median(pairs.map(({ baseline }) => baseline)))}`
    }
  }
}

/** Runs the bench; answers whether all limits hold. */
export const run = async (options: Options): Promise<boolean> => {
  const setting = Setting.describe(options.quick ? 1 : 5, [])
  const server = start("serve")
  try {
    const measured = measure(await Child.answerOf(server), setting.runs, options.quick ? 1500 : 5000)
    return !(await tell(options, setting, measured)).some(Report.isBroken)
  } finally {
    server.kill()
  }
}
