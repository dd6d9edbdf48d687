import { CalendarDate, ColumnTable, NewYork, OptionChain, OptionSymbol, TradingCalendar } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { runs } from "../../../core/test/support/depth.ts"
import * as Snapshot from "./support/snapshot.ts"

const noon = (date: string): number => NewYork.at(CalendarDate.parseUnsafe(date), 12, 0)

/** A failure in a loop over thousands of rows must not cost a message for each. */
const holds = (condition: boolean, snapshot: Snapshot.Snapshot, row: number): void => {
  if (!condition) assert.fail(JSON.stringify(snapshot.chain.at(row)))
}

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

it("[2.3-format] [2.1-side] [2.1-expiration] [2.1-dte] [2.1-mid] [2.1-moneyness] [2.1-only-last-null] decodes without a finding", () => {
  for (const { chain, seed } of Snapshot.many()) {
    const decoded = OptionChain.decode(ColumnTable.encode(chain), { strict: true })
    if (Result.isFailure(decoded)) assert.fail(`seed ${seed}: ${decoded.failure.message}`)
    assert.deepStrictEqual([decoded.success.length, decoded.success.findings], [chain.length, []])
  }
})

it("[2.1-mid] [2.1-moneyness] has bids below asks, and no extrinsic value below nothing", () => {
  Snapshot.everyRow((snapshot, row) => {
    const { ask, bid, extrinsicValue } = snapshot.chain
    holds(bid[row]! >= 0 && bid[row]! < ask[row]! && extrinsicValue[row]! >= 0, snapshot, row)
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
  Snapshot.everyRow((snapshot, row) => {
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
  Snapshot.everyRow((snapshot, row) => {
    const firstTraded = snapshot.chain.firstTraded[row]!
    holds(NewYork.secondOfDay(firstTraded) === 34_200, snapshot, row)
    holds(firstTraded <= snapshot.time.open, snapshot, row)
    holds(TradingCalendar.isTradingDay(TradingCalendar.NYSE, NewYork.dateOf(firstTraded)), snapshot, row)
  })
})

it("[2.1-updated] is the moment of the quote in its session, up to two minutes older where little is traded", () => {
  Snapshot.everyRow((snapshot, row) => {
    const { moment, open } = snapshot.time
    const updated = snapshot.chain.updated[row]!
    holds(Number.isInteger(updated) && updated >= Math.max(open, moment - 120) && updated <= moment, snapshot, row)
  })
  const { chain, time } = Snapshot.ofSymbol("SPX", noon("2026-11-20"))
  assert.deepStrictEqual(OptionChain.updatedSpan(chain)?.newest, time.moment)
  assert.isBelow(OptionChain.updatedSpan(chain)!.oldest, time.moment)
})

it("prints no negative zero, which JSON cannot", () => {
  Snapshot.everyRow(({ chain }, row) => {
    for (const name of ["delta", "gamma", "theta", "vega", "extrinsicValue"] as const) {
      if (Object.is(chain[name][row], -0)) assert.fail(`${name} of row ${row}`)
    }
  })
})
