import { Credits, DataMode, Query } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"
import * as Queries from "./support/queries.ts"

const runs = trials(4_1)

const past = "2026-01-02"

const estimate = (options: Queries.Options, assume?: Query.Assumptions): Credits.Estimate =>
  Credits.estimate(Queries.chain(options), assume)

const charged = (options: Queries.Options, status: number, contracts: number, reported?: number): Credits.Charge =>
  Credits.charged(Queries.chain(options), { status, contracts, reported })

describe("the worked table", () => {
  const option = "AAPL261120C00150000"
  const tickers = (count: number, root = "T") => Array.from({ length: count }, (_, index) => `${root}${index}`)
  const { cached, cachedOrLive, delayed, live } = DataMode
  const chain = (options: Queries.Options = {}) => Queries.chain(options)
  const limited = (limit: number) => Result.getOrThrow(Query.optionChain("SPX", { expiration: "all", limit }))
  const optionQuote = (options: Parameters<typeof Query.optionQuote>[1] = {}) =>
    Result.getOrThrow(Query.optionQuote(option, options))
  const quotes = (count: number, mode?: DataMode.DataMode, root?: string) =>
    Result.getOrThrow(Query.stockQuotes(tickers(count, root), { mode }))
  const prices = (count: number, mode?: DataMode.DataMode) =>
    Result.getOrThrow(Query.stockPrices(tickers(count), { mode }))
  const candles = (options: Parameters<typeof Query.stockCandles>[2] = {}) =>
    Result.getOrThrow(Query.stockCandles("D", "AAPL", options))
  const funds = Result.getOrThrow(Query.fundCandles("D", "VFINX"))
  const snapshot = Result.getOrThrow(Query.stockBulkCandles("all"))
  const unstated = "not stated: the price of quotes of past days"
  const bulk = (count: number, mode?: DataMode.Live | DataMode.Delayed) =>
    Result.getOrThrow(Query.stockBulkCandles(tickers(count), { mode }))
  const lookup = (mode?: DataMode.Live | DataMode.Delayed) =>
    Result.getOrThrow(Query.optionLookup("AAPL 11/20/26 $150 Call", { mode }))
  const inCache: (query: Query.Query) => Query.Query = Query.withMode(cached())

  /** What is asked, what is assumed, the words of the estimate, and its clause. */
  const rows: ReadonlyArray<readonly [Query.Query, Credits.PriceOptions, string, string]> = [
    // Option chains, contract 4.1: the figures are the contract's own.
    [chain({ mode: live }), { contracts: 22_718 }, "exactly 22,718 credits", "4.1-cost-live"],
    [chain({ mode: delayed }), { contracts: 22_718 }, "exactly 22,718 credits", "4.1-cost-delayed"],
    [chain(), { contracts: 22_718 }, "exactly 22,718 credits", "4.1-cost-live"],
    [limited(40), { contracts: 40 }, "1 to 40 credits", "4.1-cost-live"],
    [chain({ mode: cached() }), { contracts: 22_718 }, "0 to 1 credit", "4.1-cost-cached"],
    [chain({ mode: cachedOrLive() }), { contracts: 22_718 }, "1 to 22,718 credits", "8.3-fallback"],
    // A miss, and then no contract.
    [chain({ mode: cachedOrLive() }), { contracts: 0 }, "0 to 1 credit", "8.3-fallback"],
    [chain({ date: past }), { contracts: 5000 }, "exactly 5 credits", "4.1-cost-historical"],
    [chain({ date: past, mode: live }), { contracts: 5000 }, "exactly 5 credits", "4.1-cost-historical"],
    [chain({ date: past, mode: delayed }), { contracts: 5000 }, "exactly 5 credits", "4.1-cost-historical"],
    [chain({ date: past }), { contracts: 1000 }, "exactly 1 credit", "4.1-cost-historical"],
    [chain({ date: past }), { contracts: 1001 }, "exactly 2 credits", "4.1-cost-historical"],
    [chain({ date: past }), { contracts: 1001, rounding: "down" }, "exactly 1 credit", "4.1-cost-historical"],
    [chain({ date: past }), { contracts: 1, rounding: "down" }, "exactly 1 credit", "4.1-cost-historical"],
    [chain({ date: past }), { contracts: 1499, rounding: "nearest" }, "exactly 1 credit", "4.1-cost-historical"],
    [chain({ date: past }), { contracts: 1500, rounding: "nearest" }, "exactly 2 credits", "4.1-cost-historical"],
    [chain({ date: past }), { contracts: 0 }, "exactly 0 credits", "4.1-cost-historical"],
    [chain(), { contracts: 5000, historical: true }, "5 to 5,000 credits", "4.1-cost-historical"],
    [chain(), { contracts: 5000, historical: false }, "exactly 5,000 credits", "4.1-cost-live"],
    [chain({ mode: DataMode.historical }), { contracts: 5000 }, "5 to 5,000 credits", "4.1-cost-historical"],
    [chain(), {}, "at least 1 credit, no upper bound", "4.1-cost-live"],
    [chain({ date: past }), {}, "at least 1 credit, no upper bound", "4.1-cost-historical"],
    [chain({ mode: cached() }), {}, "0 to 1 credit", "4.1-cost-cached"],
    // Quotes, contract 8.2.
    [optionQuote(), {}, "0 to 1 credit", "8.2-cost-quotes"],
    [optionQuote({ mode: live }), { symbols: 1 }, "exactly 1 credit", "8.2-cost-quotes"],
    [optionQuote({ mode: cached() }), {}, "0 to 1 credit", "8.2-cost-quotes"],
    [optionQuote({ mode: cachedOrLive() }), { symbols: 1 }, "exactly 1 credit", "8.3-fallback"],
    [quotes(500), {}, "0 to 500 credits", "8.2-cost-quotes"],
    [quotes(500, live), { symbols: 480 }, "exactly 480 credits", "8.2-cost-quotes"],
    [quotes(500, delayed), { symbols: 480 }, "exactly 480 credits", "8.2-cost-quotes"],
    [quotes(500, cached()), {}, "0 to 1 credit", "8.2-cost-quotes"],
    [quotes(501, cached()), {}, "0 to 2 credits", "8.2-cost-quotes"],
    [quotes(500, cached(), "ABCDEF"), {}, "0 to 2 credits", "8.2-cost-quotes"],
    [quotes(700, cached()), { requests: 1 }, "0 to 1 credit", "8.2-cost-quotes"],
    [quotes(1200, cached()), { requests: 4 }, "0 to 4 credits", "8.2-cost-quotes"],
    [quotes(700, cachedOrLive()), {}, "0 to 700 credits", "8.3-fallback"],
    [prices(3), { symbols: 3 }, "exactly 3 credits", "8.2-cost-quotes"],
    [prices(3, cached()), {}, "0 to 1 credit", "8.2-cost-quotes"],
    [prices(3), { kind: "other" }, "exactly 1 credit", "8.2-cost-other"],
    [optionQuote({ date: past }), {}, unstated, "8.2-cost-historical-quotes"],
    [optionQuote({ date: past, mode: delayed }), { symbols: 1 }, unstated, "8.2-cost-historical-quotes"],
    // Candles, contract 8.2.
    [candles(), { candles: 1000 }, "exactly 1 credit", "8.2-cost-candles"],
    [candles({ mode: live }), { candles: 1001 }, "exactly 2 credits", "8.2-cost-candles"],
    [candles({ mode: delayed }), { candles: 7000 }, "exactly 7 credits", "8.2-cost-candles"],
    [candles(), {}, "exactly 1 credit", "8.2-cost-candles"],
    [candles({ from: past }), {}, "at least 1 credit, no upper bound", "8.2-cost-candles"],
    [candles({ countback: 2500 }), {}, "1 to 3 credits", "8.2-cost-candles"],
    [funds, { candles: 252 }, "exactly 1 credit", "8.2-cost-candles"],
    [bulk(500), {}, "1 to 500 credits", "8.2-cost-bulk-candles"],
    [bulk(500, delayed), { symbols: 499 }, "exactly 499 credits", "8.2-cost-bulk-candles"],
    [bulk(1, live), {}, "exactly 1 credit", "8.2-cost-bulk-candles"],
    [snapshot, {}, "at least 1 credit, no upper bound", "8.2-cost-bulk-candles"],
    // Everything else, contract 8.2.
    [lookup(), {}, "exactly 1 credit", "8.2-cost-other"],
    [lookup(live), {}, "exactly 1 credit", "8.2-cost-other"],
    [lookup(delayed), {}, "exactly 1 credit", "8.2-cost-other"],
    [Result.getOrThrow(Query.optionExpirations("AAPL")), {}, "exactly 1 credit", "8.2-cost-other"],
    [Query.serviceStatus, {}, "exactly 0 credits", "9-version"]
  ]

  for (const [query, assume, words, clause] of rows) {
    const id = clause === "9-version" ? "1-credits" : clause
    const mode = query.mode?._tag ?? "no mode"
    it(`[${id}] [1-credits] ${Query.format(query)}, ${mode}, ${JSON.stringify(assume)}: ${words}`, () => {
      const price = Credits.estimate(query, assume)
      assert.deepStrictEqual([Credits.format(price), price.clause], [words, clause])
    })
  }

  it("[8.2-cost-candles] [8.2-cost-bulk-candles] [8.2-cost-other] [8.2-cost-historical-quotes] knows no cached data of these", () => {
    const historical = optionQuote({ date: past })
    for (const query of [candles(), bulk(2), lookup(), historical, chain({ date: past })]) {
      for (const asked of [inCache(query), { ...query, mode: cachedOrLive() }]) {
        const price = Credits.estimate(asked)
        assert.deepStrictEqual([price._tag, price.clause], ["Unavailable", "8.2-cached-unavailable"])
        assert.match(Credits.format(price), /^unavailable: /)
        assert.strictEqual(Credits.bound(price), Infinity)
      }
    }
  })

  it("[8.2-cost-historical-quotes] takes what the caller says that quotes of past days cost at most", () => {
    const price = Credits.estimate(optionQuote({ date: past, assume: { credits: 3 } }))
    assert.deepStrictEqual([Credits.format(price), price.clause], ["0 to 3 credits", "8.2-cost-historical-quotes"])
    assert.deepStrictEqual(price.assumptions[0], { name: "the price of quotes of past days", value: "at most 3" })
    assert.strictEqual(Credits.bound(Credits.estimate(optionQuote(), { credits: 3 })), 1)
  })
})

it("[8.2-cost-quotes] countWithQuotes takes all of them where the caller reads it so", () => {
  const isThere = (prices: ReadonlyArray<number | null>) => (row: number) => prices[row] !== null
  const prices = [isThere([1, 1]), isThere([2, 2]), isThere([1.5, 1.5]), isThere([null, 0])]
  assert.strictEqual(Credits.countWithQuotes(2, prices, "all"), 1)
})

it("[8.2-modes] all kinds of queries states no price for modes that the contract does not know, but for chains a range", () => {
  forAll(runs, Queries.anyKind, fc.constantFrom(DataMode.eod, DataMode.historical), (query, mode) => {
    if (query.kind === "free" || query.historical) return
    const price = Credits.estimate(Query.withMode(query, mode))
    assert.strictEqual(price._tag, query.kind === "chain" ? "Range" : "NotStated")
    const paid = Credits.estimate(Query.withMode(query, mode), { profile: "public" })
    assert.notStrictEqual(paid._tag, "NotStated")
  })
})

it("the public service states a price for quotes of past days", () => {
  const assume = { profile: "public" } as const
  const words = (query: Query.Query, more: Credits.PriceOptions = {}) =>
    Credits.format(Credits.estimate(query, { ...assume, ...more }))
  const quote = Result.getOrThrow(Query.optionQuote("SPX261120C00150000", { date: past }))
  assert.strictEqual(words(quote), "exactly 1 credit")
  assert.strictEqual(Credits.charged(quote, { status: 200, symbols: 1001 }, assume).computed, 2)
})

describe("sizeQuery", () => {
  it("asks the cache by the contract, and for a column without a price on the public service", () => {
    const query = Queries.chain({ mode: DataMode.live, expiration: "all" }, "SPX")
    const [cached, free] = [Credits.sizeQuery(query), Credits.sizeQuery(query, "public")]
    assert(cached !== undefined && free !== undefined)
    assert.strictEqual(Query.target(cached), "/v1/options/chain/SPX/?expiration=all&mode=cached")
    assert.strictEqual(Query.target(free), "/v1/options/chain/SPX/?expiration=all&columns=optionSymbol&mode=live")
    assert.strictEqual(Credits.bound(Credits.estimate(cached)), 1)
    assert.strictEqual(Credits.bound(Credits.estimate(free, { profile: "public" })), 1)
  })

  it("is always cheaper than the query, and about the same things", () => {
    const profile = fc.constantFrom("contract" as const, "public" as const)
    forAll(runs, Queries.anyKind, profile, (query, profile) => {
      const probe = Credits.sizeQuery(query, profile)
      if (probe === undefined) return
      assert.deepStrictEqual([probe.path, probe.tickers, probe.options], [query.path, query.tickers, query.options])
      const bound = Credits.bound(Credits.estimate(probe, { profile }))
      assert.isBelow(bound, Credits.bound(Credits.estimate(query, { profile })))
    })
  })

  it("is not there where nothing is cheaper", () => {
    const modes = [{ mode: DataMode.cached() }, { mode: DataMode.cachedOrLive() }]
    for (const options of [...modes, { date: past }, { assume: { contracts: 1 } }]) {
      assert.isUndefined(Credits.sizeQuery(Queries.chain(options)))
    }
    assert.isUndefined(Credits.sizeQuery(Result.getOrThrow(Query.stockCandles("D", "AAPL", {}))))
  })
})

it("estimate lets the caller's word stand above the query's own assumption, and names it", () => {
  const price = estimate({ assume: { contracts: 100 } }, { contracts: 2000 })
  assert.strictEqual(Credits.bound(price), 2000)
  assert.deepStrictEqual(price.assumptions, [{ name: "contracts", value: "2,000" }])
  assert.strictEqual(Credits.bound(estimate({ assume: { contracts: 100 } })), 100)
})

it("[7.1-204] [8.3-miss] [1-credits] charged takes a 204 for free", () => {
  for (const options of [{}, { mode: DataMode.cached() }, { mode: DataMode.cachedOrLive() }, { date: past }]) {
    const charge = charged(options, 204, 0)
    assert.deepStrictEqual([charge.credits, charge.clause, charge.assumptions], [0, "7.1-204", []])
  }
})

it("[4.1-cost-live] [8.2-cost-bulk-candles] a charge that the reply does not tell is certain where rows are counted", () => {
  const bulk = Result.getOrThrow(Query.stockBulkCandles(["A", "B"]))
  assert.strictEqual(Credits.charged(bulk, { status: 200, symbols: 2 }).uncertain, 0)
  for (const symbols of [NaN, Infinity, -1, 1.5, "3", null] as Array<never>) {
    assert.deepInclude(Credits.charged(bulk, { status: 200, symbols, unclear: symbols }), { credits: 0, uncertain: 0 })
  }
  const chain = Credits.charged(Queries.chain(), { status: 200, contracts: 5, quoted: 2, unclear: 3 })
  assert.deepStrictEqual([chain.credits, chain.uncertain], [5, 0])
  const reply = { status: 200, contracts: 5, quoted: 2, unclear: 3 }
  const paid = Credits.charged(Queries.chain({}, "SPX"), reply, { profile: "public" })
  assert.deepStrictEqual([paid.credits, paid.uncertain], [2, 3])
})

describe("a figure of the service that no price leads to", () => {
  const quotes = Result.getOrThrow(Query.stockQuotes(["A", "B"]))
  const outcome = { status: 200, symbols: 2 }
  const charge = (reported: number, figures?: Credits.RecordedFigures) =>
    Credits.charged(quotes, { ...outcome, reported }, { figures })

  it("[8.2-cost-quotes] is a finding with what was expected and received", () => {
    assert.deepStrictEqual(charge(999_999_999).finding, {
      code: "UnexplainedCharge",
      column: undefined,
      count: 1,
      examples: [{ index: undefined, expected: "2 credits", received: "999,999,999 credits" }]
    })
    const open = Credits.charged(quotes, { status: 200, symbols: 1, unclear: 1, reported: 9 })
    assert.strictEqual(open.finding?.examples[0]?.expected, "1 to 2 credits")
  })

  it("[8.2-cost-quotes] is recorded up to 100 credits for each row, and not above", () => {
    assert.deepStrictEqual([charge(200).credits, charge(200).finding?.code], [200, "UnexplainedCharge"])
    assert.deepStrictEqual([charge(201).credits, charge(201).reported], [2, 201])
    assert.deepStrictEqual([charge(0).credits, charge(0).finding?.code], [0, "UnexplainedCharge"])
    for (const none of [null, "200", [], -5] as Array<never>) assert.strictEqual(charge(none).credits, 2)
  })

  it("[8.2-cost-quotes] is recorded as the caller chooses", () => {
    assert.strictEqual(charge(999_999_999, "any").credits, 999_999_999)
    assert.deepStrictEqual([charge(3, "explained").credits, charge(2, "explained").credits], [2, 2])
  })

  it("[7.1-204] [7.1-charge-not-stated] is none without data, beyond what data could have cost", () => {
    const without = (status: number, reported: number) => Credits.charged(quotes, { status, reported })
    assert.deepStrictEqual([without(204, 0).finding, without(404, 2).finding], [undefined, undefined])
    assert.deepStrictEqual([without(404, 2).credits, without(204, 1).credits], [2, 1])
    assert.strictEqual(without(204, 1).finding?.code, "UnexplainedCharge")
    assert.deepStrictEqual([without(404, 3).finding?.code, without(404, 3).credits], ["UnexplainedCharge", 3])
    assert.strictEqual(without(500, 201).credits, 0)
    // Of a chain without filters nobody knows what it could have cost.
    const chain = Credits.charged(Queries.chain(), { status: 500, reported: 999_999_999 })
    assert.deepStrictEqual([chain.credits, chain.finding], [999_999_999, undefined])
    // What the caller expected may have been wrong.
    const expected = Queries.chain({ assume: { contracts: 5 } })
    assert.strictEqual(Credits.charged(expected, { status: 200, reported: 900 }).credits, 900)
  })

  it("is none where the public service, or the other rounding, leads to it", () => {
    const of = (query: Query.Query, outcome: Credits.Outcome) => Credits.charged(query, outcome).finding
    // The demo ticker costs nothing there, contracts without quote data are not paid for, and a part of 1000 may count down.
    assert.isUndefined(of(Queries.chain(), { status: 200, contracts: 5, reported: 0 }))
    assert.isUndefined(of(Queries.chain({}, "SPX"), { status: 200, contracts: 5, quoted: 3, reported: 3 }))
    assert.isUndefined(of(Queries.chain({ date: past }, "SPX"), { status: 200, contracts: 1001, reported: 1 }))
    const code = of(Queries.chain({}, "SPX"), { status: 200, contracts: 5, reported: 4 })?.code
    assert.strictEqual(code, "UnexplainedCharge")
  })

  it("[8.2-cost-historical-quotes] is none where no price is stated", () => {
    const past = Result.getOrThrow(Query.optionQuote("AAPL261120C00150000", { date: "2026-11-19" }))
    assert.isUndefined(Credits.charged(past, { status: 200, symbols: 1, reported: 7 }).finding)
  })
})

describe("what moves a price, and what it takes for granted", () => {
  const tickers = (count: number) => Array.from({ length: count }, (_, index) => `T${index}`)
  const quotes = (count: number, mode?: DataMode.DataMode) =>
    Result.getOrThrow(Query.stockQuotes(tickers(count), { mode }))
  const lookup = Result.getOrThrow(Query.optionLookup("AAPL 11/20/26 $150 Call"))
  const movedBy = (query: Query.Query, assume?: Credits.PriceOptions) => {
    const price = Credits.estimate(query, assume)
    assert(price._tag === "Range")
    return price.movedBy
  }

  it("[4.1-cost-cached] [8.3-fallback] a range names what decides between its bounds", () => {
    const { cached, cachedOrLive, live } = DataMode
    const ofCache = "whether anything cached is young enough"
    assert.strictEqual(movedBy(Queries.chain({ mode: cached() })), ofCache)
    assert.strictEqual(movedBy(Queries.chain({ mode: live })), "how many contracts come back")
    assert.strictEqual(movedBy(quotes(2)), "how many of the symbols come back with data")
    assert.strictEqual(movedBy(Queries.chain({ mode: cachedOrLive() })), `${ofCache}, and how many contracts come back`)
    const fallback = movedBy(Queries.chain({ mode: cachedOrLive() }), { contracts: 9 })
    assert.strictEqual(fallback, `${ofCache}, and else what live data cost`)
    const historical = movedBy(Queries.chain(), { historical: true, contracts: 5000 })
    assert.strictEqual(historical, "historical data served without a date has no stated price")
  })

  it("keeps the assumptions of a price for each reply", () => {
    const prices = Result.getOrThrow(Query.stockPrices(["A"], { mode: DataMode.cached() }))
    const ofPrices = Credits.estimate(prices).assumptions
    assert.deepStrictEqual(ofPrices, [{ name: "price rule of stockPrices", value: "quotes" }])
    const ofStatus = Credits.estimate(Query.serviceStatus).assumptions
    assert.deepStrictEqual(ofStatus, [{ name: "charge for account and status pages", value: "0" }])
  })

  it("[4.1-cost-historical] says how a part of a thousand is counted, and that historical data are assumed", () => {
    assert.deepStrictEqual(Credits.estimate(Queries.chain(), { historical: true }).assumptions, [
      { name: "rounding of a part of 1000", value: "up" },
      { name: "data type", value: "historical" }
    ])
  })

  it("[8.2-cached-unavailable] says why there is no price for what nobody caches", () => {
    const price = Credits.estimate(Query.withMode(lookup, DataMode.cached()))
    assert(price._tag === "Unavailable")
    assert.include(price.why, "no cached data")
    assert.deepStrictEqual(price.assumptions, [])
  })

  it("[8.2-cost-other] lists of a past day cost what lists of today cost", () => {
    const strikes = Result.getOrThrow(Query.optionStrikes("AAPL", { date: past }))
    const price = Credits.estimate(strikes)
    assert.deepStrictEqual([Credits.format(price), price.clause], ["exactly 1 credit", "8.2-cost-other"])
  })

  describe("an assumption that breaks its rule", () => {
    const wrong: ReadonlyArray<readonly [assume: unknown, parameter: string, value: string]> = [
      [{ contracts: NaN }, "assume.contracts", "NaN"],
      [{ contracts: -5 }, "assume.contracts", "-5"],
      [{ contracts: 1.5 }, "assume.contracts", "1.5"],
      [{ contracts: Infinity }, "assume.contracts", "Infinity"],
      [{ contracts: "7" }, "assume.contracts", `"7"`],
      [{ contracts: null }, "assume.contracts", "null"],
      [{ contracts: {} }, "assume.contracts", "{}"],
      [{ contracts: 10n }, "assume.contracts", "10n"],
      [{ candles: -1 }, "assume.candles", "-1"],
      [{ symbols: NaN }, "assume.symbols", "NaN"],
      [{ requests: 0 }, "assume.requests", "0"],
      [{ refusal: -1 }, "assume.refusal", "-1"],
      [{ historical: "yes" }, "assume.historical", `"yes"`],
      [{ kind: "other" }, "assume.kind", `"other"`],
      [{ profile: "contarct" }, "assume.profile", `"contarct"`],
      [{ rounding: "upwards" }, "assume.rounding", `"upwards"`],
      [{ quoteData: true }, "assume.quoteData", "true"],
      [{ contract: 5 }, "assume.contract", "5"],
      [7, "assume", "7"],
      [null, "assume", "null"]
    ]

    it("is refused, and leaves the price open", () => {
      for (const [assume, parameter, value] of wrong) {
        const price = Credits.estimate(Queries.chain(), assume as never)
        assert(price._tag === "Refused", parameter)
        assert.deepStrictEqual([price.reason.parameter, price.reason.value], [parameter, value])
        assert.strictEqual(price.clause, "4.1-cost-live")
        assert.deepStrictEqual(Credits.bounds(price), { min: 0, max: Infinity })
        assert.include(Credits.format(price), `refused: ${parameter} ${value} `)
      }
    })
  })

  it("refuses a mode that no type has seen, and what is not a query", () => {
    const chain = Queries.chain()
    for (const mode of ["cached", "nonsense", 7, null, {}, { _tag: "Stale" }, { _tag: "Cached", maxAge: "soon" }]) {
      const price = Credits.estimate({ ...chain, mode: mode as never })
      assert.deepInclude(price, { _tag: "Refused", clause: "8.2-modes" })
    }
    for (const query of [undefined, null, 7, "SPX", {}, Query.optionChain("SPX")]) {
      const price = Credits.estimate(query as never)
      assert(price._tag === "Refused")
      assert.strictEqual(price.reason.parameter, "query")
    }
  })

  it("[8.3-fallback] a cut list may pay 1 for each request that hits, where live data would have cost less", () => {
    const price = Credits.estimate(quotes(700, DataMode.cachedOrLive()), { symbols: 10 })
    assert.deepStrictEqual(Credits.bounds(price), { min: 1, max: 11 })
  })

  describe("the public service", () => {
    const assume = { profile: "public" } as const

    it("asks at least one credit for each request", () => {
      const none = Credits.bounds(Credits.estimate(quotes(700), { ...assume, symbols: 0 }))
      assert.deepStrictEqual(none, { min: 2, max: 2 })
    })

    it("does not know how many days a range of quotes holds", () => {
      const range = Result.getOrThrow(Query.optionQuote("SPX261120C00150000", { from: "2026-01-02" }))
      assert.strictEqual(Credits.format(Credits.estimate(range, assume)), "at least 1 credit, no upper bound")
    })

    it("takes 1 for a chain or for quotes without prices, and says by which rule; candles are priced as ever", () => {
      const free = Credits.estimate(Queries.chain({ columns: ["strike"] }, "SPX"), assume)
      assert.strictEqual(free.clause, "profile priceFreeColumns")
      const sizes = Result.getOrThrow(Query.stockQuotes(tickers(9), { columns: ["bidSize"] }))
      assert.strictEqual(Credits.format(Credits.estimate(sizes, assume)), "exactly 1 credit")
      const candles = Result.getOrThrow(Query.stockCandles("D", "MSFT"))
      assert.strictEqual(Credits.format(Credits.estimate(candles, { ...assume, candles: 5000 })), "exactly 5 credits")
    })

    it("counts contracts of a past day with quote data or without", () => {
      const chain = Queries.chain({ date: past }, "SPX")
      assert.strictEqual(Credits.format(Credits.estimate(chain, { ...assume, contracts: 5000 })), "exactly 5 credits")
      const outcome = { status: 200, contracts: 5000, quoted: 100 }
      assert.strictEqual(Credits.charged(chain, outcome, assume).computed, 5)
    })

    it("names the rule by which the demo ticker is free", () => {
      const charge = Credits.charged(Queries.chain({}, "AAPL"), { status: 200, contracts: 5 }, assume)
      assert.deepStrictEqual([charge.credits, charge.clause, charge.assumptions], [0, "profile demoIsFree", []])
    })
  })

  describe("charged", () => {
    it("[8.2-cached-unavailable] reckons nothing for a reply that there cannot be", () => {
      const charge = Credits.charged(Query.withMode(lookup, DataMode.cached()), { status: 200 })
      assert.deepStrictEqual([charge.credits, charge.computed, charge.clause], [0, undefined, "8.2-cached-unavailable"])
      assert.deepStrictEqual(charge.assumptions, [{ name: "charge for what is unavailable", value: "0" }])
    })

    it("[4.1-cost-historical] charges historical data without a date a credit for each 1000, and perhaps one for each contract", () => {
      const chain = Queries.chain({ mode: DataMode.historical })
      const charge = Credits.charged(chain, { status: 200, contracts: 5000, quoted: 100 })
      assert.deepStrictEqual([charge.credits, charge.uncertain, charge.computed], [5, 4995, 5])
      const reported = Credits.charged(chain, { status: 200, contracts: 5000, reported: 700 })
      assert.deepStrictEqual([reported.credits, reported.uncertain, reported.finding], [700, 0, undefined])
    })

    it("[8.2-modes] reckons what live data cost in a mode without a stated price", () => {
      const charge = (query: Query.Query, symbols?: number) =>
        Credits.charged(Query.withMode(query, DataMode.eod), { status: 200, symbols })
      assert.deepStrictEqual([charge(lookup).credits, charge(lookup).computed], [1, undefined])
      assert.deepStrictEqual(charge(lookup).assumptions, [{ name: "the price of the mode eod", value: "1" }])
      assert.deepStrictEqual([charge(quotes(9), 5).credits, charge(quotes(9), 0).credits], [5, 0])
    })

    it("[8.2-cost-quotes] reckons nothing where nobody counted, and names what is missing", () => {
      const { assumptions, credits } = Credits.charged(quotes(2), { status: 200 })
      assert.deepStrictEqual([credits, assumptions[0]], [0, { name: "charge without a count of symbols", value: "0" }])
      const counted = Credits.charged(quotes(2), { status: 200, symbols: 2 })
      assert.deepStrictEqual(counted.assumptions.map(({ name }) => name), ["has quote data"])
    })
  })

  it("sizeQuery says that its reply holds the one column only", () =>
    assert.deepStrictEqual(Credits.sizeQuery(Queries.chain({}, "SPX"), "public")?.returns, ["optionSymbol"]))
})
