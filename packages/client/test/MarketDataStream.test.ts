import { MarketDataStream, RetryPolicy } from "@effect-marketdata/client"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import { Effect, Fiber, Stream } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, sent } from "./support/clients.ts"
import { pricesBody, replying, symbolsOf } from "./support/scripted.ts"

/** A service with one candle in each period that begins in an odd year, and none in others. */
const candles = () =>
  replying((url) => {
    const year = Number(url.searchParams.get("from")?.slice(0, 4))
    return year % 2 === 0
      ? { status: 404, body: `{"s":"no_data"}` }
      : { status: 200, body: JSON.stringify({ s: "ok", t: [year], c: [year] }) }
  })

const series = { from: "2021-01-01", to: "2023-06-30", columns: ["t", "c"] } as const

describe("series", () => {
  it.effect("asks period by period, and says how far it has come; a period that failed is an event as well", () =>
    over(candles(), function*(http) {
      const events = yield* Stream.runCollect(MarketDataStream.stockCandles("D", "AAPL", series))
      assert.deepStrictEqual(http.requests.map(({ url }) => url.replace(/.*\?/, "").replace(/&columns.*/, "")), [
        "from=2021-01-01&to=2021-12-31",
        "from=2022-01-01&to=2022-12-31",
        "from=2023-01-01&to=2023-06-30"
      ])
      const told = events.map(({ _tag, charged, done, of }) => [_tag, done, of, charged])
      assert.deepStrictEqual(told, [["Answered", 1, 3, 1], ["Failed", 2, 3, 1], ["Answered", 3, 3, 2]])
      const [, failed] = events
      assert(failed?._tag === "Failed")
      assert.deepStrictEqual(CalendarDate.format(failed.part.from), "2022-01-01")
      assert.strictEqual(failed.error.reason._tag, "NotFound")
    }))

  it.effect("asks and pays for nothing that is not wanted", function*() {
    const taken = yield* Stream.runCollect(Stream.take(MarketDataStream.stockCandles("D", "AAPL", series), 1))
    assert.deepStrictEqual([taken.length, yield* sent, (yield* balance).charged], [1, 1, 1])
  }, clientOf(candles()))

  it.effect("asks for several parts at once where that is wanted, and keeps their order", () => {
    const http = replying((url) => ({
      status: 200,
      body: JSON.stringify({ s: "ok", t: [1], c: [Number(url.searchParams.get("from")?.slice(-2))] }),
      after: url.search.includes("from=2026-11-01") ? "2 seconds" : "1 second"
    }))
    const dates = { from: "2026-11-01", to: "2026-11-03" }
    const options = { ...dates, columns: ["t", "c"], days: 1, concurrency: 3 } as const
    const stream = MarketDataStream.fundCandles("D", "VFINX", options)
    return Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Stream.runCollect(MarketDataStream.answers(stream)))
      yield* TestClock.adjust("250 millis")
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(http.requests.length, 3)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).map(({ data }) => data.c[0]), [1, 2, 3])
    }).pipe(Effect.provide(clientOf(http)))
  })

  it.effect("is cut off at the first failure by answers", function*() {
    const years: Array<number> = []
    const error = yield* MarketDataStream.stockCandles("D", "AAPL", series).pipe(
      MarketDataStream.answers,
      Stream.runForEach(({ data }) => Effect.sync(() => years.push(data.c[0]!))),
      Effect.flip
    )
    assert.strictEqual(error.reason._tag, "NotFound")
    assert.deepStrictEqual(years, [2021])
    assert.strictEqual(yield* sent, 2)
  }, clientOf(candles()))

  it.effect("[7.3-cause-wrong-type] fails before anything is asked where a part cannot be", function*() {
    for (const bad of [{ ...series, from: "soon" }, { ...series, days: 0 }, { ...series, from: "2024-01-01" }]) {
      const error = yield* Effect.flip(Stream.runDrain(MarketDataStream.stockCandles("D", "AAPL", bad)))
      assert.strictEqual(error.reason._tag, "InvalidQuery")
      assert.match(error.message, /^stockCandles AAPL D: /)
    }
    yield* Effect.flip(Stream.runDrain(MarketDataStream.stockCandles("D", "..", series)))
    assert.strictEqual(yield* sent, 0)
  }, clientOf(candles()))
})

describe("lists", () => {
  const symbols = ["A", "B", "C", "D", "E"]
  const prices = () =>
    replying((url) =>
      symbolsOf(url).includes("C") ? { status: 404 } : { status: 200, body: pricesBody(symbolsOf(url)) }
    )

  it.effect("[8.1-batches] asks for some tickers at a time", function*() {
    const events = yield* Stream.runCollect(MarketDataStream.stockPrices(symbols, { size: 2 }))
    const told = events.map(({ _tag, done, part }) => [_tag, part, done])
    assert.deepStrictEqual(told, [["Answered", ["A", "B"], 1], ["Failed", ["C", "D"], 2], ["Answered", ["E"], 3]])
    assert.strictEqual(events[2]?.charged, 3)
  }, clientOf(prices()))

  it.effect("says how many credits the parts so far may have been charged in addition", () =>
    over(
      replying((url, index) =>
        index === 0 ? { fails: "ECONNRESET" } : { status: 200, body: pricesBody(symbolsOf(url)) }
      ),
      { given: RetryPolicy.layer({ attempts: 1 }) },
      function*() {
        const events = yield* Stream.runCollect(MarketDataStream.stockPrices(symbols, { size: 2 }))
        assert.deepStrictEqual(events.map(({ charged, uncertain }) => [charged, uncertain]), [[0, 2], [2, 2], [3, 2]])
      }
    ))

  it.effect("[7.3-cause-unsupported-value] refuses parts of no size, or in no number at a time", function*() {
    for (const size of [0, -1, 1.5, NaN]) {
      const error = yield* Effect.flip(Stream.runDrain(MarketDataStream.stockPrices(symbols, { size })))
      assert.include(error.message, "must be a positive integer (tickers), e.g. 500. Nothing was sent.")
    }
    // As of `Number(process.env.PARTS)`.
    const error = yield* Effect.flip(Stream.runDrain(MarketDataStream.stockPrices(symbols, { concurrency: NaN })))
    assert.include(error.message, "concurrency NaN must be a positive integer (requests), e.g. 50. Nothing was sent.")
  }, clientOf(prices()))
})

it.effect("settles what was under way when its consumer goes", function*() {
  const fiber = yield* Effect.forkChild(Stream.runDrain(MarketDataStream.stockPrices(["A"])), {
    startImmediately: true
  })
  yield* TestClock.adjust(0)
  assert.strictEqual((yield* balance).reserved, 1)
  yield* Fiber.interrupt(fiber)
  assert.deepInclude(yield* balance, { reserved: 0, uncertain: 1 })
}, clientOf(replying(() => ({ hangs: true })), { allowance: 9 }))
