/** What is drawn is legal, or wrong in the way that its name says; it meets the edges, and shrinks to what can be read at a glance. */
import { Account, CalendarDate, NewYork, OptionChain, OptionSymbol, Query, Reason } from "@effect-marketdata/core"
import { Schemas, Strike, TradingCalendar } from "@effect-marketdata/core"
import { Accounts, Arbitraries, Chains, Chunkings, Days, HostileTexts, Law, Queries } from "@effect-marketdata/testing"
import { MalformedChains, OptionSymbols, Replies, Strikes, Travels, Workloads } from "@effect-marketdata/testing"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"

/** Draws so many values, the same in every run. */
const sample = <A>(arbitrary: fc.Arbitrary<A>, numRuns = 300): ReadonlyArray<A> =>
  fc.sample(arbitrary, { numRuns, seed: 11 })

/** The smallest value for which a predicate does not hold: what somebody would be shown whose code has that mistake. */
const smallest = <A>(arbitrary: fc.Arbitrary<A>, holds: (value: A) => boolean): unknown => {
  const tried = Law.attempt(Law.make({ name: "planted", clauses: [], arbitrary, holds }), { runs: 1000, seed: 11 })
  assert(Result.isFailure(tried))
  return tried.failure.counterexample
}

/** Checks of each kind of value that one of those that were drawn is of it. */
const assertHas = <A>(drawn: ReadonlyArray<A>, ...kinds: ReadonlyArray<(value: A) => boolean>): void => {
  for (const is of kinds) assert.isTrue(drawn.some(is), String(is))
}

describe("Arbitraries for Effect", () => {
  const drawn = <A>(arbitrary: Arbitrary.Arbitrary<A>): ReadonlyArray<A> =>
    Effect.runSync(Arbitrary.sampleEffect(arbitrary, { count: 1000, seed: 11 }))

  it("are legal values of core's Schemas", () => {
    const all = <A>(values: ReadonlyArray<A>, schema: Schema.Schema<unknown>): ReadonlyArray<A> => {
      const is = Schema.is(schema)
      for (const value of values) assert.isTrue(is(value), JSON.stringify(value))
      return values
    }
    const isLeapDay = ({ day, month }: CalendarDate.CalendarDate) => month === 2 && day === 29
    const symbols = all(drawn(Arbitraries.optionSymbol), OptionSymbol.FromString)
    assertHas(symbols, ({ expiration }) => isLeapDay(expiration), ({ side }) => side === "put")
    assertHas(all(drawn(Arbitraries.calendarDate), CalendarDate.FromString), isLeapDay, ({ day }) => day === 31)
    assert.isAtLeast(new Set(all(drawn(Arbitraries.reason), Reason.Reason).map(({ _tag }) => _tag)).size, 19)
    const estimates = all(drawn(Arbitraries.estimate), Schemas.Estimate)
    assert.strictEqual(new Set(estimates.map(({ _tag }) => _tag)).size, 5)
    assertHas(estimates, (estimate) => estimate._tag === "Range" && estimate.max === Infinity)
    all(drawn(Arbitraries.finding), Schemas.Finding)
    all(drawn(Arbitraries.provenance), Schemas.Provenance)
    all(drawn(Arbitraries.attempt), Schemas.Attempt)
  })

  it("draw of a struct of a user's own, in either direction", () => {
    const Position = Schema.Struct({ symbol: OptionSymbol.FromString, opened: CalendarDate.FromString })
    const [decode, encode] = [Schema.decodeUnknownSync(Position), Schema.encodeUnknownSync(Position)]
    for (const position of drawn(Arbitrary.schema(Position))) assert.deepStrictEqual(decode(encode(position)), position)
  })
})

describe("Arbitraries", () => {
  it("of accounts are of every plan and user", () => {
    const kinds = sample(Accounts.account).map(({ plan, user }) => `${plan} ${Account.dataTypeOfUser(user)}`)
    assert.strictEqual(new Set(kinds).size, 9)
  })

  it("of chains hold every kind of contract, and shrink to the one row that matters", () => {
    assertHas(
      sample(Chains.chain).flat(),
      ({ last }) => last === null,
      ({ last }) => last === 0,
      ({ dte }) => dte === 0,
      ({ bid, mid }) => bid !== mid,
      ({ inTheMoney, side }) => inTheMoney === true && side === "put",
      ({ inTheMoney, intrinsicValue }) => inTheMoney === false && intrinsicValue === 0,
      ({ inTheMoney, strike, underlyingPrice }) => strike === underlyingPrice && inTheMoney === false,
      ({ underlying }) => underlying === "SPX",
      ({ optionSymbol, underlying }) => !optionSymbol.startsWith(underlying)
    )
    assertHas(sample(Chains.chain), ({ length }) => length === 0, ({ length }) => length === 12)
    const rows = smallest(Chains.chain, (rows) => rows.every(({ last }) => last !== null))
    assert(Array.isArray(rows))
    assert.strictEqual(rows.length, 1)
    assert.deepInclude(rows[0], { side: "call", bid: 0, ask: 0, last: null, dte: 0, volume: 0 })
  })

  it("of malformed chains are refused for their code", () => {
    for (const [code, arbitrary] of Object.entries(MalformedChains.malformed)) {
      const isLarge = code === "TokenTooLong" || code === "TooManyTexts"
      for (const { body } of sample(arbitrary, isLarge ? runs(10, 1) : runs(60, 5))) {
        const decoded = OptionChain.decode(body)
        assert(Result.isFailure(decoded))
        assert.strictEqual<string>(decoded.failure.code, code)
      }
    }
  })

  it("of pieces lose no byte, and cut everywhere", () => {
    const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7])
    const firsts = sample(Chunkings.chunking).map((chunking) => {
      const pieces = Chunkings.cut(bytes, chunking)
      assert.deepStrictEqual(pieces.flatMap((piece) => [...piece]), [...bytes])
      return pieces[0]!.length
    })
    assert.deepStrictEqual(new Set(firsts), new Set([0, 1, 2, 3, 4, 5, 6, 7]))
  })

  it("of days are what they are called, and of the years that symbols know", () => {
    const { NYSE } = TradingCalendar
    for (const day of sample(Days.anyDay)) {
      assert.isTrue(CalendarDate.isCalendarDate(day) && day.year >= 2000 && day.year <= 2099)
    }
    for (const day of sample(Days.holiday)) assert.strictEqual(NYSE.day(day)._tag, "Holiday")
    for (const date of sample(Days.halfDay)) {
      const day = NYSE.day(date)
      assert(day._tag === "Session")
      assert.isBelow(day.close, 16 * 3600)
    }
    for (const day of sample(Days.tradingDay)) assert.isTrue(TradingCalendar.isTradingDay(NYSE, day))
    for (const day of sample(Days.clockChange)) {
      assert.notStrictEqual(NewYork.midnight(CalendarDate.addDays(day, 1)) - NewYork.midnight(day), 86_400)
    }
  })

  it("of instants meet both hours of autumn, and the edges of sessions", () => {
    const instants = sample(Days.instant, 3000).map((instant) => {
      const { date, secondOfDay } = NewYork.fromEpochSeconds(instant)
      return { instant, secondOfDay, at: NewYork.resolve(date, secondOfDay) }
    })
    assertHas(
      instants,
      ({ at, instant }) => at._tag === "Overlap" && at.earlier === instant,
      ({ at, instant }) => at._tag === "Overlap" && at.later === instant
    )
    for (const second of [9.5 * 3600, 13 * 3600, 16 * 3600, 16.25 * 3600, 0]) {
      assert.isTrue(instants.some(({ secondOfDay }) => secondOfDay === second), `nothing at ${second}`)
    }
  })

  it("of hostile texts hold what a terminal obeys, or a line of its own, and are known by it", () => {
    const texts = sample(HostileTexts.terminal)
    for (const text of texts) assert.match(text, /[\p{C}\p{Zl}\p{Zp}]/u)
    assert.isAbove(texts.filter((text) => HostileTexts.obeyed.test(text)).length, 50)
    for (const text of ["\u001b", "\u009b", "\u202e", "\u2066", "\u2028", "\ud800", "\u007f", "\t"]) {
      assert.match(text, HostileTexts.obeyed)
    }
    for (const text of ["AAPL", "a\nb", "é", "日本", "😀", "→"]) assert.notMatch(text, HostileTexts.obeyed)
  })

  it("of symbols shrink to one that can be read at a glance", () => {
    const symbol = smallest(OptionSymbols.optionSymbol, ({ side, strike }) => !(side === "put" && strike % 1 !== 0))
    assert(OptionSymbol.isOptionSymbol(symbol))
    assert.isAtMost(symbol.root.length, 4)
    assert.isBelow(symbol.strike, 1.1)
  })

  it("of queries go to their endpoint, ask in every mode and in none, and shrink to a short one", () => {
    for (const [endpoint, arbitrary] of Object.entries(Queries.byEndpoint)) {
      for (const query of sample(arbitrary, 60)) assert.strictEqual(query.endpoint.name, endpoint)
    }
    const modes = new Set(sample(Queries.query, 1000).map(({ mode }) => mode?._tag))
    assert.deepStrictEqual(modes, new Set(["Cached", "CachedOrLive", "Delayed", "Live", undefined]))
    const names = new Set(
      sample(Queries.byEndpoint.optionChain, 300).flatMap((query) =>
        Object.entries(query.options).flatMap(([name, value]) => value === undefined ? [] : [name])
      )
    )
    assert.deepStrictEqual(OptionChain.row.parameters.filter((name) => !names.has(name)), ["am", "pm"])
    const query = smallest(Queries.byEndpoint.stockPrices, ({ tickers }) => tickers.length < 3)
    assert.isBelow(Query.target(query as Query.Query).length, 60)
  })

  it("of many tickers ask for more than a request has room for", () => {
    const lists = sample(Queries.manyTickers)
    assertHas(lists, ({ length }) => length > 500, (list) => list.length < 500 && list.join().length > 4094)
    for (const list of lists.slice(0, 30)) {
      assert.isTrue(Result.isSuccess(Query.stockPrices(list)))
      assert.strictEqual(new Set(list).size, list.length)
    }
  })

  it("of replies have every status of the contract with every kind of body", () => {
    const replies = sample(Replies.reply, 3000)
    for (const status of [200, 203, 204, 400, 401, 402, 403, 404, 429, 500]) {
      assertHas(
        replies.filter((reply) => reply.status === status).map(({ text }) => text),
        (text) => text === "",
        (text) => text.includes("<html>"),
        (text) => text.includes(`"errmsg"`),
        (text) => text.startsWith("{") && !text.endsWith("}"),
        (text) => text.includes(`"optionSymbol":[`)
      )
    }
  })

  it("of strikes are strikes, or are refused for their problem", () => {
    for (const strike of sample(Strikes.strike)) assert.deepStrictEqual(Strike.parse(strike), Result.succeed(strike))
    assertHas(sample(Strikes.strike), (strike) => strike % 0.5 === 0.25)
    for (const [problem, arbitrary] of Object.entries(Strikes.refused)) {
      for (const input of sample<string | number>(arbitrary)) {
        const parsed = Strike.parse(input)
        assert(Result.isFailure(parsed))
        assert.strictEqual<string>(parsed.failure.problem, problem, String(input))
      }
    }
  })

  it("of travels return to an address within five minutes, and after them", () => {
    const pauses = sample(Travels.travel).flat().map(({ pause }) => pause)
    for (const pause of [0, 299, 300, 301]) assert.include(pauses, pause)
  })

  it("of workloads have schedules of nothing, of once, and of many times at once", () => {
    assertHas(
      sample(Workloads.schedule, 2000),
      ({ times }) => times === 0,
      ({ times }) => times === 1,
      ({ every, times }) => every === 0 && times > 1
    )
  })
})
