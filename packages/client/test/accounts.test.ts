/** Who asks: with which token, on which plan, or with none. */
import { MarketData } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { DataMode, Freshness } from "@effect-marketdata/core"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import { Effect, Layer, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, passing, sandboxed } from "./support/clients.ts"
import { pricesBody, service } from "./support/scripted.ts"

/** Noon in New York, on Friday the 20th of November 2026, while the market is open; and the close of the day before. */
const noon = Date.UTC(2026, 10, 20, 17)
const thursdaysClose = Date.UTC(2026, 10, 19, 21) / 1000

/** The client of an account. */
const account = (token: string | undefined, sandbox: Sandbox.Options = {}) =>
  sandboxed({ token: token === undefined ? undefined : Redacted.make(token), sandbox: { seed: 1, ...sandbox } })

const prices = MarketData.stockPrices(["A"])
const few = { expiration: "2026-12-18", strikeLimit: 2 } as const

describe("without a token", () => {
  it.effect("[5.5-demo] [5.1-token-everywhere] the demo ticker's stock and options answer, with historical data and no date", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(noon)
      const { credits, data, provenance } = yield* MarketData.optionChain("AAPL", few)
      const quote = yield* MarketData.stockQuote("AAPL")
      assert.isAbove(data.length, 0)
      assert.deepStrictEqual([credits.charged, quote.data.length], [0, 1])
      for (const { updated } of [provenance, quote.provenance]) {
        assert(updated !== undefined)
        assert.isAtMost(updated.newest, thursdaysClose)
      }
      yield* MarketData.optionQuote([...data][0]!.optionSymbol)
    }).pipe(Effect.provide(account(undefined))))

  const closed: Readonly<Record<string, Effect.Effect<unknown, MarketDataError, MarketData.MarketData>>> = {
    "another stock": MarketData.stockQuote("MSFT"),
    "another underlying": MarketData.optionChain("SPX", few),
    "a list with another one": MarketData.stockPrices(["AAPL", "MSFT"])
  }
  for (const [what, ask] of Object.entries(closed)) {
    it.effect(`[5.5-demo] [5.7-401] ${what} needs a token, and the error says that there was none`, function*() {
      yield* TestClock.setTime(noon)
      const { message, reason } = yield* Effect.flip(ask)
      assert.deepInclude(reason, { _tag: "Unauthorized", tokenSent: false })
      assert.include(message, "MARKETDATA_TOKEN")
    }, account(undefined))
  }

  it.effect("[5.5-demo] an invalid token is refused on the demo ticker as well", function*() {
    yield* TestClock.setTime(noon)
    const { reason } = yield* Effect.flip(MarketData.stockQuote("AAPL"))
    assert.deepInclude(reason, { _tag: "Unauthorized", tokenSent: true })
  }, account("nobody's-token"))
})

describe("plans", () => {
  for (const plan of ["free", "trial"]) {
    it.effect(`[5.8-premium-mode] a ${plan} account that asks for live data is served delayed data, and can see both`, () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(noon)
        const { provenance } = yield* MarketData.stockQuote("SPY", { mode: DataMode.live })
        assert.deepInclude(provenance, { requestedMode: "Live", sentMode: "live" })
        assert(provenance.updated !== undefined)
        assert.strictEqual(
          Freshness.classify({ kind: "stocks", updated: provenance.updated.newest, now: provenance.receivedAt }),
          "delayed"
        )
      }).pipe(Effect.provide(account(`sandbox-${plan}`))))

    it.effect(`[5.8-premium-mode] [7.1-402] a ${plan} account is refused cached data`, function*() {
      yield* TestClock.setTime(noon)
      const { reason } = yield* Effect.flip(MarketData.stockQuote("SPY", { mode: DataMode.cached() }))
      assert.deepInclude(reason, { _tag: "PlanRequired", cached: true })
    }, account(`sandbox-${plan}`))
  }
})

it.effect("[8.3-age] cached data may be as old as was asked for, and no second older", function*() {
  yield* TestClock.setTime(noon)
  const cached = MarketData.stockQuote("F", { mode: DataMode.cached({ maxAge: "5 minutes" }) })
  yield* MarketData.stockQuote("F", { mode: DataMode.live })
  yield* TestClock.adjust("5 minutes")
  assert.strictEqual((yield* cached).provenance.status, 203)
  yield* TestClock.adjust("1 second")
  assert.strictEqual((yield* Effect.flip(cached)).reason._tag, "NoCachedData")
}, account("sandbox-paid", { cold: ["F"] }))

it.effect("two of them in one process share nothing: neither token, credits, permits nor retries", () => {
  const first = service({ status: 503 })
  const second = service({ status: 200, body: pricesBody(["A"]) })
  const clientWith = (token: string, http: ReturnType<typeof service>) =>
    Layer.build(Layer.fresh(clientOf(http, {
      token: Redacted.make(token),
      allowance: 10,
      maxInFlight: 1,
      retries: { tokens: 1, perSecond: 0 }
    })))
  return Effect.gen(function*() {
    const one = yield* clientWith("token-of-one", first)
    const two = yield* clientWith("token-of-two", second)
    const asOne = Effect.provide(one)
    const asTwo = Effect.provide(two)
    assert.strictEqual((yield* passing(asOne(Effect.flip(prices)), "1 minute")).trace.length, 2)
    yield* asTwo(prices)
    assert.deepInclude(yield* asOne(balance), { charged: 0, available: 10 })
    assert.deepInclude(yield* asTwo(balance), { charged: 1, available: 9 })
    const tokens = ({ requests }: typeof first) => requests.map(({ headers }) => headers["authorization"])
    assert.deepStrictEqual(tokens(first), ["Bearer token-of-one", "Bearer token-of-one"])
    assert.deepStrictEqual(tokens(second), ["Bearer token-of-two"])
  })
})
