import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as RowTable from "@effect-marketdata/sandbox/RowTable"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"

const report: StockEarnings.Row = {
  symbol: "AAPL",
  fiscalYear: 2026,
  fiscalQuarter: 4,
  date: 1_790_000_000,
  reportDate: 1_793_000_000,
  reportTime: "after market close",
  currency: "USD",
  reportedEPS: null,
  estimatedEPS: 1.8,
  surpriseEPS: null,
  surpriseEPSpct: null,
  updated: 1_792_000_000
}

describe("RowTable", () => {
  describe("make", () => {
    it("holds the rows, with null where they have null", () => {
      const rows = [report, { ...report, symbol: "F", currency: null, reportedEPS: 0 }, { ...report, reportTime: null }]
      assert.deepStrictEqual(ColumnTable.toRows(RowTable.make(StockEarnings.spec, rows)), rows)
    })

    it("prints what decodes to the same", () => {
      const rows = Array.from({ length: 20 }, (_, at) => ({
        date: at * 86_400,
        status: at === 9 || at === 17 ? null : at % 3 === 0 ? "closed" as const : "open" as const
      }))
      const body = ColumnTable.encode(RowTable.make(MarketStatus.spec, rows))
      assert.deepStrictEqual(ColumnTable.toRows(Result.getOrThrow(MarketStatus.decode(body))), rows)
    })

    it("has all columns without a row", () => {
      const table = RowTable.make(StockEarnings.spec, [])
      assert.strictEqual(table.length, 0)
      assert.sameMembers([...table.columnNames], Object.keys(StockEarnings.spec))
    })
  })
})
