/**
 * Prints what the time modules answer to fixed queries, and when noon is on this machine. A program for `timeZones.full.test.ts`, which
 * runs it on machines of several zones.
 */
import { Freshness, NewYork, TradingCalendar } from "@effect-marketdata/core"

const from = Date.UTC(1970, 0, 1) / 1000
const to = Date.UTC(2100, 0, 1) / 1000

const answers: Array<unknown> = []
for (let t = from; t < to; t += 1_234_567) {
  const wall = NewYork.fromEpochSeconds(t)
  answers.push([
    NewYork.format(t),
    NewYork.resolve(wall.date, wall.secondOfDay),
    TradingCalendar.sessionOf(TradingCalendar.NYSE, t),
    Freshness.becomesHistoricalAt("stocks", t),
    Freshness.becomesHistoricalAt("options", t)
  ])
}

console.log(JSON.stringify({ noon: new Date(2026, 0, 1, 12).toISOString(), answers }))
