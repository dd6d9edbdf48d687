/**
 * The bench of what people would pick instead: whole calls over loopback, with the connection kept, from the query to something whose rows or
 * columns can be read. A process for each way; they take turns, so that what disturbs one disturbs the others. There is nothing to hold.
 */
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { medians } from "./statistics.ts"
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

export const beside: Report.Bench = {
  runs: 3,
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
          const { collector, megabytes, milliseconds: took, processor } = cost
          yield {
            case: `${contracts} ${coding}: ${name}`,
            unit: "× ours",
            figures: rounds.map((costs) => costs[at]!.milliseconds / costs[0]!.milliseconds),
            also: { ...cost },
            beside: `${Report.ms(took)}, of the processor ${Report.ms(processor)}, of the collector ${
              Report.ms(collector)
            }, at most ${megabytes.toFixed(0)} MB`
          }
        }
      }
    }
  }
}
