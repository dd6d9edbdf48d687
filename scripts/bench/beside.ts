/**
 * The bench of what people would pick instead: whole calls over loopback, with the connection kept, from the question to something whose rows or
 * columns can be read. A process for each way; they take turns, so that what disturbs one disturbs the others.
 */
import type { Options } from "../bench.ts"
import { type Cost, names } from "./beside/cost.ts"
import { codings, sizes } from "./beside/replies.ts"
import * as Child from "./child.ts"
import type * as Report from "./report.ts"
import * as Setting from "./setting.ts"
import { median, spread } from "./statistics.ts"
import { tell } from "./tell.ts"

const start = (...args: ReadonlyArray<string>) => Child.start("beside", args)

/** All ways to ask for a chain of one size, as ratios to ours. */
const ofSize = async (port: number, contracts: number, runs: number, milliseconds: number) => {
  const costs = new Map<string, Array<Cost>>(names.map((name) => [name, []]))
  for (let run = 0; run < runs; run++) {
    for (const [name, all] of costs) {
      all.push(await Child.answerOf<Cost>(start(name, String(port), String(contracts), String(milliseconds))))
    }
  }
  const ours = costs.get("ours")!
  return [...costs].map(([name, all]) => ({
    name,
    ratios: all.map((cost, run) => cost.milliseconds / ours[run]!.milliseconds),
    cost: {
      milliseconds: median(all.map((cost) => cost.milliseconds)),
      processor: median(all.map((cost) => cost.processor)),
      collector: median(all.map((cost) => cost.collector)),
      megabytes: median(all.map((cost) => cost.megabytes))
    }
  }))
}

const ms = (value: number): string => `${value.toPrecision(3)} ms`

async function* measure(runs: number, milliseconds: number): AsyncGenerator<Report.Row> {
  for (const coding of codings) {
    const server = start("serve", coding)
    try {
      const port = await Child.answerOf<number>(server)
      for (const contracts of sizes) {
        for (const { cost, name, ratios } of await ofSize(port, contracts, runs, milliseconds)) {
          yield {
            case: `${contracts} ${coding}: ${name}`,
            unit: "× ours",
            figure: spread(ratios),
            beside: `${ms(cost.milliseconds)}, processor ${ms(cost.processor)}, collector ${
              ms(cost.collector)
            }, at most ${Math.round(cost.megabytes)} MB`
          }
        }
      }
    } finally {
      server.kill()
    }
  }
}

/** The ratios of the largest chain as bars, ours as four characters. */
const chart = (rows: ReadonlyArray<Report.Row>): string => {
  const beginning = "22718 plain: "
  const bars = rows.filter((row) => row.case.startsWith(beginning)).map((row) => {
    const name = row.case.slice(beginning.length).padEnd(24)
    return `${name} ${"█".repeat(Math.round(row.figure.median * 4))} ${row.figure.median.toFixed(1)}`
  })
  return ["```text", ...bars, "```"].join("\n")
}

/** Runs the bench. There is nothing to hold: it says how things stand. */
export const run = async (options: Options): Promise<boolean> => {
  Setting.install()
  Setting.checkTypes()
  const setting = Setting.describe(options.quick ? 1 : 3)
  const rows = await tell(options, setting, measure(setting.runs, options.quick ? 300 : 1500))
  if (options.markdown) console.log(`\n${chart(rows)}`)
  else if (!options.json) console.log(chart(rows))
  return true
}
