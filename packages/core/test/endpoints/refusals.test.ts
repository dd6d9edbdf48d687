import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Period from "@effect-marketdata/core/Period"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"

const lookup = { underlying: "AAPL", expiration: "2026-11-20", strike: 150, side: "call" } as const

/** What no type lets through, and data from elsewhere may hold. */
const untyped = (value: unknown): never => value as never

type Ask = () => Result.Result<unknown, Reason.InvalidQuery>

/** What is asked, and the value and the advice of its refusal. */
const refusals: ReadonlyArray<readonly [Ask, value: string, advice: string]> = [
  [() => Query.optionChain("A", untyped({ expiration: "all", dte: 30 })), "30", "by dte"],
  [() => Query.optionChain("A", untyped({ strike: 100, delta: 0.5 })), "0.5", "leave one out"],
  [
    () => Query.optionChain("A", untyped({ date: "2026-11-19", from: "2026-11-20" })),
    "2026-11-20",
    "use month and year"
  ],
  [() => Query.optionChain("A", untyped({ date: "2026-11-19", delta: 0.5 })), "0.5", "no greeks"],
  [() => Query.optionChain("A", untyped({ weekly: true, monthly: false })), "false", "all true or all false"],
  [() => Query.optionChain("AAPL", { am: true }), "true", "AAPL is none that is known"],
  [() => Query.optionChain("A", { strike: [] }), "", "at least one number"],
  [
    () => Query.optionChain("A", { strike: { from: 410, to: 400 } }),
    "410-400",
    "from the smaller number to the greater"
  ],
  [() => Query.optionChain("A", { dte: -1 }), "-1", "0 or more"],
  [() => Query.optionChain("A", { month: 13 }), "13", "from 1 to 12"],
  [() => Query.optionChain("A", { minBid: -1 }), "-1", "a number from 0 to 1000000000, not finer than a millionth"],
  [() => Query.optionChain("A", { side: untyped("straddle") }), "straddle", `write "call" or "put"`],
  [() => Query.optionChain("A", { nonstandard: untyped("yes") }), "yes", "true or false"],
  [() => Query.optionChain("A", { columns: [] }), "", "leave columns out"],
  [() => Query.optionExpirations("A", untyped({ mode: DataMode.cached() })), "cached", "at this endpoint"],
  [() => Query.stockPrices(["A"], { columns: [untyped("bid")] }), "bid", "symbol, mid, change"],
  [
    () => Query.optionChain("A", { mode: untyped({ ...DataMode.live, maxAge: "5 minutes" }) }),
    "5min",
    "only cached data have a greatest age"
  ],
  [() => Query.optionChain("A", { assume: { contracts: -1 } }), "-1", "0 or more"],
  [() => Query.optionChain("A", { assume: { kind: "other" } }), "other", "the price rule of this endpoint: chain"],
  [() => Query.optionLookup("A?b"), "A?b", "such as AAPL 7/28/2023 200 Call"],
  [() => Query.optionLookup("A?b"), "A?b", "commas and dashes only"],
  [() => Query.optionLookup({ ...lookup, expiration: "soon" }), "soon", "no calendar day"],
  [() => Query.optionQuote("AAPL"), "AAPL", "no option symbol"],
  [() => Query.optionQuote({ ...lookup, root: "", expiration: untyped({}) }), `{"under`, "no option symbol"],
  [() => Query.stockCandles(untyped("2X"), "A"), "2X", "5, 2H, D, 3M"],
  [() => Query.fundCandles(untyped("5"), "A"), "5", "D, 3M"],
  [() => Query.stockQuotes([]), "", `such as ["SPY"]`],
  [() => Period.parameters({ date: "2026-11-19", countback: 1 }), "1", "not both"],
  [() => Period.parameters({ from: "2026-11-19", countback: 1 }), "1", "is counted back"],
  [() => Period.parameters({ from: "2026-11-19", to: "2026-11-18" }), "2026-11-19", "this one ends 2026-11-18"],
  [() => Period.parameters({ date: "2026-11-19", from: "2026-11-18" }), "2026-11-18", "one day, or a range"],
  [() => Period.parameters({ to: "2026-11-20 24:00" }), "2026-11-20 24:00", "between 00:00:00 and 23:59:59"],
  [
    () => Period.parameters({ to: { date: { year: 2026, month: 11, day: 20 }, secondOfDay: 86_400 } }),
    "86400",
    "the seconds 0 to 86399"
  ]
]

describe("A refusal", () => {
  for (const [ask, value, advice] of refusals) {
    it(`[7.3-cause-unsupported-value] quotes ${JSON.stringify(value)} and says: ${advice}`, () => {
      const refusal = Result.getOrThrow(Result.flip(ask()))
      assert.isTrue(value === "" ? refusal.value === "" : refusal.value.startsWith(value), refusal.value)
      assert.include(refusal.rule, advice)
    })
  }
})
