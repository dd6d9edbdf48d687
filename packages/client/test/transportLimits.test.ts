/** How much a client takes: requests under way, bytes of a reply, credits; all of it configured, from code or from the environment. */
import { MarketData, MarketDataConfig } from "@effect-marketdata/client"
import { Config, ConfigProvider, Effect, Fiber, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, Requests, sent } from "./support/clients.ts"
import { pricesBody, service } from "./support/scripted.ts"

const body = pricesBody(["A"])
const prices = MarketData.stockPrices(["A"])

/** How many requests are under way when so many queries are asked at once. */
const underWay = Effect.fnUntraced(function*(queries: number) {
  const fibers = yield* Effect.forEach(Array.from({ length: queries }), () => Effect.forkChild(prices))
  yield* TestClock.adjust(0)
  return fibers
})

describe("limits", () => {
  for (const [maxInFlight, expected] of [[undefined, 50], [1, 1], [7, 7], [80, 80]] as const) {
    it.effect(`[8.5-not-shown] ${expected} requests are under way at most where maxInFlight is ${maxInFlight}`, () =>
      over(service({ hangs: true }), { maxInFlight }, function*(http) {
        const fibers = yield* underWay(100)
        assert.strictEqual(http.requests.length, expected)
        yield* Fiber.interruptAll(fibers)
      }))
  }

  it.effect("gives the place of a request that is over to the next", function*() {
    const fibers = yield* underWay(10)
    assert.strictEqual(yield* sent, 4)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* sent, 8)
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.joinAll(fibers)
  }, clientOf(service({ status: 200, body, after: "1 second" }), { maxInFlight: 4 }))

  const limits = {
    maxInFlight: [0, 1.5, NaN, -3],
    maxReplyBytes: [0, Infinity],
    maxBytesInFlight: [0, NaN],
    maxKeptBytes: [-1, 0.5]
  }
  const cases = Object.entries(limits).flatMap(([option, values]) => values.map((value) => [option, value] as const))
  for (const [option, value] of cases) {
    it.effect(`refuse every query where ${option} is ${value}, before it is sent`, function*() {
      const { message, reason, trace } = yield* Effect.flip(prices)
      assert.deepInclude(reason, { _tag: "InvalidQuery", parameter: option, value: String(value) })
      assert.match(message, /^stockPrices A: \w+ \S+ must be .* \((requests|bytes)\), e\.g\. \d+\. Nothing was sent\.$/)
      assert.deepStrictEqual([trace, yield* Requests], [[], []])
    }, clientOf(service({ status: 200, body }), { [option]: value }))
  }
})

describe("the size of a reply", () => {
  it.effect("may be what was configured, and no byte more", function*() {
    const exact = clientOf(service({ status: 200, body }), { maxReplyBytes: body.length, allowance: 9 })
    yield* Effect.provide(prices, exact)
    const short = clientOf(service({ status: 200, body }), { maxReplyBytes: body.length - 1, allowance: 9 })
    yield* Effect.gen(function*() {
      const { message, reason, trace } = yield* Effect.flip(prices)
      assert.deepInclude(reason, { _tag: "ReplyTooLarge", limit: body.length - 1, isRetryable: false })
      assert.include(message, "maxReplyBytes")
      assert.include(message, "may have been charged")
      assert.strictEqual(trace.length, 1)
      assert.deepInclude(yield* balance, { charged: 0, uncertain: 1, reserved: 0 })
    }).pipe(Effect.provide(short))
  })

  const told = service({ status: 200, body, headers: { "x-api-ratelimit-consumed": "3" } })
  it.effect("counts as what the service says that it charged", function*() {
    yield* Effect.flip(prices)
    assert.deepInclude(yield* balance, { charged: 3, uncertain: 0, reserved: 0 })
  }, clientOf(told, { maxReplyBytes: 5, allowance: 9 }))
})

describe("MarketDataConfig.fromEnvironment", () => {
  const read = (variables: Readonly<Record<string, string>>) =>
    Effect.provide(MarketDataConfig.fromEnvironment, ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables)))

  it.effect("reads every option", function*() {
    const { token, ...options } = yield* read({
      MARKETDATA_TOKEN: "secret",
      MARKETDATA_TOKEN_IN: "query",
      MARKETDATA_BASE_URL: "https://proxy.test/md",
      MARKETDATA_MAX_SYMBOLS: "100",
      MARKETDATA_MAX_IN_FLIGHT: "5",
      MARKETDATA_MAX_REPLY_BYTES: "1000000",
      MARKETDATA_MAX_BYTES_IN_FLIGHT: "9000000",
      MARKETDATA_MAX_KEPT_BYTES: "0",
      MARKETDATA_RETRIES: "3",
      MARKETDATA_RETRIES_PER_SECOND: "0.25"
    })
    assert(Redacted.isRedacted(token))
    assert.strictEqual(Redacted.value(token), "secret")
    const replies = { maxReplyBytes: 1_000_000, maxBytesInFlight: 9_000_000, maxKeptBytes: 0 }
    const bounds = { ...replies, maxSymbols: 100, maxInFlight: 5, retries: { tokens: 3, perSecond: 0.25 } }
    assert.deepStrictEqual(options, { ...bounds, tokenIn: "query", baseUrl: "https://proxy.test/md" })
    const without = { baseUrl: MarketDataConfig.publicBaseUrl, token: undefined, retries: { tokens: 50, perSecond: 2 } }
    assert.deepInclude(yield* read({}), without)
  })

  const cases = [
    ["MARKETDATA_BASE_URL", "https://service.test/v1"],
    ["MARKETDATA_BASE_URL", "https://service.test/md/v1/"],
    ["MARKETDATA_BASE_URL", "service.test"],
    ["MARKETDATA_BASE_URL", "https://service.test?x=1"],
    ["MARKETDATA_TOKEN", "a token"],
    ["MARKETDATA_TOKEN", "<your token>"],
    ["MARKETDATA_TOKEN_IN", "cookie"],
    ["MARKETDATA_MAX_SYMBOLS", "0"],
    ["MARKETDATA_MAX_IN_FLIGHT", "many"],
    ["MARKETDATA_MAX_REPLY_BYTES", "-1"],
    ["MARKETDATA_MAX_BYTES_IN_FLIGHT", "0"],
    ["MARKETDATA_RETRIES", "NaN"],
    ["MARKETDATA_RETRIES_PER_SECOND", "-1"]
  ] as const
  for (const [name, value] of cases) {
    it.effect(`refuses ${name}=${value}, by name`, function*() {
      const error = yield* Effect.flip(read({ [name]: value }))
      assert.instanceOf(error, Config.ConfigError)
      assert.include(error.message, name)
      assert.notInclude(`${error.message} ${inspect(error, { depth: 20 })}`, "your token")
    })
  }

  it.effect("refuses a token that would go over plain http, by both names, and takes one for this machine", function*() {
    const token = { MARKETDATA_TOKEN: "a-secret" }
    const error = yield* Effect.flip(read({ ...token, MARKETDATA_BASE_URL: "http://service.test" }))
    assert.instanceOf(error, Config.ConfigError)
    for (const name of ["MARKETDATA_BASE_URL", "MARKETDATA_TOKEN", "https"]) assert.include(error.message, name)
    assert.notInclude(inspect(error, { depth: 20 }), "a-secret")
    yield* read({ ...token, MARKETDATA_BASE_URL: "http://127.0.0.1:8080/md" })
    yield* read({ MARKETDATA_BASE_URL: "http://service.test" })
  })
})
