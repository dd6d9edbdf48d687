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
  [() => Query.optionChain("A", untyped({ expiration: "all", dte: 30 })), "30", "cannot be combined with expiration"],
  [() => Query.optionChain("A", untyped({ strike: 100, delta: 0.5 })), "0.5", "cannot be combined with strike"],
  [
    () => Query.optionChain("A", untyped({ date: "2026-11-19", from: "2026-11-20" })),
    `"2026-11-20"`,
    "cannot be combined with date"
  ],
  [() => Query.optionChain("A", untyped({ date: "2026-11-19", delta: 0.5 })), "0.5", "cannot be combined with date"],
  [() => Query.optionChain("A", untyped({ weekly: true, monthly: false })), "false", "must be true like weekly"],
  [() => Query.optionChain("AAPL", { am: true }), "true", "and AAPL is not one"],
  [() => Query.optionChain("A", { strike: [] }), "[]", "at least one number"],
  [
    () => Query.optionChain("A", { strike: { from: 410, to: 400 } }),
    `{"from":410,"to":400}`,
    "from the smaller number to the greater"
  ],
  [() => Query.optionChain("A", { dte: -1 }), "-1", "an integer of 0 or more"],
  [() => Query.optionChain("A", { month: 13 }), "13", "from 1 to 12"],
  [() => Query.optionChain("A", { minBid: -1 }), "-1", "a number from 0 to 1,000,000,000 with at most 6 decimals"],
  [() => Query.optionChain("A", { side: untyped("straddle") }), `"straddle"`, `must be "call" or "put"`],
  [() => Query.optionChain("A", { nonstandard: untyped("yes") }), `"yes"`, "true or false"],
  [() => Query.optionChain("A", { columns: [] }), "[]", "must be left out, or be a list"],
  [
    () => Query.optionExpirations("A", untyped({ mode: DataMode.cached() })),
    `"cached"`,
    "is not available for optionExpirations"
  ],
  [() => Query.stockPrices(["A"], { columns: [untyped("bid")] }), `"bid"`, "is not a column of stockPrices"],
  [
    () => Query.optionChain("A", { mode: untyped({ ...DataMode.live, maxAge: "5 minutes" }) }),
    `"5min"`,
    "is for cached data only"
  ],
  [() => Query.optionChain("A", { assume: { contracts: -1 } }), "-1", "0 or more"],
  [
    () => Query.optionChain("A", { assume: { kind: "other" } }),
    `"other"`,
    "must be the kind that the contract states"
  ],
  [() => Query.optionLookup("A?b"), `"A?b"`, "letters, digits, blanks"],
  [() => Query.optionLookup("A?b"), `"A?b"`, "/ . , $ ^ _ - only"],
  [() => Query.optionLookup({ ...lookup, expiration: "soon" }), `"soon"`, "must be a calendar day"],
  [() => Query.optionQuote("AAPL"), `"AAPL"`, "is not an OCC option symbol; it looks like a ticker"],
  [() => Query.optionQuote({ ...lookup, root: "", expiration: untyped({}) }), `{"under`, "is not an OCC option symbol"],
  [() => Query.stockCandles(untyped("2X"), "A"), `"2X"`, "must be minutes, or a number with H, D, W, M or Y"],
  [() => Query.fundCandles(untyped("5"), "A"), `"5"`, "must be D, W, M or Y"],
  [() => Query.stockQuotes([]), "[]", "a list of at least one ticker"],
  [() => Period.parameters({ date: "2026-11-19", countback: 1 }), "1", "cannot be combined with date"],
  [() => Period.parameters({ from: "2026-11-19", countback: 1 }), "1", "cannot be combined with from"],
  [
    () => Period.parameters({ from: "2026-11-19", to: "2026-11-18" }),
    `"2026-11-19"`,
    "must not be after to (2026-11-18)"
  ],
  [() => Period.parameters({ date: "2026-11-19", from: "2026-11-18" }), `"2026-11-18"`, "cannot be combined with date"],
  [() => Period.parameters({ to: "2026-11-20 24:00" }), `"2026-11-20 24:00"`, "from 00:00:00 to 23:59:59"],
  [
    () => Period.parameters({ to: { date: { year: 2026, month: 11, day: 20 }, secondOfDay: 86_400 } }),
    "86400",
    "an integer from 0 to 86,399 (seconds)"
  ]
]

describe("A refusal", () => {
  for (const [ask, value, advice] of refusals) {
    it(`[7.3-cause-unsupported-value] quotes ${JSON.stringify(value)} and says: ${advice}`, () => {
      const refusal = Result.getOrThrow(Result.flip(ask()))
      assert.isTrue(refusal.value.startsWith(value), refusal.value)
      assert.include(refusal.rule, advice)
    })
  }
})
