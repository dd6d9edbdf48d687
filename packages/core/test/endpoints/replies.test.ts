/** What the reply of each endpoint is read as. */
import { AccountStatus, ColumnTable, DataMode, Finding, HttpRequest, OptionExpirations } from "@effect-marketdata/core"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as OptionLookup from "@effect-marketdata/core/OptionLookup"
import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import * as Query from "@effect-marketdata/core/Query"
import * as Reply from "@effect-marketdata/core/Reply"
import * as RequestHeaders from "@effect-marketdata/core/RequestHeaders"
import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as StockNews from "@effect-marketdata/core/StockNews"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { hostileText } from "../support/arbitraries.ts"
import { forAll, trials } from "../support/depth.ts"
import { made, query, tickers } from "../support/everyQuery.ts"

const ok = Reply.head({ status: 200, headers: {} })

/** Reads a body as the reply to a query, in pieces of seven bytes. */
const answer = <Data>(query: Query.Query<Data>, body: object | string, strict = false) => {
  const reader = Reply.reader(query, ok, { strict })
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))
  for (let at = 0; at < bytes.length; at += 7) reader.push(bytes.subarray(at, at + 7))
  const read = reader.end()
  assert("data" in read)
  return read.data
}

const problem = (result: Result.Result<unknown, DecodeError>): string => {
  const { code, column } = Result.getOrThrow(Result.flip(result))
  return column === undefined ? code : `${code} ${column}`
}

const symbols = ["AAPL", "MSFT"]

it("are either data or a decode error, whatever the body", () => {
  forAll(trials(9), query, fc.oneof(hostileText, fc.json()), fc.boolean(), (query, body, strict) => {
    const read = answer(query, body, strict)
    if (Result.isFailure(read)) assert.strictEqual(read.failure._tag, "DecodeError")
  })
})

it("[8.2-cost-quotes] StockQuotes and StockPrices cannot tell whether a row has quote data where a price was not asked for", () => {
  const counts = (columns: ReadonlyArray<"symbol" | "volume" | "bid" | "ask" | "mid" | "last">, body: object) => {
    const { quoted, unclear } = made(
      answer(made(Query.stockQuotes(symbols, { columns })), { symbol: symbols, ...body })
    )
    return [quoted, unclear]
  }
  assert.deepStrictEqual(counts(["symbol", "volume"], { volume: [1, null] }), [0, 2])
  assert.deepStrictEqual(counts(["symbol", "bid"], { bid: [null, 1] }), [1, 1])
  assert.deepStrictEqual(counts(["symbol", "bid"], { bid: [2, 1] }), [2, 0])
  const others = { ask: [null, null], mid: [null, null], last: [null, null] }
  assert.deepStrictEqual(counts(["symbol", "bid", "ask", "mid", "last"], { bid: [null, 1], ...others }), [1, 0])
  // A price that was asked for, and is not in the reply, says nothing either.
  assert.deepStrictEqual(counts(["symbol", "bid", "ask", "mid", "last"], { ...others }), [0, 2])
})

describe("rows beside the query", () => {
  const three = made(Query.stockQuotes(["AAPL", "NOPE", "MSFT"], { columns: ["symbol", "bid"] }))
  const findings = <Data>(query: Query.Query<Data>, body: object) =>
    made(answer(query, { s: "ok", ...body })).findings.map(Finding.format)

  it("[4.4-stock-quote] are a finding where a row is about another ticker, and where one comes twice", () => {
    assert.deepStrictEqual(findings(three, { symbol: ["TSLA", "NOPE", "MSFT"], bid: [1, 2, 3] }), [
      "UnexpectedRow in symbol: row 0: expected one of the 3 that were asked for, received TSLA",
      "MissingRow in symbol: expected a row for AAPL, received none"
    ])
    assert.deepStrictEqual(findings(three, { symbol: ["AAPL", "NOPE", "MSFT", "AAPL"], bid: [1, 2, 3, 4] }), [
      "UnexpectedRow in symbol: row 3: expected one of the 3 that were asked for, received AAPL once more"
    ])
  })

  it("[4.5-prices] are counted where their names were not asked for", () => {
    const query = made(Query.stockPrices(["A", "B", "C"], { columns: ["mid"] }))
    assert.deepStrictEqual(findings(query, { mid: [1, 2, 3] }), [])
    assert.deepStrictEqual(findings(query, { mid: [1, 2] }), ["MissingRow: expected 3 rows, received 2 rows"])
    assert.deepStrictEqual(findings(query, { mid: [1, 2, 3, 4] }), ["UnexpectedRow: expected 3 rows, received 4 rows"])
  })

  it("[4.1-path] [4.2-quote] are a finding in a chain of another underlying, expiration or side, and in the quote of another contract", () => {
    const chain = made(Query.optionChain("AAPL", { columns: ["optionSymbol", "underlying"] }))
    const of = (...underlying: ReadonlyArray<string>) => ({
      optionSymbol: underlying.map((_, index) => `AAPL261120C0015${index}000`),
      underlying
    })
    assert.deepStrictEqual(findings(chain, of("AAPL", "AAPL")), [])
    assert.deepStrictEqual(findings(chain, of()), [])
    const found = findings(chain, of("AAPL", "TSLA", "TSLA"))
    assert.deepStrictEqual(found, ["UnexpectedRow in underlying: 2 rows, first row 1: expected AAPL, received TSLA"])
    const calls = made(Query.optionChain("AAPL", { expiration: "2026-12-18", side: "call", columns: ["optionSymbol"] }))
    const optionSymbol = ["AAPL1261218C00150000", "AAPL261218P00150000", "AAPL270115C00150000"]
    assert.deepStrictEqual(findings(calls, { optionSymbol }), [
      "UnexpectedRow in optionSymbol: 2 rows, first row 1: expected 2026-12-18 call, received AAPL261218P00150000"
    ])
    const past = made(Query.optionChain("AAPL", { date: "2026-11-18", columns: ["optionSymbol", "updated"] }))
    const at = (updated: number) => findings(past, { optionSymbol: optionSymbol.slice(1, 2), updated: [updated] })
    // New York's midnight, its last second, and the next day.
    assert.deepStrictEqual([1_794_978_000, 1_795_064_399, 1_795_064_400].map(at), [[], [], [
      "UnexpectedRow: expected quotes of 2026-11-18, received some of 2026-11-19 00:00:00 EST"
    ]])
    const quote = made(Query.optionQuote("AAPL261120C00150000", { columns: ["optionSymbol", "bid"] }))
    assert.deepStrictEqual(findings(quote, { optionSymbol: ["AAPL261120P00150000"], bid: [1] }), [
      "UnexpectedRow in optionSymbol: row 0: expected AAPL261120C00150000, received AAPL261120P00150000"
    ])
  })

  it("[4.3-lookup] are a finding where the contract has another side or strike than was described, and an error when strict", () => {
    const lookup = made(Query.optionLookup({ underlying: "AAPL", expiration: "2014-01-18", strike: 200, side: "call" }))
    const of = (contract: string) => findings(lookup, { optionSymbol: `AAPL140117${contract}` })
    const other = (contract: string) =>
      `UnexpectedRow: expected AAPL 1/18/2014 200 Call, received AAPL140117${contract}`
    assert.deepStrictEqual(of("C00200000"), [])
    for (const contract of ["P00200000", "C00200500"]) assert.deepStrictEqual(of(contract), [other(contract)])
    assert.strictEqual(problem(answer(lookup, { s: "ok", optionSymbol: "AAPL140118P00200000" }, true)), "Deviation")
  })

  it("are none where a name is written in another way", () => {
    const twice = made(Query.stockQuotes(["brk.b", "BRK-B"], { columns: ["symbol"] }))
    assert.deepStrictEqual(findings(twice, { symbol: ["BRK.B", "BRK.B"] }), [])
    const query = made(Query.stockQuotes(["brk.b", "AAPL"], { columns: ["symbol"] }))
    assert.deepStrictEqual(findings(query, { symbol: ["AAPL", "BRK/B"] }), [])
  })

  it("fail a query that wants no deviation, where they are of another ticker", () => {
    const other = answer(three, { s: "ok", symbol: ["AAPL", "TSLA"], bid: [1, 2] }, true)
    assert.strictEqual(problem(other), "Deviation symbol")
    const fewer = made(answer(three, { s: "ok", symbol: ["AAPL", "MSFT"], bid: [1, 2] }, true))
    assert.deepStrictEqual(fewer.findings.map(({ code }) => code), ["MissingRow"])
  })

  const letters: ReadonlyArray<string> = ["A", "B", "C", "D", "E"]

  it("[4.4-stock-quote] are told of any list and reply as a set of names says", () => {
    forAll(
      trials(9),
      fc.uniqueArray(fc.constantFrom(...letters), { minLength: 1 }),
      fc.array(fc.constantFrom("X", ...letters)),
      (names, symbol) => {
        const query = made(Query.stockPrices(names, { columns: ["symbol"] }))
        const counts = Object.fromEntries(
          made(answer(query, { s: "ok", symbol })).findings.map(({ code, count }) => [code, count])
        )
        const asked = new Set(symbol.filter((name) => names.includes(name)))
        assert.strictEqual(counts["MissingRow"] ?? 0, names.length - asked.size)
        assert.strictEqual(counts["UnexpectedRow"] ?? 0, symbol.length - asked.size)
      }
    )
  })
})

describe("StockBulkCandles", () => {
  const candle = { s: "ok", o: [1], h: [2], l: [0.5], c: [1.5], v: [100], t: [1703048400] }

  it("fill in the symbol that the service leaves out of a reply about one stock", () => {
    const { findings, rows, value } = made(answer(made(Query.stockBulkCandles(["AAPL"])), candle, true))
    assert.deepStrictEqual([rows, findings, value.at(0).symbol], [1, [], "AAPL"])
    assert.deepStrictEqual(value.columnNames, ["symbol", "o", "h", "l", "c", "v", "t"])
  })

  it("fill in nothing where there are several stocks, or where the reply names them", () => {
    assert.strictEqual(problem(answer(made(Query.stockBulkCandles(symbols)), candle)), "MissingColumn symbol")
    assert.strictEqual(problem(StockBulkCandles.decode(JSON.stringify(candle))), "MissingColumn symbol")
    const named = made(answer(made(Query.stockBulkCandles(["AAPL"])), { ...candle, symbol: ["MSFT"] }))
    assert.strictEqual(named.value.at(0).symbol, "MSFT")
    const other = StockBulkCandles.decode(JSON.stringify({ ...candle, o: ["1"] }), { only: "AAPL" })
    assert.strictEqual(problem(other), "WrongType o")
  })
})

it("candles, earnings, news and status take a day of news as a number and as digits, and leave the list's own moment aside", () => {
  const news = (publicationDate: unknown) =>
    StockNews.decode(
      JSON.stringify({ s: "ok", symbol: ["A"], headline: ["x"], publicationDate: [publicationDate], updated: 1 }),
      { columns: ["symbol", "headline", "publicationDate"], strict: true }
    )
  assert.strictEqual(made(news("1703041200")).publicationDate[0], 1703041200)
  assert.strictEqual(made(news(1703041200)).publicationDate[0], 1703041200)
  for (const bad of ["yesterday", "", "1e9"]) assert.strictEqual(problem(news(bad)), "WrongValue publicationDate")
  assert.strictEqual(problem(news(true)), "WrongType publicationDate")
})

it("[2.3-format] OptionLookup holds one OCC symbol", () => {
  const { rows, value } = made(
    answer(made(Query.optionLookup("AAPL 7/28/2023 200 Call")), { s: "ok", optionSymbol: "AAPL230728C00200000" })
  )
  assert.deepStrictEqual([rows, value.optionSymbol, value.contract.strike], [1, "AAPL230728C00200000", 200])
  assert.strictEqual(problem(OptionLookup.decode(`{"s":"ok","optionSymbol":"AAPL"}`)), "WrongValue optionSymbol")
  const array = problem(OptionLookup.decode(`{"s":"ok","optionSymbol":["AAPL230728C00200000"]}`))
  assert.strictEqual(array, "WrongType optionSymbol")
  assert.strictEqual(problem(OptionLookup.decode(`{"s":"ok"}`)), "MissingColumn optionSymbol")
})

describe("OptionExpirations and OptionStrikes", () => {
  it("hold days as text or in epoch seconds", () => {
    const { expirations, updated } = made(
      OptionExpirations.decode(`{"s":"ok","expirations":["2022-09-23",1664568000],"updated":1663704000}`)
    )
    assert.deepStrictEqual(expirations, [{ year: 2022, month: 9, day: 23 }, { year: 2022, month: 9, day: 30 }])
    assert.strictEqual(updated, 1663704000)
  })

  it("refuse what is not a day and what is not a strike, with its place", () => {
    const bad = Result.getOrThrow(
      Result.flip(OptionExpirations.decode(`{"expirations":["2022-09-23","soon"],"updated":1}`))
    )
    assert.deepStrictEqual([bad.code, bad.column, bad.index], ["WrongValue", "expirations", 1])
    assert.strictEqual(problem(OptionExpirations.decode(`{"expirations":"all","updated":1}`)), "NotAnArray expirations")
    assert.strictEqual(problem(OptionExpirations.decode(`{"expirations":[]}`)), "MissingColumn updated")
    assert.strictEqual(problem(OptionStrikes.decode(`{"2023-01-20":[30,"35"],"updated":1}`)), "WrongValue 2023-01-20")
    assert.strictEqual(problem(OptionStrikes.decode(`{"soon":[30],"updated":1}`)), "UnknownField soon")
    assert.strictEqual(problem(OptionStrikes.decode(`{"2023-01-20":[30],"updated":"now"}`)), "WrongType updated")
  })
})

it("AccountStatus and RequestHeaders are plain fields", () => {
  const account = {
    "x-ratelimit-requests-remaining": 99,
    "x-ratelimit-requests-limit": 100,
    "x-options-data-permissions": ""
  }
  const status = made(answer(Query.account, account)).value
  assert.deepStrictEqual(status, { creditsLimit: 100, creditsRemaining: 99, optionsData: "" })
  assert.strictEqual(problem(AccountStatus.decode("{}")), "MissingColumn x-ratelimit-requests-limit")
  assert.strictEqual(made(answer(Query.requestHeaders, { accept: "*/*" })).value.get("accept"), "*/*")
  assert.strictEqual(problem(RequestHeaders.decode(`{"accept":1}`)), "WrongType accept")
})

describe("merge", () => {
  /** What the service answers to a query about prices. */
  const prices = (query: Query.Query) => ({
    s: "ok",
    symbol: query.tickers,
    mid: query.tickers.map((ticker) => ticker.length % 3 === 0 ? null : ticker.length),
    change: query.tickers.map(() => null),
    changepct: query.tickers.map(() => 0.01),
    updated: query.tickers.map((ticker) => ticker.startsWith("A") ? null : ticker.charCodeAt(0))
  })

  it("[8.1-batches] makes of the batches what one reply would have been, whole and in order", () => {
    forAll(trials(8_1), tickers(8), fc.integer({ min: 1, max: 4 }), (symbols, maxSymbols) => {
      const query = made(Query.stockPrices(symbols))
      const [first, ...others] = made(HttpRequest.batches(query, { baseUrl: "https://api.test", maxSymbols }))
        .map((batch) => made(answer(batch.query, prices(batch.query))).value)
      assert(first !== undefined)
      const merged = Reply.merge(query, [first, ...others])
      const whole = made(answer(query, prices(query))).value
      assert.strictEqual(ColumnTable.encode(merged), ColumnTable.encode(whole))
      assert.deepInclude(merged, { updated: whole.updated, findings: whole.findings })
      assert.deepStrictEqual([...merged].map((row) => row.symbol), query.tickers)
    })
  })

  it("[8.1-batches] [7.2-cached-200] joins what the batches delivered: data, findings and provenance", () => {
    const query = made(Query.stockPrices(["A", "B", "C"], { mode: DataMode.cached() }))
    const delivered = (symbol: string, status: number, fields: object) => {
      const prices = { mid: [1], change: [0], changepct: [0], updated: [1_795_208_400] }
      const body = { s: "ok", symbol: [symbol], ...prices, ...fields }
      const batch = made(Query.stockPrices([symbol], { mode: DataMode.cached() }))
      const head = Reply.head({ status, headers: {} })
      const reader = Reply.reader(batch, head, { strict: false })
      reader.push(new TextEncoder().encode(JSON.stringify(body)))
      const outcome = Reply.outcome(batch, head, reader.end(), { receivedAt: 1_795_208_500, tokenSent: true })
      assert(outcome._tag === "Delivered")
      return outcome
    }
    const first = delivered("A", 200, {})
    assert.strictEqual(Reply.join(query, [first]), first)
    const joined = Reply.join(query, [first, delivered("B", 203, { extra: [1] }), delivered("C", 200, {})])
    assert.deepStrictEqual([...joined.data].map((row) => row.symbol), ["A", "B", "C"])
    const found = joined.findings.map(({ code, count }) => [code, count])
    assert.deepStrictEqual(found, [["CachedAnsweredFresh", 2], ["UnknownField", 1]])
    assert.strictEqual(joined.provenance.source, "cache")
  })
})
