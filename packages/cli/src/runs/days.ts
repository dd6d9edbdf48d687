/** The queries of a plan that a run keeps, each with the file that its table becomes. */
import * as Credits from "@effect-marketdata/core/Credits"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Query from "@effect-marketdata/core/Query"
import * as Reuse from "@effect-marketdata/core/Reuse"
import * as WorkloadSchedule from "@effect-marketdata/core/WorkloadSchedule"
import * as Dataset from "@effect-marketdata/export/Dataset"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { wrong } from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import type { PricedTask } from "../plans/priced.ts"
import * as Words from "../text/words.ts"
import type * as Manifest from "./manifest.ts"

/** One query, and its file below the folder of the run; `set` is the folder of the tables of its kind. */
export interface Day {
  readonly query: Query.Query
  readonly target: string
  readonly estimate: Credits.Estimate
  readonly set: string
  readonly partition: Dataset.Partition
  readonly options: Dataset.Options
  readonly file: string
}

const refused = (what: string, why: string, next?: string) =>
  wrong("PlanNotRun", `${ForeignText.line(what, 200)} ${why}. Nothing was sent.`, next)

/** The name of a folder or a file, of any text. */
const plain = (text: string): string =>
  text.replaceAll(/[^\w.]+/g, "-").replaceAll(/^[-.]+|-+$/g, "").slice(0, 60) || "tables"

/** Where the table of a query belongs: a folder for each symbol and each day; what has no one day is a file by the ends of its range. */
const placeOf = (
  { kind, list, options, resolution, subject, tickers: [ticker = subject] }: Query.Query,
  format: Manifest.Head["files"]
): Pick<Day, "options" | "partition"> => {
  const partition = {
    ...resolution && { resolution: `${resolution.count}-${resolution.unit}` },
    ...!list && { [kind === "chain" ? "underlying" : "symbol"]: resolution ? ticker : subject },
    ...options["date"] !== undefined && { date: String(options["date"]) }
  }
  const ends = ["from", "to", "countback"].flatMap((name) => options[name] === undefined ? [] : [String(options[name])])
  const isRange = options["date"] === undefined && kind !== "chain"
  return { partition, options: { format, ...isRange && { name: plain(ends.join("_")).replaceAll(".", "-") } } }
}

/** The queries of a plan in its order. Fails where one of them cannot be kept: its data may still change, or two have one file. */
export const of = Effect.fnUntraced(function*(priced: ReadonlyArray<PricedTask>, format: Manifest.Head["files"]) {
  const now = yield* Words.epochSeconds
  const days = new Map<string, Day>()
  for (const { asked, task } of priced) {
    if (WorkloadSchedule.span(task.schedule).times !== 1) {
      return yield* refused(
        task.name,
        "is asked more than once, and `run` asks each query once",
        "leave `when` out of it; name days with `date`, e.g. date: 2026-11-02..today"
      )
    }
    for (const [index, query] of task.queries.entries()) {
      const target = Query.target(query)
      const label = Names.label(Query.format(query))
      if (query.endpoint.columns.length === 0) return yield* refused(label, "is no table, and `run` writes tables")
      // As live data only what is over stays as it is.
      if (!Reuse.isPossible(Query.withMode(query, { _tag: "Live" }), { now })) {
        return yield* refused(
          label,
          "is not about days that are over, so its answer would change",
          "name days before today with `date`, or with `from` and `to`"
        )
      }
      const set = plain(task.folder)
      const place = placeOf(query, format)
      const path = Dataset.pathOf(place.partition, place.options)
      if (Result.isFailure(path)) return yield* refused(label, `has no file: ${path.failure.message}`)
      const file = [set, ...path.success].join("/")
      const other = days.get(file)
      if (other !== undefined && other.target !== target) {
        return yield* refused(
          label,
          `would be written to ${file}, and so would another query of the plan`,
          "give one of the tasks a `name`, which is then the folder of its files"
        )
      }
      days.set(file, { query, target, estimate: asked.each[index]!, set, ...place, file })
    }
  }
  return [...days.values()]
})
