/**
 * The answer to a query: the data, what was unusual about it, where it came from, what it cost, and each request it took.
 *
 * @example
 * ```ts
 * import type * as Answer from "@effect-marketdata/core/Answer"
 * import type * as OptionChain from "@effect-marketdata/core/OptionChain"
 *
 * export const paidAtMost = ({ credits }: Answer.Answer<OptionChain.OptionChain>): number => credits.charged + credits.uncertain
 * ```
 *
 * @since 0.1.0
 */
import { type Charge, type Estimate, formatAmount } from "../credits/Credits.ts"
import type { Finding } from "../columns/Finding.ts"
import type { Provenance } from "./Provenance.ts"
import type { Reason } from "../reason/Reason.ts"
import * as Json from "../text/json.ts"

/**
 * One request that was sent for a query, whatever came of it. `target` holds no token; `reason` is what it failed with. `uncertain` is what it
 * may have been charged besides its `charge`, in credits: 0 where that is certain. Where `charge` is undefined nobody can tell what it was
 * charged: then it is the most that it may have been, `Infinity` without an upper bound, and 0 where nothing was.
 *
 * `repeats` is how often the HTTP client wanted to send it again by itself, which was refused. `elsewhere` are the credits that were gone with
 * its reply, by the service's figures, and that no request of this program explains.
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
 * Makes a request's record of its fields: `JSON.stringify` prints it without loss, as `Schemas.Attempt` reads it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const attempt = (fields: Attempt): Attempt => Json.withJson({ ...fields }, toJSON)

/**
 * What requests were charged together, in credits, and what they may have been charged in addition, at most, because a reply was lost or
 * could not be priced. `uncertain` is `Infinity` where such a request had no upper bound.
 *
 * @category models
 * @since 0.1.0
 */
export interface Spent {
  readonly charged: number
  readonly uncertain: number
}

/**
 * What was estimated before the query was asked, and what all its requests were charged together, for certain and perhaps.
 *
 * @category models
 * @since 0.1.0
 */
export interface Credits extends Spent {
  readonly estimate: Estimate
}

/**
 * Adds up what requests were charged, and may have been charged in addition.
 *
 * @category getters
 * @since 0.1.0
 */
export const spent = (trace: ReadonlyArray<Attempt>): Spent => ({
  charged: trace.reduce((sum, { charge }) => sum + (charge?.credits ?? 0), 0),
  uncertain: trace.reduce((sum, { uncertain }) => sum + uncertain, 0)
})

/**
 * Prints a request in one line: what was sent, what came back, and what it cost.
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatAttempt = (
  { charge, elsewhere, reason, repeats, status, target, uncertain }: Attempt
): string => {
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
 * Makes an answer of its fields: `JSON.stringify` prints it without loss, as `Schemas.Answer` reads it. An object into which an answer was spread is
 * printed by its fields again: unbounded credits become null there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <A extends Answer<unknown>>(fields: A): A => Json.withJson({ ...fields }, toJSON)

function toJSON(this: object): unknown {
  return Json.fields(this)
}
