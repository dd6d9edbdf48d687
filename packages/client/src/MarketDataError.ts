/**
 * The one error of the client: which question failed, why, and what each request for it came to.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 *
 * export const orNothing = MarketData.optionChain("SPX").pipe(
 *   Effect.map((answer) => answer.data.length),
 *   Effect.catchReason("MarketDataError", "NotFound", () => Effect.succeed(0))
 * )
 * ```
 *
 * @since 0.1.0
 */
import type { Attempt } from "@effect-marketdata/core/Answer"
import type { Reason } from "@effect-marketdata/core/Reason"
import * as Data from "effect/Data"
import type { Incomplete } from "./Incomplete.ts"

/**
 * Every way in which a question can fail: the reasons of core, and that only part of it was answered.
 *
 * @category errors
 * @since 0.1.0
 */
export type AnyReason = Reason | Incomplete

/**
 * A question that was not answered, or not all of it. `reason` is handled with `Effect.catchReason` or `Effect.unwrapReason`; `trace`
 * lists the requests that were sent, with what each was charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class MarketDataError<out R extends AnyReason = AnyReason> extends Data.TaggedError("MarketDataError")<{
  readonly query: string
  readonly reason: R
  readonly trace: ReadonlyArray<Attempt>
}> {
  override get message(): string {
    return `${this.query}: ${this.reason.message}`
  }
}
