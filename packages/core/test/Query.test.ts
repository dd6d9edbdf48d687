import { CalendarDate, DataMode, NewYork, Problem, Query } from "@effect-marketdata/core"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"
import * as Queries from "./support/queries.ts"

const runs = trials(4_1)

const target = (options: Queries.Options = {}, underlying = "AAPL"): string =>
  Query.target(Queries.chain(options, underlying))

const refusal = (options: Queries.Options, underlying = "AAPL"): InvalidQuery =>
  Result.getOrThrow(Result.flip(Query.optionChain(underlying, options)))

const modes = [DataMode.live, DataMode.delayed, DataMode.cached(), DataMode.cachedOrLive()]

/** Lets untyped code pass what the types rule out. */
const untyped = (options: unknown): Queries.Options => options as Queries.Options

describe("optionChain", () => {
  it("[4-mode-everywhere] [8.2-modes] writes any mode by its name", () => {
    const written = modes.map((mode) => new URL(target({ mode }), "https://service.test").searchParams.get("mode"))
    assert.deepStrictEqual(written, ["live", "delayed", "cached", "cached"])
  })

  it("[8.2-default] [8.2-access] leaves the mode to the plan where none is given, and never asks for cached data unasked", () => {
    assert.notInclude(target(), "mode")
    assert.notInclude(target({ date: "2026-01-02", side: "call" }), "mode")
  })
})

describe("what is refused before it is sent", () => {
  const expectRefusal = (options: Queries.Options, parameter: string, value: unknown, underlying?: string) => {
    const reason = refusal(options, underlying)
    const told = [reason._tag, reason.parameter, reason.value]
    assert.deepStrictEqual(told, ["InvalidQuery", parameter, Problem.shown(value)])
    assert.include(reason.message, parameter)
    assert.isFalse(reason.isRetryable)
  }

  it("[7.3-cause-wrong-type] a greatest age that is not a duration, or under a minute", () => {
    expectRefusal({ mode: DataMode.cached({ maxAge: "30 seconds" }) }, "maxAge", "30 seconds")
    expectRefusal({ mode: DataMode.cachedOrLive({ maxAge: -1 }) }, "maxAge", -1)
    expectRefusal(untyped({ mode: { _tag: "Cached", maxAge: "soon" } }), "maxAge", "soon")
  })
})

describe("checkDate", () => {
  const check = (date: string | undefined, now: string) =>
    Query.checkDate(Queries.chain({ date }), Date.parse(now) / 1000)

  it("[4.1-date] [7.3-cause-unsupported-value] refuses today and later days, and says why", () => {
    for (const date of ["2026-11-20", "2026-11-21", "2027-01-01", "9999-12-31"]) {
      const reason = Result.getOrThrow(Result.flip(check(date, "2026-11-20T12:00:00-05:00")))
      assert.deepStrictEqual([reason.parameter, reason.value], ["date", `"${date}"`])
      assert.include(reason.message, "before today in New York")
    }
  })

  it("[4.1-date] agrees with the day in New York at any instant", () => {
    forAll(runs, fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: -3, max: 3 }), (now, days) => {
      const date = CalendarDate.addDays(NewYork.dateOf(now), days)
      const checked = Query.checkDate(Queries.chain({ date }), now)
      assert.strictEqual(Result.isSuccess(checked), days < 0)
    })
  })
})

it("dateOf returns the past day of a query, and no other day", () => {
  assert.strictEqual(Query.dateOf(Queries.chain({ date: "2026-01-02", expiration: "2026-02-20" })), "2026-01-02")
  assert.isUndefined(Query.dateOf(Queries.chain({ expiration: "2026-02-20" })))
})
