/**
 * The one error of the client: which query failed, why, and what each request for it came to.
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
import * as Answer from "@effect-marketdata/core/Answer"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import type { Reason } from "@effect-marketdata/core/Reason"
import * as Data from "effect/Data"
import * as Inspectable from "effect/Inspectable"
import type { Incomplete } from "./Incomplete.ts"

/**
 * Every way in which a query can fail: the reasons of core, and that only part of it was answered.
 *
 * @category errors
 * @since 0.1.0
 */
export type AnyReason = Reason | Incomplete

/**
 * A query that was not answered, or not all of it. `reason` is handled with `Effect.catchReason` or `Effect.unwrapReason`; `trace`
 * lists the requests that were sent, with what each was charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class MarketDataError<out R extends AnyReason = AnyReason>
  extends Data.TaggedError("MarketDataError")<Asked<R>>
{
  constructor(asked: Asked<R>) {
    // A label names what was asked for, and a token may have been pasted into that.
    super({ ...asked, query: ForeignText.line(asked.query, 200) })
    // Node prints a failure that nobody caught with all it can enumerate: the reason, which is an error too, again and again.
    for (const name of ["query", "reason", "trace"]) Object.defineProperty(this, name, { enumerable: false })
  }
  override get message(): string {
    return `${this.query}: ${this.reason.message}`
  }
  /** What `console.log` prints: the words once, and a line for each request that was sent. */
  override [Inspectable.NodeInspectSymbol](): string {
    const sent = this.trace.map((attempt) => `\n    ${Answer.formatAttempt(attempt)}`)
    return `${this.stack}\n  reason: ${this.reason._tag}\n  sent: ${sent.length === 0 ? "nothing" : sent.join("")}`
  }
}

interface Asked<out R extends AnyReason> {
  readonly query: string
  readonly reason: R
  readonly trace: ReadonlyArray<Answer.Attempt>
}
