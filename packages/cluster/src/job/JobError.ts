/**
 * Why a job cannot be started, read or run.
 *
 * @example
 * ```ts
 * import * as Job from "@effect-marketdata/cluster/Job"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const queries = [Result.getOrThrow(Query.stockPrices(["AAPL", "MSFT"]))]
 * const refused = Job.price({ id: "prices", queries, budget: 1 })
 * Result.isFailure(refused) && refused.failure.message
 * // => "the job \"prices\" may cost 2 credits, and its budget is 1. Raise the budget, ask for less, or begin all the same with whenOver: \"hold\". Nothing was sent."
 * ```
 *
 * @see {@link Job} for jobs
 * @since 0.1.0
 */
import { formatAmount } from "@effect-marketdata/core/Credits"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import { Advice, formatAdvice, InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Schema from "effect/Schema"

const theJob = (id: string): string => `the job ${ForeignText.quote(id)}`

/**
 * The job may cost more than its budget. All amounts are credits.
 *
 * - `min`, `max`: what all its queries cost at least and at most; `max` is undefined without an upper bound
 * - `unbounded`: how many queries have no upper bound, and `example` the first of them in words
 * - `advice`: options of that query, each of which bounds its price
 *
 * @category errors
 * @since 0.1.0
 */
export class TooExpensive extends /* @__PURE__ */ Schema.TaggedError<TooExpensive>()("TooExpensive", {
  id: Schema.String,
  min: Schema.Finite,
  max: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  budget: Schema.Finite,
  unbounded: Schema.Int,
  example: /* @__PURE__ */ Schema.optionalKey(Schema.String),
  advice: /* @__PURE__ */ Schema.Array(Advice)
}) {
  override get message(): string {
    const { advice, budget, example = "", id, max, min, unbounded } = this
    const [job, least, most] = [theJob(id), formatAmount(min), formatAmount(max)]
    if (max !== undefined) {
      return `${job} may cost ${most}, and its budget is ${budget}. Raise the budget, ask for less, ` +
        "or begin all the same with whenOver: \"hold\". Nothing was sent."
    }
    const queries = unbounded === 1 ? "1 query has" : `${unbounded} queries have`
    const adding = advice.length === 0
      ? "State in assume how much you expect"
      : `Add ${advice.map(formatAdvice).join(", or ")}`
    return `${job} costs at least ${least}, and nothing bounds its price: ${queries} no upper bound, ` +
      `such as ${example}. ${adding}, or ask for cached data. Nothing was sent.`
  }
}

/**
 * There is a job of this name, and it asks something else.
 *
 * @category errors
 * @since 0.1.0
 */
export class NameInUse extends /* @__PURE__ */ Schema.TaggedError<NameInUse>()("NameInUse", { id: Schema.String }) {
  override get message(): string {
    return `there is a job ${ForeignText.quote(this.id)} already, and it has other queries or another budget. ` +
      "Give this one another id. Nothing was sent."
  }
}

/**
 * There is no job of this name in the database.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnknownJob extends /* @__PURE__ */ Schema.TaggedError<UnknownJob>()("UnknownJob", { id: Schema.String }) {
  override get message(): string {
    return `there is no job ${ForeignText.quote(this.id)} in the database. Start it with Job.start, ` +
      "or see that this program has the database of the one that did."
  }
}

/**
 * The job is not over, and so cannot be removed.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotOver extends /* @__PURE__ */ Schema.TaggedError<NotOver>()("NotOver", { id: Schema.String }) {
  override get message(): string {
    return `${theJob(this.id)} is not over. Cancel it with Job.cancel, then continue it with Job.resume if it is ` +
      "suspended, and remove it when its progress says \"cancelled\"."
  }
}

/**
 * The job was written by another version of this package, `found`, and this program reads version `known`.
 *
 * @category errors
 * @since 0.1.0
 */
export class OtherVersion extends /* @__PURE__ */ Schema.TaggedError<OtherVersion>()("OtherVersion", {
  id: Schema.String,
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message(): string {
    return `${theJob(this.id)} was written as version ${this.found}, and this program reads version ${this.known}. ` +
      "Run the same version of effect-marketdata on all machines, and then Job.resume it. Nothing was sent."
  }
}

/**
 * The database of the jobs cannot be read or written, or what is in it cannot be understood. `detail` says what was wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export class JobsUnavailable extends /* @__PURE__ */ Schema.TaggedError<JobsUnavailable>()("JobsUnavailable", {
  detail: Schema.String
}) {
  override get message(): string {
    return `the database of the jobs cannot be used: ${ForeignText.line(this.detail, 200)}.`
  }
}

/**
 * Why a job cannot be started, read or run. Handle its `reason` with `Effect.catchReason` or `Effect.unwrapReason`.
 *
 * @category errors
 * @since 0.1.0
 */
export class JobError extends /* @__PURE__ */ Schema.TaggedError<JobError>()("JobError", {
  reason: /* @__PURE__ */ Schema.Union([
    InvalidQuery,
    TooExpensive,
    NameInUse,
    UnknownJob,
    NotOver,
    OtherVersion,
    JobsUnavailable
  ])
}) {
  override get message(): string {
    return this.reason.message
  }
}
