import { CreditLedger, MarketData } from "@effect-marketdata/client"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Expect, MarketDataTest } from "@effect-marketdata/testing"
import { Cause, Effect, Exit } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { inspect } from "node:util"
import { assert, describe, it } from "../../core/test/support/it.ts"

const chain = MarketData.optionChain("SPX", { mode: DataMode.cached() })
const absent = MarketData.optionQuote("SPX991218C00001000")

/** What an expectation says that does not hold. */
const complaint = <R>(effect: Effect.Effect<unknown, unknown, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert(Exit.isFailure(exit))
    const failed = Cause.squash(exit.cause)
    assert(failed instanceof Expect.ExpectationFailed)
    return failed
  })

it.effect("charged takes the charge that was made, and shows each request where it was another", function*() {
  const answer = yield* chain
  Expect.charged(answer, 1)
  const { actual, expected, message } = yield* complaint(Effect.sync(() => Expect.charged(answer, 1_000)))
  assert.deepStrictEqual([expected, actual], [1_000, 1])
  const words = "expected a charge of 1,000 credits, received 1\n" +
    "GET /v1/options/chain/SPX/?mode=cached HTTP/1.1 → status 203, 1 credit"
  assert.strictEqual(message, words)
}, MarketDataTest.layer())

describe("balanced", () => {
  it.effect("holds after answers and failures, and not when somebody else is billed", function*() {
    yield* chain
    yield* Effect.exit(absent)
    yield* Expect.balanced
    yield* HttpClient.get("https://sandbox.test/v1/options/chain/SPX/?mode=cached", {
      headers: { authorization: "Bearer sandbox-paid" }
    })
    const { message } = yield* complaint(Expect.balanced)
    assert.strictEqual(message, "the service billed 2 credits, and the ledger has 1 charged and 0 uncertain")
  }, MarketDataTest.layer())

  it.effect("holds where a reply was lost that was billed", function*() {
    yield* Effect.exit(chain)
    yield* Expect.balanced
  }, MarketDataTest.layer({ faults: [{ count: 1, kind: { _tag: "Garbage" } }] }))

  it.effect("does not hold while credits are set aside", function*() {
    yield* (yield* CreditLedger.CreditLedger).reserve(5)
    assert.include(inspect(yield* complaint(Expect.balanced)), "5 credits set aside")
  }, MarketDataTest.layer({ allowance: 10 }))
})

describe("reason", () => {
  it.effect("gives the reason", function*() {
    const reason = yield* Expect.reason(absent, "NotFound")
    assert.strictEqual(reason.cause, "UnknownOption")
  }, MarketDataTest.layer())

  it.effect("names an answer, or the other reason", function*() {
    assert.include((yield* complaint(Expect.reason(chain, "NoCachedData"))).message, "received an answer")
    const { message } = yield* complaint(Expect.reason(absent, "Unauthorized"))
    assert.include(message, "expected the reason Unauthorized, received NotFound")
    assert.include(message, "GET /v1/options/quotes/SPX991218C00001000/ HTTP/1.1 → status 404")
  }, MarketDataTest.layer())
})

describe("ended", () => {
  const prices = MarketData.stockPrices(["AAPL"])
  const outage = (count: number) => MarketDataTest.layer({ faults: [{ count, kind: { _tag: "Status", status: 502 } }] })

  it.effect("lets the time of a test pass until a call that is retried is answered", function*() {
    const answer = yield* Expect.ended(prices)
    assert.strictEqual(answer.trace.length, 3)
    Expect.charged(answer, 1)
    yield* Expect.balanced
  }, outage(2))

  it.effect("gives the failure of a call", function*() {
    yield* Expect.reason(Expect.ended(absent), "NotFound")
  }, MarketDataTest.layer())

  it.effect("says so where a call does not end, and stops it", function*() {
    let stopped = false
    const waiting = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (stopped = true)))
    const { message } = yield* complaint(Expect.ended(waiting, { within: "3 seconds" }))
    assert.strictEqual(message, "expected an end within 3s, received a call that waits")
    assert.isTrue(stopped)
  })

  it.live("is the call itself where time passes", () =>
    Effect.map(Expect.ended(Effect.succeed(1)), (value) => assert.strictEqual(value, 1)))
})
