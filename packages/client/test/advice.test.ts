import { type CacheFallback, MarketData, type MarketDataError } from "@effect-marketdata/client"
import { DataMode, type Query, Reason } from "@effect-marketdata/core"
import { Effect, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { runInNewContext } from "node:vm"
import { assert, it } from "../../core/test/support/it.ts"
import { clientOf } from "./support/clients.ts"
import { service } from "./support/scripted.ts"

type Services = MarketData.MarketData | CacheFallback.CacheFallback

type Asked = Effect.Effect<unknown, MarketDataError.MarketDataError, Services>

/** A query of which nothing bounds the cost: what is asked, and how it is asked with other options. */
const open = (options: object, ask: (options: object) => Asked) => ({ options, ask })

type Open = ReturnType<typeof open>

const symbol = "AAPL261218C00150000"

const spans = [{}, { expiration: "all" }, { from: "2026-12-01" }, { to: "2027-01-15" }, { month: 12 }] as const
const cuts = [{ dte: 30 }, { strikeLimit: 200 }, { date: "2026-10-01" }, { assume: { historical: true } }]
const others = [
  { mode: DataMode.delayed, side: "call", strike: { above: 100 } },
  { expiration: "2026-12-18", nonstandard: true }
] as const
const past = [{ date: "2026-10-01" }, { from: "2026-10-01", to: "2026-11-02" }]
const historical = { mode: DataMode.historical }

/** Each endpoint's, none where every query has a bound of its own. */
const queries: Readonly<Record<Query.EndpointName, ReadonlyArray<Open>>> = {
  optionChain: [...spans, ...cuts, ...others].map((options) =>
    open(options, (options) => MarketData.optionChain("SPX", options))
  ),
  optionQuote: past.map((options) => open(options, (options) => MarketData.optionQuote(symbol, options))),
  stockCandles: [{ from: "2026-10-01" }, { to: "2026-10-01 16:00" }].flatMap((options) => [
    open(options, (options) => MarketData.stockCandles("D", "AAPL", options)),
    open(options, (options) => MarketData.stockCandles("5", "AAPL", options))
  ]),
  fundCandles: [{ from: "2026-10-01" }, { to: "2026-10-01" }].map((options) =>
    open(options, (options) => MarketData.fundCandles("W", "VFINX", options))
  ),
  // How many stocks there are only the caller can say.
  stockBulkCandles: [],
  stockQuotes: [open({ mode: DataMode.eod }, (options) => MarketData.stockQuotes(["AAPL", "MSFT"], options))],
  stockPrices: [open({ mode: DataMode.eod }, (options) => MarketData.stockPrices(["AAPL", "MSFT"], options))],
  optionLookup: [open(historical, (options) => MarketData.optionLookup("AAPL 12/18/26 $150 Call", options))],
  optionExpirations: [open(historical, (options) => MarketData.optionExpirations("AAPL", options))],
  optionStrikes: [open(historical, (options) => MarketData.optionStrikes("AAPL", options))],
  stockEarnings: [open(historical, (options) => MarketData.stockEarnings("AAPL", options))],
  stockNews: [open(historical, (options) => MarketData.stockNews("AAPL", options))],
  marketStatus: [open(historical, (options) => MarketData.marketStatus(options))],
  account: [],
  serviceStatus: [],
  requestHeaders: []
}

/** Noon in New York on 20 November 2026, in milliseconds: later than the past days above. */
const noon = 1_795_194_000_000

const asked = (open: Open, options: object, allowance: number) =>
  TestClock.setTime(noon).pipe(
    Effect.andThen(Effect.flip(open.ask(options))),
    Effect.map(({ reason }) => reason),
    Effect.provide(Layer.mergeAll(clientOf(service({ status: 404 }), { allowance })))
  )

for (const [endpoint, opens] of Object.entries(queries)) {
  for (const open of opens) {
    for (const allowance of [8, 1000]) {
      it.effect(`leads out for ${endpoint} ${JSON.stringify(open.options)}, with ${allowance} credits`, function*() {
        const reason = yield* asked(open, open.options, allowance)
        assert(reason._tag === "CreditBudgetExceeded")
        assert.strictEqual(reason.cause, "Unbounded")
        assert.isNotEmpty(reason.advice)
        for (const options of (reason.advice ?? []).map(Reason.formatAdvice)) {
          assert.include(reason.message, options)
          // Followed to the letter, each of them lets the same query be sent.
          const followed = { ...open.options, ...runInNewContext(`({ ${options} })`, { DataMode }) }
          assert.strictEqual((yield* asked(open, followed, allowance))._tag, "NotFound", options)
        }
      })
    }
  }
}

it.effect("leads out of a fallback that was declined", function*() {
  const mode = DataMode.cachedOrLive()
  const declined = (options: object) =>
    Effect.flip(MarketData.optionChain("SPX", { ...options, mode })).pipe(
      Effect.map(({ reason }) => reason),
      Effect.provide(clientOf(service({ status: 204 }, { status: 404 }), { consent: 60 }))
    )
  const reason = yield* declined({ expiration: "all" })
  assert(reason._tag === "FallbackDeclined")
  // SPX has eight contracts for each strike that is counted on either side of the money.
  const advice = reason.advice?.map(Reason.formatAdvice)
  assert.deepStrictEqual(advice, ["assume: { contracts: 60 }", "dte: 30, expiration: undefined, strikeLimit: 5"])
  for (const options of (reason.advice ?? []).map(Reason.formatAdvice)) {
    assert.include(reason.message, options)
    const followed = { expiration: "all", ...runInNewContext(`({ ${options} })`) }
    assert.strictEqual((yield* declined(followed))._tag, "NotFound", options)
  }
})

it.effect("is named where a bound is known, and above the budget", function*() {
  const wide = open({ year: 2026, strikeLimit: 10 }, (options) => MarketData.optionChain("SPX", options))
  const reason = yield* asked(wide, wide.options, 500)
  assert(reason._tag === "CreditBudgetExceeded")
  assert.deepStrictEqual([reason.cause, reason.bound], ["Insufficient", 20_880])
  assert.include(reason.message, "raise the budget; or, if you expect less, add assume: { contracts: 100 }")
})
