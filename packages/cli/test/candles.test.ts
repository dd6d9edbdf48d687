import { NewYork, Query, StockCandles } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Candles from "../src/commands/stock.ts"
import * as Span from "../src/text/span.ts"

const day = (month: number, date: number, hour = 0, minute = 0) =>
  NewYork.at({ year: 2026, month, day: date }, hour, minute)

/** Candles of these beginnings and closes. */
const candlesOf = (t: ReadonlyArray<number>, c: ReadonlyArray<number | null> = t.map(() => 1)) =>
  Result.getOrThrow(StockCandles.decode(JSON.stringify({ s: "ok", t, c }), { columns: ["t", "c"] })) as Candles.Candles

const lengthOf = (resolution: StockCandles.Resolution) =>
  Result.getOrThrow(Query.stockCandles(resolution, "AAPL", { countback: 1 })).resolution

const shown = (resolution: StockCandles.Resolution, candles: Candles.Candles, now: number, columns = 100): string =>
  Span.format(Candles.view(lengthOf(resolution)).lines!(candles, { columns, rows: 30 }, now), false)

it("names the last one until it is over: by its minutes, or with the session of its last trading day", () => {
  const cases = [
    ["5", day(11, 20, 12), day(11, 20, 12, 5)],
    ["2H", day(11, 20, 13, 30), day(11, 20, 15, 30)],
    ["D", day(11, 20), day(11, 20, 16)],
    // The day after Thanksgiving is a short one.
    ["D", day(11, 27), day(11, 27, 13)],
    ["3D", day(11, 18), day(11, 20, 16)],
    ["W", day(11, 16), day(11, 20, 16)],
    // Monday was a holiday: the candle begins on Tuesday, and ends with the same week.
    ["W", day(9, 8), day(9, 11, 16)],
    ["2W", day(11, 9), day(11, 20, 16)],
    ["M", day(11, 2), day(11, 30, 16)],
    ["3M", day(10, 1), day(12, 31, 16)],
    ["M", day(12, 1), day(12, 31, 16)],
    ["Y", day(1, 2), day(12, 31, 16)]
  ] as const
  for (const [resolution, begin, end] of cases) {
    const said = `is not over: it changes until ${NewYork.format(end)}`
    const candles = candlesOf([day(1, 2), begin])
    assert.include(shown(resolution, candles, end - 1), said, resolution)
    assert.include(shown(resolution, candles, begin), said, resolution)
    assert.notInclude(shown(resolution, candles, end), "is not over", resolution)
  }
  assert.notInclude(shown("D", candlesOf([]), 0), "is not over")
})

it("have the course of their closes, from the least to the most, in the room there is", () => {
  const courseOf = (closes: ReadonlyArray<number | null>, columns?: number) =>
    shown("D", candlesOf(closes.map((_, at) => at * 86_400), closes), 2e9, columns).split("\n").find((line) =>
      line.startsWith("closes")
    )
  assert.strictEqual(courseOf([1, 2, 3, 4, 5, 6, 7, 8]), "closes ▁▂▃▄▅▆▇█  1.00 to 8.00")
  assert.strictEqual(courseOf([2, 2, 2]), "closes ▁▁▁  2.00 to 2.00")
  assert.strictEqual(courseOf([5, null, 1, 3]), "closes █▁▅  1.00 to 5.00")
  assert.isUndefined(courseOf([1, 2]))
  const many = Array.from({ length: 5000 }, (_, at) => at)
  assert.match(courseOf(many, 60)!, /^closes ▁+▂+▃+▄+▅+▆+▇+█+  0\.00 to 4,999\.00$/)
  assert.strictEqual(Span.widthOf(courseOf(many, 60)!), 60)
})
