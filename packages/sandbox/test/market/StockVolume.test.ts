import * as StockVolume from "@effect-marketdata/sandbox/StockVolume"
import * as TradingHours from "@effect-marketdata/sandbox/TradingHours"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"
import * as Stock from "./support/stock.ts"

const hours = fc.constantFrom("2026-11-20", "2026-11-27", "2027-06-01").map((text) => TradingHours.of(Stock.day(text))!)

describe("StockVolume", () => {
  describe("traded", () => {
    it("is whole shares, from none at the beginning to all at the end, and only grows", () => {
      Law.holds(
        fc.property(Arbitrary.seed, Stock.any, hours, (seed, stock, { day, stretches }) => {
          for (const stretch of stretches) {
            const traded = StockVolume.traded(seed, stock, day, stretch)
            let before = traded(stretch.begins)
            assert.strictEqual(before, 0)
            for (let moment = stretch.begins; moment <= stretch.ends; moment += 60) {
              const now = traded(moment)
              if (!(Number.isInteger(now) && now >= before)) assert.fail(`${before}, then ${now}`)
              before = now
            }
            assert.strictEqual(traded(stretch.begins - 60), 0)
            assert.strictEqual(traded(stretch.ends + 60), before)
          }
        }),
        { numRuns: runs(40, 10) }
      )
    })

    it("is most at the open and the close, and little outside the session", () => {
      const { day, stretches: [early, session, late] } = TradingHours.of(20_777)!
      const between = (stretch: TradingHours.Stretch, from: number, minutes: number) => {
        const traded = StockVolume.traded(1, Stock.of("AAPL"), day, stretch)
        return traded(from + minutes * 60) - traded(from)
      }
      const noon = between(session, session.begins + 9000, 30)
      assert.isAbove(between(session, session.begins, 30), 2 * noon)
      assert.isAbove(between(session, session.ends - 1800, 30), 2 * noon)
      const all = between(session, session.begins, 390)
      assert.isBelow(between(early, early.begins, 330), all / 20)
      assert.isBelow(between(late, late.begins, 240), all / 20)
    })

    it("differs by stock, day and seed, around what the stock has", () => {
      const { session } = TradingHours.of(20_777)!
      const all = (seed: number, symbol: string, day: number) =>
        StockVolume.traded(seed, Stock.of(symbol), day, session)(session.ends)
      assert.strictEqual(new Set([all(1, "AAPL", 20_777), all(1, "AAPL", 20_778), all(2, "AAPL", 20_777)]).size, 3)
      for (let day = 20_000; day < 20_100; day++) {
        assert.approximately(Math.log(all(1, "F", day) / Stock.of("F").shares), 0, 0.81)
      }
    })
  })
})
