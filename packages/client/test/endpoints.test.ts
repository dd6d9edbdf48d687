import { MarketData, type MarketDataError } from "@effect-marketdata/client"
import { type Answer, DataMode, OptionSymbol } from "@effect-marketdata/core"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"
import { balance, clientOf, sent } from "./support/clients.ts"
import { chainBody, pricesBody, service } from "./support/scripted.ts"

const symbol = "AAPL261218C00150000"
const sides = { ask: [2], askSize: [1], bid: [1], bidSize: [1] }
const quote = { ...sides, mid: [1.5], last: [1.5], volume: [10], updated: [1795208000] }

/** So many candles. */
const candles = (count: number) => ({
  t: Array.from({ length: count }, (_, day) => 1_640_000_000 + day),
  c: Array(count).fill(1)
})
const columns = ["t", "c"] as const

interface Case {
  readonly ask: Effect.Effect<Answer.Answer<unknown>, MarketDataError.MarketDataError, MarketData.MarketData>
  readonly target: string
  readonly body: object | string
  /** What it costs, where that is not 1. */
  readonly credits?: number
}

const cases: Readonly<Record<string, Case>> = {
  "[9-version] optionChain": {
    ask: MarketData.optionChain("SPX", { expiration: "all" }),
    target: "/v1/options/chain/SPX/?expiration=all",
    body: chainBody(2),
    credits: 2
  },
  "[4.2-quote] optionQuote": {
    ask: MarketData.optionQuote(symbol, { mode: DataMode.live }),
    target: `/v1/options/quotes/${symbol}/?mode=live`,
    body: { optionSymbol: [symbol], ...quote }
  },
  "[4.2-quote] optionQuote of a past day": {
    ask: MarketData.optionQuote(OptionSymbol.parseUnsafe(symbol), { date: "2026-11-19" }),
    target: `/v1/options/quotes/${symbol}/?date=2026-11-19`,
    body: { optionSymbol: [symbol], ...quote }
  },
  "[4.3-lookup] [8.2-cost-other] optionLookup": {
    ask: MarketData.optionLookup("AAPL 7/28/2023 200 Call"),
    target: "/v1/options/lookup/AAPL%207%2F28%2F2023%20200%20Call",
    body: { optionSymbol: "AAPL230728C00200000" }
  },
  "[8.2-cost-other] optionExpirations": {
    ask: MarketData.optionExpirations("AAPL", { strike: 200 }),
    target: "/v1/options/expirations/AAPL/?strike=200",
    body: { expirations: ["2026-12-18"], updated: 1795208000 }
  },
  "[8.2-cost-other] optionStrikes": {
    ask: MarketData.optionStrikes("AAPL", { expiration: "2026-12-18" }),
    target: "/v1/options/strikes/AAPL/?expiration=2026-12-18",
    body: { "2026-12-18": [100, 102.5], updated: 1795208000 }
  },
  "[4.4-stock-quote] [8.2-cost-quotes] stockQuote": {
    ask: MarketData.stockQuote("BRK.B", { include: ["52week"] }),
    target: "/v1/stocks/quotes/BRK.B/?52week=true",
    body: { symbol: ["BRK.B"], ...quote }
  },
  "[8.2-cost-quotes] stockQuotes, of which one has no quote data": {
    ask: MarketData.stockQuotes(["A", "B"], { columns: ["symbol", "ask", "bid", "mid", "last"] }),
    target: "/v1/stocks/quotes/?symbols=A,B&columns=symbol,ask,bid,mid,last",
    body: { symbol: ["A", "B"], ask: [2, null], bid: [1, null], mid: [1.5, null], last: [null, null] }
  },
  "[4.5-prices] [8.2-cost-quotes] stockPrices": {
    ask: MarketData.stockPrices(["A", "B"]),
    target: "/v1/stocks/prices/?symbols=A,B",
    body: pricesBody(["A", "B"]),
    credits: 2
  },
  "[8.2-cost-candles] stockCandles, of which 1001 cost 2": {
    ask: MarketData.stockCandles("D", "AAPL", { from: "2022-01-03", to: "2026-11-20", columns }),
    target: "/v1/stocks/candles/D/AAPL/?from=2022-01-03&to=2026-11-20&columns=t,c",
    body: candles(1001),
    credits: 2
  },
  "[4.5-bulk-candles] [8.2-cost-bulk-candles] stockBulkCandles": {
    ask: MarketData.stockBulkCandles(["A", "B", "C"]),
    target: "/v1/stocks/bulkcandles/D/?symbols=A,B,C",
    body: { symbol: ["A", "B"], t: [1, 1], o: [1, 1], h: [1, 1], l: [1, 1], c: [1, 1], v: [1, 1] },
    credits: 2
  },
  "[8.2-cost-other] stockEarnings": {
    ask: MarketData.stockEarnings("AAPL", { from: "2026-01-01", to: "2026-06-30" }),
    target: "/v1/stocks/earnings/AAPL/?from=2026-01-01&to=2026-06-30",
    // More than a thousand, which would cost 2 as candles.
    body: { symbol: Array(1001).fill("AAPL"), reportedEPS: Array(1001).fill(1.2) }
  },
  "[8.2-cost-other] stockNews": {
    ask: MarketData.stockNews("AAPL", { date: "2026-11-19" }),
    target: "/v1/stocks/news/AAPL/?date=2026-11-19",
    body: {
      symbol: ["AAPL", "AAPL"],
      headline: ["x", "y"],
      content: ["y", ""],
      source: ["z", "z"],
      publicationDate: [1795208000, 1795208060]
    }
  },
  "[8.2-cost-other] marketStatus": {
    ask: MarketData.marketStatus({ date: "2026-12-24" }),
    target: "/v1/markets/status/?date=2026-12-24",
    body: { date: [1795208000, 1795294400], status: ["open", "closed"] }
  },
  "[8.2-cost-candles] fundCandles, of which 1000 cost 1": {
    ask: MarketData.fundCandles("D", "VFINX", { countback: 1000, to: "2026-11-19", columns }),
    target: "/v1/funds/candles/D/VFINX/?to=2026-11-19&countback=1000&columns=t,c",
    body: candles(1000)
  },
  "[8.2-cost-candles] fundCandles, of which 1001 cost 2": {
    ask: MarketData.fundCandles("D", "VFINX", { countback: 1001, to: "2026-11-19", columns }),
    target: "/v1/funds/candles/D/VFINX/?to=2026-11-19&countback=1001&columns=t,c",
    body: candles(1001),
    credits: 2
  },
  "[9-version] account": {
    ask: MarketData.account,
    target: "/user/",
    body: { "x-ratelimit-requests-limit": 100, "x-ratelimit-requests-remaining": 99, "x-options-data-permissions": "" },
    credits: 0
  },
  "[9-version] serviceStatus": {
    ask: MarketData.serviceStatus,
    target: "/status/",
    body: { service: ["/v1/"], status: ["online"], online: [true], uptimePct30d: [1], uptimePct90d: [1], updated: [1] },
    credits: 0
  },
  "[9-version] requestHeaders": { ask: MarketData.requestHeaders, target: "/headers/", body: { host: "x" }, credits: 0 }
}

const bodyOf = ({ body }: Pick<Case, "body">): string =>
  typeof body === "string" ? body : JSON.stringify({ s: "ok", ...body })

/** One query to each endpoint that has cached data. */
const cachedAsks: ReadonlyArray<readonly [name: string, ask: Case["ask"]]> = [
  ["optionChain", MarketData.optionChain("SPX", { mode: DataMode.cached() })],
  ["optionQuote", MarketData.optionQuote(symbol, { mode: DataMode.cached() })],
  ["stockQuote", MarketData.stockQuote("A", { mode: DataMode.cached() })],
  ["stockQuotes", MarketData.stockQuotes(["A", "B"], { mode: DataMode.cached({ maxAge: "5 minutes" }) })],
  ["stockPrices", MarketData.stockPrices(["A"], { mode: DataMode.cached() })]
]

it("are all asked here", () => {
  const names = new Set(Object.keys(cases).map((name) => /(?:\] )?(\w+)(?:,| of|$)/.exec(name)?.[1] ?? ""))
  const others = "MarketData run partial pooled whenCached make layer layerNoDeps layerConfig".split(" ")
  const own = [...names].toSorted()
  assert.deepStrictEqual(own, Object.keys(MarketData).filter((name) => !others.includes(name)).toSorted())
})

for (const [name, { ask, credits = 1, target, ...reply }] of Object.entries(cases)) {
  it.effect(`[4-get] [7.2-success-set] [7.2-203-price] ${name}, with 200 and with 203`, function*() {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 18))
    for (const status of [200, 203]) {
      const http = service({ status, body: bodyOf(reply) })
      const { credits: { charged }, provenance, trace } = yield* Effect.provide(ask, clientOf(http))
      assert.deepStrictEqual(http.requests.map(({ method, url }) => [method, url]), [
        ["GET", `https://service.test${target}`]
      ])
      assert.deepStrictEqual([charged, provenance.status, trace[0]?.reason], [credits, status, undefined])
    }
  })
}

it.effect("[7.2-success-set] [7.1-204] take a 204 to a cached query as success without data: asked once, free, and not a fault", function*() {
  for (const [name, ask] of cachedAsks) {
    const http = service({ status: 204 })
    yield* Effect.gen(function*() {
      const { reason, trace } = yield* Effect.flip(ask)
      assert.deepStrictEqual([reason._tag, http.requests.length], ["NoCachedData", 1], name)
      assert.deepStrictEqual(trace.map(({ charge, status }) => [status, charge?.credits]), [[204, 0]], name)
      const { charged, uncertain } = yield* balance
      assert.deepStrictEqual([charged, uncertain], [0, 0], name)
    }).pipe(Effect.provide(clientOf(http, { allowance: 10 })))
  }
})

it.effect("[7.3-cause-url] name the query that could not be made", function*() {
  const refused: ReadonlyArray<Case["ask"]> = [
    MarketData.stockPrices(["A", "B?", "C", "D"]),
    MarketData.optionQuote("AAPL"),
    MarketData.stockCandles("D", ".."),
    MarketData.optionLookup("Bearer secret?")
  ]
  const messages = yield* Effect.forEach(
    refused,
    (ask) => Effect.map(Effect.flip(ask), ({ message, reason }) => [reason._tag, message.split(":")[0]])
  )
  assert.deepStrictEqual(messages, [
    ["InvalidQuery", "stockPrices A,B?,C and 1 more"],
    ["InvalidQuery", "optionQuote AAPL"],
    ["InvalidQuery", "stockCandles .. D"],
    // The words of a lookup may be anything that was pasted.
    ["InvalidQuery", "optionLookup"]
  ])
  assert.strictEqual(yield* sent, 0)
}, clientOf(service({ status: 200 })))
