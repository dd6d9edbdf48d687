import { CalendarDate, ColumnTable, NewYork, OptionChain, TradingCalendar } from "@effect-marketdata/core"
import * as Market from "@effect-marketdata/sandbox/Market"
import { assert, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"
import * as Arbitrary from "./support/arbitrary.ts"

const friday = CalendarDate.parseUnsafe("2026-11-20")
const noon = NewYork.at(friday, 12, 0)
const after = { year: 2096, month: 6, day: 1 }
const market = Market.make()

const bodyOf = (of: Market.Market, symbol: string, at: number): string => ColumnTable.encode(of.chain(symbol, at)!)

it("make shows the same to the same seed, in whatever order it is asked", () => {
  const symbols = ["RUT", "AAPL", "F"]
  const moments = [noon, noon + 7 * 86_400, noon - 3600]
  assert.strictEqual(market.seed, 1)
  const asked = (of: Market.Market, order: ReadonlyArray<number>) =>
    new Map(order.flatMap((at) => symbols.map((symbol) => [`${symbol} ${at}`, bodyOf(of, symbol, at)] as const)))
  const forward = asked(Market.make({ seed: 5 }), moments)
  const backward = asked(Market.make({ seed: 5 }), moments.toReversed())
  for (const [query, body] of forward) assert.strictEqual(backward.get(query), body)
})

it("[4.2-quote] optionQuotes has the rows that contracts have in their chains, in the order asked", () => {
  const chains = ["F", "SPX", "AAPL"].map((symbol) => market.chain(symbol, noon)!)
  const rows = chains.flatMap((chain) =>
    [0, 1, 0.2, 0.5, 0.9].map((part) => chain.at(Math.floor(part * (chain.length - 1))))
  )
  const asked = rows.map(({ optionSymbol }) => optionSymbol)
  for (const symbols of [asked, asked.toReversed(), asked.slice(0, 1), [...asked, ...asked]]) {
    const quotes = market.optionQuotes(symbols, noon)
    assert.strictEqual(quotes.length, symbols.length)
    for (const [at, symbol] of symbols.entries()) {
      const row = rows.find(({ optionSymbol }) => optionSymbol === symbol)!
      assert.strictEqual(JSON.stringify(quotes.at(at)), JSON.stringify(row))
    }
  }
})

it("has nothing of what is not known or not listed, of days without a session, and of other years than its own", () => {
  const cases = [["NOPE", noon], ["AAPL", NaN], ["AAPL", 0], ["AAPL", NewYork.at(after, 12, 0)]] as const
  for (const [symbol, at] of cases) {
    const found = [market.chain(symbol, at), market.expirations(symbol, at), market.strikes(symbol, at)]
    assert.deepStrictEqual(found, [undefined, undefined, undefined])
  }
  for (const day of ["2026-11-21", "2026-11-26"].map(CalendarDate.parseUnsafe)) {
    assert.isUndefined(market.endOfDay("SPX", day))
    assert.strictEqual(market.optionQuotesAtClose(["AAPL261218C00350000"], day).length, 0)
    assert.deepStrictEqual(market.strikes("AAPL", noon, day), [])
  }
  const listed = OptionChain.symbolAt(market.chain("AAPL", noon)!, 0)
  const unlisted = ["AAPL261121C00270000", "AAPL261120C00270001", "NOPE261120C00270000", "AAPL", ""]
  const quotes = market.optionQuotes([...unlisted, listed, ...unlisted], noon)
  assert.deepStrictEqual(ColumnTable.toRows(quotes).map(({ optionSymbol }) => optionSymbol), [listed])
  for (const at of [NewYork.at(CalendarDate.addDays(friday, 3), 9, 30), NaN]) {
    const none = market.optionQuotes([listed], at)
    assert.deepStrictEqual([none.length, none.columnNames], [0, quotes.columnNames])
  }
})

it("lists expirations and their strikes in order, adjusted contracts too, and has the quotes of each close", () => {
  const market = Market.make()
  const chain = market.chain("AAPL", noon)!
  const expected = OptionChain.groupByExpiration(chain).map(({ expiration, rows }) => ({
    expiration,
    strikes: [...new Set(Array.from(rows, (row) => chain.strike[row]!))].toSorted((a, b) => a - b)
  }))
  assert.deepStrictEqual(market.strikes("AAPL", noon), expected)
  assert.deepStrictEqual(market.expirations("AAPL", noon), expected.map(({ expiration }) => expiration))
  // The roots of an index take turns.
  const days = OptionChain.groupByExpiration(market.chain("RUT", noon)!).map(({ expiration }) => expiration)
  assert.deepStrictEqual(market.expirations("RUT", noon), days)
  assert.isNotEmpty(market.expirations("AAPL", noon, 349.64))
  assert.deepStrictEqual(market.expirations("AAPL", noon, 349.64, { nonstandard: false }), [])
  const ended = market.endOfDay("AAPL", friday)!.at(100)
  const [quote] = market.optionQuotesAtClose([ended.optionSymbol], friday)
  assert.strictEqual(JSON.stringify(quote), JSON.stringify(ended))
})

it("[2.1-updated] updated of options on an index runs to 15 minutes after the close, of all others to the close", () => {
  Arbitrary.holds(
    fc.property(Arbitrary.seed, Arbitrary.underlying, Arbitrary.moment, (seed, { kind, symbol }, moment) => {
      const { close, date } = Option.getOrThrow(TradingCalendar.sessionOf(TradingCalendar.NYSE, moment))
      const end = kind === "index" ? close + 900 : close
      const market = Market.make({ seed })
      const chain = market.endOfDay(symbol, date)!
      assert.isAtMost(Math.max(...chain.updated), end)
      assert.isAbove(Math.max(...chain.updated), end - 60)
      assert.isTrue(market.chain(symbol, close + 3600) === chain)
      if (kind !== "index") return
      // The index itself has closed, and its options are still traded.
      const atClose = market.chain(symbol, close)!
      assert.strictEqual(atClose.underlyingPrice[0], chain.underlyingPrice[0])
      const total = ({ volume }: typeof chain) => volume.reduce((sum, each) => sum + each, 0)
      assert.isAbove(total(chain), total(atClose))
    }),
    { numRuns: runs(30, 8), endOnFailure: true }
  )
})

it("marketStatus is null where the calendar ends", () => {
  const status = (from: string, to: string) =>
    ColumnTable.toRows(market.marketStatus({ from: CalendarDate.parseUnsafe(from), to: CalendarDate.parseUnsafe(to) }))
  assert.deepStrictEqual(status("1989-12-31", "1990-01-02").map(({ status }) => status), [null, "closed", "open"])
  assert.deepStrictEqual(status("2099-12-31", "2100-01-02").map(({ status }) => status), ["open", null, null])
})

it("stocks are quoted at the price that their options are valued by, at every moment", () => {
  Arbitrary.holds(
    fc.property(Arbitrary.seed, Arbitrary.moment, (seed, at) => {
      const seeded = Market.make({ seed })
      for (const symbol of ["AAPL", "F"]) {
        assert.strictEqual(seeded.chain(symbol, at)!.underlyingPrice[0], seeded.stockQuotes([symbol], at).last[0])
      }
    }),
    { numRuns: runs(12, 4) }
  )
  for (const { kind, symbol } of market.underlyings) {
    const [price] = market.stockQuotes([symbol], noon).last
    assert.strictEqual(price, kind === "index" ? undefined : market.chain(symbol, noon)!.underlyingPrice[0])
  }
  const day = { resolution: "D", from: NewYork.midnight(friday), to: NewYork.at(friday, 16, 0) }
  assert.strictEqual(market.stockCandles("AAPL", day)!.c[0], market.endOfDay("AAPL", friday)!.underlyingPrice[0])
})
