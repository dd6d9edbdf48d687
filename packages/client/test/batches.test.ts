import * as MarketData from "@effect-marketdata/client/MarketData"
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, sent, targets } from "./support/clients.ts"
import { pricesBody, replying, type Script, symbolsOf } from "./support/scripted.ts"

const symbols = ["A", "B", "C", "D", "E"]

/** A service that has prices, and replies to requests about some tickers in another way. */
const prices = (others: Readonly<Record<string, (url: URL) => Script>> = {}) =>
  replying((url) => {
    const asked = symbolsOf(url)
    const other = asked.map((symbol) => others[symbol]).find((reply) => reply !== undefined)
    return other?.(url) ?? { status: 200, body: pricesBody(asked) }
  })

const answered = (answer: { readonly data: Iterable<{ readonly symbol: string | null }> }) =>
  [...answer.data].map((row) => row.symbol)

it.effect("[8.1-batches] reads and records the replies that are there while another is on the wire", () =>
  over(prices({ S700: (url) => ({ status: 200, body: pricesBody(symbolsOf(url)), after: "20 seconds" }) }), {
    allowance: 1200
  }, function*() {
    const many = Array.from({ length: 1200 }, (_, index) => `S${index}`)
    const fiber = yield* Effect.forkChild(MarketData.stockPrices(many))
    yield* TestClock.adjust("1 second")
    assert.deepInclude(yield* balance, { charged: 700, reserved: 500 })
    yield* TestClock.adjust("20 seconds")
    assert.deepStrictEqual(answered(yield* Fiber.join(fiber)), many)
  }))

it.effect("reserves for the whole query before any of it is sent", function*() {
  for (const [mode, bound] of [[undefined, 5], [DataMode.cached(), 3]] as const) {
    const { reason } = yield* Effect.flip(MarketData.stockPrices(symbols, { mode }))
    assert.deepInclude(reason, { _tag: "CreditBudgetExceeded", bound, available: 2 })
  }
  assert.strictEqual(yield* sent, 0)
}, clientOf(prices(), { maxSymbols: 2, allowance: 2 }))

it.effect("[8.2-cost-quotes] reckons a credit for each request of cached data, and says so", function*() {
  const answer = yield* MarketData.stockPrices(symbols, { mode: DataMode.cached() })
  assert.strictEqual(answer.credits.charged, 3)
  assert.deepInclude(answer.credits.estimate, { max: 3 })
  assert.deepInclude(answer.credits.estimate.assumptions, { name: "requests", value: "3" })
}, clientOf(replying((url) => ({ status: 203, body: pricesBody(symbolsOf(url)) })), { maxSymbols: 2, allowance: 3 }))

describe("Incomplete", () => {
  const http = () => prices({ C: () => ({ status: 404, body: `{"s":"error","errmsg":"Symbol not found."}` }) })

  it.effect("keeps what was paid for, and names what is missing and why", function*() {
    const error = yield* Effect.flip(MarketData.stockPrices(symbols))
    assert(error.reason._tag === "Incomplete")
    const { answered: part, errors, missing } = error.reason
    assert.deepStrictEqual(answered(part), ["A", "B", "E"])
    assert.deepStrictEqual(missing, ["C", "D"])
    assert.deepStrictEqual(errors.map(({ reason, tickers }) => [tickers, reason._tag]), [[["C", "D"], "NotFound"]])
    assert.deepStrictEqual([part.credits.charged, error.trace.length], [3, 3])
    assert.match(error.message, /^stockPrices A,B and 3 more: 2 tickers are missing \(C, D\): .*no such symbol/)
    assert.strictEqual((yield* balance).charged, 3)
  }, clientOf(http(), { maxSymbols: 2 }))

  it.effect("[8.1-batches] names what is missing of every part that failed, in order", function*() {
    const error = yield* Effect.flip(MarketData.stockPrices(symbols))
    assert(error.reason._tag === "Incomplete")
    const { answered: part, errors, missing } = error.reason
    assert.deepStrictEqual([answered(part), missing], [["C", "D"], ["A", "B", "E"]])
    const words = errors.map(({ reason, tickers }) => `${tickers.join()} ${reason._tag}`)
    assert.deepStrictEqual(words, ["A,B NotFound", "E BadRequest"])
  }, clientOf(prices({ A: () => ({ status: 404 }), E: () => ({ status: 400 }) }), { maxSymbols: 2 }))

  it.effect("is not there where nothing came: what failed is told, before what was not in the cache", function*() {
    const { reason } = yield* Effect.flip(MarketData.stockPrices(["A", "B"], { mode: DataMode.cached() }))
    assert.strictEqual(reason._tag, "BadRequest")
  }, clientOf(prices({ A: () => ({ status: 204 }), B: () => ({ status: 400 }) }), { maxSymbols: 1 }))

  it.effect("is accepted by partial", function*() {
    const part = yield* MarketData.partial(MarketData.stockPrices(symbols))
    assert.deepStrictEqual([answered(part), part.missing], [["A", "B", "E"], ["C", "D"]])
    const whole = yield* MarketData.partial(MarketData.stockPrices(["A"]))
    assert.deepStrictEqual([whole.missing, whole.errors], [[], []])
    const error = yield* Effect.flip(MarketData.partial(MarketData.stockPrices(["C"])))
    assert.strictEqual(error.reason._tag, "NotFound")
  }, clientOf(http(), { maxSymbols: 2 }))
})

describe("cachedOrLive", () => {
  const mode = DataMode.cachedOrLive()
  /** Only A and B, and E, are in the cache. */
  const halfCached = () =>
    replying((url) => {
      const asked = symbolsOf(url)
      if (url.searchParams.get("mode") === "live") return { status: 200, body: pricesBody(asked) }
      return asked.includes("C") ? { status: 204 } : { status: 203, body: pricesBody(asked) }
    })

  it.effect("[8.2-cost-quotes] reckons one credit for all symbols of one request", function*() {
    const many = Array.from({ length: 501 }, (_, index) => `S${index}`)
    const { credits } = yield* MarketData.stockPrices(many, { mode: DataMode.cached() })
    assert.deepInclude(credits.estimate, { max: 1 })
  }, clientOf(halfCached(), { maxSymbols: 1000, allowance: 1 }))

  it.effect("[8.3-fallback] asks live only for what was not in the cache, and keeps the order", function*() {
    const answer = yield* MarketData.stockPrices(symbols, { mode })
    assert.deepStrictEqual(yield* targets, [
      "symbols=A,B&mode=cached",
      "symbols=C,D&mode=cached",
      "symbols=E&mode=cached",
      "symbols=C,D&mode=live"
    ])
    assert.deepStrictEqual([answered(answer), answer.credits.charged], [symbols, 4])
  }, clientOf(halfCached(), { maxSymbols: 2, consent: 2 }))

  it.effect("keeps what was in the cache where live data are declined", function*() {
    const part = yield* MarketData.partial(MarketData.stockPrices(symbols, { mode }))
    assert.deepStrictEqual(answered(part), ["A", "B", "E"])
    const reason = part.errors[0]?.reason
    assert(reason?._tag === "FallbackDeclined")
    assert.deepStrictEqual([reason.price, reason.ceiling], [2, 1])
  }, clientOf(halfCached(), { maxSymbols: 2, consent: 1 }))
})

describe("interruption", () => {
  it.effect("settles by what each request came to: charged, lost, or not sent", () =>
    over(prices({ C: () => ({ hangs: true }), E: () => ({ fails: "ECONNREFUSED" }) }), {
      maxSymbols: 2,
      allowance: 10
    }, function*() {
      const fiber = yield* Effect.forkChild(MarketData.stockPrices(symbols), { startImmediately: true })
      yield* TestClock.adjust(0)
      assert.strictEqual((yield* balance).reserved, 3)
      yield* Fiber.interrupt(fiber)
      const { available, charged, overruns, reserved, uncertain } = yield* balance
      assert.deepStrictEqual([charged, uncertain, reserved, available, overruns], [2, 2, 0, 6, []])
    }))

  it.effect("takes nothing from the budget while permits are waited for", function*() {
    const fork = (symbol: string) => Effect.forkChild(MarketData.stockPrices([symbol]), { startImmediately: true })
    const busy = yield* Effect.forEach(Array.from({ length: 50 }), () => fork("A"))
    yield* TestClock.adjust(0)
    const waiting = yield* fork("B")
    yield* TestClock.adjust(0)
    assert.deepStrictEqual([yield* sent, (yield* balance).reserved], [50, 51])
    yield* Fiber.interrupt(waiting)
    assert.deepInclude(yield* balance, { reserved: 50, uncertain: 0 })
    yield* Fiber.interruptAll(busy)
    assert.deepInclude(yield* balance, { reserved: 0, uncertain: 50 })
  }, clientOf(replying(() => ({ hangs: true })), { allowance: 100 }))
})
