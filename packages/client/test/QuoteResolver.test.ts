import { CacheFallback, Claim, MarketData, Policies, QuoteResolver, RetryPolicy } from "@effect-marketdata/client"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import { DataMode, NewYork, StockQuotes } from "@effect-marketdata/core"
import { Market, Sandbox } from "@effect-marketdata/sandbox"
import { Effect, Fiber, Layer, RequestResolver, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, sandboxed, sent, targets } from "./support/clients.ts"
import { pricesBody, replying, type Script, symbolsOf } from "./support/scripted.ts"

const cached = DataMode.cached()
const price = (symbol: string) => QuoteResolver.stockPrice(symbol, { mode: cached })
const together = <A, E, R>(asked: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(asked, { concurrency: "unbounded" })
const forks = <A, E, R>(asked: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.forEach(asked, (one) => Effect.forkChild(one, { startImmediately: true }))

/** What a query came to, in a word: the row's symbol, or the reason. */
const word = <E extends { readonly reason: { readonly _tag: string } }, R>(
  asked: Effect.Effect<{ readonly row: { readonly symbol: string | null } }, E, R>
) =>
  Effect.map(
    Effect.result(asked),
    (result) => Result.isSuccess(result) ? result.success.row.symbol : result.failure.reason._tag
  )

/** A service whose cache has prices of all symbols but some. */
const cacheWithout = (
  missing: ReadonlyArray<string>,
  reply: (symbols: ReadonlyArray<string>) => Script | undefined = () => undefined
) =>
  replying((url) => {
    const asked = symbolsOf(url)
    if (url.searchParams.get("mode") !== "cached") return { status: 200, body: pricesBody(asked) }
    const present = asked.filter((symbol) => !missing.includes(symbol))
    return reply(asked) ?? (present.length === 0 ? { status: 204 } : { status: 203, body: pricesBody(present) })
  })

/** A sandbox that knows a stock of every name. */
const everyName = Market.make({ seed: 1 })
const market: Market.Market = {
  ...everyName,
  stockQuotes: (symbols) =>
    Result.getOrThrow(StockQuotes.decode(JSON.stringify({
      s: "ok",
      ...Object.fromEntries(Object.keys(StockQuotes.spec).map((name) => [name, symbols.map((_, index) => index)])),
      symbol: symbols,
      last: symbols.map((symbol) => Number(symbol.slice(1)))
    })))
}

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

describe("stockQuote", () => {
  it.effect("[8.2-cost-quotes] [8.1-batches] asks for 1,200 cached quotes in 3 requests, for 3 credits", function*() {
    yield* TestClock.setTime(noon * 1000)
    const symbols = Array.from({ length: 1200 }, (_, index) => `S${index}`)
    const quotes = yield* together(symbols.map((symbol) => QuoteResolver.stockQuote(symbol, { mode: cached })))
    assert.deepStrictEqual(quotes.map(({ row }) => row.symbol), symbols)
    assert.deepStrictEqual(quotes.map(({ row }) => row.last), symbols.map((_, index) => index))
    const { billed, requests } = yield* Sandbox.Sandbox
    const told = (yield* requests).map(({ credits, status }) => `${status} for ${credits}`)
    assert.deepStrictEqual(told, ["203 for 1", "203 for 1", "203 for 1"])
    assert.strictEqual(yield* billed, 3)
    assert.deepInclude(yield* balance, { charged: 3, reserved: 0 })
    const answers = new Set(quotes.map(({ answer }) => answer))
    const figures = [...answers].map(({ credits, data }) => [data.length, credits.charged])
    assert.deepStrictEqual(figures, [[500, 1], [500, 1], [200, 1]])
  }, sandboxed({ ledger: CreditLedger.layerMemory({ allowance: 3 }), sandbox: { market } }))

  it.effect("asks for the symbol where the columns leave it out, and for a symbol once, however it is spelt", () => {
    const http = replying((url) => ({
      status: 200,
      body: JSON.stringify({ s: "ok", symbol: symbolsOf(url), last: symbolsOf(url).map((_, index) => index) })
    }))
    const last = (symbol: string) => QuoteResolver.stockQuote(symbol, { columns: ["last"] })
    return Effect.gen(function*() {
      const quotes = yield* together(["A", "b", "a"].map(last))
      assert.deepStrictEqual(yield* targets, ["symbols=A,B&columns=symbol,last"])
      assert.deepStrictEqual(quotes.map(({ row }) => [row.symbol, row.last]), [["A", 0], ["B", 1], ["A", 0]])
    }).pipe(Effect.provide(clientOf(http)))
  })
})

describe("a symbol that the answer does not mention", () => {
  it.effect("[8.3-miss] is a miss by itself where cached data were asked for", function*() {
    assert.deepStrictEqual(yield* together(["A", "B", "C"].map(price).map(word)), ["A", "NoCachedData", "C"])
    const error = yield* Effect.flip(price("B"))
    assert.match(error.message, /^stockPrices B: nothing cached is young enough/)
  }, clientOf(cacheWithout(["B"])))

  it.effect("is not found in any other mode", function*() {
    const asked = ["A", "B"].map((symbol) => QuoteResolver.stockPrice(symbol))
    assert.deepStrictEqual(yield* together(asked.map(word)), ["A", "NotFound"])
  }, clientOf(replying(() => ({ status: 200, body: pricesBody(["A"]) }))))

  const mode = DataMode.cachedOrLive()
  const asked = ["A", "B", "C", "D"].map((symbol) => QuoteResolver.stockPrice(symbol, { mode }))
  it.effect("[8.3-fallback] is asked for live where nothing of another part of the list was in the cache", function*() {
    assert.deepStrictEqual(yield* together(asked.map(word)), ["A", "B", "C", "D"])
  }, clientOf(cacheWithout(["B", "C", "D"]), { maxSymbols: 2, consent: 9 }))

  it.effect("[8.3-fallback] is asked for live with consent, together with the others", function*() {
    assert.deepStrictEqual(yield* together(asked.map(word)), ["A", "B", "C", "D"])
    const urls = yield* targets
    assert.deepStrictEqual(urls, ["symbols=A,B,C,D&mode=cached", "symbols=B,D&mode=cached", "symbols=B,D&mode=live"])
    assert.strictEqual((yield* balance).charged, 3)
    const declined = asked.map(Effect.provide(CacheFallback.layerUpTo(1)))
    assert.deepStrictEqual(yield* together(declined.map(word)), ["A", "FallbackDeclined", "C", "FallbackDeclined"])
  }, clientOf(cacheWithout(["B", "D"]), { consent: 2 }))
})

describe("a request that fails", () => {
  it.effect("is the failure of the symbols that it was about, and of no others", function*() {
    assert.deepStrictEqual(yield* together(["A", "B", "C"].map(price).map(word)), ["A", "B", "BadRequest"])
  }, clientOf(cacheWithout([], (asked) => asked.includes("C") ? { status: 400 } : undefined), { maxSymbols: 2 }))

  it.effect("is not sent where the budget does not cover it", function*() {
    const live = ["A", "B"].map((symbol) => QuoteResolver.stockPrice(symbol, { mode: DataMode.live }))
    assert.deepStrictEqual(yield* together(live.map(word)), ["CreditBudgetExceeded", "CreditBudgetExceeded"])
    assert.strictEqual(yield* sent, 0)
  }, clientOf(cacheWithout([]), { allowance: 1 }))

  it.effect("says what the round before it cost", function*() {
    const [a, b] = ["A", "B"].map((symbol) => QuoteResolver.stockPrice(symbol, { mode: DataMode.cachedOrLive() }))
    const [, { message, reason, trace }] = yield* Effect.all([a!, Effect.flip(b!)], { concurrency: 2 })
    assert.deepInclude(reason, { _tag: "CreditBudgetExceeded", wasSent: true, cost: "possible" })
    assert.match(message, /The requests were charged 1 credit in all\.$/)
    assert.strictEqual(trace.length, yield* sent)
  }, clientOf(cacheWithout(["B"]), { allowance: 1 }))

  it.effect("keeps the whole price in view where each asker assumed that of one symbol", function*() {
    const mode = DataMode.live
    const live = ["A", "B"].map((symbol) => QuoteResolver.stockPrice(symbol, { mode, assume: { symbols: 1 } }))
    assert.deepStrictEqual(yield* together(live.map(word)), ["A", "B"])
    assert.deepInclude(yield* balance, { charged: 2, overruns: [] })
  }, clientOf(cacheWithout([]), { allowance: 2 }))
})

it.effect("keeps queries apart that ask something else, or on other terms", () =>
  over(cacheWithout([]), { under: Layer.succeed(Policies.RecordedFigures, "any") }, function*(http) {
    const asked: ReadonlyArray<Effect.Effect<unknown, unknown, MarketData.MarketData>> = [
      price("A"),
      QuoteResolver.stockPrice("B"),
      QuoteResolver.stockPrice("C", { mode: DataMode.live }),
      QuoteResolver.stockPrice("D", { mode: DataMode.cached({ maxAge: "5 minutes" }) }),
      QuoteResolver.stockPrice("E", { mode: cached, columns: ["mid"] }),
      QuoteResolver.stockPrice("F", { mode: cached, extended: false }),
      QuoteResolver.stockPrice("G", { mode: cached, assume: { kind: "other" } }),
      Effect.provide(QuoteResolver.stockPrice("H", { mode: DataMode.cachedOrLive() }), CacheFallback.layerAlways),
      Effect.provideService(price("I"), Policies.Findings, "strict"),
      Effect.provideService(price("J"), Policies.AttemptTimeout, 5000),
      Effect.provideService(price("K"), RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 1, base: 1, cap: 1 })),
      Effect.provideService(price("L"), Policies.IpRule, { whenHeld: "wait", heldBy: "any403" }),
      Effect.provideService(price("M"), Policies.Coalesce, true),
      Effect.provideService(price("P"), Policies.RecordedFigures, "possible"),
      Effect.provideService(price("O"), Claim.Current, { key: "a job", run: "1" }),
      Effect.provide(price("N"), clientOf(http), { local: true })
    ]
    yield* together(asked.map(Effect.result))
    assert.strictEqual(http.requests.length, asked.length)
    yield* together([
      price("A"),
      price("B"),
      // The same terms, written another time.
      Effect.provideService(price("C"), Policies.IpRule, { whenHeld: "fail", heldBy: "addressBlock" })
    ])
    assert.strictEqual((yield* targets).at(-1), "symbols=A,B,C&mode=cached")
  }))

it.effect("remembers answers with a resolver that does, by symbol and terms", function*() {
  const remembering = yield* RequestResolver.withCache(QuoteResolver.resolver, { capacity: 100 })
  const ask = (symbols: ReadonlyArray<string>) =>
    Effect.provideService(together(symbols.map(price)), QuoteResolver.Resolver, remembering)
  const [first] = yield* ask(["A", "B"])
  const [again] = yield* ask(["A", "B", "C"])
  assert.strictEqual(again, first)
  yield* Effect.provideService(ask(["A"]), Policies.Findings, "strict")
  assert.deepStrictEqual(yield* targets, ["symbols=A,B&mode=cached", "symbols=C&mode=cached", "symbols=A&mode=cached"])
}, clientOf(cacheWithout([])))

describe("interruption", () => {
  const slow = () => cacheWithout([], (asked) => ({ status: 203, body: pricesBody(asked), after: "1 second" }))

  it.effect("goes on as long as one waits, and then ends the call and settles its credits", function*() {
    const [first, second] = yield* forks(["A", "B"].map(price))
    yield* TestClock.adjust(0)
    yield* Fiber.interrupt(first!)
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(second!)).row.symbol, "B")
    const both = yield* forks(["A", "B"].map(price))
    yield* TestClock.adjust(0)
    assert.strictEqual((yield* balance).reserved, 1)
    yield* Fiber.interruptAll(both)
    yield* TestClock.adjust(0)
    assert.deepInclude(yield* balance, { charged: 1, uncertain: 1, reserved: 0 })
  }, clientOf(slow(), { allowance: 9 }))

  it.effect("leaves a call to whoever waits for it in a cache", function*() {
    const remembering = yield* RequestResolver.withCache(QuoteResolver.resolver, { capacity: 100 })
    const ask = Effect.provideService(price("A"), QuoteResolver.Resolver, remembering)
    const [first] = yield* forks([ask])
    yield* TestClock.adjust(0)
    const [second] = yield* forks([ask])
    yield* TestClock.adjust(0)
    yield* Fiber.interrupt(first!)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([(yield* Fiber.join(second!)).row.symbol, yield* sent], ["A", 1])
  }, clientOf(slow()))
})
