import { CreditLedger, MarketData, RetryPolicy } from "@effect-marketdata/client"
import { Account, DataMode, type Ledger, Query } from "@effect-marketdata/core"
import type { CreditBudgetExceeded } from "@effect-marketdata/core/Reason"
import { Accounts, Sandbox } from "@effect-marketdata/sandbox"
import { Config, ConfigProvider, Effect, Fiber, Layer, Redacted, Result, Stream } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, sandboxed, sent } from "./support/clients.ts"
import { cutOff, pricesBody, type Script, service } from "./support/scripted.ts"

/** Noon in New York on a trading day, in milliseconds. */
const noon = Date.UTC(2026, 10, 20, 17)
const ledger = CreditLedger.CreditLedger
const reserve = (bound: number, query?: Query.Query) =>
  Effect.flatMap(ledger, (service) => service.reserve(bound, query))
const refused = (bound: number) =>
  Effect.map(Effect.flip(reserve(bound)), (reason) => {
    assert(reason._tag === "CreditBudgetExceeded")
    return [reason.cause, reason.available]
  })

/** Asks one query of one request, and settles it as told. */
const ask = Effect.fnUntraced(function*(bound: number, credits: number, figures?: Ledger.Figures) {
  const reservation = yield* reserve(bound)
  yield* reservation.send(bound, 0)
  yield* reservation.charge({ credits }, 0, figures)
  yield* reservation.settle
})

/** The events so far, without what they happened to be numbered and when. */
const told = (count: number) =>
  Effect.map(
    Effect.flatMap(ledger, ({ history }) => Stream.runCollect(Stream.take(history, count))),
    (events) =>
      events.map(({ available, number, time, ...event }) => {
        assert.isNumber(available + number + time)
        return event
      })
  )

describe("layerMemory", () => {
  it.effect("never waits: what is not there is refused at once, with what is left", function*() {
    yield* reserve(60)
    assert.deepStrictEqual(yield* refused(41), ["Insufficient", 40])
    assert.deepStrictEqual(yield* refused(Infinity), ["Unbounded", 40])
    assert.deepInclude(yield* balance, { allowance: 100, available: 40, reserved: 60 })
  }, CreditLedger.layerMemory({ allowance: 100 }))

  it.effect("is whole again each minute, and what is reserved goes along", function*() {
    yield* ask(70, 70)
    const open = yield* reserve(30)
    yield* open.send(30, 0)
    yield* TestClock.adjust("1 minute")
    assert.deepInclude(yield* balance, { available: 70, charged: 0, reserved: 30 })
    yield* open.charge({ credits: 20 }, 0)
    yield* open.settle
    assert.deepInclude(yield* balance, { available: 80, charged: 20, reserved: 0 })
    const events = (yield* told(9)).map(({ _tag }) => _tag)
    assert.deepStrictEqual(events.slice(4), ["Reserved", "Sent", "Renewed", "Charged", "Settled"])
  }, CreditLedger.layerMemory({ allowance: 100, window: "minute" }))

  it.effect("has no credits where no allowance is given to it, and says how to ask for a ledger without a limit", function*() {
    for (const options of [{}, { allowance: undefined }, { window: "day" }, undefined, null]) {
      // As callers without types may write it.
      const layer = CreditLedger.layerMemory(options as unknown as CreditLedger.MemoryOptions)
      const reason = yield* Effect.provide(Effect.flip(reserve(1)), layer)
      assert.deepInclude(reason, { cause: "NoAllowance", bound: 1, available: 0 })
      assert.include(reason.message, "CreditLedger.layerMemory({ allowance: 10_000 })")
      assert.include(reason.message, "CreditLedger.layerUnlimited")
    }
  })
})

it.effect("[8.5-not-shown] layerAccount has what was configured for the account, and a plan's figures as the public service only", function*() {
  const own = Account.make({ plan: "paid", user: Account.unknown, allowance: { credits: 7, window: "minute" } })
  const named = Account.fromPublicPlan("Starter", Account.unknown)
  const opened = (layer: Layer.Layer<CreditLedger.CreditLedger>) => Effect.provide(balance, layer)
  assert.deepInclude(yield* opened(CreditLedger.layerAccount(own)), { available: 7, ends: 60 })
  assert.strictEqual((yield* opened(CreditLedger.layerAccount(named))).available, Infinity)
  assert.strictEqual((yield* opened(CreditLedger.layerAccount(named, "public"))).available, 10_000)
})

describe("layerConfig", () => {
  const opened = (environment: Record<string, string>) =>
    Effect.provide(
      balance,
      Layer.provide(CreditLedger.layerConfig, ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
    )

  it.effect("reads whole credits and their window", function*() {
    const forever = yield* opened({ MARKETDATA_ALLOWANCE: "10000" })
    assert.deepInclude(forever, { allowance: 10_000, ends: Infinity })
    const minute = yield* opened({ MARKETDATA_ALLOWANCE: "0", MARKETDATA_ALLOWANCE_WINDOW: "minute" })
    assert.deepInclude(minute, { allowance: 0, ends: 60 })
  })

  it.effect("refuses what is not a whole number of credits, by name, and a budget that is missing", function*() {
    for (const value of ["-1", "2.5", "NaN", "Infinity", "1e300", "", "much"]) {
      const error = yield* Effect.flip(opened({ MARKETDATA_ALLOWANCE: value }))
      assert.instanceOf(error, Config.ConfigError)
      assert.include(error.message, "MARKETDATA_ALLOWANCE", value)
    }
    assert.include((yield* Effect.flip(opened({}))).message, "MARKETDATA_ALLOWANCE")
    const wrong = yield* Effect.flip(opened({ MARKETDATA_ALLOWANCE: "1", MARKETDATA_ALLOWANCE_WINDOW: "week" }))
    assert.include(wrong.message, "MARKETDATA_ALLOWANCE_WINDOW")
  })
})

it.effect("layerFromHeaders lets everything go before the first figure, or what it is told may go", function*() {
  assert.strictEqual((yield* Effect.provide(balance, CreditLedger.layerFromHeaders())).available, Infinity)
  const reason = yield* Effect.provide(refused(11), CreditLedger.layerFromHeaders({ allowance: 10 }))
  assert.deepStrictEqual(reason, ["Insufficient", 10])
})

describe("history", () => {
  it.effect("tells a query from its reservation to its end, with amounts, request and query", function*() {
    const query = Result.getOrThrow(Query.stockPrices(["A", "B"]))
    const reservation = yield* reserve(4, query)
    yield* reservation.send(2, 0)
    yield* reservation.send(2, 1)
    yield* reservation.charge({ credits: 3, reported: 3, computed: 1 }, 0, { limit: 100, remaining: 90, reset: 60 })
    yield* reservation.markLost(1)
    yield* reservation.send(2, 1)
    yield* reservation.charge({ credits: 1 }, 1)
    yield* reservation.settle
    yield* reservation.settle
    // What is over is not charged again, and says nothing of what is gone elsewhere.
    assert.strictEqual(yield* reservation.charge({ credits: 1 }, 1, { limit: 100, remaining: 50, reset: 60 }), 0)
    const reason = yield* Effect.flip(reserve(1000))
    const of = { reservation: 1, query }
    const standing = { limit: 100, remaining: 90, reset: 60, seen: 0 }
    assert.deepStrictEqual<unknown>(yield* told(12), [
      { _tag: "Reserved", ...of, bound: 4 },
      { _tag: "Sent", ...of, request: 0, bound: 2 },
      { _tag: "Sent", ...of, request: 1, bound: 2 },
      { _tag: "Charged", ...of, request: 0, credits: 3, uncertain: 0, reported: 3, computed: 1 },
      { _tag: "Overran", ...of, request: 0, bound: 2, charged: 3 },
      { _tag: "Reconciled", ...of, request: 0, standing, elsewhere: 7 },
      { _tag: "Lost", ...of, request: 1, credits: 2 },
      { _tag: "Extended", ...of, bound: 7, credits: 3 },
      { _tag: "Sent", ...of, request: 1, bound: 2 },
      { _tag: "Charged", ...of, request: 1, credits: 1, uncertain: 0, reported: undefined, computed: undefined },
      { _tag: "Settled", ...of, used: 6, released: 1 },
      { _tag: "Refused", reservation: undefined, query: undefined, reason }
    ])
  }, CreditLedger.layerMemory({ allowance: 100 }))

  it.effect("numbers events, tells when, and what is left afterwards", function*() {
    const { history } = yield* ledger
    const reservation = yield* reserve(40)
    yield* TestClock.adjust("90 seconds")
    yield* reservation.send(40, 0)
    yield* reservation.charge({ credits: 10 }, 0)
    yield* reservation.settle
    const events = yield* Stream.runCollect(Stream.take(history, 4))
    const told = events.map(({ available, number, time }) => [number, time, available])
    assert.deepStrictEqual(told, [[1, 0, 60], [2, 90, 60], [3, 90, 60], [4, 90, 90]])
  }, CreditLedger.layerMemory({ allowance: 100 }))

  it.effect("has nobody wait for whoever reads it, keeps so many events once for all, and shows what was missed", () =>
    Effect.gen(function*() {
      const { history } = yield* ledger
      const numbers: Array<number> = []
      // It takes one event, and then sleeps.
      const slow = yield* Effect.forkChild(Stream.runForEach(history, ({ number }) => {
        numbers.push(number)
        return number === 1 ? Effect.sleep("1 hour") : Effect.void
      }))
      yield* TestClock.adjust(0)
      yield* reserve(1)
      yield* TestClock.adjust(0)
      yield* Effect.forEach(Array.from({ length: 250 }), () => ask(1, 0), { discard: true })
      assert.deepStrictEqual(numbers, [1])
      yield* TestClock.adjust("1 hour")
      yield* reserve(1)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(numbers, [1, ...Array.from({ length: 11 }, (_, index) => 992 + index)])
      yield* Fiber.interrupt(slow)
      const late = yield* Stream.runCollect(Stream.take(history, 10))
      assert.deepStrictEqual(late.map(({ number }) => number), numbers.slice(2))
    }).pipe(Effect.provide(Layer.effect(CreditLedger.CreditLedger, CreditLedger.makeUnlimited({ history: 10 })))))
})

it.effect("changes gives the balance now, and the latest after each change", function*() {
  const { changes } = yield* ledger
  const seen: Array<number> = []
  const reader = yield* Effect.forkChild(Stream.runForEach(changes, ({ available }) => {
    seen.push(available)
    return Effect.sleep("1 second")
  }))
  yield* TestClock.adjust(0)
  const reservation = yield* reserve(40)
  yield* reserve(30)
  yield* TestClock.adjust("5 seconds")
  yield* reservation.settle
  yield* TestClock.adjust("5 seconds")
  assert.deepStrictEqual(seen, [100, 30, 70])
  yield* Fiber.interrupt(reader)
}, CreditLedger.layerMemory({ allowance: 100 }))

describe("in a client", () => {
  const rate = (consumed: number, remaining: number) => ({
    "x-api-ratelimit-consumed": String(consumed),
    "x-api-ratelimit-limit": "1000",
    "x-api-ratelimit-remaining": String(remaining),
    "x-api-ratelimit-reset": String(noon / 1000 + 3600)
  })
  const body = pricesBody(["A", "B"])
  const priced = (headers: Readonly<Record<string, string>>): Script => ({ status: 200, body, headers })

  it.effect("records the price where the service gives no figure, and the service's where it does", function*() {
    yield* TestClock.setTime(noon)
    yield* MarketData.stockPrices(["A", "B"])
    assert.deepInclude(yield* balance, { charged: 2, available: 998, elsewhere: 0 })
    // The figures are of the account, and not of a budget within it.
    const budget = yield* CreditLedger.makeMemory({ allowance: 900 })
    const again = Effect.provideService(MarketData.stockPrices(["A", "B"]), CreditLedger.Budget, budget)
    const { credits, trace } = yield* again
    assert.deepInclude(yield* budget.balance, { available: 899, elsewhere: 0 })
    assert.deepInclude(yield* balance, { charged: 3, available: 600, elsewhere: 397, overruns: [] })
    assert.deepInclude({ ...credits, ...trace[0]?.charge }, { charged: 1, credits: 1, reported: 1, computed: 2 })
    const [charged] = (yield* told(9)).filter((event) => event._tag === "Charged").slice(1)
    assert.deepInclude(charged, { credits: 1, reported: 1, computed: 2 })
    assert.strictEqual(charged?.query?.endpoint.name, "stockPrices")
  }, clientOf(service(priced({}), priced(rate(1, 600))), { allowance: 1000 }))

  const begun = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`{"s":"ok",`))
  })
  const lost = service(
    { status: 200, body: cutOff(`{"s":"ok",`), headers: rate(1, 900) },
    { status: 200, body: begun, headers: rate(2, 898) },
    { status: 200, body: "{oops", headers: rate(1, 500) },
    { status: 200, body: cutOff(`{"s":"ok",`), headers: { ...rate(0, 400), "x-api-ratelimit-consumed": "" } }
  )
  it.effect("records what a reply told of cost and account that was cut off, given up, or not read", function*() {
    yield* TestClock.setTime(noon)
    const asking = yield* Effect.forkChild(MarketData.stockPrices(["A", "B"]))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* sent, 2)
    yield* Fiber.interrupt(asking)
    assert.deepInclude(yield* balance, { charged: 3, uncertain: 0, available: 898, reserved: 0 })
    yield* Effect.flip(MarketData.stockPrices(["A", "B"]))
    assert.deepInclude(yield* balance, { charged: 4, uncertain: 0, available: 500, reserved: 0 })
    yield* Effect.flip(Effect.provide(MarketData.stockPrices(["A", "B"]), RetryPolicy.layerNone))
    assert.deepInclude(yield* balance, { charged: 4, uncertain: 2, available: 398, reserved: 0 })
  }, clientOf(lost, { allowance: 1000 }))

  const ledger = CreditLedger.layerFromHeaders()

  it.effect("knows to the credit what the service has left, whatever that charged for", function*() {
    yield* TestClock.setTime(noon)
    yield* Effect.all([
      Effect.exit(MarketData.stockPrices(["AAPL", "MSFT", "NOBODY"])),
      Effect.exit(MarketData.optionChain("AAPL", { mode: DataMode.cached() })),
      Effect.exit(MarketData.optionChain("AAPL", { date: "2026-11-19", expiration: "all" })),
      Effect.exit(MarketData.stockQuote("NOBODY"))
    ], { concurrency: "unbounded" })
    const { allowance, available, charged, elsewhere } = yield* balance
    const billed = yield* (yield* Sandbox.Sandbox).billed
    assert.isAbove(billed, 3)
    assert.deepStrictEqual([allowance - available, charged, elsewhere], [billed, billed, 0])
  }, sandboxed({ ledger }))

  const few = Account.make({
    plan: "paid",
    user: Account.nonProfessional("realTime"),
    allowance: { credits: 3, window: "day" }
  })
  const sandbox = { accounts: [Accounts.make("few", few)] }
  it.effect("asks for three symbols with one credit left, as the service does, and then for none", function*() {
    yield* TestClock.setTime(noon)
    yield* MarketData.stockPrices(["AAPL", "MSFT"])
    assert.strictEqual((yield* balance).available, 1)
    assert.strictEqual((yield* MarketData.stockPrices(["AAPL", "MSFT", "F"])).data.length, 3)
    assert.strictEqual((yield* balance).available, -2)
    const { reason } = yield* Effect.flip(MarketData.stockPrices(["AAPL"]))
    assert.deepInclude(reason, { _tag: "CreditBudgetExceeded", available: -2 } as CreditBudgetExceeded)
    assert.strictEqual((yield* (yield* Sandbox.Sandbox).requests).length, 2)
  }, sandboxed({ ledger, sandbox, token: Redacted.make("few") }))
})
