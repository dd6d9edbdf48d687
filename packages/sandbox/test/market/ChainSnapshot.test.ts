import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import { assert, describe, it } from "@effect/vitest"
import { runs } from "../../../core/test/support/depth.ts"
import * as Series from "./support/series.ts"
import * as Snapshot from "./support/snapshot.ts"

const noon = (date: string): number => NewYork.at(CalendarDate.parseUnsafe(date), 12, 0)

/** Holds a law against every row of many chains. */
const everyRow = (law: (snapshot: Snapshot.Snapshot, row: number) => void): void => {
  for (const snapshot of Snapshot.many()) {
    for (let row = 0; row < snapshot.chain.length; row++) law(snapshot, row)
  }
}

const side = ({ chain }: Snapshot.Snapshot, row: number): OptionSymbol.Side => chain.side[row] === 0 ? "call" : "put"

/** A failure in a loop over thousands of rows must not cost a message for each. */
const holds = (condition: boolean, snapshot: Snapshot.Snapshot, row: number): void => {
  if (!condition) assert.fail(JSON.stringify(snapshot.chain.at(row)))
}

describe("ChainSnapshot", () => {
  describe("make", () => {
    it("[2.3-format] has symbols that parse to their rows, with roots that need not be the underlying", () => {
      for (const [symbol, root] of [["SPX", "SPXW"], ["AAPL", "AAPL1"], ["BRK.B", "BRKB"]] as const) {
        const { chain } = Snapshot.ofSymbol(symbol, noon("2026-11-20"))
        let found = 0
        // Neighbours differ by their strikes: some of them say enough.
        for (let row = 0; row < chain.length; row += runs(1, 7)) {
          const parsed = OptionSymbol.parseUnsafe(OptionChain.symbolAt(chain, row))
          assert.strictEqual(OptionSymbol.format(parsed), OptionChain.symbolAt(chain, row))
          assert.strictEqual(parsed.strike, chain.strike[row])
          assert.strictEqual(CalendarDate.toEpochDay(parsed.expiration), NewYork.epochDayOf(chain.expiration[row]!))
          assert.strictEqual(chain.valueAt("underlying", row), symbol)
          if (parsed.root === root) found++
        }
        assert.isAbove(found, 0)
      }
    })

    it("lists contracts in the order of their symbols, each once", () => {
      for (const { chain } of Snapshot.many().slice(0, runs(100, 30))) {
        const symbols = Array.from({ length: chain.length }, (_, row) => chain.valueAt("optionSymbol", row))
          .map(OptionSymbol.parseUnsafe)
        for (let row = 1; row < symbols.length; row++) {
          if (OptionSymbol.Order(symbols[row - 1]!, symbols[row]!) !== -1) {
            assert.fail(`${chain.valueAt("optionSymbol", row)} is out of order`)
          }
        }
      }
    })

    it("[2.1-side] says call or put, as the symbol does, and has both of each strike", () => {
      everyRow((snapshot, row) => {
        const { codes, series } = snapshot.chain.optionSymbol
        holds(snapshot.chain.valueAt("side", row) === series[codes[row]!]!.side, snapshot, row)
      })
      for (const { chain } of Snapshot.many()) {
        for (const { calls, puts } of Series.of(chain)) {
          assert.strictEqual(calls.length, puts.length)
          assert.isTrue(calls.every((call, at) => chain.strike[call] === chain.strike[puts[at]!]))
        }
      }
    })

    it("[2.1-expiration] expires equity and ETF options at 16:00 and index options at 16:15 in New York", () => {
      everyRow((snapshot, row) => {
        const expiration = snapshot.chain.expiration[row]!
        const expected = snapshot.underlying.kind === "index" ? 58_500 : 57_600
        holds(NewYork.secondOfDay(expiration) === expected, snapshot, row)
      })
    })

    it("[2.1-expiration] keeps the hour on half days and across the change of clocks", () => {
      const spx = Snapshot.ofSymbol("SPX", noon("2026-11-20")).chain.expiration
      const aapl = Snapshot.ofSymbol("AAPL", noon("2026-11-20")).chain.expiration
      // The day after Thanksgiving closes at 13:00.
      assert.isTrue(spx.includes(NewYork.at(CalendarDate.parseUnsafe("2026-11-27"), 16, 15)))
      assert.isTrue(aapl.includes(NewYork.at(CalendarDate.parseUnsafe("2026-11-27"), 16, 0)))
      // 2026-12-18T21:00:00Z in winter, 2027-06-17T20:00:00Z in summer.
      assert.isTrue(aapl.includes(1_797_627_600))
      assert.isTrue(aapl.includes(1_813_262_400))
    })

    it("[2.1-dte] counts the calendar days from the New York day of the quote", () => {
      everyRow((snapshot, row) => {
        const { chain, time } = snapshot
        const days = NewYork.epochDayOf(chain.expiration[row]!) - time.day
        holds(chain.dte[row] === days && days >= 0, snapshot, row)
      })
    })

    it("[2.1-dte] is 0 on the day and 3 from Friday to Monday, asked on the Friday or on the Sunday after", () => {
      for (const moment of [noon("2026-11-20"), noon("2026-11-22")]) {
        const { chain } = Snapshot.ofSymbol("SPY", moment)
        const dte = new Map(
          Array.from(chain.expiration, (expires, row) => [CalendarDate.format(NewYork.dateOf(expires)), chain.dte[row]])
        )
        assert.strictEqual(dte.get("2026-11-20"), 0)
        assert.strictEqual(dte.get("2026-11-23"), 3)
        assert.strictEqual(dte.get("2026-12-18"), 28)
      }
    })

    it("[2.1-mid] is the midpoint of bid and ask", () => {
      everyRow((snapshot, row) => {
        const { ask, bid, mid } = snapshot.chain
        holds(bid[row]! >= 0 && bid[row]! < ask[row]!, snapshot, row)
        holds(Math.abs(mid[row]! - (bid[row]! + ask[row]!) / 2) < 1e-9, snapshot, row)
      })
    })

    it("[2.1-moneyness] follows from side, strike, underlyingPrice and mid", () => {
      everyRow((snapshot, row) => {
        const { extrinsicValue, inTheMoney, intrinsicValue, mid, strike, underlyingPrice } = snapshot.chain
        const gain = (underlyingPrice[row]! - strike[row]!) * (side(snapshot, row) === "call" ? 1 : -1)
        holds((inTheMoney[row] === 1) === gain > 0, snapshot, row)
        holds(Math.abs(intrinsicValue[row]! - Math.max(0, gain)) < 1e-9, snapshot, row)
        holds(Math.abs(extrinsicValue[row]! - Math.abs(mid[row]! - Math.max(0, gain))) < 1e-9, snapshot, row)
      })
    })

    it("[2.1-moneyness] has options at the price itself out of the money", () => {
      const apple = Snapshot.ofSymbol("AAPL", noon("2026-11-20"))
      const price = apple.underlying.price / apple.chain.underlyingPrice[0]! * 350
      const { chain } = Snapshot.of({ ...apple.underlying, price }, noon("2026-11-20"))
      const rows = Array.from(chain.strike.keys()).filter((row) => chain.strike[row] === 350)
      assert.isAtLeast(rows.length, 2)
      for (const row of rows) {
        assert.strictEqual(chain.underlyingPrice[row], 350)
        assert.deepStrictEqual([chain.inTheMoney[row], chain.intrinsicValue[row]], [0, 0])
      }
    })

    it("[2.1-last-null] [2.1-only-last-null] has null for the contracts that were never traded, and nowhere else", () => {
      let untraded = 0
      let total = 0
      everyRow((snapshot, row) => {
        const { chain } = snapshot
        for (const name of chain.columnNames) if (name !== "last") holds(!chain.isNull(name, row), snapshot, row)
        const { ask, bid, last, openInterest, volume } = chain
        total++
        if (chain.isNull("last", row)) {
          untraded++
          holds(volume[row] === 0 && openInterest[row] === 0 && Number.isNaN(last[row]), snapshot, row)
        } else holds(last[row]! > 0 && last[row]! >= bid[row]! && last[row]! <= ask[row]!, snapshot, row)
      })
      assert.isAbove(untraded, 0.04 * total)
      assert.isBelow(untraded, 0.1 * total)
    })

    it("[2.1-first-traded] is 09:30 in New York on a trading day not after the quote", () => {
      everyRow((snapshot, row) => {
        const firstTraded = snapshot.chain.firstTraded[row]!
        holds(NewYork.secondOfDay(firstTraded) === 34_200, snapshot, row)
        holds(firstTraded <= snapshot.time.open, snapshot, row)
        holds(TradingCalendar.isTradingDay(TradingCalendar.NYSE, NewYork.dateOf(firstTraded)), snapshot, row)
      })
    })

    it("[2.1-updated] is the moment of the quote in its session, up to two minutes older where little is traded", () => {
      everyRow((snapshot, row) => {
        const { moment, open } = snapshot.time
        const updated = snapshot.chain.updated[row]!
        holds(Number.isInteger(updated) && updated >= Math.max(open, moment - 120) && updated <= moment, snapshot, row)
      })
      const { chain, time } = Snapshot.ofSymbol("SPX", noon("2026-11-20"))
      assert.deepStrictEqual(OptionChain.updatedSpan(chain)?.newest, time.moment)
      assert.isBelow(OptionChain.updatedSpan(chain)!.oldest, time.moment)
    })

    it("prints no negative zero, which JSON cannot", () => {
      everyRow(({ chain }, row) => {
        for (const name of ["delta", "gamma", "theta", "vega", "extrinsicValue"] as const) {
          if (Object.is(chain[name][row], -0)) assert.fail(`${name} of row ${row}`)
        }
      })
    })
  })
})
