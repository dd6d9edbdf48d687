/** How fresh data are said to be: those of options and of stocks become historical at different times. */
import { NewYork, Query } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Span from "../src/text/span.ts"
import * as Report from "../src/views/report.ts"
import { noon } from "./support/printed.ts"

const chain = Result.getOrThrow(Query.optionChain("AAPL"))
const stock = Result.getOrThrow(Query.stockQuote("AAPL"))
const strikes = Result.getOrThrow(Query.optionStrikes("AAPL"))

const close = NewYork.at({ year: 2026, month: 11, day: 20 }, 15, 59)
const saturday = NewYork.at({ year: 2026, month: 11, day: 21 }, 12, 0)

const told = (query: Query.Query, updated: number | undefined, now: number): string =>
  Span.format(
    Report.freshness(updated === undefined ? undefined : { oldest: updated, newest: updated }, query, now),
    false
  )

it("[8.4-options] is that of an option until the next session opens", () => {
  assert.match(told(chain, close, saturday), /^freshness: +quotes 20 h old, newest quote 2026-11-20 15:59:00 EST$/)
  const sunday = saturday + 86_400
  assert.match(told(chain, close, sunday), /^freshness: +quotes 44 h old,/)
  assert.match(told(chain, close, sunday + 12 * 3600), /^freshness: +quotes 2 days old,/)
})

it("[8.4-stocks] is that of a stock until its session is closed", () => {
  assert.match(told(stock, close, saturday), /^freshness: +historical,/)
  assert.include(Span.format([Report.age({ oldest: close, newest: close }, stock, saturday)], false), "historical")
  assert.include(Span.format([Report.age({ oldest: close, newest: close }, chain, saturday)], false), "20 h old")
})

it("is that of rows where a reply has no quotes", () => {
  const earnings = Result.getOrThrow(Query.stockEarnings("AAPL", { countback: 4 }))
  assert.match(told(earnings, saturday - 3600, saturday), /^freshness: +rows 60 min old, newest row 2026-11-21 11:00/)
})

it("is not known where quotes tell no time, and is nothing of what has no quotes", () => {
  assert.match(told(chain, undefined, noon), /unknown/)
  assert.strictEqual(told(strikes, undefined, noon), "")
})
