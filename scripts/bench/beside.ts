/**
 * The bench of what people would pick instead: whole calls over loopback, with the connection kept, from the query to something whose rows or
 * columns can be read. A process for each way; they take turns, so that what disturbs one disturbs the others. There is nothing to hold.
 */
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { median, medians } from "./statistics.ts"
import * as Targets from "./targets.ts"

/** What one call costs: milliseconds of time, of the processor and of the collector; and the most memory that the process had, in MB. */
export interface Cost extends Readonly<Record<"milliseconds" | "processor" | "collector" | "megabytes", number>> {}

/** The ways that are compared, ours first. */
const names = [
  "ours",
  "fetch + JSON.parse",
  "the official SDK's path",
  "zod rows",
  "Effect Schema columns",
  "Effect Schema columns, compiled",
  "Effect Schema rows",
  "apache-arrow"
] as const

/** What the worker can do. */
export type Works = Readonly<
  Record<(typeof names)[number] | "serve", (...args: ReadonlyArray<string>) => Promise<unknown>>
>

const worker = { program: "beside" }

/** Each way with all that its calls cost. */
const table = (rows: ReadonlyArray<Report.Row>): string =>
  Report.table(
    ["reply", "way", "× ours", "time", "processor", "collector", "memory, at most"],
    rows.map(({ beside, case: name, figures }) => [...name.split(": "), Report.spread(figures), beside!])
  )

/** The ratios of the whole chain as bars, ours as four characters. */
const chart = (rows: ReadonlyArray<Report.Row>): ReadonlyArray<string> =>
  rows.filter((row) => row.case.startsWith("22718 plain: ")).map((row) => {
    const [ratio, name = ""] = [median(row.figures), row.case.split(": ")[1]]
    return `${name.padEnd(32)} ${"█".repeat(Math.round(ratio * 4))} ${ratio.toFixed(1)}`
  })

export const beside: Report.Bench = {
  runs: 3,
  show: (rows) =>
    [table(rows), "", "The whole chain, ours as four characters:", "", "```text", ...chart(rows), "```"].join("\n"),
  measure: async function*({ milliseconds, runs }) {
    for (const coding of ["plain", "gzip"]) {
      for (const contracts of Targets.sizes) {
        const rounds = await Process.withServer(worker, ["serve", coding], (port) =>
          Process.repeat(runs, async () => {
            const costs: Array<Cost> = []
            for (const name of names) costs.push(await Process.ask(worker, name, port, contracts, milliseconds))
            return costs
          }))
        for (const [at, name] of names.entries()) {
          const cost = medians(rounds.map((costs) => costs[at]!))
          const times = [cost.milliseconds, cost.processor, cost.collector]
          yield {
            case: `${contracts} ${coding}: ${name}`,
            unit: "× ours",
            figures: rounds.map((costs) => costs[at]!.milliseconds / costs[0]!.milliseconds),
            also: { ...cost },
            beside: [...times.map(Report.ms), `${cost.megabytes.toFixed(0)} MB`].join(" | ")
          }
        }
      }
    }
  }
}
