import { AccountStatus, CalendarDate, Endpoint, MarketStatus, NewYork, Query, StockNews } from "@effect-marketdata/core"
import * as OptionExpirations from "@effect-marketdata/core/OptionExpirations"
import * as OptionLookup from "@effect-marketdata/core/OptionLookup"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"
import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import { ask, at, chain, chainOf, consumed, errmsg, isData, json, newest, noon, test } from "./support/service.ts"

/** A contract that is listed on that Friday. */
const listed = Effect.gen(function*() {
  const reply = yield* ask(`${chain}?expiration=2026-12-18&side=call&strikeLimit=1`)
  return chainOf(reply).at(0)
})

/** One target for each endpoint. */
const targets: { readonly [Name in Query.EndpointName]: string } = {
  optionChain: `${chain}?strikeLimit=1`,
  optionQuote: "/v1/options/quotes/AAPL261218C00270000/",
  optionLookup: "/v1/options/lookup/AAPL%2012%2F18%2F2026%20270%20Call",
  optionExpirations: "/v1/options/expirations/AAPL/",
  optionStrikes: "/v1/options/strikes/AAPL/",
  stockQuotes: "/v1/stocks/quotes/AAPL/",
  stockPrices: "/v1/stocks/prices/?symbols=AAPL,MSFT",
  stockCandles: "/v1/stocks/candles/D/AAPL/?from=2026-11-02&to=2026-11-13",
  stockBulkCandles: "/v1/stocks/bulkcandles/D/?symbols=AAPL,MSFT",
  stockEarnings: "/v1/stocks/earnings/AAPL/?from=2026-01-01&to=2026-12-31",
  stockNews: "/v1/stocks/news/AAPL/?from=2026-11-01",
  marketStatus: "/v1/markets/status/?from=2026-11-23&to=2026-11-29",
  fundCandles: "/v1/funds/candles/D/VFINX/?from=2026-11-02&to=2026-11-13",
  account: "/user/",
  serviceStatus: "/status/",
  requestHeaders: "/headers/"
}

const names = Object.values(Query.endpoints).map(({ name }) => name)

describe("every endpoint", () => {
  for (const name of names) {
    const row = Query.endpoints[name]
    test(`[4-get] [9-version] ${name} is where core's row has it, and answers to GET only`, function*() {
      assert.isTrue(isData(yield* ask(targets[name])), name)
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]) {
        const refused = yield* ask(targets[name], { method })
        assert.deepStrictEqual([refused.status, refused.headers["allow"], consumed(refused)], [405, "GET", 0])
      }
      const elsewhere = Endpoint.isVersioned(row) ? targets[name].replace("/v1/", "/v2/") : `/v1${targets[name]}`
      assert.strictEqual((yield* ask(elsewhere)).status, 404)
    })

    if (!row.tokenless) {
      test(`[5.1-token-everywhere] [5.7-401] ${name} takes a token`, function*() {
        for (const token of ["nobody", "{sandbox-paid}", "sandbox-pai", "sandbox-paid2"]) {
          assert.strictEqual((yield* ask(targets[name], { token })).status, 401, token)
        }
        const target = targets[name].replaceAll("AAPL", "MSFT").replaceAll("VFINX", "VFIAX")
        assert.strictEqual((yield* ask(target, { token: "" })).status, 401)
      })
    }

    if (Endpoint.isVersioned(row)) {
      const parameter = (text: string) => `${targets[name]}${targets[name].includes("?") ? "&" : "?"}${text}`
      const cachedOrNot = row.cached
        ? "takes a mode, and [7.1-203] [7.2-not-mapped] answers with 203 from the cache"
        : "takes a mode, and [8.2-cached-unavailable] has no cached data"
      test(`[4-mode-everywhere] [8.2-modes] ${name} ${cachedOrNot}`, function*() {
        for (const mode of ["live", "delayed"]) assert.isTrue(isData(yield* ask(parameter(`mode=${mode}`))), mode)
        for (const mode of ["fast", "Live", "CACHED", ""]) {
          assert.strictEqual((yield* ask(parameter(`mode=${mode}`))).status, 400, mode)
        }
        for (const mode of ["cached", "cache", "stale"]) {
          const reply = yield* ask(parameter(`mode=${mode}`))
          if (row.cached) assert.strictEqual(reply.status, 203)
          else assert.deepStrictEqual([reply.status, consumed(reply)], [400, 0])
        }
      })
    }
  }

  test("[7.2-success-set] succeeds with 200 and with 203, at every endpoint", function*() {
    for (const name of names) {
      const seen = new Set<number>()
      for (let minute = 0; minute < 30; minute++) {
        yield* at(noon + minute * 60)
        seen.add((yield* ask(targets[name])).status)
      }
      assert.deepStrictEqual(seen, new Set([200, 203]), name)
    }
  })

  test(
    "[7.2-success-set] [7.1-204] [8.3-miss] [4.1-statuses] [1-credits] a cached miss is a 204 with nothing else, and free",
    function*() {
      const cacheable = names.filter((name) => Query.endpoints[name].cached)
      assert.deepStrictEqual(cacheable, ["optionChain", "optionQuote", "stockQuotes", "stockPrices"])
      for (const name of cacheable) {
        const target = `${targets[name]}${targets[name].includes("?") ? "&" : "?"}mode=cached`
        const reply = yield* ask(target)
        assert.deepStrictEqual([reply.status, reply.body, consumed(reply)], [204, "", 0], name)
        assert.notProperty(reply.headers, "content-type")
      }
    },
    { cold: ["AAPL", "MSFT"] }
  )

  test("[9-version] is nowhere else", function*() {
    const none = ["/", "/v1/", "/v1/options/", "/options/chain/AAPL/", "/v1/options/chain/", "/v1/options/chain//"]
    const paths = [...none, "/v1//options/chain/AAPL/", "/V1/options/chain/AAPL/", "/v1/options/chain/AAPL/x/"]
    for (const path of paths) assert.strictEqual((yield* ask(path)).status, 404, path)
  })
})

describe("option quotes", () => {
  test("[4.2-quote] [2.3-format] are one row of the chain, under the symbol asked for", function*() {
    const { optionSymbol, strike } = yield* listed
    const reply = yield* ask(`/v1/options/quotes/${optionSymbol}/`)
    const quotes = Result.getOrThrow(OptionQuote.decode(reply.body))
    assert.deepStrictEqual([quotes.length, quotes.at(0).optionSymbol, quotes.at(0).strike], [1, optionSymbol, strike])
    assert.match(optionSymbol, /^AAPL261218C\d{8}$/)
    assert.strictEqual(Number(optionSymbol.slice(-8)) / 1000, strike)
  })

  test("[4.2-quote] [8.2-cost-historical-quotes] of a past day are those of its close, for a named assumption: one credit", function*() {
    const { optionSymbol } = yield* listed
    const reply = yield* ask(`/v1/options/quotes/${optionSymbol}/?date=2026-11-18`)
    assert.strictEqual(newest(reply), NewYork.at({ year: 2026, month: 11, day: 18 }, 16, 0))
    assert.strictEqual(consumed(reply), 1)
    for (const mode of ["live", "delayed"]) {
      assert.strictEqual(consumed(yield* ask(`/v1/options/quotes/${optionSymbol}/?date=2026-11-18&mode=${mode}`)), 1)
    }
    const cached = yield* ask(`/v1/options/quotes/${optionSymbol}/?date=2026-11-18&mode=cached`)
    assert.deepStrictEqual([cached.status, consumed(cached)], [400, 0])
    assert.include(errmsg(cached), "cached")
    const range = yield* ask(`/v1/options/quotes/${optionSymbol}/?from=2026-11-13&to=2026-11-19`)
    const days = (json(range)["updated"] as ReadonlyArray<number>).map((time) => NewYork.dateOf(time).day)
    assert.deepStrictEqual([days, consumed(range)], [[13, 16, 17, 18], 1])
    // Days to come have no quotes, and do not make a series too long.
    assert.isTrue(isData(yield* ask(`/v1/options/quotes/${optionSymbol}/?from=2025-11-19&to=2035-01-01`)))
    const long = yield* ask(`/v1/options/quotes/${optionSymbol}/?from=2025-11-17&to=2026-11-19`)
    assert.strictEqual(long.status, 413)
  })

  test("[4.2-quote] a day that is not past, and one without a session, are refused as such", function*() {
    const { optionSymbol } = yield* listed
    const refused = (query: string) =>
      Effect.map(ask(`/v1/options/quotes/${optionSymbol}/${query}`), (reply) => [reply.status, errmsg(reply)])
    for (const date of ["2026-11-20", "2026-11-21", "2027-01-04"]) {
      const refusal = yield* refused(`?date=${date}`)
      assert.deepStrictEqual(refusal, [400, "Invalid date. The date parameter is used for historical queries only."])
    }
    for (const date of ["2026-11-15", "2026-09-07"]) {
      assert.deepStrictEqual(yield* refused(`?date=${date}`), [404, "Market closed on this date."])
    }
  })

  test("[2.3-format] are found by roots that are not their underlying", function*() {
    for (const [underlying, root] of [["SPX", "SPXW"], ["BRK.B", "BRKB"], ["AAPL", "AAPL1"]] as const) {
      const all = chainOf(yield* ask(`/v1/options/chain/${underlying}/`))
      const symbol = [...all].map(({ optionSymbol }) => optionSymbol).find((text) => text.slice(0, -15) === root)
      assert.isDefined(symbol, root)
      const quotes = Result.getOrThrow(OptionQuote.decode((yield* ask(`/v1/options/quotes/${symbol}/`)).body))
      const found = [quotes.length, quotes.at(0).optionSymbol, quotes.at(0).underlying]
      assert.deepStrictEqual(found, [1, symbol, underlying])
    }
  })

  const malformed: ReadonlyArray<readonly [clause: string, symbol: string]> = [
    ["2.3-bad-expiration", "AAPL261131C00270000"],
    ["2.3-bad-side", "AAPL261218X00270000"],
    ["2.3-bad-strike-length", "AAPL261218C000270000"],
    ["2.3-bad-strike-padding", "AAPL261218C270000"],
    ["2.3-bad-strike-padding", "AAPL261218C%20%20270000"],
    ["2.3-bad-strike-decimal", "AAPL261218C00270.00"],
    ["2.3-legacy", "IBMAT"],
    ["2.3-legacy", "IBM%20AT"],
    ["2.3-legacy", "AAPL"],
    ["2.3-format", "aapl261218C00270000"]
  ]
  for (const [clause, symbol] of malformed) {
    test(`[${clause}] [7.3-symbol-errmsg] [7.3-400-vs-404] ${symbol} is refused in the contract's words`, function*() {
      const reply = yield* ask(`/v1/options/quotes/${symbol}/`)
      const body = `{"s":"error","errmsg":"Invalid option symbol. Use valid OCC symbology for the option symbol."}`
      assert.deepStrictEqual([reply.status, reply.body, consumed(reply)], [400, body, 0])
    })
  }

  test("[2.3-bad-expiration] [7.3-400-vs-404] [7.1-404] a contract that could be and is not listed is not found", function*() {
    const symbols = ["AAPL261121C00270000", "AAPL130119C00500000", "ZZZZ261218C00270000", "AAPL261218C00270001"]
    for (const symbol of symbols) {
      for (const query of ["", "?date=2026-11-18"]) {
        const reply = yield* ask(`/v1/options/quotes/${symbol}/${query}`)
        assert.strictEqual(reply.status, 404)
        assert.strictEqual(errmsg(reply), "No option found. No option was found for this strike and expiration.")
      }
    }
  })
})

describe("lookups", () => {
  const spellings = [
    "AAPL%2012%2F18%2F2026%20270%20Call",
    "AAPL%2012/18/2026%20270%20Call/",
    "AAPL%2012-18-2026%20%24270%20call",
    "aapl%202026-12-18%20270c",
    "call%20AAPL%20%24270.00%20Dec%2018,%202026",
    "270%20calls%20expiring%2018%20December%202026%20AAPL",
    "AAPL%2012/18/26%20C%20270",
    "AAPL261218C00270000"
  ]
  for (const text of spellings) {
    test(`[4.3-lookup] understand ${decodeURIComponent(text)}`, function*() {
      const reply = yield* ask(`/v1/options/lookup/${text}`)
      assert.strictEqual(Result.getOrThrow(OptionLookup.decode(reply.body)).optionSymbol, "AAPL261218C00270000")
      assert.strictEqual(consumed(reply), 1)
    })
  }

  test("[4.3-lookup] find the root under which a contract is listed", function*() {
    const weekly = yield* ask("/v1/options/lookup/SPX%2012%2F4%2F2026%206800%20put")
    assert.include(weekly.body, "SPXW261204P06800000")
    const expired = yield* ask("/v1/options/lookup/AAPL%2010%2F16%2F2026%20270%20put")
    assert.include(expired.body, "AAPL261016P00270000")
  })

  test("[4.3-lookup] [7.3-400-vs-404] refuse what is not a description, and do not find what is not listed", function*() {
    const texts = [
      "AAPL",
      "AAPL%20270%20call",
      "AAPL%2013/18/2026%20270%20call",
      "AAPL%2012/18/2026%20270%20280%20call"
    ]
    for (const text of texts) assert.strictEqual((yield* ask(`/v1/options/lookup/${text}`)).status, 400, text)
    for (const text of ["AAPL%2012/18/2026%20271.13%20call", "ZZZZ%2012/18/2026%20270%20call"]) {
      assert.strictEqual((yield* ask(`/v1/options/lookup/${text}`)).status, 404, text)
    }
  })
})

describe("listings", () => {
  test("expirations are those of the chain, of a strike if one is named, and of a past day", function*() {
    const data = chainOf(yield* ask("/v1/options/chain/AAPL/"))
    const days = new Set(Array.from(data.expiration, (time) => CalendarDate.format(NewYork.dateOf(time))))
    const all = Result.getOrThrow(OptionExpirations.decode((yield* ask("/v1/options/expirations/AAPL/")).body))
    assert.deepStrictEqual(new Set(all.expirations.map(CalendarDate.format)), days)
    for (const [strike, nonstandard] of [["270", false], ["349.64", true]] as const) {
      const target = `/v1/options/expirations/AAPL/?strike=${strike}`
      const some = Result.getOrThrow(OptionExpirations.decode((yield* ask(target)).body))
      const having = [...data].filter((row) => row.strike === Number(strike)).map(({ expiration }) => expiration)
      const expected = new Set(having.map((time) => CalendarDate.format(NewYork.dateOf(time))))
      assert.deepStrictEqual(new Set(some.expirations.map(CalendarDate.format)), expected)
      assert.isAbove(expected.size, 0)
      assert.strictEqual((yield* ask(`${target}&nonstandard=false`)).status === 404, nonstandard)
    }
    const past = Result.getOrThrow(
      OptionExpirations.decode((yield* ask("/v1/options/expirations/AAPL/?date=2026-10-15")).body)
    )
    assert.deepStrictEqual(past.expirations[0], { year: 2026, month: 10, day: 16 })
    assert.strictEqual((yield* ask("/v1/options/expirations/AAPL/?date=2026-11-20")).status, 400)
    assert.strictEqual((yield* ask("/v1/options/expirations/AAPL/?date=2026-11-15")).status, 404)
    assert.strictEqual((yield* ask("/v1/options/expirations/ZZZZ/")).status, 404)
  })

  test("strikes are those of the chain, expiration by expiration", function*() {
    const reply = yield* ask("/v1/options/strikes/AAPL/?expiration=2026-12-18")
    const { expirations } = Result.getOrThrow(OptionStrikes.decode(reply.body))
    const data = chainOf(yield* ask("/v1/options/chain/AAPL/?expiration=2026-12-18"))
    assert.deepStrictEqual(expirations.length, 1)
    assert.deepStrictEqual(expirations[0]?.strikes, [...new Set(data.strike)].toSorted((a, b) => a - b))
    const all = Result.getOrThrow(OptionStrikes.decode((yield* ask("/v1/options/strikes/AAPL/")).body))
    assert.isAbove(all.expirations.length, 5)
    assert.strictEqual((yield* ask("/v1/options/strikes/AAPL/?expiration=2026-11-21")).status, 404)
  })
})

describe("stocks", () => {
  test("[4.4-stock-quote] quotes have 52 weeks and the day's candle only when they are asked for", function*() {
    const names = (target: string) => Effect.map(ask(target), (reply) => Object.keys(json(reply)).slice(12))
    assert.deepStrictEqual(yield* names("/v1/stocks/quotes/AAPL/"), [])
    assert.deepStrictEqual(yield* names("/v1/stocks/quotes/AAPL/?52week=true"), ["52weekHigh", "52weekLow"])
    assert.deepStrictEqual(yield* names("/v1/stocks/quotes/AAPL/?candle=true"), ["o", "h", "l", "c"])
    assert.deepStrictEqual(yield* names("/v1/stocks/quotes/AAPL/?candle=false"), [])
    assert.strictEqual((yield* ask("/v1/stocks/quotes/AAPL/?candle=maybe")).status, 400)
  })

  test("[4.4-stock-quote] quotes tell the change from the close before, and there is none of a stock that nobody knows", function*() {
    const days = yield* ask("/v1/stocks/candles/D/AAPL/?from=2026-11-19&to=2026-11-19")
    const close = Number(json(days)["c"]?.[0])
    const quote = json(yield* ask("/v1/stocks/quotes/AAPL/"))
    const last = Number(quote["last"]?.[0])
    assert.notStrictEqual(last, close)
    assert.closeTo(Number(quote["change"]?.[0]), last - close, 0.006)
    assert.closeTo(Number(quote["changepct"]?.[0]), (last - close) / close, 0.0001)
    for (const target of ["/v1/stocks/quotes/ZZZZ/", "/v1/stocks/quotes/?symbols=ZZZZ,YYYY"]) {
      const unknown = yield* ask(target)
      assert.deepStrictEqual([unknown.status, errmsg(unknown), consumed(unknown)], [404, "Symbol not found.", 0])
    }
  })

  test("[4.5-prices] prices are one for each ticker", function*() {
    const prices = Result.getOrThrow(StockPrices.decode((yield* ask(targets.stockPrices)).body))
    assert.deepStrictEqual([...prices].map(({ symbol }) => symbol), ["AAPL", "MSFT"])
    assert.isTrue(isData(yield* ask("/v1/stocks/prices/AAPL/")))
    assert.strictEqual((yield* ask("/v1/stocks/prices/")).status, 400)
  })

  test("[4.5-prices] prices of different ages from the cache come in the order of the query", function*() {
    // A list is a miss if none of it is cached, though some of it is unknown.
    assert.strictEqual((yield* ask("/v1/stocks/prices/?symbols=ZZZZ,F&mode=cached")).status, 204)
    yield* ask("/v1/stocks/prices/?symbols=NVDA")
    yield* at(noon + 60)
    yield* ask("/v1/stocks/prices/?symbols=F,MSFT")
    const { body } = yield* ask("/v1/stocks/prices/?symbols=F,NVDA,MSFT&mode=cached")
    assert.deepStrictEqual([...Result.getOrThrow(StockPrices.decode(body)).symbol.values], ["F", "NVDA", "MSFT"])
  }, { cold: ["F", "MSFT", "NVDA"] })

  test("[4.5-bulk-candles] bulk candles are one for each ticker, of the last session that is over, or of a day", function*() {
    const last = Result.getOrThrow(StockBulkCandles.decode((yield* ask(targets.stockBulkCandles)).body))
    assert.deepStrictEqual([...last].map(({ symbol }) => symbol), ["AAPL", "MSFT"])
    assert.strictEqual(last.t[0], NewYork.midnight({ year: 2026, month: 11, day: 19 }))
    const past = json(yield* ask(`${targets.stockBulkCandles}&date=2026-11-06`))
    assert.strictEqual(past["t"]?.[0], NewYork.midnight({ year: 2026, month: 11, day: 6 }))
    assert.strictEqual((yield* ask(`${targets.stockBulkCandles}&date=2026-11-07`)).status, 404)
    assert.strictEqual((yield* ask(`${targets.stockBulkCandles}&date=2026-12-07`)).status, 404)
    for (const resolution of ["daily", "1D", "d"]) {
      const same = yield* ask(`/v1/stocks/bulkcandles/${resolution}/?symbols=AAPL,MSFT`)
      assert.deepStrictEqual(json(same)["symbol"], ["AAPL", "MSFT"])
    }
    assert.strictEqual((yield* ask("/v1/stocks/bulkcandles/H/?symbols=AAPL")).status, 404)
    const all = yield* ask("/v1/stocks/bulkcandles/D/?snapshot=true")
    assert.isAbove(json(all)["symbol"]!.length, 2)
  })

  test("candles are those of a range, the last ones, or the most recent one", function*() {
    const days = (target: string) =>
      Effect.map(
        ask(target),
        (reply) => [...Result.getOrThrow(StockCandles.decode(reply.body))].map(({ t }) => NewYork.dateOf(t).day)
      )
    const path = "/v1/stocks/candles/D/AAPL/"
    assert.deepStrictEqual(yield* days(`${path}?from=2026-11-05&to=2026-11-10`), [5, 6, 9, 10])
    assert.deepStrictEqual(yield* days(`${path}?from=11/05/2026&to=1794373200`), [5, 6, 9, 10, 11].slice(0, 5))
    assert.deepStrictEqual((yield* days(`${path}?countback=3&to=2026-11-10`)).length, 3)
    assert.deepStrictEqual((yield* days(path)).length, 1)
    assert.deepStrictEqual(yield* days(`${path}?from=-3 days&to=2026-11-12`.replaceAll(" ", "%20")), [9, 10, 11, 12])
    assert.strictEqual((yield* ask("/v1/stocks/candles/D/ZZZZ/")).status, 404)
    assert.strictEqual((yield* ask("/v1/stocks/candles/fast/AAPL/")).status, 400)
    assert.strictEqual((yield* ask(`${path}?from=2026-11-10&to=2026-11-05`)).status, 400)
    assert.strictEqual((yield* ask(`${path}?from=2026-11-05&countback=3`)).status, 400)
    const year = "/v1/stocks/candles/H/AAPL/?from=2025-10-31&to=2026-11-01%2000:00"
    assert.deepStrictEqual([isData(yield* ask(year)), (yield* ask(`${year}:01`)).status], [true, 413])
    const minutes = json(yield* ask("/v1/stocks/candles/5/AAPL/?from=2026-11-19&to=2026-11-19"))
    assert.strictEqual(minutes["t"]?.length, 78)
  })

  test("nothing of the time to come is told", function*() {
    const newestOf = (target: string, token: string) =>
      Effect.map(ask(target, { token }), (reply) => Math.max(...(json(reply)["t"] as ReadonlyArray<number>)))
    const target = "/v1/stocks/candles/1/AAPL/?from=2026-11-20&to=2026-12-31"
    assert.isAtMost(yield* newestOf(target, "sandbox-paid"), noon)
    assert.isAtMost(yield* newestOf(target, "sandbox-free"), noon - 900)
  })

  test("earnings and news are those of the days named", function*() {
    const earnings = Result.getOrThrow(StockEarnings.decode((yield* ask(targets.stockEarnings)).body))
    assert.isAbove(earnings.length, 0)
    const last = Result.getOrThrow(
      StockEarnings.decode((yield* ask("/v1/stocks/earnings/AAPL/?countback=2&to=2026-11-01")).body)
    )
    assert.strictEqual(last.length, 2)
    const news = yield* ask(targets.stockNews)
    assert.isAbove(Result.getOrThrow(StockNews.decode(news.body)).length, 0)
    assert.strictEqual(JSON.parse(news.body).updated, noon)
    for (const kind of ["earnings", "news"]) {
      assert.strictEqual((yield* ask(`/v1/stocks/${kind}/ZZZZ/`)).status, 404)
      const twice = yield* ask(`/v1/stocks/${kind}/AAPL/?date=2026-11-01&from=2026-10-01`)
      assert.deepStrictEqual([twice.status, errmsg(twice)], [400, "Invalid date. Use either date, or from and to."])
    }
  })
})

describe("the other endpoints", () => {
  test("the market is open on its trading days, past and to come", function*() {
    const status = (query: string) =>
      Effect.map(
        ask(`/v1/markets/status/${query}`),
        (reply) => [...Result.getOrThrow(MarketStatus.decode(reply.body))].map(({ status }) => status)
      )
    assert.deepStrictEqual(yield* status("?from=2026-11-25&to=2026-11-28"), ["open", "closed", "open", "closed"])
    assert.deepStrictEqual(yield* status(""), ["open"])
    assert.deepStrictEqual(yield* status("?date=yesterday&country=US"), ["open"])
    assert.deepStrictEqual(yield* status("?countback=3&to=2026-11-22"), ["open", "closed", "closed"])
    assert.strictEqual((yield* ask("/v1/markets/status/?country=DE")).status, 400)
    assert.lengthOf(yield* status("?from=2015-12-26&to=2026-01-01"), 3660)
    assert.strictEqual((yield* ask("/v1/markets/status/?from=2015-12-25&to=2026-01-01")).status, 413)
  })

  test("the pages of account and service tell what they are for, for nothing", function*() {
    yield* ask(`${chain}?strikeLimit=1&side=call&expiration=2026-12-18`)
    const account = yield* ask("/user/")
    const credits = Result.getOrThrow(AccountStatus.decode(account.body))
    assert.deepStrictEqual(credits, { creditsLimit: 1_000_000, creditsRemaining: 999_999, optionsData: "" })
    const status = Result.getOrThrow(ServiceStatus.decode((yield* ask("/status/", { token: "" })).body))
    assert.deepStrictEqual(new Set([...status].map(({ status }) => status)), new Set(["online"]))
    const headers = yield* ask("/headers/", { headers: { "x-mine": "1", cookie: "id=2" } })
    assert.deepStrictEqual(JSON.parse(headers.body), { authorization: "*******", "x-mine": "1", cookie: "*******" })
    assert.strictEqual(consumed(account) + consumed(headers), 0)
    assert.isTrue(isData(yield* ask("/user/?mode=cached&format=xml")))
  })
})
