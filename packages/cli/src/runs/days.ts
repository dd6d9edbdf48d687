/** The queries of a run, each with the file of its table. */
import { type Credits, DataMode, ForeignText, Query, Reuse, WorkloadSchedule } from "@effect-marketdata/core"
import { Dataset } from "@effect-marketdata/export"
import { Effect, Result } from "effect"
import { wrong } from "../failure/failure.ts"
import type { PricedTask } from "../plans/planFile.ts"
import * as Words from "../text/words.ts"

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

/** A name of a folder or a file, of any text. */
const plain = (text: string): string =>
  text.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "").slice(0, 60) || "tables"

/** Where the table of a query belongs: in a folder for each symbol and each day; a range of days is a file with both ends in its name. */
const placeOf = (
  { kind, list, options, resolution, subject, tickers }: Query.Query,
  format: Dataset.Options["format"]
) => {
  const { countback = "", date, from = "", to = "" } = options as Readonly<Record<string, string | undefined>>
  const partition: Dataset.Partition = {
    ...resolution && { resolution: `${resolution.count}-${resolution.unit}` },
    ...!list && { [kind === "chain" ? "underlying" : "symbol"]: resolution === undefined ? subject : tickers[0]! },
    ...date !== undefined && { date }
  }
  return { partition, options: date === undefined ? { format, name: plain(`${from}${countback}_${to}`) } : { format } }
}

/** The queries of a plan, in its order. Fails if one cannot be kept: its data may still change, or another has the same file. */
export const of = Effect.fnUntraced(function*(priced: ReadonlyArray<PricedTask>, format: Dataset.Options["format"]) {
  const now = yield* Words.epochSeconds
  const days = new Map<string, Day>()
  for (const { asked, task } of priced) {
    const refused = (why: string, next: string) =>
      wrong("PlanNotRun", `${ForeignText.line(task.name, 200)} ${why}. Nothing was sent.`, next)
    if (WorkloadSchedule.span(task.schedule).times !== 1) {
      return yield* refused(
        "is asked more than once",
        "leave `when` out; name days with `date`, e.g. date: 2026-11-02..today"
      )
    }
    for (const [index, query] of task.queries.entries()) {
      const { columns, date, kind } = query.endpoint
      if (columns.length === 0) return yield* refused("is not a table", "leave the task out")
      if (date !== "past" && kind !== "candles" && kind !== "bulkCandles") {
        return yield* refused(
          "may be answered otherwise tomorrow, whichever days it names",
          "leave the task out; save it by its own command with -o FILE"
        )
      }
      // Live data change until their day is over.
      if (!Reuse.isPossible(Query.withMode(query, DataMode.live), { now })) {
        return yield* refused(
          "is not about days that are over",
          "name days before today with `date`, or for quotes and candles `from` and `to`; a candle that goes on today is not over"
        )
      }
      const { options, partition } = placeOf(query, format)
      const set = plain(task.folder)
      // A past day has a ticker or a date, which are names of folders.
      const file = [set, ...Result.getOrThrow(Dataset.pathOf(partition, options))].join("/")
      const target = Query.target(query)
      if ((days.get(file)?.target ?? target) !== target) {
        return yield* refused(
          `has the file ${file}, as another task has`,
          "give the task a `name`, which is then its folder"
        )
      }
      days.set(file, { query, target, estimate: asked.each[index]!, set, partition, options, file })
    }
  }
  return [...days.values()]
})
