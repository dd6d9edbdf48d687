/** What the arbitraries promise of their values. */
import * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Strike from "@effect-marketdata/core/Strike"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Accounts from "@effect-marketdata/testing/arbitraries/Accounts"
import * as Chains from "@effect-marketdata/testing/arbitraries/Chains"
import * as Chunkings from "@effect-marketdata/testing/arbitraries/Chunkings"
import * as Days from "@effect-marketdata/testing/arbitraries/Days"
import * as MalformedChains from "@effect-marketdata/testing/arbitraries/MalformedChains"
import * as OptionSymbols from "@effect-marketdata/testing/arbitraries/OptionSymbols"
import * as Queries from "@effect-marketdata/testing/arbitraries/Queries"
import * as Replies from "@effect-marketdata/testing/arbitraries/Replies"
import * as Schemas from "@effect-marketdata/testing/arbitraries/Schemas"
import * as Strikes from "@effect-marketdata/testing/arbitraries/Strikes"
import * as Travels from "@effect-marketdata/testing/arbitraries/Travels"
import * as Workloads from "@effect-marketdata/testing/arbitraries/Workloads"
import * as Law from "@effect-marketdata/testing/Law"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

const sample = <A>(arbitrary: fc.Arbitrary<A>, numRuns = 300): ReadonlyArray<A> =>
  fc.sample(arbitrary, { numRuns, seed: 11 })

/** The smallest value for which a predicate does not hold. */
const smallest = <A>(arbitrary: fc.Arbitrary<A>, holds: (value: A) => boolean): unknown => {
  const tried = Law.attempt(Law.make({ name: "planted", clauses: [], arbitrary, holds }), { runs: 1000, seed: 11 })
  assert(Result.isFailure(tried))
  return tried.failure.counterexample
}

const { NYSE } = TradingCalendar

describe("Days", () => {
  it("are of the years that symbols know", () => {
    for (const day of sample(Days.anyDay)) {
      assert.isTrue(CalendarDate.isCalendarDate(day) && day.year >= 2000 && day.year <= 2099)
    }
  })

  it("holidays and half days are what they are called", () => {
    for (const day of sample(Days.holiday)) assert.strictEqual(NYSE.day(day)._tag, "Holiday")
    for (const date of sample(Days.halfDay)) {
      const day = NYSE.day(date)
      assert(day._tag === "Session")
      assert.isBelow(day.close, 16 * 3600)
    }
    for (const day of sample(Days.tradingDay)) assert.isTrue(TradingCalendar.isTradingDay(NYSE, day))
  })

  it("clocks change on the days on which they are said to", () => {
    for (const day of sample(Days.clockChange)) {
      const next = CalendarDate.addDays(day, 1)
      assert.notStrictEqual(Eastern.midnight(next) - Eastern.midnight(day), 86_400)
    }
  })

  it("instants meet both hours of autumn, and the edges of sessions", () => {
    const instants = sample(Days.instant, 3000)
    const resolutions = instants.map((instant) => {
      const { date, secondOfDay } = Eastern.fromEpochSeconds(instant)
      return Eastern.resolve(date, secondOfDay)
    })
    assert.isTrue(resolutions.some((at, index) => at._tag === "Overlap" && at.earlier === instants[index]))
    assert.isTrue(resolutions.some((at, index) => at._tag === "Overlap" && at.later === instants[index]))
    for (const second of [9.5 * 3600, 13 * 3600, 16 * 3600, 16.25 * 3600, 0]) {
      assert.isTrue(instants.some((instant) => Eastern.secondOfDay(instant) === second), `nothing at ${second}`)
    }
  })
})

describe("Strikes", () => {
  it("are strikes", () => {
    for (const strike of sample(Strikes.strike)) assert.deepStrictEqual(Strike.parse(strike), Result.succeed(strike))
  })

  for (const [problem, arbitrary] of Object.entries(Strikes.refused)) {
    it(`are refused for their problem: ${problem}`, () => {
      for (const input of sample(arbitrary)) {
        const parsed = Strike.parse(input)
        assert(Result.isFailure(parsed))
        assert.strictEqual<string>(parsed.failure.problem, problem, String(input))
      }
    })
  }
})

describe("OptionSymbols", () => {
  it("are symbols", () => {
    for (const symbol of sample(OptionSymbols.optionSymbol)) assert.isTrue(OptionSymbol.isOptionSymbol(symbol))
  })

  it("shrink to a symbol that can be read at a glance", () => {
    const symbol = smallest(OptionSymbols.optionSymbol, ({ side, strike }) => !(side === "put" && strike % 1 !== 0))
    assert(OptionSymbol.isOptionSymbol(symbol))
    assert.isAtMost(symbol.root.length, 4)
    assert.isBelow(symbol.strike, 1.1)
  })
})

describe("Chains", () => {
  it("hold every kind of contract", () => {
    const rows = sample(Chains.chain).flat()
    const has = (is: (row: OptionChain.Row) => boolean) => assert.isTrue(rows.some(is), String(is))
    has(({ last }) => last === null)
    has(({ last }) => last === 0)
    has(({ dte }) => dte === 0)
    has(({ bid, mid }) => bid !== mid)
    has(({ inTheMoney, side }) => inTheMoney === true && side === "put")
    has(({ inTheMoney, intrinsicValue }) => inTheMoney === false && intrinsicValue === 0)
    has(({ underlying }) => underlying === "SPX")
    has(({ optionSymbol, underlying }) => !optionSymbol.startsWith(underlying))
    assert.isTrue(sample(Chains.chain).some(({ length }) => length === 0))
    assert.isTrue(sample(Chains.chain).some(({ length }) => length === 12))
  })

  it("shrink to the one row that matters", () => {
    const rows = smallest(Chains.chain, (rows) => rows.every(({ last }) => last !== null))
    assert(Array.isArray(rows))
    assert.strictEqual(rows.length, 1)
    assert.deepInclude(rows[0], { side: "call", bid: 0, ask: 0, last: null, dte: 0, volume: 0 })
  })

  it("deviate in strict decoding too, by the same code or by `Deviation`", () => {
    for (const [code, arbitrary] of Object.entries(Chains.deviant)) {
      for (const { body } of sample(arbitrary, 30)) {
        const decoded = OptionChain.decode(body, { strict: true })
        assert(Result.isFailure(decoded))
        assert.include([code, "Deviation"], decoded.failure.code)
      }
    }
  })
})

describe("MalformedChains", () => {
  for (const [code, arbitrary] of Object.entries(MalformedChains.malformed)) {
    it(`are refused for their code: ${code}`, () => {
      for (const { body } of sample(arbitrary, code === "TokenTooLong" ? 3 : 60)) {
        const decoded = OptionChain.decode(body)
        assert(Result.isFailure(decoded))
        assert.strictEqual<string>(decoded.failure.code, code)
      }
    })
  }
})

describe("Chunkings", () => {
  it("lose no byte, and cut everywhere", () => {
    const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7])
    const firsts = new Set<number>()
    for (const chunking of sample(Chunkings.chunking)) {
      const pieces = Chunkings.cut(bytes, chunking)
      assert.deepStrictEqual(pieces.flatMap((piece) => [...piece]), [...bytes])
      firsts.add(pieces[0]!.length)
    }
    assert.deepStrictEqual(firsts, new Set([0, 1, 2, 3, 4, 5, 6, 7]))
  })
})

describe("Queries", () => {
  for (const [endpoint, arbitrary] of Object.entries(Queries.byEndpoint)) {
    it(`go to their endpoint: ${endpoint}`, () => {
      for (const query of sample(arbitrary, 60)) assert.strictEqual(query.endpoint, endpoint)
    })
  }

  it("ask in every mode of the contract, and in none", () => {
    const modes = new Set(sample(Queries.query, 1000).map(({ mode }) => mode?._tag))
    assert.deepStrictEqual(modes, new Set(["Cached", "CachedOrLive", "Delayed", "Live", undefined]))
  })

  it("shrink to a short question", () => {
    const query = smallest(Queries.byEndpoint.stockPrices, ({ tickers }) => tickers.length < 3)
    assert.isBelow(JSON.stringify(query).length, 400)
  })

  it("ask for more tickers than a request has room for", () => {
    const lists = sample(Queries.manyTickers)
    assert.isTrue(lists.some(({ length }) => length > 500))
    assert.isTrue(lists.some((list) => list.length < 500 && list.join().length > 4094))
    for (const list of lists.slice(0, 30)) {
      assert.isTrue(Result.isSuccess(Query.stockPrices(list)))
      assert.strictEqual(new Set(list).size, list.length)
    }
  })
})

describe("Accounts", () => {
  it("are of every plan and user", () => {
    const kinds = new Set(sample(Accounts.account).map(({ plan, user }) => `${plan} ${Account.dataTypeOfUser(user)}`))
    assert.strictEqual(kinds.size, 9)
  })
})

describe("Workloads", () => {
  it("have schedules of nothing, of once, and of many times at once", () => {
    const schedules = sample(Workloads.schedule, 2000)
    assert.isTrue(schedules.some(({ times }) => times === 0))
    assert.isTrue(schedules.some(({ times }) => times === 1))
    assert.isTrue(schedules.some(({ every, times }) => every === 0 && times > 1))
  })
})

describe("Replies", () => {
  it("have every status of the contract with every kind of body", () => {
    const replies = sample(Replies.reply, 3000)
    for (const status of [200, 203, 204, 400, 401, 402, 403, 404, 429, 500]) {
      const texts = replies.filter((reply) => reply.status === status).map(({ text }) => text)
      const has = (is: (text: string) => boolean) => assert.isTrue(texts.some(is), `${status} ${String(is)}`)
      has((text) => text === "")
      has((text) => text.includes("<html>"))
      has((text) => text.includes(`"errmsg"`))
      has((text) => text.startsWith("{") && !text.endsWith("}"))
      has((text) => text.includes(`"optionSymbol":[`))
    }
  })
})

describe("Travels", () => {
  it("return to an address within five minutes, and after them", () => {
    const pauses = sample(Travels.travel).flat().map(({ pause }) => pause)
    for (const pause of [0, 299, 300, 301]) assert.include(pauses, pause)
  })
})

describe("Schemas", () => {
  const drawn = <A>(arbitrary: Arbitrary.Arbitrary<A>): ReadonlyArray<A> =>
    Effect.runSync(Arbitrary.sampleEffect(arbitrary, { count: 300, seed: 11 }))

  it("are legal values of core's Schemas", () => {
    const isSymbol = Schema.is(OptionSymbol.FromString)
    const isDay = Schema.is(CalendarDate.FromString)
    const isReason = Schema.is(Reason.Reason)
    for (const symbol of drawn(Schemas.optionSymbol)) assert.isTrue(isSymbol(symbol), JSON.stringify(symbol))
    for (const day of drawn(Schemas.calendarDate)) assert.isTrue(isDay(day))
    for (const reason of drawn(Schemas.reason)) assert.isTrue(isReason(reason))
  })

  it("draw every reason", () => {
    assert.isAtLeast(new Set(drawn(Schemas.reason).map(({ _tag }) => _tag)).size, 19)
  })
})
