import { MarketData, ReplyCache } from "@effect-marketdata/client"
import { type Answer, CalendarDate, DataMode, NewYork, TradingCalendar } from "@effect-marketdata/core"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
import { Effect, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import { assert, it } from "../../core/test/support/it.ts"

/** Four weeks in which the clocks of New York are changed. */
const first = CalendarDate.parseUnsafe("2026-10-19")
const days = Array.from({ length: 28 }, (_, index) => CalendarDate.addDays(first, index))
const isTradingDay = (day: CalendarDate.CalendarDate) => TradingCalendar.isTradingDay(TradingCalendar.NYSE, day)

/** The trading days before a day, the latest first. */
const before = (day: CalendarDate.CalendarDate, count: number): ReadonlyArray<CalendarDate.CalendarDate> =>
  Array.from({ length: count * 2 + 10 }, (_, index) => CalendarDate.addDays(day, -1 - index)).filter(isTradingDay)
    .slice(0, count)

type Ask = Effect.Effect<Answer.Answer<unknown>, unknown, MarketData.MarketData>

/** A call, and when it is made, in epoch seconds. */
type Call = { readonly at: number; readonly ask: Ask }

const pastChain = (symbol: string, date: CalendarDate.CalendarDate): Ask =>
  MarketData.optionChain(symbol, { date, dte: 30, strikeLimit: 10 })

/** Who asks: what, and when. */
const users: Readonly<Record<string, () => ReadonlyArray<Call>>> = {
  "a notebook, run three times a morning": () =>
    days.filter(isTradingDay).flatMap((day) =>
      [0, 10, 20].flatMap((minute) => {
        const at = NewYork.at(day, 10, minute)
        const [yesterday] = before(day, 1)
        return [
          { at, ask: pastChain("AAPL", yesterday!) },
          { at, ask: MarketData.stockCandles("D", "SPY", { from: before(day, 60).at(-1)!, to: yesterday! }) },
          { at, ask: MarketData.optionChain("AAPL", { dte: 30, strikeLimit: 10, mode: "delayed" }) }
        ]
      })
    ),
  "a backtest of ten days, run each evening": () =>
    days.filter(isTradingDay).flatMap((day) =>
      before(first, 10).map((past) => ({ at: NewYork.at(day, 18, 0), ask: pastChain("AAPL", past) }))
    ),
  "a dashboard with three viewers, each half hour": () =>
    days.filter(isTradingDay).flatMap((day) =>
      Array.from({ length: 12 * 3 }, (_, index) => ({
        at: NewYork.at(day, 10, 0) + Math.floor(index / 3) * 1800 + index % 3 * 60,
        ask: MarketData.optionChain("AAPL", {
          dte: 30,
          strikeLimit: 10,
          mode: DataMode.cached({ maxAge: "15 minutes" })
        })
      }))
    )
}

/**
 * Makes the calls. `oldest` is how old the newest quote was at most, of answers about today, in seconds; `kept` is how long ago a kept reply about today
 * had come at most.
 */
const play = (calls: ReadonlyArray<Call>) =>
  Effect.gen(function*() {
    const { billed } = yield* Sandbox.Sandbox
    let [requests, oldest, kept] = [0, 0, 0]
    for (const { ask, at } of calls) {
      yield* TestClock.setTime(at * 1000)
      const { credits, provenance, trace } = yield* ask
      requests += trace.length
      const { age, sentMode, source, updated } = provenance
      if (source === "local") assert.deepStrictEqual([trace.length, credits.charged], [0, 0])
      if (sentMode === undefined || updated === undefined) continue
      oldest = Math.max(oldest, at - updated.newest)
      kept = Math.max(kept, age ?? 0)
    }
    return { credits: yield* billed, requests, oldest, kept }
  })

const without = MarketDataTest.layer({ seed: 1 })
const withCache = MarketDataTest.layer({ seed: 1 }).pipe(
  Layer.provide(ReplyCache.layerMemory({ maxBytes: 64 * 1024 * 1024 }))
)

const minutes = (seconds: number): string => seconds === 0 ? "–" : `${Math.round(seconds / 60)} min`

const guide = new URL("../../../docs/guide/caching.md", import.meta.url)

it.effect("four weeks with a cache and without cost what the guide says, and no answer is older than was asked for", function*() {
  const rows: Array<string> = []
  for (const [who, calls] of Object.entries(users)) {
    const plain = yield* Effect.provide(play(calls()), Layer.fresh(without))
    const cached = yield* Effect.provide(play(calls()), Layer.fresh(withCache))
    assert.isBelow(cached.credits, plain.credits)
    const spent = [plain, cached].map(({ credits, requests }) => `${credits} / ${requests}`)
    rows.push(["", who, ...spent, minutes(plain.oldest), minutes(cached.oldest), ""].join(" | ").trim())
    if (who.startsWith("a dashboard")) assert.isAtMost(cached.kept, 900)
  }
  const said = readFileSync(guide, "utf8").replace(/ +/g, " ")
  assert.deepStrictEqual(rows.filter((row) => !said.includes(row)), [])
})
