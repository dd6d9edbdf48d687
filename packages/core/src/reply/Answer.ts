/**
 * The answer to a query: the data, its findings, its provenance, what it cost, and each request that was sent for it.
 *
 * @example
 * ```ts
 * import type * as Answer from "@effect-marketdata/core/Answer"
 * import type * as OptionChain from "@effect-marketdata/core/OptionChain"
 *
 * export const paidAtMost = ({ credits }: Answer.Answer<OptionChain.OptionChain>): number => credits.charged + credits.uncertain
 * ```
 *
 * @see {@link Provenance} for where the data came from
 * @see {@link Finding} for what was unusual
 * @since 0.1.0
 */
import type { Finding } from "../columns/Finding.ts"
import { type Charge, type Estimate, formatAmount } from "../credits/Credits.ts"
import type { Reason } from "../reason/Reason.ts"
import * as Json from "../text/json.ts"
import * as Problem from "../text/Problem.ts"
import type { Provenance } from "./Provenance.ts"

/**
 * One request that was sent for a query, with its result.
 *
 * - `target`: its path and query string, without a token
 * - `reason`: the reason why it failed, if it did
 * - `charge`: what it was charged; undefined if that is unknown
 * - `uncertain`: what it may have been charged in addition, in credits. If `charge` is undefined it is the most that it may have been
 *   charged: `Infinity` without an upper bound, and 0 if nothing was
 * - `repeats`: how often the HTTP client tried to send it again by itself, which was refused
 * - `elsewhere`: the credits that are gone according to the figures of its reply, and that no request of this program explains
 *
 * @category models
 * @since 0.1.0
 */
export interface Attempt {
  readonly target: string
  readonly status: number | undefined
  readonly charge: Charge | undefined
  readonly uncertain: number
  readonly repeats: number
  readonly elsewhere: number
  readonly reason: Reason | undefined
}

/**
 * Makes the record of a request from its fields. `JSON.stringify` prints it without loss, and `Schemas.Attempt` reads it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeAttempt = (fields: Attempt): Attempt => Json.withJson({ ...known(fields) }, toJSON)

const known = /* @__PURE__ */ Problem.guard("attempt", "one of the trace of an answer", { target: "", uncertain: 0 })

/**
 * What some requests were charged together, in credits, and at most in addition, because a reply was lost or could not be priced.
 * `uncertain` is `Infinity` if such a request had no upper bound.
 *
 * @category models
 * @since 0.1.0
 */
export interface Spent {
  readonly charged: number
  readonly uncertain: number
}

/**
 * The estimate of a query, and what all its requests were charged together, certainly and perhaps.
 *
 * @category models
 * @since 0.1.0
 */
export interface Credits extends Spent {
  readonly estimate: Estimate
}

/**
 * Returns the sum of what some requests were charged, and may have been charged in addition, in credits.
 *
 * @example
 * ```ts
 * import * as Answer from "@effect-marketdata/core/Answer"
 *
 * Answer.spent([]) // => { charged: 0, uncertain: 0 }
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const spent = (trace: ReadonlyArray<Attempt>): Spent => ({
  charged: Problem.list("trace", trace, known).reduce((sum, { charge }) => sum + (charge?.credits ?? 0), 0),
  uncertain: trace.reduce((sum, { uncertain }) => sum + uncertain, 0)
})

/**
 * Prints a request in one line: what was sent, what came back, and what it cost.
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatAttempt = (attempt: Attempt): string => {
  const { charge, elsewhere, reason, repeats, status, target, uncertain } = known(attempt)
  const outcome = status === undefined ? "no reply" : `status ${status}`
  const cost = charge !== undefined
    ? formatAmount(charge.credits) + (uncertain === 0 ? "" : `, or up to ${uncertain} more`)
    : uncertain === 0
    ? "nothing charged"
    : uncertain === Infinity
    ? "charge unknown"
    : `charge unknown, at most ${formatAmount(uncertain)}`
  const came = [
    outcome,
    cost,
    ...(reason === undefined ? [] : [reason._tag]),
    ...(elsewhere === 0 ? [] : [`${formatAmount(elsewhere)} spent elsewhere`]),
    ...(repeats === 0 ? [] : [`${repeats} more of the HTTP client's own refused`])
  ]
  return `GET ${target} HTTP/1.1 → ${came.join(", ")}`
}

/**
 * A whole answer.
 *
 * @see `Schemas.Answer`, which reads what `JSON.stringify` makes of it
 * @category models
 * @since 0.1.0
 */
export interface Answer<out Data> {
  readonly data: Data
  readonly findings: ReadonlyArray<Finding>
  readonly provenance: Provenance
  readonly credits: Credits
  readonly trace: ReadonlyArray<Attempt>
}

/**
 * Makes an answer from its fields. `JSON.stringify` prints it without loss, and `Schemas.Answer` reads it. A copy made by spreading loses
 * this: its infinite credits are printed as null.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <A extends Answer<unknown>>(fields: A): A => Json.withJson({ ...whole(fields) }, toJSON)

const whole = /* @__PURE__ */ Problem.guard("answer", "what MarketData.optionChain returns", { credits: {}, trace: [] })

function toJSON(this: object): unknown {
  return Json.fields(this)
}
