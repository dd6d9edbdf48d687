/**
 * Part of an answer: a query about many tickers went out in several requests, and some of them failed. What was paid for is kept, and
 * what is missing is named.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 *
 * export const whatThereIs = MarketData.stockPrices(["AAPL", "MSFT"]).pipe(
 *   Effect.catchReason("MarketDataError", "Incomplete", ({ answered }) => Effect.succeed(answered))
 * )
 * ```
 *
 * @see {@link MarketData} whose `partial` accepts it
 * @see {@link MarketDataError} which carries it
 * @since 0.1.0
 */
import type { Answer, Spent } from "@effect-marketdata/core/Answer"
import { formatAmount } from "@effect-marketdata/core/Credits"
import type { Cost, Reason } from "@effect-marketdata/core/Reason"
import * as Data from "effect/Data"

/**
 * What all requests of a query were charged, as the end of a message.
 *
 * @internal
 */
export const inAll = ({ charged, uncertain }: Spent): string =>
  charged === 0 && uncertain === 0
    ? "Nothing was charged"
    : `The requests were charged ${formatAmount(charged)} in all${uncertain === 0 ? "" : ", and perhaps more"}`

/**
 * A request that failed: its tickers, and why.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failure<out R extends Reason = Reason> {
  readonly tickers: ReadonlyArray<string>
  readonly reason: R
}

/**
 * Some requests of a query were answered, and others failed. `answered` is the answer with what came; `missing` names the other tickers,
 * in the order of the query; `errors` says why each request failed. `MarketData.partial` accepts it.
 *
 * @category errors
 * @since 0.1.0
 */
export class Incomplete<out A = unknown, out R extends Reason = Reason> extends Data.TaggedError("Incomplete")<{
  readonly answered: Answer<A>
  readonly missing: ReadonlyArray<string>
  readonly errors: readonly [Failure<R>, ...ReadonlyArray<Failure<R>>]
}> {
  readonly isRetryable = false
  readonly cost: Cost = "full"
  override get message(): string {
    const [{ reason }] = this.errors
    const { length } = this.missing
    const named = this.missing.slice(0, 3).join(", ") + (length > 3 ? ` and ${length - 3} more` : "")
    return `${length} ticker${length === 1 ? " is" : "s are"} missing (${named}): ${reason.message} ` +
      `Ask for them again, or take the others with MarketData.partial. ${inAll(this.answered.credits)}.`
  }
}
