import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as Market from "@effect-marketdata/sandbox/Market"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"

const friday = CalendarDate.parseUnsafe("2026-11-20")
const noon = NewYork.at(friday, 12, 0)
const market = Market.make({ seed: 1 })

const bodyOf = (of: Market.Market, symbol: string, at: number): string => ColumnTable.encode(of.chain(symbol, at)!)

describe("Market", () => {
  describe("make", () => {
    it("shows the same to the same seed, in whatever order it is asked", () => {
      const symbols = ["RUT", "AAPL", "F"]
      const moments = [noon, noon + 7 * 86_400, noon - 3600]
      const asked = (of: Market.Market, order: ReadonlyArray<number>) =>
        new Map(order.flatMap((at) => symbols.map((symbol) => [`${symbol} ${at}`, bodyOf(of, symbol, at)] as const)))
      const forward = asked(Market.make({ seed: 5 }), moments)
      const backward = asked(Market.make({ seed: 5 }), moments.toReversed())
      for (const [query, body] of forward) assert.strictEqual(backward.get(query), body)
    })

    it("shows other prices to other seeds, and takes seed 1 for none", () => {
      assert.notStrictEqual(bodyOf(Market.make({ seed: 2 }), "F", noon), bodyOf(market, "F", noon))
      assert.strictEqual(bodyOf(Market.make(), "F", noon), bodyOf(market, "F", noon))
      assert.strictEqual(Market.make().seed, 1)
    })
  })

  describe("find", () => {
    it("finds an underlying by exactly its symbol", () => {
      for (const underlying of market.underlyings) assert.strictEqual(market.find(underlying.symbol), underlying)
      assert.strictEqual(market.find("BRK.B")?.kind, "equity")
      for (const unknown of ["spx", "SPXW", "BRKB", "", "NOPE", "constructor"]) assert.isUndefined(market.find(unknown))
    })
  })

  describe("chain", () => {
    it("[2.1-shape] [2.1-lengths] [2.1-fields] [2.1-closed] prints s and the 25 arrays of one length, and nothing else", () => {
      const body: unknown = JSON.parse(bodyOf(market, "AAPL", noon))
      assert.isObject(body)
      const { s, ...columns } = body as Record<string, unknown>
      assert.strictEqual(s, "ok")
      const types = {
        optionSymbol: "string",
        underlying: "string",
        expiration: "number",
        side: "string",
        strike: "number",
        firstTraded: "number",
        dte: "number",
        ask: "number",
        askSize: "number",
        bid: "number",
        bidSize: "number",
        mid: "number",
        last: "number or null",
        volume: "number",
        openInterest: "number",
        underlyingPrice: "number",
        inTheMoney: "boolean",
        intrinsicValue: "number",
        extrinsicValue: "number",
        updated: "number",
        iv: "number",
        delta: "number",
        gamma: "number",
        theta: "number",
        vega: "number"
      }
      assert.deepStrictEqual(Object.keys(columns).toSorted(), Object.keys(types).toSorted())
      for (const [name, column] of Object.entries(columns)) {
        assert.isArray(column)
        const elements = column as ReadonlyArray<unknown>
        assert.strictEqual(elements.length, market.chain("AAPL", noon)!.length)
        const found = new Set(elements.map((element) => element === null ? "null" : typeof element))
        assert.strictEqual([...found].toSorted().toReversed().join(" or "), types[name as keyof typeof types], name)
      }
    })

    it("[2.1-last-null] prints null where there is no last price, and a number of cents elsewhere", () => {
      const body: { readonly last: ReadonlyArray<unknown> } = JSON.parse(bodyOf(market, "AAPL", noon))
      const prices = body.last.filter((last) => last !== null)
      assert.isBelow(prices.length, body.last.length)
      assert.isTrue(prices.every((last) => typeof last === "number" && last > 0))
    })

    it("decodes without a finding, row for row, for every underlying", () => {
      for (const { symbol } of market.underlyings) {
        const chain = market.chain(symbol, noon)!
        const decoded = Result.getOrThrow(OptionChain.decode(ColumnTable.encode(chain), { strict: true }))
        assert.deepStrictEqual(decoded.findings, [])
        assert.strictEqual(decoded.length, chain.length)
        for (const name of chain.columnNames) {
          for (let row = 0; row < chain.length; row++) {
            if (decoded.valueAt(name, row) !== chain.valueAt(name, row)) assert.fail(`${symbol} ${name} ${row}`)
          }
        }
      }
    })

    it("has 22,718 options on SPX at every moment", () => {
      Law.holds(
        fc.property(Arbitrary.seed, fc.array(Arbitrary.moment, { minLength: 3, maxLength: 3 }), (seed, moments) => {
          const seeded = Market.make({ seed })
          for (const at of moments) assert.strictEqual(seeded.chain("SPX", at)?.length, 22_718)
        }),
        { numRuns: 3 }
      )
      const turns = ["2000-01-03", "2026-11-21", "2026-11-22", "2026-12-25", "2027-01-01", "2027-03-14", "2095-12-30"]
      for (const day of turns) {
        assert.strictEqual(market.chain("SPX", NewYork.at(CalendarDate.parseUnsafe(day), 12, 0))?.length, 22_718, day)
      }
    })

    it("changes with the minutes of the session, and not within one", () => {
      assert.isTrue(market.chain("AAPL", noon + 59) === market.chain("AAPL", noon))
      const later = market.chain("AAPL", noon + 60)!
      assert.notStrictEqual(later.underlyingPrice[0], market.chain("AAPL", noon)!.underlyingPrice[0])
      assert.strictEqual(OptionChain.updatedSpan(later)?.newest, noon + 60)
    })

    it("[2.1-updated] stays with the close until the next session opens", () => {
      const close = NewYork.at(friday, 16, 0)
      for (const hours of [0, 5, 24, 48]) {
        const chain = market.chain("AAPL", close + hours * 3600)!
        assert.strictEqual(OptionChain.updatedSpan(chain)?.newest, close)
      }
      const monday = NewYork.at(CalendarDate.addDays(friday, 3), 9, 30)
      assert.deepStrictEqual(OptionChain.updatedSpan(market.chain("AAPL", monday)!), { oldest: monday, newest: monday })
    })

    it("is none for what is not known, and outside the years of the market", () => {
      assert.isUndefined(market.chain("NOPE", noon))
      for (const at of [NaN, 0, NewYork.at({ year: 2096, month: 6, day: 1 }, 12, 0)]) {
        assert.isUndefined(market.chain("SPX", at))
      }
    })
  })

  describe("endOfDay", () => {
    it("is the chain of the close, on half days too", () => {
      for (const day of ["2026-11-20", "2026-11-27"].map(CalendarDate.parseUnsafe)) {
        const evening = market.chain("AAPL", NewYork.at(day, 20, 0))
        assert.isDefined(evening)
        assert.isTrue(market.endOfDay("AAPL", day) === evening)
      }
    })

    it("is none on a day without a session, and for what is not known", () => {
      for (const day of ["2026-11-21", "2026-11-26", "2026-12-25"].map(CalendarDate.parseUnsafe)) {
        assert.isUndefined(market.endOfDay("SPX", day))
      }
      assert.isUndefined(market.endOfDay("NOPE", friday))
    })
  })

  describe("filter", () => {
    it("keeps an expiration and a side", () => {
      const calls = market.filter(market.chain("SPX", noon)!, { expiration: friday, side: "call" })
      assert.strictEqual(calls.length, 300 + 239)
      assert.deepStrictEqual(new Set(calls.side), new Set([0]))
    })
  })
  describe("optionQuotes", () => {
    it("[4.2-quote] has the rows that contracts have in their chains, in the order asked", () => {
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

    it("prints what decodes to itself", () => {
      const quotes = market.optionQuotes(["AAPL261218P00350000", "AAPL1261218C00349640"], noon)
      const decoded = Result.getOrThrow(OptionQuote.decode(ColumnTable.encode(quotes), { strict: true }))
      assert.deepStrictEqual(ColumnTable.toRows(decoded), ColumnTable.toRows(quotes))
    })

    it("has no row of what is not listed then", () => {
      const listed = OptionChain.symbolAt(market.chain("AAPL", noon)!, 0)
      assert.isTrue(listed.startsWith("AAPL261120C"))
      const unlisted = [
        "AAPL261121C00270000",
        "AAPL261120C00270001",
        "NOPE261120C00270000",
        "AAPL",
        "",
        "AAPL1261120C00270000"
      ]
      const quotes = market.optionQuotes([...unlisted, listed, ...unlisted], noon)
      assert.deepStrictEqual(ColumnTable.toRows(quotes).map(({ optionSymbol }) => optionSymbol), [listed])
      const monday = NewYork.at(CalendarDate.addDays(friday, 3), 9, 30)
      for (const at of [monday, NaN, 0]) assert.strictEqual(market.optionQuotes([listed], at).length, 0)
      assert.strictEqual(market.optionQuotes([listed], monday - 1).length, 1)
      const none = market.optionQuotes([], noon)
      assert.deepStrictEqual([none.length, none.columnNames], [0, quotes.columnNames])
    })
  })

  describe("optionQuotesAtClose", () => {
    it("has the rows of the end-of-day chain", () => {
      const chain = market.endOfDay("RUT", friday)!
      const symbol = OptionChain.symbolAt(chain, 1000)
      const [quote] = market.optionQuotesAtClose([symbol], friday)
      assert.strictEqual(JSON.stringify(quote), JSON.stringify(chain.at(1000)))
      assert.strictEqual(market.optionQuotesAtClose([symbol], CalendarDate.addDays(friday, 1)).length, 0)
    })
  })

  describe("expirations", () => {
    it("has the days on which the contracts of the chain expire, in order", () => {
      for (const { symbol } of market.underlyings) {
        const days = OptionChain.groupByExpiration(market.chain(symbol, noon)!).map(({ expiration }) => expiration)
        assert.deepStrictEqual(market.expirations(symbol, noon), days)
      }
    })

    it("has those that list a strike", () => {
      const chain = market.chain("AAPL", noon)!
      for (const strike of [350, 210, 349.64, 1.5]) {
        const filtered = ColumnTable.filter(chain, (row) => chain.strike[row] === strike)
        const days = OptionChain.groupByExpiration(filtered).map(({ expiration }) => expiration)
        assert.deepStrictEqual(market.expirations("AAPL", noon, strike), days)
        assert.strictEqual(days.length === 0, strike === 1.5)
      }
      assert.deepStrictEqual(market.expirations("AAPL", noon, 349.64, { nonstandard: false }), [])
    })

    it("is none for what is not known, and outside the years of the market", () => {
      assert.isUndefined(market.expirations("NOPE", noon))
      assert.isUndefined(market.expirations("AAPL", 0))
    })
  })

  describe("strikes", () => {
    it("has the strikes of the chain, expiration by expiration, whatever their root", () => {
      const chain = market.chain("AAPL", noon)!
      const expected = OptionChain.groupByExpiration(chain).map(({ expiration, rows }) => ({
        expiration,
        strikes: [...new Set(Array.from(rows, (row) => chain.strike[row]!))].toSorted((a, b) => a - b)
      }))
      assert.deepStrictEqual(market.strikes("AAPL", noon), expected)
      const december = CalendarDate.parseUnsafe("2026-12-18")
      assert.deepStrictEqual(
        market.strikes("AAPL", noon, december),
        expected.filter(({ expiration }) => CalendarDate.Equivalence(expiration, december))
      )
    })

    it("leaves adjusted contracts out on demand", () => {
      const [december] = market.strikes("AAPL", noon, CalendarDate.parseUnsafe("2026-12-18"), { nonstandard: false })!
      assert.isTrue(december!.strikes.every((strike) => strike % 2.5 === 0))
    })

    it("is empty for a day on which nothing expires, and none for what is not known", () => {
      assert.deepStrictEqual(market.strikes("AAPL", noon, CalendarDate.addDays(friday, 1)), [])
      assert.isUndefined(market.strikes("NOPE", noon))
    })
  })

  describe("marketStatus", () => {
    it("is open on trading days, half days included, and null where the calendar ends", () => {
      const status = (from: string, to: string) =>
        ColumnTable.toRows(
          market.marketStatus({ from: CalendarDate.parseUnsafe(from), to: CalendarDate.parseUnsafe(to) })
        )
      assert.deepStrictEqual(
        status("2026-11-25", "2026-11-29").map(({ status }) => status),
        ["open", "closed", "open", "closed", "closed"]
      )
      assert.deepStrictEqual(status("2026-11-25", "2026-11-25").map(({ date }) => NewYork.format(date)), [
        "2026-11-25 00:00:00 EST"
      ])
      assert.deepStrictEqual(status("1989-12-31", "1990-01-02").map(({ status }) => status), [null, "closed", "open"])
      assert.deepStrictEqual(status("2099-12-31", "2100-01-04").map(({ status }) => status === null), [
        false,
        true,
        true,
        true,
        true
      ])
      assert.deepStrictEqual(status("2026-11-25", "2026-11-24"), [])
    })
  })

  describe("stocks", () => {
    it("are quoted at the price that their options are valued by, at every moment", () => {
      Law.holds(
        fc.property(Arbitrary.seed, Arbitrary.moment, (seed, at) => {
          const seeded = Market.make({ seed })
          for (const symbol of ["AAPL", "F"]) {
            assert.strictEqual(seeded.chain(symbol, at)!.underlyingPrice[0], seeded.stockQuotes([symbol], at).last[0])
          }
        }),
        { numRuns: 12 }
      )
      for (const { kind, symbol } of market.underlyings) {
        const [price] = market.stockQuotes([symbol], noon).last
        assert.strictEqual(price, kind === "index" ? undefined : market.chain(symbol, noon)!.underlyingPrice[0])
      }
      const day = { resolution: "D", from: NewYork.midnight(friday), to: NewYork.at(friday, 16, 0) }
      assert.strictEqual(market.stockCandles("AAPL", day)!.c[0], market.endOfDay("AAPL", friday)!.underlyingPrice[0])
    })
  })
})
