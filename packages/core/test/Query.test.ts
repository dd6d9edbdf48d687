import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as Reason from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { hostileText } from "./support/arbitraries.ts"
import { names } from "./support/chains.ts"
import * as Queries from "./support/queries.ts"
import { trials } from "./support/depth.ts"

const runs = trials(4_1)

const target = (options: Queries.Options = {}, underlying = "AAPL"): string =>
  Query.target(Queries.chain(options, underlying))

const refusal = (options: Queries.Options, underlying = "AAPL"): InvalidQuery =>
  Result.getOrThrow(Result.flip(Query.optionChain(underlying, options)))

const modes = [DataMode.live, DataMode.delayed, DataMode.cached(), DataMode.cachedOrLive()]

/** Lets untyped code pass what the types rule out. */
const untyped = (options: unknown): Queries.Options => options as Queries.Options

describe("Query", () => {
  describe("optionChain", () => {
    it("[4.1-path] [9-version] asks for the chain of an underlying under /v1/", () => {
      assert.strictEqual(target(), "/v1/options/chain/AAPL/")
      assert.strictEqual(target({}, "BRK.B"), "/v1/options/chain/BRK.B/")
    })

    it("[4.1-path] percent-encodes the underlying", () => {
      assert.strictEqual(target({}, "^SPX"), "/v1/options/chain/%5ESPX/")
      assert.strictEqual(target({}, "$DJI"), "/v1/options/chain/%24DJI/")
      // What it means is for the service to say: letters stay as they were given.
      assert.strictEqual(target({}, "brk.b"), "/v1/options/chain/brk.b/")
    })

    it("[4.1-params] writes mode, maxage and date", () => {
      assert.strictEqual(
        target({ mode: DataMode.cached({ maxAge: "5 minutes" }) }),
        "/v1/options/chain/AAPL/?mode=cached&maxage=5min"
      )
      assert.strictEqual(
        target({ date: "2026-01-02", mode: DataMode.delayed }),
        "/v1/options/chain/AAPL/?date=2026-01-02&mode=delayed"
      )
      assert.strictEqual(
        target({ expiration: { year: 2026, month: 11, day: 20 }, side: "put", columns: ["strike", "bid"] }),
        "/v1/options/chain/AAPL/?expiration=2026-11-20&side=put&columns=strike,bid"
      )
    })

    it("[8.3-maxage-forms] writes the greatest age in whole minutes or hours", () => {
      assert.include(target({ mode: DataMode.cached({ maxAge: "90 seconds" }) }), "maxage=1min")
      assert.include(target({ mode: DataMode.cachedOrLive({ maxAge: "2 hours" }) }), "maxage=2h")
      assert.notInclude(target({ mode: DataMode.cached() }), "maxage")
    })

    it("[4-mode-everywhere] [8.2-modes] writes any mode by its name", () => {
      const written = modes.map((mode) => new URL(target({ mode }), "https://service.test").searchParams.get("mode"))
      assert.deepStrictEqual(written, ["live", "delayed", "cached", "cached"])
    })

    it("[8.2-default] [8.2-access] leaves the mode to the plan where none is given, and never asks for cached data unasked", () => {
      assert.notInclude(target(), "mode")
      assert.notInclude(target({ date: "2026-01-02", side: "call" }), "mode")
    })

    it("[7.3-url-shape] writes path, then ?key=value&key2=value2, and every value can be read back", () => {
      fc.assert(
        fc.property(Queries.ticker, Queries.options, (ticker, options) => {
          const text = target(options, ticker)
          const url = new URL(text, "https://service.test")
          assert.strictEqual(url.href, `https://service.test${text}`)
          assert.match(text, /^\/v1\/options\/chain\/[^/?&=]+\/(\?\w+=[^?&=]+(&\w+=[^?&=]+)*)?$/)
          assert.deepStrictEqual(url.pathname.split("/").map(decodeURIComponent), [
            "",
            "v1",
            "options",
            "chain",
            ticker,
            ""
          ])
          const read = (day: CalendarDate.Input | undefined) =>
            day === undefined || typeof day === "string" ? day : CalendarDate.format(day)
          const expected = {
            date: read(options.date),
            expiration: read(options.expiration),
            side: options.side,
            columns: options.columns?.join(","),
            mode: options.mode && DataMode.parameter(options.mode)
          }
          const { maxage: _, ...written } = Object.fromEntries(url.searchParams)
          assert.deepStrictEqual(written, JSON.parse(JSON.stringify(expected)))
        }),
        runs
      )
    })
  })

  describe("what is refused before it is sent", () => {
    const expectRefusal = (options: Queries.Options, parameter: string, value: unknown, underlying?: string) => {
      const reason = refusal(options, underlying)
      assert.deepStrictEqual([reason._tag, reason.parameter, reason.value], [
        "InvalidQuery",
        parameter,
        Problem.shown(value)
      ])
      assert.include(reason.message, parameter)
      assert.isFalse(reason.isRetryable)
    }

    it("[7.3-cause-url] an underlying that would end its path segment, climb out of it or start a query", () => {
      const others = [
        "",
        ".",
        "..",
        "...",
        "A/B",
        "A\\B",
        "../x",
        "A?b=c",
        "A&b=c",
        "A=b",
        "A#b",
        "A%2FB",
        "A B",
        "A\n",
        "A;b"
      ]
      for (const text of [...others, "Ä", "😀", "A".repeat(33)]) expectRefusal({}, "underlying", text, text)
    })

    it("[7.3-cause-url] anything else than a ticker, for any text", () => {
      fc.assert(
        fc.property(fc.oneof(hostileText, Queries.ticker), (text) => {
          const asked = Query.optionChain(text)
          if (Result.isFailure(asked)) return assert.isBelow(asked.failure.message.length, 700)
          const { href, pathname, search } = new URL(Query.target(asked.success), "https://service.test")
          assert.strictEqual(href, `https://service.test${Query.target(asked.success)}`)
          assert.strictEqual(search, "")
          assert.strictEqual(decodeURIComponent(pathname), `/v1/options/chain/${text}/`)
        }),
        runs
      )
    })

    it("[7.3-cause-malformed-query] a list without a column", () => {
      expectRefusal({ columns: [] }, "columns", [])
    })

    it("[7.3-cause-wrong-type] an invalid day, as date or as expiration", () => {
      for (const text of ["2026-02-29", "20260102", "yesterday", "", "2026-01-02&mode=live"]) {
        expectRefusal({ date: text }, "date", text)
        expectRefusal({ expiration: text }, "expiration", text)
      }
      expectRefusal({ date: { year: 2026, month: 13, day: 1 } }, "date", { year: 2026, month: 13, day: 1 })
    })

    it("[7.3-cause-wrong-type] a greatest age that is no duration, or under a minute", () => {
      expectRefusal({ mode: DataMode.cached({ maxAge: "30 seconds" }) }, "maxAge", "30 seconds")
      expectRefusal({ mode: DataMode.cachedOrLive({ maxAge: -1 }) }, "maxAge", -1)
      expectRefusal(untyped({ mode: { _tag: "Cached", maxAge: "soon" } }), "maxAge", "soon")
    })

    it("names a value once, and the rule that it breaks", () => {
      const refused: ReadonlyArray<Result.Result<unknown, Reason.InvalidQuery>> = [
        Query.optionChain("A", { date: "soon" }),
        Query.optionChain("A", { strike: 0.0001 }),
        Query.optionChain("A", untyped({ mode: { _tag: "Cached", maxAge: "soon" } })),
        Query.optionQuote("AAPL261120X00150000"),
        Query.optionExpirations("A", { strike: 0.0001 }),
        Query.optionLookup({ underlying: "A", expiration: "2026-11-20", strike: 0.0001, side: "call" })
      ]
      for (const { message, value } of refused.map((asked) => Result.getOrThrow(Result.flip(asked)))) {
        assert.strictEqual(message.split(value).length, 2, message)
        assert.match(message, / (must .*, |(is|has) .*\. Expected )e\.g\. .*\. Nothing was sent\.$/)
      }
    })

    it("[7.3-cause-unsupported-value] a side or a column that there is not", () => {
      expectRefusal(untyped({ side: "straddle" }), "side", "straddle")
      expectRefusal(untyped({ columns: ["strike", "rho"] }), "columns", "rho")
      expectRefusal(untyped({ columns: ["toString"] }), "columns", "toString")
    })

    it("a number of contracts that is not a count", () => {
      for (const contracts of [-1, 0.5, NaN, Infinity]) {
        expectRefusal({ assume: { contracts } }, "assume.contracts", contracts)
      }
    })

    it("[8.2-cached-unavailable] cached data of a past day", () => {
      expectRefusal({ date: "2026-01-02", mode: DataMode.cached() }, "mode", "cached")
      expectRefusal({ date: "2026-01-02", mode: DataMode.cachedOrLive() }, "mode", "cached")
      for (const mode of [undefined, DataMode.live, DataMode.delayed]) {
        assert.isTrue(Result.isSuccess(Query.optionChain("AAPL", { date: "2026-01-02", mode })))
      }
    })
  })

  describe("checkDate", () => {
    const check = (date: string | undefined, now: string) =>
      Query.checkDate(Queries.chain({ date }), Date.parse(now) / 1000)

    it("[4.1-date] takes days before today in New York", () => {
      assert.deepStrictEqual(check("2026-11-19", "2026-11-20T12:00:00-05:00"), Result.succeed(undefined))
      assert.deepStrictEqual(check("2005-01-03", "2026-11-20T12:00:00-05:00"), Result.succeed(undefined))
    })

    it("[4.1-date] asks for a past day whatever the mode, and for current data without a date", () => {
      const now = Date.parse("2026-11-20T12:00:00-05:00") / 1000
      for (const mode of [undefined, DataMode.live, DataMode.delayed]) {
        assert.isTrue(Result.isFailure(Query.checkDate(Queries.chain({ date: "2026-11-20", mode }), now)))
        assert.isTrue(Result.isSuccess(Query.checkDate(Queries.chain({ date: "2026-11-19", mode }), now)))
        assert.isTrue(Queries.chain({ date: "2026-11-19", mode }).historical)
        assert.isFalse(Queries.chain({ mode }).historical)
      }
    })

    it("[4.1-date] [7.3-cause-unsupported-value] refuses today and later days, and says why", () => {
      for (const date of ["2026-11-20", "2026-11-21", "2027-01-01", "9999-12-31"]) {
        const reason = Result.getOrThrow(Result.flip(check(date, "2026-11-20T12:00:00-05:00")))
        assert.deepStrictEqual([reason.parameter, reason.value], ["date", `"${date}"`])
        assert.include(reason.message, "before today in New York")
      }
    })

    it("[4.1-date] changes the day at midnight in New York, summer and winter", () => {
      assert.isTrue(Result.isFailure(check("2026-11-20", "2026-11-20T23:59:59-05:00")))
      assert.isTrue(Result.isSuccess(check("2026-11-20", "2026-11-21T00:00:00-05:00")))
      assert.isTrue(Result.isFailure(check("2026-07-17", "2026-07-17T23:59:59-04:00")))
      assert.isTrue(Result.isSuccess(check("2026-07-17", "2026-07-18T00:00:00-04:00")))
    })

    it("[4.1-date] agrees with the day in New York at any instant", () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: -3, max: 3 }), (now, days) => {
          const date = CalendarDate.addDays(NewYork.dateOf(now), days)
          const checked = Query.checkDate(Queries.chain({ date }), now)
          assert.strictEqual(Result.isSuccess(checked), days < 0)
        }),
        runs
      )
    })

    it("[4.1-date] has nothing against a query about current data", () => {
      assert.isTrue(Result.isSuccess(check(undefined, "2026-11-20T12:00:00-05:00")))
    })
  })

  describe("withMode", () => {
    it("[8.3-fallback] [4.1-maxage-cached-only] asks the same query live, and drops the greatest age", () => {
      const cached = Queries.chain({
        mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }),
        expiration: "2026-11-20",
        columns: ["bid"]
      })
      assert.strictEqual(
        Query.target(Query.withMode(cached, DataMode.live)),
        "/v1/options/chain/AAPL/?expiration=2026-11-20&columns=bid&mode=live"
      )
    })

    it("[4.1-maxage-cached-only] changes nothing but mode and age, and leaves an age to cached modes only", () => {
      const mode = fc.constantFrom(DataMode.live, DataMode.delayed, DataMode.cached())
      fc.assert(
        fc.property(Queries.options.map((options) => ({ ...options, date: undefined })), mode, (options, mode) => {
          const query = Queries.chain(options)
          const other = Query.withMode(query, mode)
          assert.deepStrictEqual({ ...other, mode: query.mode, maxAge: query.maxAge }, query)
          assert.strictEqual(
            Query.target(other).includes("maxage"),
            mode._tag === "Cached" && query.maxAge !== undefined
          )
        }),
        runs
      )
    })
  })

  describe("dateOf", () => {
    it("returns the past day of a query, and no other day", () => {
      assert.strictEqual(Query.dateOf(Queries.chain({ date: "2026-01-02", expiration: "2026-02-20" })), "2026-01-02")
      assert.isUndefined(Query.dateOf(Queries.chain({ expiration: "2026-02-20" })))
    })
  })

  describe("format", () => {
    it("says what is asked of whom", () => {
      assert.strictEqual(Query.format(Queries.chain({}, "SPX")), "optionChain SPX")
    })
  })

  it("asks for any of the 25 columns", () => {
    assert.include(target({ columns: [...names] }), `columns=${names.join(",")}`)
  })
})
