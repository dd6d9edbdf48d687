import { DataMode, Endpoint, HttpRequest, Query } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Record, Redacted, Result } from "effect"
import * as fc from "fast-check"
import { hostileText } from "../support/arbitraries.ts"
import { forAll, trials } from "../support/depth.ts"
import { type Asked, made, query, refusedFor } from "../support/everyQuery.ts"

const runs = trials(7_3)

const target = (result: Asked): string => Query.target(made(result))

/** 2026-11-20 00:30 in New York, a few hours into the day of UTC. */
const justAfterMidnight = Date.UTC(2026, 10, 20, 5, 30) / 1000

describe("every query", () => {
  it("[7.3-url-shape] [7.3-cause-malformed-query] says what was asked, and nothing that a URL parser would rewrite", () => {
    forAll(runs, query, (query) => {
      const text = Query.target(query)
      assert.match(text, /^\/[\w.~%/-]+\/?(\?\w+=[\w.~%,-]*(&\w+=[\w.~%,-]*)*)?$/)
      const url = new URL(`https://api.test${text}`)
      assert.strictEqual(url.pathname + url.search, text)
      const [path, search] = text.split("?")
      assert.strictEqual(path, query.path)
      const parameters = (search ?? "").split("&").filter((part) => part !== "").map((part) =>
        part.split("=").map(decodeURIComponent)
      )
      const own = parameters.filter(([name]) => !["symbols", "columns", "mode", "maxage"].includes(name!))
      assert.deepStrictEqual(own, Query.parameters(query).map((parameter) => [...parameter]))
      const get = (name: string) => parameters.find(([key]) => key === name)?.[1]
      assert.strictEqual(get("columns"), query.columns?.join(","))
      assert.strictEqual(get("symbols"), query.list ? query.tickers.join(",") : undefined)
      assert.strictEqual(get("mode"), query.mode === undefined ? undefined : DataMode.parameter(query.mode))
      assert.strictEqual(new Set(parameters.map(([name]) => name)).size, parameters.length)
    })
  })

  it("[9-version] begins with /v1/ wherever the contract has the endpoint", () => {
    for (const row of Object.values(Query.endpoints)) {
      assert.strictEqual(Endpoint.isVersioned(row), row.path.startsWith("/v1/"))
      if (row.stated) assert.isTrue(Endpoint.isVersioned(row), row.name)
    }
    const unversioned = Object.values(Query.endpoints).filter((row) => !Endpoint.isVersioned(row))
    const paths = unversioned.map(({ path, stated }) => [path, stated])
    assert.deepStrictEqual(paths, [["/user/", false], ["/status/", false], ["/headers/", false]])
    forAll(runs, query, (query) => {
      assert.strictEqual(Query.target(query).startsWith("/v1/"), Endpoint.isVersioned(query.endpoint))
    })
  })

  it("[4.1-params] [4.5-general-params] sends mode, maxage and columns where they were given, and never invents one", () => {
    const cached = DataMode.cached({ maxAge: "5 minutes" })
    const columns = target(Query.optionChain("SPX", { columns: ["strike", "bid"], mode: cached }))
    assert.strictEqual(columns, "/v1/options/chain/SPX/?columns=strike,bid&mode=cached&maxage=5min")
    const past = target(Query.optionChain("SPX", { date: "2026-11-19", mode: DataMode.delayed }))
    assert.strictEqual(past, "/v1/options/chain/SPX/?date=2026-11-19&mode=delayed")
    forAll(runs, query, (query) => {
      assert.notMatch(Query.target(query), /[?&](token|format|human|dateformat|headers)=/i)
      for (const name of ["limit", "offset"]) {
        assert.strictEqual(Query.target(query).includes(`${name}=`), query.options[name] !== undefined)
      }
    })
  })

  const refusalOf = (query: Query.Query) => {
    const reason = Result.getOrThrow(Result.flip(HttpRequest.make(query, "https://api.test")))
    return reason._tag === "InvalidQuery" ? reason.parameter : reason._tag
  }

  it("[4.5-general-params] takes format and a token beside columns, at every endpoint and with any query", () => {
    const queryToken = Redacted.make("a+b c/d&e=f")
    forAll(runs, query, (query) => {
      const csv = Query.asCsv(query)
      const plain = Query.target(query)
      if (!Endpoint.isVersioned(query.endpoint)) {
        assert.strictEqual(refusalOf(csv), "format")
        return
      }
      const parameters = new URL(Query.target(csv), "https://api.test").searchParams
      assert.deepStrictEqual(parameters.getAll("format"), ["csv"])
      assert.strictEqual(parameters.get("columns"), query.columns?.join(",") ?? null)
      // It changes nothing else of the query.
      assert.strictEqual(Query.target(csv).replace(/([?&])format=csv(?:&|$)/, "$1").replace(/[?&]$/, ""), plain)
      const request = made(HttpRequest.make(csv, "https://api.test", { queryToken }))
      assert.strictEqual(
        HttpRequest.wireUrl(request),
        `https://api.test${Query.target(csv)}&token=a%2Bb%20c%2Fd%26e%3Df`
      )
    })
  })
})

describe("constructors", () => {
  it("[7.3-cause-url] refuse a symbol that could end its segment, climb out of it, or start a query", () => {
    const bad = String.raw`. .. ... A/B A?mode=live A&mode=live A=B A#B A%2FB A\B É Ａ`.split(" ")
    for (const symbol of bad.concat("", "A B", "A\n", "A".repeat(33))) {
      assert.strictEqual(refusedFor(Query.optionChain(symbol)), "underlying", symbol)
      assert.strictEqual(refusedFor(Query.optionExpirations(symbol)), "underlying", symbol)
      assert.strictEqual(refusedFor(Query.optionStrikes(symbol)), "underlying", symbol)
      assert.strictEqual(refusedFor(Query.stockQuote(symbol)), "symbol", symbol)
      assert.strictEqual(refusedFor(Query.stockQuotes(["A", symbol])), "symbols", symbol)
      assert.strictEqual(refusedFor(Query.stockPrices(["A", symbol])), "symbols", symbol)
      assert.strictEqual(refusedFor(Query.stockBulkCandles(["A", symbol])), "symbols", symbol)
      assert.strictEqual(refusedFor(Query.stockCandles("D", symbol)), "symbol", symbol)
      assert.strictEqual(refusedFor(Query.fundCandles("D", symbol)), "symbol", symbol)
      assert.strictEqual(refusedFor(Query.stockEarnings(symbol)), "symbol", symbol)
      assert.strictEqual(refusedFor(Query.stockNews(symbol)), "symbol", symbol)
      assert.strictEqual(refusedFor(Query.optionQuote(symbol)), "optionSymbol", symbol)
      assert.strictEqual(
        refusedFor(Query.optionLookup({ underlying: symbol, expiration: "2026-11-20", side: "call", strike: 1 })),
        "underlying",
        symbol
      )
    }
  })

  it("[7.3-cause-url] let no text add a segment, a parameter or a fragment", () => {
    forAll(runs, hostileText, (text) => {
      const queries: ReadonlyArray<Asked> = [
        Query.optionChain(text),
        Query.stockQuotes([text]),
        Query.optionLookup(text)
      ]
      for (const asked of queries) {
        if (Result.isFailure(asked)) continue
        const [path = "", ...searches] = Query.target(asked.success).split("?")
        const slashes =
          { optionChain: 5, stockQuotes: 4, optionLookup: 4 }[asked.success.endpoint.name as "optionChain"]
        assert.strictEqual(path.split("/").length - 1, slashes)
        assert.isAtMost(searches.length, 1)
        assert.notMatch(Query.target(asked.success), /[#&\s]/)
      }
    })
  })

  it("[4.1-maxage-cached-only] send a greatest age with cached modes only", () => {
    const stray = { ...DataMode.live, maxAge: "5 minutes" } as never
    assert.notInclude(target(Query.optionChain("A", { mode: DataMode.live })), "maxage")
    const cached = made(Query.optionChain("A", { mode: DataMode.cached({ maxAge: "5 minutes" }) }))
    assert.include(Query.target(cached), "&maxage=5min")
    assert.notInclude(Query.target(Query.withMode(cached, DataMode.live)), "maxage")
    assert.include(Query.target(Query.withMode(cached, DataMode.cached())), "maxage=5min")
    assert.strictEqual(refusedFor(Query.optionChain("A", { mode: stray })), "maxAge")
  })

  it("refuse invalid counts, and a price rule where the contract states one", () => {
    assert.strictEqual(refusedFor(Query.optionChain("A", { assume: { contracts: 1.5 } })), "assume.contracts")
    assert.strictEqual(refusedFor(Query.stockCandles("D", "A", { assume: { candles: -1 } })), "assume.candles")
    assert.strictEqual(refusedFor(Query.optionChain("A", { assume: { kind: "other" } })), "assume.kind")
  })
})

describe("price rules", () => {
  it("[4-endpoint-kinds] knows the price rule of every endpoint", () => {
    const kinds = Arr.groupBy(Object.values(Query.endpoints), ({ kind }): string => kind)
    assert.deepStrictEqual(Record.map(kinds, (all) => all.map(({ name }) => name).join(" ")), {
      chain: "optionChain",
      quotes: "optionQuote stockQuotes stockPrices",
      candles: "stockCandles fundCandles",
      bulkCandles: "stockBulkCandles",
      other: "optionLookup optionExpirations optionStrikes stockEarnings stockNews marketStatus",
      free: "account serviceStatus requestHeaders"
    })
    fc.assert(fc.property(query, (query) => assert.strictEqual(query.kind, query.endpoint.kind)), runs)
  })

  it("[4-endpoint-kinds] takes prices for quotes, unless the caller assumes another rule", () => {
    const open = Object.values(Query.endpoints).filter((row) => !row.kindStated).map(({ name }) => name)
    assert.deepStrictEqual(open, ["stockPrices"])
    assert.strictEqual(made(Query.stockPrices(["A"])).kind, "quotes")
    assert.strictEqual(made(Query.stockPrices(["A"], { assume: { kind: "other" } })).kind, "other")
  })
})

it("[4.2-quote] checkDate holds for quotes, expirations and strikes, and not where days to come may be asked about", () => {
  const check = (query: Asked, now = justAfterMidnight) => refusedFor(Query.checkDate(made(query), now))
  assert.strictEqual(check(Query.optionQuote("AAPL261120C00150000", { date: "2026-11-20" })), "date")
  assert.strictEqual(check(Query.optionExpirations("A", { date: "2026-11-20" })), "date")
  assert.strictEqual(check(Query.optionStrikes("A", { date: "2026-11-20" })), "date")
  assert.strictEqual(check(Query.marketStatus({ date: "2026-12-25" })), undefined)
  assert.strictEqual(check(Query.stockEarnings("A", { date: "2027-01-28" })), undefined)
})

describe("needsToken", () => {
  const needs = (query: Asked, demo?: Query.Demo) => Query.needsToken(made(query), demo)

  it("[5.1-token-everywhere] is true of every query but the demo case and the status page", () => {
    forAll(runs, query, (query) => {
      const open = query.endpoint.name === "serviceStatus" || Query.isDemo(query)
      assert.strictEqual(Query.needsToken(query), !open)
    })
    assert.isTrue(needs(Query.stockQuote("MSFT")))
    assert.isTrue(needs(Query.marketStatus()))
    assert.isTrue(Query.needsToken(Query.account))
    assert.isTrue(Query.needsToken(Query.requestHeaders))
    assert.isFalse(Query.needsToken(Query.serviceStatus))
  })

  it("[5.5-demo] is false of the demo ticker's stock and options", () => {
    const open: ReadonlyArray<Asked> = [
      Query.optionChain("AAPL"),
      Query.optionQuote("AAPL261120C00150000"),
      Query.optionQuote("AAPL1261120C00150000"),
      Query.optionLookup("AAPL 7/28/2023 200 Call"),
      Query.optionExpirations("AAPL"),
      Query.optionStrikes("aapl"),
      Query.stockQuote("AAPL"),
      Query.stockQuotes(["AAPL"]),
      Query.stockPrices(["AAPL", "AAPL"]),
      Query.stockCandles("D", "AAPL"),
      Query.stockBulkCandles(["AAPL"]),
      Query.stockEarnings("AAPL"),
      Query.stockNews("AAPL"),
      Query.fundCandles("D", "VFINX")
    ]
    for (const query of open) assert.isFalse(needs(query), made(query).endpoint.name)
  })

  it("[5.5-demo] is true of any other ticker, and of a list with one other", () => {
    const closed: ReadonlyArray<Asked> = [
      Query.stockPrices(["AAPL", "MSFT"]),
      Query.stockBulkCandles("all"),
      Query.optionQuote("MSFT261120C00150000"),
      Query.optionChain("AAPLW"),
      Query.fundCandles("D", "AAPL"),
      Query.stockQuote("VFINX")
    ]
    for (const query of closed) assert.isTrue(needs(query), made(query).endpoint.name)
  })

  it("[5.5-demo] goes by the demo ticker that is configured", () => {
    assert.isFalse(needs(Query.optionChain("MSFT"), { ticker: "MSFT" }))
    assert.isFalse(needs(Query.stockQuote("MSFT"), { ticker: "MSFT" }))
    assert.isTrue(needs(Query.stockQuote("AAPL"), { ticker: "MSFT" }))
    assert.isTrue(needs(Query.optionChain("AAPL"), { ticker: "MSFT" }))
  })
})
