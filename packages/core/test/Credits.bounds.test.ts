import { Credits, DataMode, Query, Reason } from "@effect-marketdata/core"
import type { Resolution } from "@effect-marketdata/core/StockCandles"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"

type Chain = Parameters<typeof Query.optionChain>[1]

const chain = (options: Chain, underlying = "AAPL") => Result.getOrThrow(Query.optionChain(underlying, options))

/** The most contracts, which cost a credit each. */
const most = (options: Chain, underlying?: string, profile: "contract" | "public" = "contract"): number =>
  Credits.bound(Credits.estimate(chain(options, underlying), { profile }))

const valueOf = (query: Query.Query, name: string): string | undefined =>
  Credits.estimate(query).assumptions.find((assumption) => assumption.name === name)?.value

/** How many candles an estimate reckons with, which its price tells by the thousand only. */
const candlesIn = (query: Query.Query): number => {
  const [, count = "NaN"] = /^(?:at most )?([\d,]+)/.exec(valueOf(query, "candles") ?? "") ?? []
  return Number(count.replaceAll(",", ""))
}

const candles = (resolution: Resolution, options: Parameters<typeof Query.stockCandles>[2]) =>
  Result.getOrThrow(Query.stockCandles(resolution, "AAPL", options))

describe("estimate, of a chain with filters", () => {
  const one = { expiration: "2026-12-18", strike: 150, side: "call" } as const

  it("[4.1-cost-live] [4.1-cost-delayed] knows that one strike, side and expiration are one contract", () => {
    assert.strictEqual(Credits.format(Credits.estimate(chain(one))), "exactly 1 credit")
    assert.deepStrictEqual([most({ ...one, side: undefined }), most({ ...one, strike: [150, 155, 160] })], [2, 3])
    assert.strictEqual(most({ ...one, strike: [150, 150] }), 1)
  })

  it("[4.1-cost-live] counts the two settlements of an index, unless one is chosen", () => {
    for (const name of ["SPX", "spx", "$SPX", "^VIX"]) assert.strictEqual(most(one, name), 2, name)
    assert.deepStrictEqual([most({ ...one, am: true }, "SPX"), most({ ...one, pm: false }, "SPX")], [1, 1])
    assert.deepStrictEqual([most({ ...one, am: true, pm: true }, "SPX"), most(one, "SPY")], [2, 1])
  })

  it("[4.1-cost-live] has no bound where adjusted contracts are asked for", () =>
    assert.deepStrictEqual([most({ ...one, nonstandard: true }), most({ ...one, nonstandard: false })], [Infinity, 1]))

  it("[4.1-cost-live] takes strikeLimit in its widest reading", () => {
    const expiration = "2026-12-18"
    // Strikes on either side of the money, a call and a put at each.
    assert.strictEqual(most({ expiration, strikeLimit: 5 }), 20)
    assert.strictEqual(most({ expiration, strikeLimit: 5, side: "put" }), 10)
    // As many calls and as many puts; and a strike at the money has both out of the money.
    assert.strictEqual(most({ expiration, strikeLimit: 5, range: "itm" }), 10)
    assert.strictEqual(most({ expiration, strikeLimit: 5, range: "otm" }), 12)
    assert.strictEqual(most({ expiration, strikeLimit: 5, range: "all" }), 20)
    assert.strictEqual(most({ expiration, strikeLimit: 5 }, "SPX"), 40)
    assert.strictEqual(most({ expiration, strikeLimit: 5, strike: [150, 155] }), 4)
  })

  it("[4.1-cost-live] counts the strikes between two by the cent", () => {
    const expiration = "2026-12-18"
    assert.strictEqual(most({ expiration, side: "call", strike: { from: 100, to: 101.5 } }), 151)
    assert.strictEqual(most({ expiration, side: "call", strike: { atMost: 0.5 } }), 51)
    assert.strictEqual(most({ expiration, side: "call", strike: { below: 0.5 } }), 50)
    assert.strictEqual(most({ expiration, side: "call", strike: { above: 100 } }), Infinity)
    assert.strictEqual(most({ expiration, side: "call", strike: { atLeast: 100 } }), Infinity)
  })

  it("[4.1-cost-live] counts the expirations that are chosen", () => {
    const strike = { strike: 150, side: "call" } as const
    assert.strictEqual(most({ ...strike, dte: 30 }), 1)
    // November 2026 has 21 weekdays, and the year 261.
    assert.deepStrictEqual([most({ ...strike, month: 11, year: 2026 }), most({ ...strike, year: 2026 })], [21, 261])
    assert.strictEqual(most({ ...strike, from: "2026-11-02", to: "2026-11-13" }), 10)
    assert.strictEqual(most({ ...strike, from: "2026-11-02", to: "2027-01-15", monthly: true }), 3)
    assert.strictEqual(most({ ...strike, from: "2026-11-02", to: "2027-01-15", monthly: true, quarterly: true }), 6)
    assert.strictEqual(most({ ...strike, from: "2026-11-02", to: "2026-11-13", weekly: true, monthly: true }), 10)
    // Until February 2015 options expired on Saturdays.
    assert.strictEqual(most({ ...strike, month: 1, year: 2013 }), 23 + 5)
    const opens = [{}, { expiration: "all" }, { from: "2026-11-02" }, { to: "2026-11-02" }, { month: 11 }] as const
    for (const open of opens) assert.strictEqual(most({ ...strike, ...open }), Infinity, JSON.stringify(open))
  })

  it("[4.1-cost-live] has the least price where no option expires, however many strikes there are", () => {
    const price = Credits.format(Credits.estimate(chain({ from: "2026-11-28", to: "2026-11-29" })))
    assert.strictEqual(price, "exactly 1 credit")
  })

  it("[4.1-cost-live] counts one expiration without a choice on the public service only", () => {
    const strike = { strike: 150, side: "call" } as const
    assert.deepStrictEqual([most(strike, "AAPL", "contract"), most(strike, "MSFT", "public")], [Infinity, 1])
    assert.strictEqual(most({ ...strike, weekly: true }, "MSFT", "public"), Infinity)
  })

  it("[4.1-cost-live] [4.1-cost-historical] is bounded by a limit, where filters do not bound it lower", () => {
    const all = { expiration: "all", limit: 5000 } as const
    assert.strictEqual(Credits.format(Credits.estimate(chain(all))), "1 to 5,000 credits")
    assert.deepStrictEqual([most({ ...all, nonstandard: true, delta: 0.5 }), most({ ...one, limit: 5000 })], [5000, 1])
    assert.deepStrictEqual([most({ ...all, offset: 20_000 }), most({ date: "2026-10-01", limit: 5000 })], [5000, 5])
    assert.strictEqual(valueOf(chain(all), "contracts"), "at most 5,000, the limit")
  })

  it("names each number that it takes for granted", () => {
    assert.deepStrictEqual(Credits.estimate(chain({ dte: 30, strikeLimit: 25 }, "SPX")).assumptions, [
      { name: "expirations", value: "the one closest to 30 days" },
      { name: "strikes of each expiration", value: "at most 50, 25 on either side of the money" },
      { name: "contracts of each strike", value: "a call and a put, settled in the morning and in the afternoon" },
      { name: "adjusted contracts", value: "none unless nonstandard is true" }
    ])
    assert.match(valueOf(chain({ month: 12, year: 2026, strikeLimit: 1 }), "expirations")!, /^at most 23, one a week/)
    const oneSide = chain({ month: 12, year: 2026, strikeLimit: 5, range: "itm" })
    assert.strictEqual(valueOf(oneSide, "strikes of each expiration"), "at most 5 for each side")
    // What has no bound takes nothing for granted.
    assert.deepStrictEqual(Credits.estimate(chain({ strikeLimit: 25 })).assumptions, [])
  })
})

describe("estimate, of candles between two days", () => {
  it("[8.2-cost-candles] counts the trading days, weeks, months and years", () => {
    const year = { from: "2026-01-01", to: "2026-12-31" }
    assert.strictEqual(valueOf(candles("D", year), "candles"), "at most 251, 1 for each trading day of the NYSE")
    assert.strictEqual(candlesIn(candles("D", { from: "2025-12-31", to: "2026-01-04" })), 2)
    assert.strictEqual(candlesIn(candles("D", { from: "2026-11-20 09:30", to: "2026-11-20 16:00" })), 1)
    // A week may begin on any day, so nine days may touch three.
    assert.strictEqual(candlesIn(candles("W", { from: "2026-11-01", to: "2026-11-09" })), 3)
    const counts = (["daily", "W", "weekly", "M", "3M", "Y", "2Y"] as const)
      .map((resolution) => candlesIn(candles(resolution, year)))
    assert.deepStrictEqual(counts, [251, 53, 53, 12, 5, 1, 1])
    const funds = Result.getOrThrow(Query.fundCandles("W", "VFINX", year))
    assert.deepStrictEqual([candlesIn(funds), Credits.format(Credits.estimate(funds))], [53, "exactly 1 credit"])
  })

  it("[8.2-cost-candles] counts minutes with extended hours, unless those are left out", () => {
    const days = { from: "2026-11-16", to: "2026-11-20" }
    assert.strictEqual(candlesIn(candles("1", days)), 5 * 960)
    assert.strictEqual(candlesIn(candles("1", { ...days, extended: true })), 5 * 960)
    assert.strictEqual(candlesIn(candles("minutely", { ...days, extended: false })), 5 * 390)
    assert.strictEqual(Credits.format(Credits.estimate(candles("5", days))), "exactly 1 credit")
    assert.strictEqual(Credits.format(Credits.estimate(candles("1", days))), "1 to 5 credits")
  })

  it("[8.2-cost-candles] counts the most recent one where no day is named", () =>
    assert.strictEqual(valueOf(candles("D", {}), "candles"), "1, the most recent"))

  it("[8.2-cost-candles] has no bound without both ends, and counts what is counted back", () => {
    const open = [{ from: "2026-01-02" }, { to: "2026-01-02" }].map((days) => Credits.estimate(candles("D", days)))
    assert.deepStrictEqual(open.map(Credits.bound), [Infinity, Infinity])
    assert.strictEqual(candlesIn(candles("D", { countback: 2500, to: "2026-01-02" })), 2500)
  })
})

it("[8.2-cost-historical-quotes] estimate, of quotes from one day to another counts the trading days on the public service, and states no price by the contract", () => {
  const query = Result.getOrThrow(Query.optionQuote("AAPL261218C00150000", { from: "2020-01-01", to: "2026-11-20" }))
  assert.strictEqual(Credits.format(Credits.estimate(query, { profile: "public" })), "0 to 2 credits")
  assert.strictEqual(Credits.estimate(query)._tag, "NotStated")
})

describe("advice", () => {
  const advice = (made: Result.Result<Query.Query, unknown>, budget = 1000) =>
    Credits.advice(Result.getOrThrow(made), budget).map(Reason.formatAdvice)

  it("names options that lead under the budget, and no others", () => {
    const bare = advice(Query.optionChain("AAPL"))
    assert.deepStrictEqual(bare, ["assume: { contracts: 100 }", "dte: 30, strikeLimit: 10", "mode: DataMode.cached()"])
    const four = advice(Query.optionChain("AAPL"), 4)
    assert.deepStrictEqual(four, ["assume: { contracts: 4 }", "dte: 30, strikeLimit: 1", "mode: DataMode.cached()"])
    const past = advice(Query.optionChain("AAPL", { date: "2026-10-01" }), 1)
    assert.deepStrictEqual(past, ["assume: { contracts: 1000 }", "dte: 30, strikeLimit: 10"])
    assert.deepStrictEqual(advice(Query.optionChain("AAPL"), 0), [])
    assert.deepStrictEqual(advice(Query.stockQuotes(["A", "B", "C"]), 2), ["mode: DataMode.cached()"])
    // All candles and stocks that come are paid for, however many are expected.
    const days = { from: "2026-01-02", to: "2026-11-20" }
    assert.deepStrictEqual(advice(Query.stockCandles("5", "AAPL", days), 5), [])
    assert.deepStrictEqual(advice(Query.stockBulkCandles("all")), [])
  })

  it("is made of ways, each of which is a query that fits the budget", () => {
    const made: ReadonlyArray<Result.Result<Query.Query, unknown>> = [
      Query.optionChain("AAPL"),
      Query.optionChain("AAPL", { expiration: "all", mode: "cached" }),
      Query.optionChain("SPX", { mode: DataMode.cachedOrLive() }),
      Query.optionQuote("AAPL261120C00150000", { date: "2026-11-19" }),
      Query.stockCandles("5", "AAPL", { from: "2026-01-02" })
    ]
    for (const query of made.map((one) => Result.getOrThrow(one))) {
      for (const budget of [0, 1, 4, 1000]) {
        const ways = Credits.ways(query, budget)
        const advice = Credits.advice(query, budget)
        assert.deepStrictEqual(advice.map(({ cost }) => cost), ways.map(({ price }) => Credits.bound(price)))
        const read = Schema.decodeUnknownSync(Schema.Array(Reason.Advice))(JSON.parse(JSON.stringify(advice)))
        assert.deepStrictEqual(read, advice)
        for (const { price, query: narrower } of ways) {
          assert.deepStrictEqual(Credits.estimate(narrower), price)
          assert.isAtMost(Credits.bound(price), budget)
        }
      }
    }
    const [stated] = Credits.ways(Result.getOrThrow(Query.optionChain("AAPL")), 4)
    assert.deepStrictEqual(stated?.options, { assume: { contracts: 4 } })
  })

  it("names no option that the endpoint does not take, whatever rule prices it", () => {
    const prices = Result.getOrThrow(Query.stockPrices(["AAPL"], { assume: { kind: "chain" } }))
    for (const { options } of Credits.ways(prices, 100)) assert.notInclude(Object.keys(options), "dte")
    for (const { query } of Credits.ways(Result.getOrThrow(Query.optionChain("AAPL")), 100)) {
      assert.deepStrictEqual(Object.keys(query.options).filter((name) => !query.endpoint.parameters.includes(name)), [])
    }
  })
})
