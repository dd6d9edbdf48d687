import { Expiration, OptionChain, Query } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { made, refusedFor } from "../support/everyQuery.ts"

type Options = NonNullable<Parameters<typeof OptionChain.query>[1]>

/** The query that options become, decoded. */
const query = (options: Options, underlying = "AAPL"): string =>
  decodeURIComponent(Query.target(made(OptionChain.query(underlying, options))).split("?")[1] ?? "")

/** Options as they come from elsewhere, where no type has checked them. */
const untyped = (options: Readonly<Record<string, unknown>>, underlying = "AAPL"): string | undefined =>
  refusedFor(OptionChain.query(underlying, options))

it("row names the columns of a chain, in order", () =>
  assert.deepStrictEqual<ReadonlyArray<string>>(OptionChain.row.columns, Object.keys(OptionChain.spec)))

describe("make", () => {
  it("[4.1-path] percent-encodes the underlying as one segment", () => {
    assert.strictEqual(Query.target(made(OptionChain.query("BRK.B"))), "/v1/options/chain/BRK.B/")
    assert.strictEqual(Query.target(made(OptionChain.query("^SPX"))), "/v1/options/chain/%5ESPX/")
  })

  it("[4.1-params] writes every filter", () => {
    assert.strictEqual(query({ expiration: "all", side: "put" }), "expiration=all&side=put")
    assert.strictEqual(query({ expiration: { year: 2026, month: 11, day: 20 } }), "expiration=2026-11-20")
    assert.strictEqual(query({ dte: 30 }), "dte=30")
    assert.strictEqual(query({ from: "2026-11-01", to: "2026-12-31" }), "from=2026-11-01&to=2026-12-31")
    assert.strictEqual(query({ month: 12, year: 2026 }), "month=12&year=2026")
    assert.strictEqual(query({ weekly: false, monthly: false }), "weekly=false&monthly=false")
    assert.strictEqual(query({ monthly: true, quarterly: true }), "monthly=true&quarterly=true")
    assert.strictEqual(query({ range: "otm", strikeLimit: 5 }), "range=otm&strikeLimit=5")
    for (const range of ["itm", "all"] as const) assert.strictEqual(query({ range }), `range=${range}`)
    assert.strictEqual(
      query({ minBid: 0.05, maxBid: 10, minAsk: 0, maxAsk: 10.5, maxBidAskSpread: 0.1, maxBidAskSpreadPct: 0.005 }),
      "minBid=0.05&maxBid=10&minAsk=0&maxAsk=10.5&maxBidAskSpread=0.1&maxBidAskSpreadPct=0.005"
    )
    assert.strictEqual(query({ minOpenInterest: 10, minVolume: 0 }), "minOpenInterest=10&minVolume=0")
    assert.strictEqual(query({ nonstandard: true }), "nonstandard=true")
    assert.strictEqual(query({ am: true, pm: false }, "SPX"), "am=true&pm=false")
    assert.strictEqual(query({ date: "2026-11-19", strike: 150 }), "date=2026-11-19&strike=150")
    assert.strictEqual(query({ side: "put", limit: 50_000, offset: 100 }), "side=put&limit=50000&offset=100")
  })

  it("[4.1-params] writes one strike, several, a range and a bound", () => {
    assert.strictEqual(query({ strike: 32.5 }), "strike=32.5")
    assert.strictEqual(query({ strike: [400, 405.125] }), "strike=400,405.125")
    assert.strictEqual(query({ strike: { from: 400, to: 410 } }), "strike=400-410")
    assert.strictEqual(query({ strike: { from: 400, to: 400 } }), "strike=400-400")
    assert.strictEqual(query({ strike: { above: 400 } }), "strike=>400")
    assert.strictEqual(query({ strike: { atLeast: 400 } }), "strike=>=400")
    assert.strictEqual(query({ strike: { below: 400 } }), "strike=<400")
    assert.strictEqual(query({ strike: { atMost: 400 } }), "strike=<=400")
    assert.deepStrictEqual([query({ delta: [0.6, 0.3] }), query({ delta: [1, -0] })], ["delta=0.6,0.3", "delta=1,0"])
    const atLeast = Query.target(made(OptionChain.query("A", { strike: { atLeast: 400 } })))
    assert.strictEqual(atLeast, "/v1/options/chain/A/?strike=%3E%3D400")
  })

  it("[7.3-cause-unsupported-value] refuses values out of range, and names the parameter", () => {
    for (const dte of [-1, 1.5, NaN, Infinity]) assert.strictEqual(untyped({ dte }), "dte")
    for (const month of [0, 13, 1.5]) assert.strictEqual(untyped({ month }), "month")
    for (const year of [1999, 2100]) assert.strictEqual(untyped({ year }), "year")
    for (const strike of [-1, 100_000, 32.2505, NaN]) assert.strictEqual(untyped({ strike }), "strike")
    assert.deepStrictEqual([untyped({ strike: [] }), untyped({ strike: { from: 410, to: 400 } })], ["strike", "strike"])
    for (const delta of [-0.5, 1.01, 1e-9]) assert.strictEqual(untyped({ delta }), "delta")
    assert.deepStrictEqual([untyped({ strikeLimit: 0 }), untyped({ minBid: -1 })], ["strikeLimit", "minBid"])
    assert.strictEqual(untyped({ minVolume: 0.5 }), "minVolume")
    for (const limit of [0, -1, 1.5, 50_001]) assert.strictEqual(untyped({ limit }), "limit")
    for (const offset of [-1, 1.5]) assert.strictEqual(untyped({ offset }), "offset")
    assert.deepStrictEqual([untyped({ side: "straddle" }), untyped({ range: "atm" })], ["side", "range"])
  })

  it("[7.3-cause-unsupported-value] refuses cycles of which some are wanted and some are not", () => {
    assert.strictEqual(untyped({ weekly: true, monthly: false }), "monthly")
    assert.strictEqual(untyped({ weekly: false, monthly: false, quarterly: true }), "quarterly")
    assert.strictEqual(untyped({ weekly: true, monthly: true, quarterly: true }), undefined)
  })

  it("[7.3-cause-unsupported-value] refuses a range that ends before it begins, and says what it is to be", () => {
    assert.strictEqual(untyped({ from: "2026-12-18", to: "2026-12-17" }), "from")
    assert.strictEqual(untyped({ from: "2026-12-18", to: { year: 2026, month: 2, day: 1 } }), "from")
    assert.strictEqual(untyped({ from: "2026-12-18", to: "2026-12-18" }), undefined)
    assert.strictEqual(untyped({ minBid: 5, maxBid: 1 }), "minBid")
    assert.strictEqual(untyped({ minBid: 10, maxBid: 9 }), "minBid")
    assert.strictEqual(untyped({ minAsk: 0.5, maxAsk: 0.25 }), "minAsk")
    assert.strictEqual(untyped({ minBid: 1, maxBid: 1, minAsk: 2, maxAsk: 10 }), undefined)
    assert.strictEqual(untyped({ minBid: 5, maxAsk: 1 }), undefined)
    const { message } = Result.getOrThrow(Result.flip(OptionChain.query("A", { minBid: 5, maxBid: 1 })))
    assert.include(message, "minBid 5 must not be greater than maxBid (1), e.g. 1. Nothing was sent.")
  })

  it("[7.3-cause-wrong-type] refuses relative days, which its page does not list", () => {
    for (const day of ["today", "yesterday", "-5 days", "2 weeks ago"]) {
      for (const name of ["date", "expiration", "from", "to"]) assert.strictEqual(untyped({ [name]: day }), name)
      assert.strictEqual(refusedFor(Query.optionQuote("AAPL261218C00150000", { from: day })), "from")
      assert.strictEqual(refusedFor(Query.optionExpirations("AAPL", { date: day })), "date")
      assert.strictEqual(refusedFor(Query.optionStrikes("AAPL", { date: day })), "date")
    }
    const { rule } = Result.getOrThrow(Result.flip(OptionChain.query("A", { date: "yesterday" })))
    assert.include(rule, "must be a calendar day, not a relative one")
  })

  it("[7.3-cause-wrong-type] refuses a filter of numbers in another shape", () => {
    assert.strictEqual(untyped({ strike: { atleast: 400 } }), "strike.atleast")
    assert.strictEqual(untyped({ strike: { above: "much" } }), "strike.above")
    const shapes = [{}, { from: 400 }, { from: 400, to: 410, above: 3 }, { above: 400, below: 500 }]
    for (const strike of shapes) assert.strictEqual(untyped({ strike }), "strike")
  })

  it("[7.3-cause-unsupported-value] takes am and pm of indexes only", () => {
    for (const underlying of Expiration.indexUnderlyings) {
      assert.strictEqual(untyped({ am: true }, underlying), undefined)
    }
    assert.strictEqual(untyped({ am: true }, "spx"), undefined)
    assert.deepStrictEqual([untyped({ am: true }, "AAPL"), untyped({ pm: false }, "SPY")], ["am", "pm"])
  })

  it("remembers that a past day is asked about, for which nothing is cached", () => {
    const past = made(OptionChain.query("A", { date: "2026-11-19" }))
    assert.deepStrictEqual([past.historical, past.cacheable], [true, false])
    const ranged = made(OptionChain.query("A", { from: "2026-12-01" }))
    assert.deepStrictEqual([ranged.historical, ranged.cacheable], [false, true])
  })
})
