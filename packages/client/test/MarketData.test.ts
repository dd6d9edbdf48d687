import { CreditLedger, MarketData, Policies } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as DataMode from "@effect-marketdata/core/DataMode"
import type { Finding } from "@effect-marketdata/core/Finding"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { balance, clientOf, over, Requests, sent } from "./support/clients.ts"
import { chainBody, pricesBody, type Script, service } from "./support/scripted.ts"

/** The client over scripted replies. */
const scripted = (script: ReadonlyArray<Script>, options: Parameters<typeof clientOf>[1] = {}) => {
  const http = service(...script)
  return { client: clientOf(http, options), requests: http.requests }
}

describe("MarketData", () => {
  describe("optionChain", () => {
    it.effect("[7.1-200] delivers columns with provenance, findings, charge and trace", function*() {
      const answer = yield* MarketData.optionChain("AAPL", { mode: DataMode.live })
      assert.strictEqual(answer.data.length, 3)
      assert.deepStrictEqual([...answer.data.strike], [100, 101, 102])
      assert.deepStrictEqual(answer.findings, [])
      assert.strictEqual(answer.provenance.source, "provider")
      assert.deepStrictEqual([answer.provenance.requestedMode, answer.credits.charged], ["Live", 3])
      assert.deepStrictEqual([answer.trace.length, yield* sent], [1, 1])
    }, clientOf(service({ status: 200, body: chainBody(3) })))

    it.effect("[4-get] [4.1-path] [4.1-params] [8.3-maxage-forms] sends one GET with path, mode and maxage", () =>
      over(service({ status: 203, body: chainBody(1) }), function*(http) {
        yield* MarketData.optionChain("BRK.B", { mode: DataMode.cached({ maxAge: "5 minutes" }), expiration: "all" })
        assert.strictEqual(http.requests[0]?.method, "GET")
        assert.strictEqual(
          http.requests[0]?.url,
          "https://service.test/v1/options/chain/BRK.B/?expiration=all&mode=cached&maxage=5min"
        )
      }))

    it.effect("[1-base-url] takes a base URL with a trailing slash and a path of its own", function*() {
      yield* MarketData.optionChain("SPX")
      assert.strictEqual((yield* Requests)[0]?.url, "https://proxy.test/md/v1/options/chain/SPX/")
    }, clientOf(service({ status: 200, body: chainBody(1) }), { baseUrl: "https://proxy.test/md/" }))

    it.effect("[5.3-header] [5.4-header-default] [5.1-token-everywhere] sends the token in the header alone", () =>
      over(service({ status: 200, body: chainBody(1) }), function*(http) {
        yield* MarketData.optionChain("SPX")
        assert.strictEqual(http.requests[0]?.headers["authorization"], "Bearer a-token-for-tests")
        assert.strictEqual(http.requests[0]?.headers["accept"], "application/json")
        assert.notInclude(http.requests[0]?.url ?? "", "token")
      }))

    it.effect("[2.1-lengths] refuses columns of unequal length with the column and both lengths", () => {
      const body = chainBody(2).replace(`"bid":[1,1]`, `"bid":[1]`)
      const http = service({ status: 200, body })
      return Effect.gen(function*() {
        const error = yield* Effect.flip(MarketData.optionChain("AAPL"))
        assert(error.reason._tag === "MalformedReply")
        assert.strictEqual(error.reason.column, "bid")
        assert.include(error.message, "2 elements")
        assert.include(error.message, "received 1")
      }).pipe(Effect.provide(clientOf(http)))
    })

    it.effect("fails on findings under the strict policy", function*() {
      const answer = yield* MarketData.optionChain("AAPL")
      assert.deepStrictEqual(answer.findings.map((finding) => finding.code), ["StrikeMismatch"])
      const error = yield* Effect.flip(
        MarketData.optionChain("AAPL").pipe(Effect.provideService(Policies.Findings, "strict"))
      )
      assert.strictEqual(error.reason._tag, "MalformedReply")
    }, clientOf(service({ status: 200, body: chainBody(1).replace(`"strike":[100]`, `"strike":[0]`) })))
  })

  describe("what is refused before it is sent", () => {
    const refused = (
      name: string,
      tag: "InvalidQuery" | "RequestLineTooLong",
      ask: Effect.Effect<unknown, MarketDataError, MarketData.MarketData>,
      baseUrl = "https://service.test"
    ) =>
      it.effect(name, function*() {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 18))
        const error = yield* Effect.flip(ask)
        assert.strictEqual(error.reason._tag, tag)
        assert.strictEqual(yield* sent, 0)
        assert.deepStrictEqual(error.trace, [])
      }, clientOf(service({ status: 200, body: chainBody(1) }), { baseUrl }))

    refused(
      "[4.1-date] [7.3-cause-unsupported-value] a date that is today in New York",
      "InvalidQuery",
      MarketData.optionChain("SPX", { date: "2026-11-20" })
    )
    refused(
      "[4.1-date] the same in a mode of its own",
      "InvalidQuery",
      MarketData.optionChain("SPX", { date: "2026-11-20", mode: DataMode.delayed })
    )
    refused("[7.3-cause-wrong-type] an invalid date", "InvalidQuery", MarketData.optionChain("SPX", { date: "soon" }))
    refused(
      "[8.2-cached-unavailable] cached data of a past day",
      "InvalidQuery",
      MarketData.optionChain("SPX", { date: "2026-11-19", mode: DataMode.cached() as DataMode.Cached | DataMode.Live })
    )
    refused("[7.3-cause-url] a symbol with a query in it", "InvalidQuery", MarketData.optionChain("SPX&mode=live"))
    refused("[7.3-cause-url] a symbol that climbs out of its segment", "InvalidQuery", MarketData.optionChain(".."))
    refused(
      "[7.3-cause-malformed-query] no columns at all",
      "InvalidQuery",
      MarketData.optionChain("SPX", { columns: [] })
    )
    refused(
      "[8.1-request-line] a request line of 4095 bytes",
      "RequestLineTooLong",
      MarketData.optionChain("SPX"),
      `https://service.test/${"x".repeat(4095 - "GET //v1/options/chain/SPX/ HTTP/1.1".length)}`
    )

    it.effect("[8.1-request-line] sends a request line of 4094 bytes", () => {
      const baseUrl = `https://service.test/${"x".repeat(4094 - "GET //v1/options/chain/SPX/ HTTP/1.1".length)}`
      const http = service({ status: 200, body: chainBody(1) })
      return Effect.gen(function*() {
        yield* MarketData.optionChain("SPX")
        assert.strictEqual(http.requests.length, 1)
      }).pipe(Effect.provide(clientOf(http, { baseUrl })))
    })

    it.effect("[4.1-date] asks for yesterday in New York, though it is today elsewhere", function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 4, 59))
      yield* Effect.flip(MarketData.optionChain("SPX", { date: "2026-11-20" }))
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 5))
      yield* MarketData.optionChain("SPX", { date: "2026-11-20" })
      assert.deepStrictEqual((yield* Requests).map((request) => request.url.split("?")[1]), ["date=2026-11-20"])
    }, clientOf(service({ status: 200, body: chainBody(1) })))
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
        assert.strictEqual(answer.provenance.status, status)
        assert.strictEqual(answer.provenance.source, status === 203 ? "cache" : "provider")
        assert.deepStrictEqual(answer.findings, [])
        assert.strictEqual((yield* Requests)[0]?.url, `https://service.test/v1/options/chain/AAPL/${parameter}`)
      }, clientOf(service({ status, body: chainBody(7) }), { allowance: 7 }))
    }

    it.effect("[4.1-cost-historical] a past day: 1 credit for each 1000 contracts, a part counting whole", function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 21))
      const answer = yield* MarketData.optionChain("AAPL", { date: "2026-11-19" })
      assert.strictEqual(answer.credits.charged, 2)
    }, clientOf(service({ status: 200, body: chainBody(1001) })))

    it.effect("[8.2-access] a plan without cached data is told what to do", function*() {
      const error = yield* Effect.flip(MarketData.optionChain("AAPL", { mode: DataMode.cached() }))
      assert(error.reason._tag === "PlanRequired")
      assert.isTrue(error.reason.cached)
      assert.include(error.message, "Leave the mode out")
    }, clientOf(service({ status: 402 })))
  })

  describe("errors", () => {
    const cases: ReadonlyArray<readonly [string, Script, string]> = [
      ["[7.1-400] [2.2-error-body] 400", { status: 400, body: `{"s":"error","errmsg":"Bad."}` }, "BadRequest"],
      [
        "[7.3-date-errmsg] 400 for a date",
        {
          status: 400,
          body: `{"s":"error","errmsg":"Invalid date. The date parameter is used for historical queries only."}`
        },
        "InvalidDate"
      ],
      [
        "[7.3-html-400] HTML 400",
        {
          status: 400,
          headers: { "content-type": "text/html" },
          body: "<h1>Bad Request</h1>Request Line is too large (5000 &gt; 4094)"
        },
        "RequestLineTooLong"
      ],
      [
        "[7.3-symbol-errmsg] [7.3-400-vs-404] 400 for an option symbol",
        {
          status: 400,
          body: `{"s":"error","errmsg":"Invalid option symbol. Use valid OCC symbology for the option symbol."}`
        },
        "InvalidOptionSymbol"
      ],
      ["[5.7-401] 401", { status: 401 }, "Unauthorized"],
      ["[7.1-402] 402", { status: 402, body: "<html>pay</html>" }, "PlanRequired"],
      ["[7.1-403] 403", { status: 403, body: `{"s":"err` }, "Forbidden"],
      ["[7.1-404] [7.3-400-vs-404] 404", { status: 404, body: `{"s":"no_data"}` }, "NotFound"],
      ["500", { status: 500 }, "ServerFault"],
      ["a redirect", { status: 302, headers: { location: "https://elsewhere.test/" } }, "UnexpectedStatus"],
      ["[7.1-204-elsewhere] 204 without mode=cached", { status: 204 }, "UnexpectedNoContent"],
      ["a body that is no JSON", { status: 200, body: "<html>" }, "MalformedReply"],
      ["an empty body", { status: 200, body: "" }, "MalformedReply"]
    ]
    for (const [name, reply, tag] of cases) {
      it.effect(`${name} becomes ${tag}, [7.1-bodies-unknown] whatever its body, and is asked once`, function*() {
        const error = yield* Effect.flip(MarketData.optionChain("SPX"))
        assert.strictEqual(error._tag, "MarketDataError")
        assert.strictEqual(error.reason._tag, tag)
        assert.strictEqual(yield* sent, 1)
        assert.strictEqual(error.trace[0]?.status, "status" in reply ? reply.status : undefined)
      }, clientOf(service(reply)))
    }

    for (const bad of ["{a-token}", "{a-token", "a-token}", "a token", "", " padded", "padded ", "<token>", "token>"]) {
      it.effect(`[5.3-header] refuses the token ${JSON.stringify(bad)} before it is sent`, () => {
        const { layer, requests } = service({ status: 200, body: chainBody(1) })
        return Effect.gen(function*() {
          const error = yield* Effect.flip(MarketData.optionChain("SPX"))
          assert.deepStrictEqual([error.reason._tag, requests.length], ["InvalidQuery", 0])
        }).pipe(Effect.provide(
          Layer.provide(MarketData.layer({ token: Redacted.make(bad) }), [layer, CreditLedger.layerUnlimited])
        ))
      })
    }

    it.effect("sends no token over plain http, except to this machine", () => {
      const remote = scripted([{ status: 200, body: chainBody(1) }], { baseUrl: "http://service.test" })
      const local = scripted([{ status: 200, body: chainBody(1) }], { baseUrl: "http://127.0.0.1:8080" })
      return Effect.gen(function*() {
        const error = yield* Effect.flip(Effect.provide(MarketData.optionChain("SPX"), remote.client))
        assert.deepStrictEqual([error.reason._tag, remote.requests.length], ["InvalidQuery", 0])
        yield* Effect.provide(MarketData.optionChain("SPX"), local.client)
        assert.strictEqual(local.requests.length, 1)
      })
    })
  })

  describe("cached", () => {
    it.effect("[7.2-cached-200] a 200 raises its finding beside all others, once for all replies of a query", () => {
      const odd = scripted([{ status: 200, body: chainBody(2).replace(`"strike":[100`, `"strike":[99`) }])
      const many = scripted([
        { status: 203, body: pricesBody(["A"]) },
        { status: 200, body: pricesBody(["B"]) },
        { status: 200, body: pricesBody(["C"]) }
      ], { maxSymbols: 1 })
      const mode = DataMode.cached()
      const found = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) =>
        findings.map(({ code, count }) => [code, count])
      return Effect.gen(function*() {
        const chain = yield* Effect.provide(MarketData.optionChain("AAPL", { mode }), odd.client)
        assert.deepStrictEqual(found(chain), [["CachedAnsweredFresh", 1], ["StrikeMismatch", 1]])
        const prices = yield* Effect.provide(MarketData.stockPrices(["A", "B", "C"], { mode }), many.client)
        assert.deepStrictEqual(found(prices), [["CachedAnsweredFresh", 2]])
        assert.deepStrictEqual([...prices.data].map(({ symbol }) => symbol), ["A", "B", "C"])
      })
    })
  })

  describe("cachedOrLive", () => {
    const mode = DataMode.cachedOrLive({ maxAge: "5 minutes" })

    it.effect("[8.3-fallback] [4.1-maxage-cached-only] asks live once after a miss, without maxage, at live cost", () =>
      over(service({ status: 204 }, { status: 200, body: chainBody(5) }), { consent: 10 }, function*(http) {
        const answer = yield* MarketData.optionChain("SPX", { mode, assume: { contracts: 10 } })
        assert.deepStrictEqual(http.requests.map((request) => request.url.split("?")[1]), [
          "mode=cached&maxage=5min",
          "mode=live"
        ])
        assert.strictEqual(answer.credits.charged, 5)
        assert.strictEqual(answer.provenance.requestedMode, "CachedOrLive")
        assert.deepStrictEqual([answer.provenance.sentMode, answer.trace.length], ["live", 2])
      }))
  })

  describe("layerConfig", () => {
    const from = (variables: Record<string, string>, http: ReturnType<typeof service>) =>
      MarketData.layerConfig.pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables))),
        Layer.provide([http.layer, CreditLedger.layerUnlimited])
      )

    it.effect("[1-base-url] goes to the public service, and without a token says where one comes from [5.2-obtain]", () => {
      const http = service({ status: 401 })
      return Effect.gen(function*() {
        const error = yield* Effect.flip(MarketData.optionChain("SPX"))
        assert.strictEqual(http.requests[0]?.url, "https://api.marketdata.app/v1/options/chain/SPX/")
        assert.strictEqual(http.requests[0]?.headers["authorization"], undefined)
        assert.match(error.message, /dashboard.*e-mail/)
      }).pipe(Effect.provide(from({}, http)))
    })
  })
})
