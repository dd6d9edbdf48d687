import { CalendarDate, NewYork, TradingCalendar } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"
import * as StockMarket from "../../src/market/stockMarket.ts"
import * as Arbitrary from "./support/arbitrary.ts"

const midnight = (text: string): number => NewYork.midnight(CalendarDate.parseUnsafe(text))

const twoYears = { from: midnight("2026-01-01"), to: midnight("2027-12-31"), at: midnight("2027-12-31") }

it("has a report a quarter, in order, on a trading day weeks after the quarter's end", () => {
  Arbitrary.holds(
    fc.property(Arbitrary.seed, Arbitrary.anyStock, (seed, stock) => {
      const reports = StockMarket.earningsBetween(seed, stock, twoYears)
      if (stock.company === undefined) return assert.deepStrictEqual(reports, [])
      assert.isTrue(reports.length >= 7 && reports.length <= 9)
      for (const [at, report] of reports.entries()) {
        const days = (report.reportDate! - report.date!) / 86_400
        assert.isTrue(days > 19 && days < 50)
        assert.isTrue(TradingCalendar.isTradingDay(TradingCalendar.NYSE, NewYork.dateOf(report.reportDate!)))
        const next = reports[at + 1]
        if (next === undefined) continue
        assert.isAbove(next.reportDate!, report.reportDate!)
        assert.strictEqual(next.fiscalQuarter, report.fiscalQuarter! % 4 + 1)
        assert.strictEqual(next.fiscalYear, report.fiscalYear! + (report.fiscalQuarter === 4 ? 1 : 0))
      }
    }),
    { numRuns: runs(40, 15) }
  )
})

it("knows what was earned from the hour of the report on, and an estimate before", () => {
  for (const symbol of ["AAPL", "JPM", "META", "NVDA"]) {
    for (const { reportDate, reportTime } of StockMarket.earningsBetween(1, Arbitrary.stock(symbol), twoYears)) {
      const day = { from: reportDate!, to: reportDate! }
      const early = reportTime === "before market open"
      const hour = NewYork.at(NewYork.dateOf(reportDate!), early ? 7 : 16, early ? 0 : 30)
      const [before] = StockMarket.earningsBetween(1, Arbitrary.stock(symbol), { ...day, at: hour - 1 })
      const [after] = StockMarket.earningsBetween(1, Arbitrary.stock(symbol), { ...day, at: hour })
      assert.deepInclude(before, { reportedEPS: null, surpriseEPS: null, surpriseEPSpct: null, reportTime })
      assert.strictEqual(before?.estimatedEPS, after?.estimatedEPS)
      const { estimatedEPS, reportedEPS, surpriseEPS, surpriseEPSpct } = after!
      assert.approximately(surpriseEPS!, reportedEPS! - estimatedEPS!, 1e-9)
      assert.approximately(surpriseEPSpct!, surpriseEPS! / estimatedEPS!, 0.000_051)
      assert.strictEqual(after?.updated, reportDate)
      assert.isAtMost(before!.updated!, hour)
    }
  }
})
