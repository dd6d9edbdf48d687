import { DataMode, MaxAge, NewYork, Query, Reuse } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"

/** A moment of November 2026: the 20th is a Friday, the 26th Thanksgiving. */
const at = (day: number, hour: number, minute = 0, second = 0): number =>
  NewYork.at({ year: 2026, month: 11, day }, hour, minute, second)

const query = (made: Result.Result<Query.Query, unknown>): Query.Query => Result.getOrThrow(made)

/** A reply that tells when its quotes were taken, and in which mode it was asked for. */
const kept = (receivedAt: number, more: Partial<Reuse.Kept> = {}): Reuse.Kept => ({
  sentMode: undefined,
  maxAge: undefined,
  receivedAt,
  updated: { oldest: receivedAt - 60, newest: receivedAt - 30 },
  ...more
})

/** Checks that a reply answers until a moment, and not at it. */
const until = (query: Query.Query, reply: Reuse.Kept, moment: number, accept?: MaxAge.MaxAge): void => {
  assert.isTrue(Reuse.answers(query, reply, { now: reply.receivedAt, accept }), "at once")
  assert.isTrue(Reuse.answers(query, reply, { now: moment - 1, accept }), "a second before")
  assert.isFalse(Reuse.answers(query, reply, { now: moment, accept }), "at the moment")
}

const fiveMinutes: MaxAge.MaxAge = { _tag: "Relative", minutes: 5 }
const decade = 10 * 366 * 86_400

describe("a kept reply about past days", () => {
  it("answers in every mode, with and without times, and whatever age is accepted", () => {
    for (const mode of [undefined, DataMode.live, DataMode.delayed]) {
      const asked = query(Query.optionQuote("AAPL261218C00150000", { date: "2026-11-20", mode }))
      const reply = kept(at(24, 12), { updated: undefined })
      assert.isTrue(Reuse.answers(asked, reply, { now: at(24, 12) + decade, accept: fiveMinutes }))
      assert.isTrue(Reuse.isPossible(asked, { now: at(24, 12) }))
    }
  })

  it("[8.4-stocks] answers for ever about candles that are not adjusted", () => {
    const raw = { adjustsplits: false, adjustdividends: false }
    const named = [
      query(Query.stockCandles("5", "AAPL", { from: "2026-11-02", to: "2026-11-20 16:00", ...raw })),
      query(Query.stockCandles("D", "AAPL", { countback: 20, to: "2026-11-20", ...raw })),
      query(Query.fundCandles("M", "VFINX", { from: "2026-01-02", to: "2026-10-20" })),
      query(Query.stockBulkCandles(["AAPL"], { date: "2026-11-20", adjustsplits: false }))
    ]
    for (const asked of named) {
      const reply = kept(at(24, 12))
      assert.isTrue(Reuse.answers(asked, reply, { now: reply.receivedAt + decade }), Query.target(asked))
      until(asked, kept(at(21, 12)), at(23, 16, 15))
    }
  })

  it("answers until the next session where a split changes the past", () => {
    const range = { from: "2026-11-02", to: "2026-11-20" } as const
    until(query(Query.stockCandles("D", "AAPL", range)), kept(at(24, 12)), at(25, 9, 30))
    until(query(Query.stockCandles("D", "AAPL", { ...range, adjustsplits: false })), kept(at(25, 12)), at(27, 9, 30))
    until(query(Query.stockBulkCandles(["AAPL"], { date: "2026-11-20" })), kept(at(24, 9)), at(24, 9, 30))
    // What was traded after the close of the 20th is not historical yet.
    until(query(Query.stockCandles("5", "AAPL", { ...range, extended: true })), kept(at(23, 12)), at(23, 16, 15))
  })

  it("is none where the days are not named, not past, or not of prices", () => {
    const others = [
      query(Query.stockCandles("D", "AAPL", { from: "-5 days", to: "yesterday", adjustsplits: false })),
      query(Query.stockCandles("D", "AAPL", { to: "2026-11-20", adjustsplits: false, adjustdividends: false })),
      query(Query.stockCandles("D", "AAPL", { from: "2026-11-20", to: "2026-11-24", adjustsplits: false })),
      query(Query.optionChain("SPX", { from: "2026-11-20", to: "2026-11-20" })),
      // The last candle of these is not over.
      query(Query.fundCandles("W", "VFINX", { from: "2026-11-02", to: "2026-11-20" })),
      query(Query.stockCandles("3D", "AAPL", { from: "2026-11-02", to: "2026-11-20", adjustsplits: false })),
      query(Query.stockNews("AAPL", { date: "2026-11-20" })),
      query(Query.stockEarnings("AAPL", { from: "2026-01-01", to: "2026-11-20" }))
    ]
    for (const asked of others) {
      assert.isFalse(Reuse.answers(asked, kept(at(24, 12)), { now: at(24, 12) }), Query.target(asked))
      assert.isFalse(Reuse.isPossible(asked, { now: at(24, 12) }), Query.target(asked))
    }
    const series = query(Query.optionQuote("AAPL261218C00150000", { from: "2026-11-20", mode: DataMode.delayed }))
    assert.isFalse(Reuse.answers(series, kept(at(24, 12)), { now: at(24, 12) }))
  })
})

describe("a kept reply of cached data", () => {
  const within = query(Query.optionChain("SPX", { mode: DataMode.cached({ maxAge: "5 minutes" }) }))

  it("[8.3-age] counts from the age that it was asked for with where it tells no time, or an old one", () => {
    const noon = at(20, 12)
    for (const updated of [undefined, { oldest: 0, newest: noon - 86_400 }]) {
      const reply = kept(noon, { sentMode: "cached", maxAge: fiveMinutes, updated })
      const hour = query(Query.optionChain("SPX", { mode: DataMode.cached({ maxAge: "1 hour" }) }))
      until(hour, reply, noon + 55 * 60 + 1)
      assert.isFalse(Reuse.answers(within, reply, { now: noon + 1 }))
    }
    const any = kept(noon, { sentMode: "cached", updated: undefined })
    assert.isFalse(Reuse.answers(within, any, { now: noon }))
  })

  it("counts live data after a cached miss from when they came", () => {
    const asked = query(Query.optionChain("SPX", { mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }) }))
    until(asked, kept(at(20, 12), { sentMode: "live", updated: undefined }), at(20, 12, 5, 1))
  })

  it("[8.4-options] [8.4-stocks] without one, answers until a quote becomes delayed or historical, or a session opens", () => {
    const any = query(Query.optionChain("SPX", { mode: DataMode.cached() }))
    until(any, kept(at(20, 12), { sentMode: "cached" }), at(20, 12, 14))
    const morning = { oldest: at(20, 9, 40), newest: at(20, 10) }
    until(any, kept(at(20, 12), { sentMode: "cached", updated: morning }), at(23, 9, 30))
    until(any, kept(at(23, 8), { sentMode: "cached", updated: morning }), at(23, 9, 30))
    // The session has just opened, and its first quotes are not yet in the cache, nor 15 minutes old.
    until(any, kept(at(23, 9, 31), { sentMode: "cached", updated: morning }), at(23, 9, 45))
    until(any, kept(at(23, 9, 45), { sentMode: "cached", updated: morning }), at(24, 9, 30))
    const stock = query(Query.stockQuote("AAPL", { mode: DataMode.cached() }))
    until(stock, kept(at(23, 8), { sentMode: "cached", updated: morning }), at(23, 9, 30))
    until(stock, kept(at(23, 9, 40), { sentMode: "cached" }), at(23, 9, 54))
    // To an account that gets historical data only.
    const delayed = query(Query.stockQuote("AAPL", { mode: DataMode.delayed }))
    until(delayed, kept(at(23, 12), { updated: { oldest: at(20, 16), newest: at(20, 16) } }), at(23, 16, 15))
    const silent = kept(at(20, 12), { sentMode: "cached", updated: undefined })
    assert.isFalse(Reuse.answers(any, silent, { now: at(20, 12) }))
    until(any, silent, at(20, 12, 5, 1), fiveMinutes)
  })
})

describe("a kept reply in other modes", () => {
  it("live data, and those in the mode of the plan, only answer within an age that the caller accepts", () => {
    for (const mode of [undefined, DataMode.live]) {
      const live = query(Query.stockQuote("AAPL", { mode }))
      assert.isFalse(Reuse.answers(live, kept(at(20, 12)), { now: at(20, 12) }))
      assert.isFalse(Reuse.isPossible(live, { now: at(20, 12) }))
      assert.isTrue(Reuse.isPossible(live, { now: at(20, 12), accept: fiveMinutes }))
      until(live, kept(at(20, 12)), at(20, 12, 5, 1), fiveMinutes)
    }
  })

  it("the last closed session answers until the next one is closed", () => {
    const [eod, historical, stock] = [
      Query.withMode(query(Query.optionChain("SPX")), DataMode.eod),
      Query.withMode(query(Query.optionChain("SPX")), DataMode.historical),
      Query.withMode(query(Query.stockQuote("SPY")), DataMode.historical)
    ]
    const old = { updated: { oldest: at(19, 15), newest: at(19, 16) } }
    until(eod, kept(at(20, 12), old), at(20, 16, 15))
    until(eod, kept(at(20, 16, 15), old), at(23, 16, 15))
    until(historical, kept(at(20, 9), old), at(20, 9, 30))
    until(historical, kept(at(25, 12), old), at(27, 9, 30))
    until(stock, kept(at(20, 12), old), at(20, 16, 15))
  })

  it("pages that are free never answer again", () => {
    const now = at(20, 12)
    for (const page of [Query.account, Query.requestHeaders, Query.serviceStatus]) {
      assert.isFalse(Reuse.isPossible(page, { now, accept: fiveMinutes }))
      assert.isFalse(Reuse.answers(page, kept(now), { now, accept: fiveMinutes }))
    }
  })
})

describe("a kept reply under a wrong clock", () => {
  const asked = query(Query.optionChain("SPX", { date: "2026-11-19" }))

  it("never answers before it came, or at no time at all", () => {
    const reply = kept(at(24, 12))
    for (const now of [reply.receivedAt - 1, 0, -Infinity, NaN]) {
      assert.isFalse(Reuse.answers(asked, reply, { now }), String(now))
    }
    assert.isFalse(Reuse.answers(asked, kept(NaN), { now: at(24, 12) }))
  })

  it("[8.3-age] takes quotes from after their arrival for no sign that they are young", () => {
    const [asked, any] = [DataMode.cached({ maxAge: "5 minutes" }), DataMode.cached()].map((mode) =>
      query(Query.stockQuotes(["AAPL"], { mode }))
    )
    const updated = { oldest: at(20, 12), newest: at(20, 12) }
    // The quote may be an hour old, and the clock an hour and six seconds behind.
    const reply = kept(at(20, 12) - 6, { sentMode: "cached", updated })
    const answers = [asked!, any!].map((query) => Reuse.answers(query, reply, { now: reply.receivedAt }))
    assert.deepStrictEqual(answers, [false, false])
    const within = { ...reply, maxAge: { _tag: "Relative", minutes: 2 } } as const
    until(asked!, within, reply.receivedAt + 181)
    assert.isTrue(Reuse.answers(asked!, { ...reply, receivedAt: at(20, 12) - 5 }, { now: at(20, 12) }))
  })

  it("counts seconds, and not hours of the day, where New York changes its clocks", () => {
    const saturday = NewYork.at({ year: 2026, month: 10, day: 31 }, 23, 0)
    const hour = query(Query.stockQuote("AAPL", { mode: "live" }))
    const accept: MaxAge.MaxAge = { _tag: "Relative", minutes: 180 }
    until(hour, kept(saturday), saturday + 3 * 3600 + 1, accept)
    const cached = query(Query.optionChain("SPX", { mode: "delayed" }))
    const friday = NewYork.at({ year: 2026, month: 10, day: 30 }, 15, 0)
    const reply = kept(saturday, { updated: { oldest: friday, newest: friday } })
    until(cached, reply, NewYork.at({ year: 2026, month: 11, day: 2 }, 9, 30))
  })
})
