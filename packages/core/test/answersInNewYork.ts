/**
 * Prints what the time modules answer to fixed questions, and when noon is on this machine. A program for `timeZones.test.ts`, which
 * runs it on machines of several zones.
 */
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"

const from = Date.UTC(1970, 0, 1) / 1000
const to = Date.UTC(2100, 0, 1) / 1000

const answers: Array<unknown> = []
for (let t = from; t < to; t += 1_234_567) {
  const wall = Eastern.fromEpochSeconds(t)
  answers.push([
    Eastern.format(t),
    Eastern.resolve(wall.date, wall.secondOfDay),
    TradingCalendar.sessionOf(TradingCalendar.NYSE, t),
    Freshness.becomesHistoricalAt("stocks", t),
    Freshness.becomesHistoricalAt("options", t)
  ])
}

console.log(JSON.stringify({
  noon: new Date(2026, 0, 1, 12).toISOString(),
  answers
}))
