/** A job for each trading day, at a time of New York. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as ClusterCron from "effect/cluster/ClusterCron"
import type { Sharding } from "effect/cluster/Sharding"
import * as Cron from "effect/Cron"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Input from "./input.ts"
import { JobError } from "./JobError.ts"

/** When jobs are started, and which, see `Job.ScheduleOptions`. */
export interface ScheduleOptions {
  readonly name: string
  readonly at: string
  readonly calendar?: TradingCalendar.TradingCalendar | undefined
  readonly job: (date: CalendarDate.CalendarDate) => Omit<Input.Options, "id">
}

/** Starts jobs on a schedule, with what `start` does. */
export const layer = <R>(
  options: ScheduleOptions,
  start: (job: Input.Options) => Effect.Effect<unknown, JobError, R>
): Layer.Layer<never, JobError, R | Sharding> =>
  Layer.unwrap(Effect.gen(function*() {
    const { at, calendar = TradingCalendar.NYSE, job, name } = options ?? {}
    const refuse = (option: string, value: unknown, rule: string, example: string) =>
      new JobError({ reason: InvalidQuery.of(option, value, { rule, example }) })
    // The name of a job has its day behind it.
    if (typeof name !== "string" || !/^[^\p{C}]{1,80}$/u.test(name)) {
      return yield* refuse("name", name, "must be a text of 1 to 80 printable characters", "\"SPX close\"")
    }
    const time = typeof at === "string" ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) : null
    if (time === null) return yield* refuse("at", at, "must be a time of New York as hours and minutes", "\"15:45\"")
    if (typeof job !== "function") {
      return yield* refuse("job", job, "must be a function of the day", "(date) => ({ queries, budget: 100 })")
    }
    return ClusterCron.make({
      name: `marketdata ${name}`,
      cron: Cron.parseUnsafe(`${Number(time[2])} ${Number(time[1])} * * 1-5`, "America/New_York"),
      execute: Effect.gen(function*() {
        const due = yield* ClusterCron.CurrentScheduledTime
        const date = NewYork.dateOf(due.epochMilliseconds / 1000)
        if (!TradingCalendar.isTradingDay(calendar, date)) return
        yield* start({ ...job(date), id: `${name} ${CalendarDate.format(date)}` })
      })
    })
  }))
