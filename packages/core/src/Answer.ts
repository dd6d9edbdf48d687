/**
 * The answer to a question: the data, what was unusual about it, where it came from, what it cost, and each request it took.
 *
 * @example
 * ```ts
 * import type * as Answer from "@effect-marketdata/core/Answer"
 * import type * as OptionChain from "@effect-marketdata/core/OptionChain"
 *
 * export const paid = (answer: Answer.Answer<OptionChain.OptionChain>): number => answer.credits.charged
 * ```
 *
 * @since 0.1.0
 */
import type { Charge, Estimate } from "./Credits.ts"
import type { Finding } from "./Finding.ts"
import type { Provenance } from "./Provenance.ts"
import type { Reason } from "./Reason.ts"

/**
 * One request that was sent for a question, whatever came of it. `target` holds no token; `reason` is what it failed with.
 *
 * @category models
 * @since 0.1.0
 */
export interface Attempt {
  readonly target: string
  readonly status: number | undefined
  readonly charge: Charge | undefined
  readonly reason: Reason | undefined
}

/**
 * What was estimated before the question was asked, and what all its requests were charged together.
 *
 * @category models
 * @since 0.1.0
 */
export interface Credits {
  readonly estimate: Estimate
  readonly charged: number
}

/**
 * A whole answer.
 *
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
