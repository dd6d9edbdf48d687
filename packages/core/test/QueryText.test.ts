/** Queries of texts: what each may be, what is refused by which name, and days that are told from today. */
import { NewYork, OptionSymbol, Plan, Problem, Query, QueryText } from "@effect-marketdata/core"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, runs } from "./support/depth.ts"

const refused = <A>(read: Result.Result<A, InvalidQuery>) => {
  const { example, parameter, rule } = Result.getOrThrow(Result.flip(read))
  return [parameter, rule, example]
}

const now = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

describe("numbers of a filter", () => {
  const of = (text: string | undefined) => QueryText.numbers("strike", text, ">=1")

  it("are one, a list, a range or a bound", () => {
    const read = ["150", "1,.5,2.25", "150-160", ">150", ">= 150", "<1", "<=.5", undefined].map((text) =>
      Result.getOrThrow(of(text))
    )
    const bounds = [{ above: 150 }, { atLeast: 150 }, { below: 1 }, { atMost: 0.5 }]
    assert.deepStrictEqual(read, [150, [1, 0.5, 2.25], { from: 150, to: 160 }, ...bounds, undefined])
  })

  it("are refused by their name, with an example that would do", () => {
    const backwards = refused(of("160-150"))
    assert.deepStrictEqual(backwards, ["strike", "must go from the smaller number to the greater", "150-160"])
    for (const text of ["", "-1", "1-", "1e3", "about 5", ">", "1,,2", null as never, {} as never]) {
      assert.deepStrictEqual(refused(of(text))[2], ">=1", text)
    }
  })

  it("are read again as what they were", () => {
    const number = fc.integer({ min: 0, max: 99_999_999 }).map((thousandths) => thousandths / 1000)
    forAll({ numRuns: runs(100) }, number, number, (a, b) => {
      assert.strictEqual(Result.getOrThrow(of(String(a))), a)
      assert.deepStrictEqual(Result.getOrThrow(of(`<${a}`)), { below: a })
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      assert.deepStrictEqual(Result.getOrThrow(of(`${from}-${to}`)), { from, to })
    })
  })
})

it("an option symbol may have the blanks that fill its root", () => {
  for (const text of ["SPXW261120P06500500", "SPXW  261120P06500500"]) {
    assert.strictEqual(OptionSymbol.format(Result.getOrThrow(QueryText.optionSymbol(text))), "SPXW261120P06500500")
  }
  assert.strictEqual(refused(QueryText.optionSymbol("AAPL"))[0], "symbol")
})

it("a mode has an age and a ceiling only where it is cached", () => {
  const tag = (given: QueryText.Mode) => Result.getOrThrow(QueryText.mode(given))?._tag
  const given = [{}, { mode: "live" }, { mode: "delayed" }, { mode: "cached" }, { mode: "cached", fallbackUpTo: 5 }]
  const tags = given.map((mode) => tag(mode as QueryText.Mode))
  assert.deepStrictEqual(tags, [undefined, "Live", "Delayed", "Cached", "CachedOrLive"])
  const live = refused(QueryText.mode({ mode: "live", maxAge: "5min" }, "--"))
  assert.deepStrictEqual(live, ["--max-age", "is for cached data only", "--mode cached --max-age 5min"])
  assert.deepStrictEqual(refused(QueryText.mode({ fallbackUpTo: 5 }))[0], "fallback-up-to")
  assert.deepStrictEqual(refused(QueryText.mode({ mode: "cached", maxAge: "soon" }))[0], "max-age")
})

describe("a day", () => {
  it("is told from today in New York, and any other text stays as it is", () => {
    const day = (text: string) => QueryText.day(text, now)
    assert.deepStrictEqual(
      ["today", " Now ", "yesterday", "1 day ago", "2 weeks ago", "2026-11-02", "-5 days", "last friday"].map(day),
      ["2026-11-20", "2026-11-20", "2026-11-19", "2026-11-19", "2026-11-06", "2026-11-02", "-5 days", "last friday"]
    )
    // It is already Saturday in London.
    const evening = NewYork.at({ year: 2026, month: 11, day: 20 }, 22, 0)
    assert.strictEqual(QueryText.day("today", evening), "2026-11-20")
  })

  it("ends a range that is left open, unless candles are counted or the range begins later", () => {
    const range = (given: QueryText.Range) => Object.values(QueryText.range(given, now))
    assert.deepStrictEqual(range({ from: "yesterday" }), ["2026-11-19", "2026-11-20"])
    assert.deepStrictEqual(range({ from: "2026-11-02", to: "yesterday" }), ["2026-11-02", "2026-11-19"])
    assert.deepStrictEqual(range({ from: "2026-11-02", countback: 3 }), ["2026-11-02", undefined])
    assert.deepStrictEqual(range({ from: "2026-12-01" }), ["2026-12-01", undefined])
    assert.deepStrictEqual(range({ to: "today" }), [undefined, "2026-11-20"])
  })
})

describe("queries of texts", () => {
  it("are one for each contract, however often it is named", () => {
    const two = ["SPXW261120P06500500", "SPXW  261120P06500500", "AAPL261218C00150000"]
    const queries = Result.getOrThrow(QueryText.optionQuotes(two, {}))
    assert.deepStrictEqual(queries.map(({ subject }) => subject), ["SPXW261120P06500500", "AAPL261218C00150000"])
  })

  it("are what the constructors make, where the options go together", () => {
    const target = (made: Result.Result<Query.Query, InvalidQuery>) => Query.target(Result.getOrThrow(made))
    assert.include(target(QueryText.stockQuotes(["AAPL"], { "52week": true })), "52week=true")
    assert.notInclude(target(QueryText.stockQuotes(["AAPL", "MSFT"], { candle: true })), "52week")
    assert.include(target(QueryText.stockBulkCandles([], { all: true })), "snapshot=true")
    assert.include(target(QueryText.marketStatus("2026-11-20", {})), "date=2026-11-20")
  })

  it("are refused where they do not", () => {
    assert.strictEqual(refused(QueryText.stockQuotes(["AAPL", "MSFT"], { "52week": true }))[1], "is for one stock only")
    assert.strictEqual(refused(QueryText.stockBulkCandles(["AAPL"], { all: true }))[0], "all")
    const both = QueryText.marketStatus("2026-11-20", { date: "2026-11-21" })
    assert.strictEqual(refused(both)[1], "cannot be combined with the day 2026-11-20")
  })

  it("never break by what callers without types give", () => {
    const numbers = (text: string) => QueryText.numbers("strike", text, ">=1")
    const functions: ReadonlyArray<unknown> = Object.values({ ...QueryText, numbers, task: Plan.task })
    for (const read of functions as ReadonlyArray<(...given: ReadonlyArray<unknown>) => unknown>) {
      for (const value of [undefined, null, 5, {}, [null]]) {
        const done = Result.try(() => read(value, value))
        if (Result.isFailure(done)) assert.instanceOf(done.failure, Problem.ValueError)
      }
    }
  })
})
