/**
 * What a test of an application expects of the client, for any test runner: each throws or fails with `ExpectationFailed`, which says what
 * was asked, what came instead, and what each request cost.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Expect from "@effect-marketdata/testing/Expect"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function*() {
 *   Expect.charged(yield* MarketData.optionChain("SPX", { mode: DataMode.cached() }), 1)
 *   yield* Expect.balanced
 *   const reason = yield* Expect.reason(MarketData.optionQuote("SPX991218C00001000"), "NotFound")
 *   return reason.isRetryable
 * })
 *
 * await Effect.runPromise(Effect.provide(program, MarketDataTest.layer())) // => false
 * ```
 *
 * @since 0.1.0
 */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import type { AnyReason, MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Answer from "@effect-marketdata/core/Answer"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/**
 * Says what was expected and what was received. Test runners that know `expected` and `actual` show them side by side.
 *
 * @category errors
 * @since 0.1.0
 */
export class ExpectationFailed extends Data.TaggedError("ExpectationFailed")<{
  readonly message: string
  readonly expected: unknown
  readonly actual: unknown
}> {}

const sent = (trace: ReadonlyArray<Answer.Attempt>): string =>
  trace.length === 0
    ? "nothing was sent"
    : trace.map(Answer.formatAttempt).join("\n")

/**
 * Expects that an answer was charged a number of credits, all its requests together. Throws `ExpectationFailed`.
 *
 * @category laws
 * @since 0.1.0
 */
export const charged = (answer: Pick<Answer.Answer<unknown>, "credits" | "trace">, credits: number): void => {
  const actual = answer.credits.charged
  if (actual === credits) return
  throw new ExpectationFailed({
    message: `expected a charge of ${credits} credits, received ${actual}\n${sent(answer.trace)}`,
    expected: credits,
    actual
  })
}

/**
 * Expects that the client's ledger and the service's bill agree: what was billed is what the ledger has charged, but for what it knows that it
 * cannot know, and nothing is set aside any more. Dies with `ExpectationFailed`. For tests in which one client asks the sandbox.
 *
 * @category laws
 * @since 0.1.0
 */
export const balanced: Effect.Effect<void, never, CreditLedger.CreditLedger | Sandbox.Sandbox> = Effect.gen(
  function*() {
    const { charged, reserved, uncertain } = yield* Effect.orDie((yield* CreditLedger.CreditLedger).balance)
    const billed = yield* (yield* Sandbox.Sandbox).billed
    if (reserved === 0 && charged <= billed && billed <= charged + uncertain) return
    return yield* Effect.die(
      new ExpectationFailed({
        message: reserved === 0
          ? `the service billed ${billed} credits, and the ledger has ${charged} charged and ${uncertain} uncertain`
          : `the ledger still has ${reserved} credits set aside`,
        expected: { billed, reserved: 0 },
        actual: { charged, uncertain, reserved }
      })
    )
  }
)

/**
 * Expects that a query fails with a reason, and gives that reason. Dies with `ExpectationFailed` where it is answered, or fails with
 * another.
 *
 * @category laws
 * @since 0.1.0
 */
export const reason = <A, Reason extends AnyReason, R, const Tag extends Reason["_tag"]>(
  self: Effect.Effect<A, MarketDataError<Reason>, R>,
  tag: Tag
): Effect.Effect<Extract<Reason, { readonly _tag: Tag }>, never, R> =>
  Effect.matchEffect(self, {
    onSuccess: () => Effect.die(unexpected(tag, "an answer")),
    onFailure: ({ message, reason, trace }) =>
      isTagged(tag)(reason)
        ? Effect.succeed(reason)
        : Effect.die(unexpected(tag, reason._tag, `${message}\n${sent(trace)}`))
  })

const isTagged =
  <Tag extends string>(tag: Tag) =>
  <Reason extends { readonly _tag: string }>(reason: Reason): reason is Extract<Reason, { readonly _tag: Tag }> =>
    reason._tag === tag

const unexpected = (expected: string, actual: string, more = ""): ExpectationFailed =>
  new ExpectationFailed({
    message: `expected the reason ${expected}, received ${actual}${more === "" ? "" : `\n${more}`}`,
    expected,
    actual
  })
