/** The options of jobs and of machines that run them: their checks, and the price of a job. */
import * as Credits from "@effect-marketdata/core/Credits"
import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Workload from "@effect-marketdata/core/Workload"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { count, named, refuse, time } from "../gateway/options.ts"
import * as Terms from "../wire/terms.ts"
import { JobError, TooExpensive } from "./JobError.ts"

/** The version of stored jobs. It grows when an earlier version would misunderstand them. */
export const version = 1

/** A job as its caller gives it, see `Job.Options`. */
export interface Options {
  readonly id: string
  readonly queries: ReadonlyArray<Query.Query>
  readonly budget: number
  readonly consent?: number | undefined
  readonly whenOver?: "refuse" | "hold" | undefined
  readonly whenLost?: "report" | "askAgain" | undefined
}

/** The options of a job without its name, with defaults. */
const Input = Schema.Struct({
  queries: Schema.Array(Schemas.Query),
  budget: Schema.Finite,
  consent: Schemas.Amount,
  whenOver: Schema.Literals(["refuse", "hold"]),
  whenLost: Schema.Literals(["report", "askAgain"])
})

export interface Input extends Readonly<typeof Input.Type> {}

/** Input as it is stored. */
export const Stored = Schema.fromJsonString(Input)

const Parts = Schema.fromJsonString(Schema.Struct({ ...Input.fields, queries: Schema.Array(Schema.Unknown) }))
const query = Schema.decodeUnknownEffect(Schemas.Query)

/** Reads stored input, with pauses between its queries: if they are many, all at once would block the machine for seconds. */
export const read = (text: string): Effect.Effect<Input, Schema.SchemaError> =>
  Effect.flatMap(Schema.decodeEffect(Parts)(text), ({ queries, ...rest }) =>
    Effect.map(
      Effect.forEach(queries, (each, at) => at % 50 === 0 ? Effect.andThen(Effect.yieldNow, query(each)) : query(each)),
      (queries) => ({ ...rest, queries })
    ))

const asJobError = (reason: InvalidQuery) => new JobError({ reason })

const nameOf = (id: unknown) => named("id", id, "\"SPX 2026-Q3\"")

/** Checks the name of a job. */
export const idOf = (id: unknown): Effect.Effect<string, JobError> =>
  Effect.mapError(Effect.fromResult(nameOf(id)), asJobError)

const oneOf = <const A extends string>(option: string, value: unknown, [usual, other]: readonly [A, A]) =>
  value === undefined || value === usual
    ? Result.succeed(usual)
    : value === other
    ? Result.succeed(other)
    : refuse(option, value, { rule: `must be "${usual}" or "${other}"`, example: `"${usual}"` })

const amount = (option: string, value: unknown, most: number, example: string) =>
  typeof value === "number" && value >= 0 && value <= most
    ? Result.succeed(value)
    : refuse(option, value, { rule: "must be a number of credits, 0 or more", example })

/** Checks the options of a job, for callers without types, and adds defaults. */
export const of = (options: Options): Result.Result<{ readonly id: string; readonly input: Input }, JobError> =>
  Result.gen(function*() {
    const { budget, consent = 0, id, queries, whenLost, whenOver } = (options ?? {}) as Partial<Options>
    const name = yield* nameOf(id)
    if (!Array.isArray(queries) || queries.length === 0) {
      return yield* refuse("queries", queries, { rule: "must be a non-empty list of queries", example: "[query]" })
    }
    for (const query of queries) yield* Query.check(query)
    const input = {
      queries,
      budget: yield* amount("budget", budget, Number.MAX_VALUE, "5000"),
      consent: yield* amount("consent", consent, Infinity, "300"),
      whenOver: yield* oneOf("whenOver", whenOver, ["refuse", "hold"]),
      whenLost: yield* oneOf("whenLost", whenLost, ["report", "askAgain"])
    }
    return { id: name, input }
  }).pipe(Result.mapError(asJobError))

/** Prices all queries of a job; fails if that is above its budget and is refused. */
export const priced = (
  id: string,
  { budget, consent, queries, whenOver }: Input
): Result.Result<Workload.Cost, JobError> => {
  const costs = queries.map((query) => Terms.costOf(query, consent))
  const total = costs.reduce(Workload.add, Workload.zero)
  if (total.max <= budget || whenOver === "hold") return Result.succeed(total)
  const open = queries.filter((_, index) => costs[index]!.max === Infinity)
  const [first] = open
  const reason = new TooExpensive({
    id,
    min: total.min,
    budget,
    unbounded: open.length,
    ...total.max === Infinity ? {} : { max: total.max },
    ...first === undefined ? {} : { example: Query.format(first) },
    advice: first === undefined ? [] : Credits.advice(first, budget)
  })
  return Result.fail(new JobError({ reason }))
}

/** The options of a machine that runs jobs, see `Job.RunnerOptions`. */
export interface RunnerOptions {
  readonly account: string
  readonly budget?: string | undefined
  readonly concurrency?: number | undefined
  readonly patience?: Duration.Input | undefined
  readonly keep?: Duration.Input | undefined
}

export const settingsOf = (options: RunnerOptions) =>
  Result.gen(function*() {
    const { account, budget, concurrency = 4, keep = Duration.infinity, patience = "15 minutes" } =
      (options ?? {}) as Partial<RunnerOptions>
    return {
      ledger: {
        account: yield* named("account", account),
        budget: budget === undefined ? undefined : yield* named("budget", budget)
      },
      concurrency: yield* count("concurrency", concurrency, 1),
      patience: yield* time("patience", patience),
      keep: yield* time("keep", keep, "\"30 days\"")
    }
  }).pipe(Result.mapError(asJobError))

export type Settings = Result.Result.Success<ReturnType<typeof settingsOf>>

/** Retries for as long as the patience of the machine: after a second at first, and at most every 30 seconds. */
export const patiently = ({ patience }: Pick<Settings, "patience">) => {
  const often = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])
  const schedule = Schedule.max([often, Schedule.during(patience)])
  return <A, E, R>(effect: Effect.Effect<A, E, R>, isWorthIt: (error: E) => boolean = () => true) =>
    Effect.retry(effect, { schedule, while: isWorthIt })
}

/** Whether the database is unavailable, which may pass; other errors do not. */
export const isUnavailable = ({ reason }: JobError): boolean => reason._tag === "JobsUnavailable"
