import { CreditLedger, MarketData, Policies } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { DataMode, type Finding } from "@effect-marketdata/core"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, Requests, sent, targets } from "./support/clients.ts"
import { chainBody, pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

/** The client over a service that has a chain of so many contracts. */
const chains = (contracts: number, options?: Parameters<typeof clientOf>[1]) =>
  clientOf(service({ status: 200, body: chainBody(contracts) }), options)

describe("optionChain", () => {
  it.effect("[7.1-200] delivers columns with provenance, findings, charge and trace", function*() {
    const answer = yield* MarketData.optionChain("AAPL", { mode: DataMode.live })
    assert.strictEqual(answer.data.length, 3)
    assert.deepStrictEqual([...answer.data.strike], [100, 101, 102])
    assert.deepStrictEqual(answer.findings, [])
    assert.strictEqual(answer.provenance.source, "provider")
    assert.deepStrictEqual([answer.provenance.requestedMode, answer.credits.charged], ["Live", 3])
    assert.deepStrictEqual([answer.trace.length, yield* sent], [1, 1])
  }, chains(3))

  it.effect("[4-get] [4.1-path] [4.1-params] [8.3-maxage-forms] sends path, mode and maxage", function*() {
    yield* MarketData.optionChain("BRK.B", { mode: DataMode.cached({ maxAge: "5 minutes" }), expiration: "all" })
    const [{ method, url } = {}] = yield* Requests
    const path = "/v1/options/chain/BRK.B/?expiration=all&mode=cached&maxage=5min"
    assert.deepStrictEqual([method, url], ["GET", `https://service.test${path}`])
  }, chains(1))

  it.effect("[1-base-url] takes a base URL with a trailing slash and a path of its own", function*() {
    yield* MarketData.optionChain("SPX")
    assert.strictEqual((yield* Requests)[0]?.url, "https://proxy.test/md/v1/options/chain/SPX/")
  }, chains(1, { baseUrl: "https://proxy.test/md/" }))

  it.effect("[5.3-header] [5.4-header-default] [5.1-token-everywhere] has the token there alone", function*() {
    yield* MarketData.optionChain("SPX")
    const [request] = yield* Requests
    assert.deepInclude(request?.headers, { authorization: "Bearer a-token-for-tests", accept: "application/json" })
    assert.notInclude(request?.url ?? "token", "token")
  }, chains(1))

  const http = service({ status: 200, body: pricesBody(["A"]) })
  it.effect("[5.3-header] has the token there, whatever the program does with its options once the client is made", function*() {
    const options: { baseUrl: string; token: Redacted.Redacted; tokenIn: "header" | "query" } = {
      baseUrl: "https://service.test",
      token: Redacted.make("a-token-for-tests"),
      tokenIn: "header"
    }
    const client = yield* Layer.build(
      Layer.provide(MarketData.layer(options), [http.layer, CreditLedger.layerUnlimited])
    )
    options.tokenIn = "query"
    yield* Effect.provide(MarketData.stockPrices(["A"]), client)
    assert.notInclude((http.requests ?? [])[0]?.url ?? "token", "token")
  })

  it.effect("[2.1-lengths] refuses columns of unequal length with the column and both lengths", function*() {
    const { message, reason } = yield* Effect.flip(MarketData.optionChain("AAPL"))
    assert.deepInclude(reason, { _tag: "MalformedReply", column: "bid" } as typeof reason)
    assert.match(message, /2 elements.*received 1/)
  }, clientOf(service({ status: 200, body: chainBody(2).replace(`"bid":[1,1]`, `"bid":[1]`) })))

  it.effect("fails on findings under the strict policy", function*() {
    const answer = yield* MarketData.optionChain("AAPL")
    assert.deepStrictEqual(answer.findings.map((finding) => finding.code), ["StrikeMismatch"])
    const strict = Effect.provideService(MarketData.optionChain("AAPL"), Policies.Findings, "strict")
    assert.strictEqual((yield* Effect.flip(strict)).reason._tag, "MalformedReply")
  }, clientOf(service({ status: 200, body: chainBody(1).replace(`"strike":[100]`, `"strike":[0]`) })))
})

describe("what is refused before it is sent", () => {
  /** A base URL with which the line of a request for the chain of SPX has so many bytes. */
  const lineOf = (bytes: number) =>
    `https://service.test/${"x".repeat(bytes - "GET //v1/options/chain/SPX/ HTTP/1.1".length)}`
  const cached = DataMode.cached() as DataMode.Cached | DataMode.Live
  const chain = MarketData.optionChain
  const today = "2026-11-20"
  const cases: ReadonlyArray<readonly [string, Effect.Effect<unknown, MarketDataError, MarketData.MarketData>]> = [
    ["[4.1-date] [7.3-cause-unsupported-value] a date that is today in New York", chain("SPX", { date: today })],
    ["[4.1-date] the same in a mode of its own", chain("SPX", { date: today, mode: DataMode.delayed })],
    ["[7.3-cause-wrong-type] an invalid date", chain("SPX", { date: "soon" })],
    ["[8.2-cached-unavailable] cached data of a past day", chain("SPX", { date: "2026-11-19", mode: cached })],
    ["[7.3-cause-url] a symbol with a query in it", chain("SPX&mode=live")],
    ["[7.3-cause-url] a symbol that climbs out of its segment", chain("..")],
    ["[7.3-cause-malformed-query] no columns at all", chain("SPX", { columns: [] })]
  ]
  for (const [name, ask] of cases) {
    it.effect(name, function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 18))
      const { reason, trace } = yield* Effect.flip(ask)
      assert.deepStrictEqual([reason._tag, yield* sent, trace], ["InvalidQuery", 0, []])
    }, chains(1))
  }

  it.effect("[8.1-request-line] a request line of 4095 bytes", function*() {
    const { reason, trace } = yield* Effect.flip(MarketData.optionChain("SPX"))
    assert.deepStrictEqual([reason._tag, yield* sent, trace], ["RequestLineTooLong", 0, []])
  }, chains(1, { baseUrl: lineOf(4095) }))

  it.effect("[8.1-request-line] but not one of 4094 bytes", function*() {
    yield* MarketData.optionChain("SPX")
    assert.strictEqual(yield* sent, 1)
  }, chains(1, { baseUrl: lineOf(4094) }))

  it.effect("[4.1-date] asks for yesterday in New York, though it is today elsewhere", function*() {
    yield* TestClock.setTime(Date.UTC(2026, 10, 21, 4, 59))
    yield* Effect.flip(MarketData.optionChain("SPX", { date: "2026-11-20" }))
    yield* TestClock.setTime(Date.UTC(2026, 10, 21, 5))
    yield* MarketData.optionChain("SPX", { date: "2026-11-20" })
    assert.deepStrictEqual(yield* targets, ["date=2026-11-20"])
  }, chains(1))
})

describe("modes and prices", () => {
  const cases: ReadonlyArray<readonly [string, DataMode.Live | DataMode.Delayed | undefined, 200 | 203, string]> = [
    ["[8.2-modes] [4.1-cost-live] [4-mode-everywhere] live", DataMode.live, 200, "?mode=live"],
    ["[7.1-203] [4.1-statuses] [7.2-not-mapped] live from a cache layer", DataMode.live, 203, "?mode=live"],
    ["[8.2-modes] [4.1-cost-delayed] delayed", DataMode.delayed, 200, "?mode=delayed"],
    ["[7.2-not-mapped] delayed from a cache layer", DataMode.delayed, 203, "?mode=delayed"],
    ["[8.2-default] no mode, which the plan decides", undefined, 200, ""],
    ["[7.2-not-mapped] no mode from a cache layer", undefined, 203, ""]
  ]
  for (const [name, mode, status, parameter] of cases) {
    it.effect(`${name}: 1 credit a contract`, function*() {
      const answer = yield* MarketData.optionChain("AAPL", { mode, assume: { contracts: 7 } })
      assert.deepStrictEqual([answer.data.length, answer.credits.charged], [7, 7])
      assert.strictEqual((yield* balance).available, 0)
      assert.deepInclude(answer.provenance, { status, source: status === 203 ? "cache" : "provider" })
      assert.deepStrictEqual(answer.findings, [])
      assert.strictEqual((yield* Requests)[0]?.url, `https://service.test/v1/options/chain/AAPL/${parameter}`)
    }, clientOf(service({ status, body: chainBody(7) }), { allowance: 7 }))
  }

  it.effect("[4.1-cost-historical] a past day: 1 credit for each 1000 contracts, a part counting whole", function*() {
    yield* TestClock.setTime(Date.UTC(2026, 10, 21))
    const answer = yield* MarketData.optionChain("AAPL", { date: "2026-11-19" })
    assert.strictEqual(answer.credits.charged, 2)
  }, chains(1001))

  it.effect("[8.2-access] a plan without cached data is told what to do", function*() {
    const error = yield* Effect.flip(MarketData.optionChain("AAPL", { mode: DataMode.cached() }))
    assert.deepInclude(error.reason, { _tag: "PlanRequired", cached: true })
    assert.include(error.message, "Leave the mode out")
  }, clientOf(service({ status: 402 })))
})

describe("errors", () => {
  const refused = (errmsg: string): Script => ({ status: 400, body: JSON.stringify({ s: "error", errmsg }) })
  const invalidDate = refused("Invalid date. The date parameter is used for historical queries only.")
  const invalidSymbol = refused("Invalid option symbol. Use valid OCC symbology for the option symbol.")
  const page = "<h1>Bad Request</h1>Request Line is too large (5000 &gt; 4094)"
  const tooLong = { status: 400, headers: { "content-type": "text/html" }, body: page }
  const cases: ReadonlyArray<readonly [string, Script, string]> = [
    ["[7.1-400] [2.2-error-body] 400", refused("Bad."), "BadRequest"],
    ["[7.3-date-errmsg] 400 for a date", invalidDate, "InvalidDate"],
    ["[7.3-html-400] HTML 400", tooLong, "RequestLineTooLong"],
    ["[7.3-symbol-errmsg] [7.3-400-vs-404] 400 for an option symbol", invalidSymbol, "InvalidOptionSymbol"],
    ["[5.7-401] 401", { status: 401 }, "Unauthorized"],
    ["[7.1-402] 402", { status: 402, body: "<html>pay</html>" }, "PlanRequired"],
    ["[7.1-403] 403", { status: 403, body: `{"s":"err` }, "Forbidden"],
    ["[7.1-404] [7.3-400-vs-404] 404", { status: 404, body: `{"s":"no_data"}` }, "NotFound"],
    ["500", { status: 500 }, "ServerFault"],
    ["201", { status: 201, headers: { location: "https://elsewhere.test/" } }, "UnexpectedStatus"],
    ["a redirect", { status: 302, headers: { location: "https://elsewhere.test/" } }, "UnexpectedStatus"],
    ["[7.1-204-elsewhere] 204 without mode=cached", { status: 204 }, "UnexpectedNoContent"],
    ["a body that is not JSON", { status: 200, body: "<html>" }, "MalformedReply"],
    ["an empty body", { status: 200, body: "" }, "MalformedReply"]
  ]
  for (const [name, reply, tag] of cases) {
    it.effect(`${name} becomes ${tag}, [7.1-bodies-unknown] whatever its body, and is asked once`, function*() {
      const error = yield* Effect.flip(MarketData.optionChain("SPX"))
      assert.deepStrictEqual([error._tag, error.reason._tag], ["MarketDataError", tag])
      assert.deepStrictEqual([yield* sent, error.message.includes("go to https:")], [1, name === "a redirect"])
      assert.strictEqual(error.trace[0]?.status, "status" in reply ? reply.status : undefined)
    }, clientOf(service(reply)))
  }

  for (const bad of ["{a-token}", "{a-token", "a-token}", "a token", "", " padded", "padded ", "<token>", "token>"]) {
    it.effect(`[5.3-header] refuses the token ${JSON.stringify(bad)} before it is sent`, function*() {
      const { reason } = yield* Effect.flip(MarketData.optionChain("SPX"))
      assert.deepStrictEqual([reason._tag, yield* sent], ["InvalidQuery", 0])
    }, chains(1, { token: Redacted.make(bad) }))
  }

  for (const [baseUrl, requests] of [["http://service.test", 0], ["http://127.0.0.1:8080", 1]] as const) {
    it.effect(`sends no token over plain http, except to this machine: ${baseUrl}`, function*() {
      const exit = yield* Effect.result(MarketData.optionChain("SPX"))
      assert.deepStrictEqual([exit._tag, yield* sent], [requests === 0 ? "Failure" : "Success", requests])
      if (exit._tag === "Failure") assert.strictEqual(exit.failure.reason._tag, "InvalidQuery")
    }, chains(1, { baseUrl }))
  }
})

describe("cached", () => {
  const mode = DataMode.cached()
  const found = ({ findings }: { readonly findings: ReadonlyArray<Finding.Finding> }) =>
    findings.map(({ code, count }) => [code, count])

  it.effect("[7.2-cached-200] a 200 raises its finding beside all others", function*() {
    const chain = yield* MarketData.optionChain("AAPL", { mode })
    assert.deepStrictEqual(found(chain), [["CachedAnsweredFresh", 1], ["StrikeMismatch", 1]])
  }, clientOf(service({ status: 200, body: chainBody(2).replace(`"strike":[100`, `"strike":[99`) })))

  const second = replying((url, index) => ({ status: index === 0 ? 203 : 200, body: pricesBody(symbolsOf(url)) }))
  it.effect("[7.2-cached-200] a 200 raises its finding once for all replies of a query", function*() {
    const prices = yield* MarketData.stockPrices(["A", "B", "C"], { mode })
    assert.deepStrictEqual(found(prices), [["CachedAnsweredFresh", 2]])
    assert.deepStrictEqual([...prices.data].map(({ symbol }) => symbol), ["A", "B", "C"])
  }, clientOf(second, { maxSymbols: 1 }))
})

describe("whenCached", () => {
  const ask = (mode?: DataMode.DataMode) => MarketData.whenCached(MarketData.stockPrices(["A"], { mode }))
  const cached = ask(DataMode.cached())

  it.effect("[8.3-miss] is none for a cached miss, and the answer where there is one", function*() {
    assert.deepStrictEqual(yield* cached, Option.none())
    const told = Option.map(yield* cached, ({ data, provenance: { source } }) => [data.length, source])
    assert.deepStrictEqual(told, Option.some([1, "cache"]))
  }, clientOf(service({ status: 204 }, { status: 203, body: pricesBody(["A"]) })))

  it.effect(
    "[7.1-204-elsewhere] leaves any other failure as it is, a 204 to what was not asked of the cache included",
    function*() {
      assert.strictEqual((yield* Effect.flip(cached)).reason._tag, "Unauthorized")
      for (const mode of [undefined, DataMode.live, DataMode.delayed]) {
        assert.strictEqual((yield* Effect.flip(ask(mode))).reason._tag, "UnexpectedNoContent")
      }
    },
    clientOf(service({ status: 401 }, { status: 204 }))
  )
})

describe("cachedOrLive", () => {
  const mode = DataMode.cachedOrLive({ maxAge: "5 minutes" })

  it.effect("[8.3-fallback] [4.1-maxage-cached-only] asks live once after a miss, without maxage, at live cost", () =>
    over(service({ status: 204 }, { status: 200, body: chainBody(5) }), { consent: 10 }, function*() {
      const answer = yield* MarketData.optionChain("SPX", { mode, assume: { contracts: 10 } })
      assert.deepStrictEqual(yield* targets, ["mode=cached&maxage=5min", "limit=10&mode=live"])
      assert.deepStrictEqual([answer.credits.charged, answer.provenance.requestedMode], [5, "CachedOrLive"])
      assert.deepStrictEqual([answer.provenance.sentMode, answer.trace.length], ["live", 2])
    }))
})

it.effect("[1-base-url] layerConfig goes to the public service, and without a token says where one comes from [5.2-obtain]", () => {
  const http = service({ status: 401 })
  return Effect.gen(function*() {
    const error = yield* Effect.flip(MarketData.optionChain("SPX"))
    assert.strictEqual(http.requests[0]?.url, "https://api.marketdata.app/v1/options/chain/SPX/")
    assert.strictEqual(http.requests[0]?.headers["authorization"], undefined)
    assert.match(error.message, /dashboard.*e-mail/)
  }).pipe(Effect.provide(MarketData.layerConfig.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({}))),
    Layer.provide([http.layer, CreditLedger.layerUnlimited])
  )))
})
