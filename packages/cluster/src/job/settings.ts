/** How a machine runs jobs, as callers without types may say it. */
import type * as Problem from "@effect-marketdata/core/Problem"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
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

const name = { rule: "must be a text of 1 to 100 characters", example: "\"main\"" }

const isName = (value: unknown): value is string => typeof value === "string" && /^[^\0]{1,100}$/.test(value)

export const of = (options: RunnerOptions): Effect.Effect<Settings, JobError> =>
  Effect.gen(function*() {
    const { account, budget, concurrency = 4, keep = Duration.infinity, patience = "15 minutes" } =
      (options ?? {}) as Partial<RunnerOptions>
    const refuse = (option: string, value: unknown, problem: Problem.Problem) =>
      new JobError({ reason: InvalidQuery.of(option, value, problem) })
    if (!isName(account)) return yield* refuse("account", account, name)
    if (budget !== undefined && !isName(budget)) return yield* refuse("budget", budget, name)
    if (!(Number.isSafeInteger(concurrency) && concurrency > 0)) {
      return yield* refuse("concurrency", concurrency, { rule: "must be a positive integer", example: "4" })
    }
    const time = (option: string, value: Duration.Input, example: string) => {
      const millis = Option.match(Duration.fromInput(value), { onNone: () => NaN, onSome: Duration.toMillis })
      return millis > 0
        ? Effect.succeed(millis)
        : refuse(option, value, { rule: "must be a duration above zero", example })
    }
    return {
      ledger: { account, budget },
      concurrency,
      patience: yield* time("patience", patience, "\"15 minutes\""),
      keep: yield* time("keep", keep, "\"30 days\"")
    }
  })

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
