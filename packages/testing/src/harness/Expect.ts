/**
 * Assertions on answers, failures and the ledger of the client, for any test runner: each throws or fails with `ExpectationFailed`, which says what
 * was expected, what was received, and what each request cost.
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
import { Answer, Credits } from "@effect-marketdata/core"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Inspectable from "effect/Inspectable"
import type * as TestClock from "effect/testing/TestClock"

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
}> {
  /** What `console.log` and Node's test runner print. */
  override [Inspectable.NodeInspectSymbol](): string {
    return this.stack ?? this.message
  }
}

const sent = (trace: ReadonlyArray<Answer.Attempt>): string =>
  trace.length === 0 ? "nothing was sent" : trace.map(Answer.formatAttempt).join("\n")

/**
 * Expects that an answer was charged a number of credits, all its requests together. Throws `ExpectationFailed`.
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
 *   Expect.charged(yield* MarketData.stockPrices(["AAPL", "MSFT"], { mode: DataMode.cached() }), 1)
 * })
 * await Effect.runPromise(Effect.provide(program, MarketDataTest.layer()))
 * ```
 *
 * @category laws
 * @since 0.1.0
 */
export const charged = (answer: Pick<Answer.Answer<unknown>, "credits" | "trace">, credits: number): void => {
  const { credits: { charged: actual }, trace } = answer
  if (actual === credits) return
  const message = `expected a charge of ${Credits.formatAmount(credits)}, received ${actual}\n${sent(trace)}`
  throw new ExpectationFailed({ message, expected: credits, actual })
}

/**
 * Expects that the client's ledger and the service's bill agree: what was billed is what the ledger has charged, apart from amounts that it
 * recorded as uncertain, and nothing is still reserved. Dies with `ExpectationFailed`. For tests in which one client asks the sandbox.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Expect from "@effect-marketdata/testing/Expect"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.andThen(MarketData.stockPrices(["AAPL"]), Expect.balanced)
 * await Effect.runPromise(Effect.provide(program, MarketDataTest.layer()))
 * ```
 *
 * @category laws
 * @since 0.1.0
 */
export const balanced: Effect.Effect<void, never, CreditLedger.CreditLedger | Sandbox.Sandbox> = Effect.gen(
  function*() {
    const { charged, reserved, uncertain } = yield* Effect.orDie((yield* CreditLedger.CreditLedger).balance)
    const billed = yield* (yield* Sandbox.Sandbox).billed
    if (reserved === 0 && charged <= billed && billed <= charged + uncertain) return
    const message = reserved === 0
      ? `the service billed ${billed} credits, and the ledger has ${charged} charged and ${uncertain} uncertain`
      : `the ledger still has ${reserved} credits set aside`
    const [expected, actual] = [{ billed, reserved: 0 }, { charged, uncertain, reserved }]
    return yield* Effect.die(new ExpectationFailed({ message, expected, actual }))
  }
)

/**
 * Expects that a query fails with a reason, and returns that reason. Dies with `ExpectationFailed` if it is answered, or fails with
 * another reason.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Expect from "@effect-marketdata/testing/Expect"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import * as Effect from "effect/Effect"
 *
 * const program = Expect.reason(MarketData.optionQuote("SPX991218C00001000"), "NotFound")
 * const { cause } = await Effect.runPromise(Effect.provide(program, MarketDataTest.layer()))
 * cause // => "UnknownOption"
 * ```
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
      reason._tag === tag
        ? Effect.succeed(reason as Extract<Reason, { readonly _tag: Tag }>)
        : Effect.die(unexpected(tag, reason._tag, `\n${message}\n${sent(trace)}`))
  })

/**
 * Advances the `TestClock` a second at a time until a call ends, and returns its result: for calls that wait, such as for a retry, under `it.effect`,
 * where time stands still. Dies with `ExpectationFailed` if the call has not ended `within` that much test time, an hour by default.
 * With any other clock it runs the call unchanged.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Expect from "@effect-marketdata/testing/Expect"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import * as Effect from "effect/Effect"
 * import * as TestClock from "effect/testing/TestClock"
 *
 * const program = Effect.gen(function*() {
 *   const { trace } = yield* Expect.ended(MarketData.stockPrices(["AAPL"]))
 *   return trace.length
 * })
 *
 * const faults = [{ count: 2, kind: { _tag: "Status", status: 502 } }] as const
 * await Effect.runPromise(program.pipe(Effect.provide(MarketDataTest.layer({ faults })), Effect.provide(TestClock.layer())))
 * // => 3
 * ```
 *
 * @category laws
 * @since 0.1.0
 */
export const ended = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  options: { readonly within?: Duration.Input | undefined } = {}
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) => isTestClock(clock) ? advancing(self, clock, options.within ?? "1 hour") : self)

const isTestClock = (clock: Clock.Clock): clock is TestClock.TestClock => "adjust" in clock

/** Yields often enough for everything to run that does not wait for the clock. */
const turns = Effect.repeat(Effect.yieldNow, { times: 20 })

const advancing = Effect.fnUntraced(function*<A, E, R>(
  self: Effect.Effect<A, E, R>,
  clock: TestClock.TestClock,
  within: Duration.Input
) {
  const fiber = yield* Effect.forkChild(self)
  for (let left = Math.ceil(Duration.toSeconds(within));; left--) {
    yield* turns
    if (fiber.pollUnsafe() !== undefined) return yield* Fiber.join(fiber)
    if (left <= 0) break
    yield* clock.adjust("1 second")
  }
  yield* Fiber.interrupt(fiber)
  const [expected, actual] = [`an end within ${Duration.format(Duration.fromInputUnsafe(within))}`, "a call that waits"]
  const message = `expected ${expected}, received ${actual}`
  return yield* Effect.die(new ExpectationFailed({ message, expected, actual }))
})

const unexpected = (expected: string, actual: string, more = ""): ExpectationFailed => {
  const message = `expected the reason ${expected}, received ${actual}${more}`
  return new ExpectationFailed({ message, expected, actual })
}
