import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as RowTable from "@effect-marketdata/sandbox/RowTable"
import { assert, it } from "@effect/vitest"

it("RowTable holds the rows, with null where they have null, and all columns without a row", () => {
  const rows = Array.from({ length: 20 }, (_, at): StockEarnings.Row => ({
    symbol: at % 2 === 0 ? "AAPL" : "F",
    fiscalYear: 2026,
    fiscalQuarter: at % 4,
    date: at * 86_400,
    reportDate: at * 86_400,
    reportTime: at === 8 ? null : "after market close",
    currency: at === 15 ? null : "USD",
    reportedEPS: at === 9 || at === 17 ? null : 0,
    estimatedEPS: 1.8,
    surpriseEPS: null,
    surpriseEPSpct: at,
    updated: at
  }))
  assert.deepStrictEqual(ColumnTable.toRows(RowTable.make(StockEarnings.spec, rows)), rows)
  const { columnNames, length } = RowTable.make(StockEarnings.spec, [])
  assert.deepStrictEqual([length, [...columnNames].toSorted()], [0, Object.keys(StockEarnings.spec).toSorted()])
})
