/** How a machine runs jobs, as callers without types may say it. */
import type * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Options from "../gateway/options.ts"
import { JobError } from "./JobError.ts"

/** Settings as a program gives them, see `Job.RunnerOptions`. */
export interface RunnerOptions {
  readonly account: string
  readonly budget?: string | undefined
  readonly concurrency?: number | undefined
  readonly patience?: Duration.Input | undefined
  readonly keep?: Duration.Input | undefined
}

export interface Settings {
  readonly ledger: Omit<SqlLedger.NamedClaim, "key">
  readonly concurrency: number
  readonly patience: number
  readonly keep: number
}

export const of = (options: RunnerOptions): Result.Result<Settings, JobError> =>
  Result.gen(function*() {
    const { account, budget, concurrency = 4, keep = Duration.infinity, patience = "15 minutes" } =
      (options ?? {}) as Partial<RunnerOptions>
    return {
      ledger: {
        account: yield* Options.named("account", account),
        budget: budget === undefined ? undefined : yield* Options.named("budget", budget)
      },
      concurrency: yield* Options.count("concurrency", concurrency, 1),
      patience: yield* Options.time("patience", patience),
      keep: yield* Options.time("keep", keep, "\"30 days\"")
    }
  }).pipe(Result.mapError((reason) => new JobError({ reason })))

/** Tries again for as long as the patience of a machine lasts: after a second at first, and after 30 seconds at most. */
export const patiently = (
  { patience }: Settings
) =>
<A, E, R>(effect: Effect.Effect<A, E, R>, isWorthIt: (error: E) => boolean = () => true): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    schedule: Schedule.max([
      Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")]),
      Schedule.during(patience)
    ]),
    while: isWorthIt
  })

/** The database may be there again soon; anything else stays wrong. */
export const isUnavailable = ({ reason }: JobError): boolean => reason._tag === "JobsUnavailable"
