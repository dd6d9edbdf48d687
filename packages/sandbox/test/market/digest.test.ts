/**
 * What the markets of two seeds say of every kind, as a digest: a change of any price, size or date shows here, and is written down where it is
 * meant. That the prices make sense, whatever the seed, is said by the laws of chains and candles.
 */
import { ColumnTable, NewYork } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as Market from "@effect-marketdata/sandbox/Market"
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"

const friday = { year: 2026, month: 11, day: 20 }
/** A minute of a session, one before it, one in the overtime of indexes, half a session, a year in summer. */
const moments = [
  NewYork.at(friday, 12, 3, 7),
  NewYork.at(friday, 8, 0),
  NewYork.at(friday, 16, 9),
  NewYork.at({ ...friday, day: 27 }, 12, 59, 59),
  NewYork.at({ year: 2031, month: 7, day: 2 }, 9, 31)
]

type Table = ColumnTable.ColumnTable<ColumnSpec>

/** What is asked of a market at a moment. */
const asked: Readonly<Record<string, (market: Market.Market, at: number) => ReadonlyArray<unknown>>> = {
  chains: (market, at) => ["RUT", "AAPL", "F", "SPY", "BRK.B"].map((symbol) => market.chain(symbol, at)),
  quotes: (market, at) => {
    const symbols = market.stocks.map(({ symbol }) => symbol)
    return [market.stockQuotes(symbols, at), market.stockPrices(symbols, at)]
  },
  candles: (market, at) =>
    [["1", 1], ["5", 2], ["H", 5], ["D", 40], ["2W", 200], ["M", 400]].flatMap(([resolution, days]) =>
      ["AAPL", "SPY", "KO"].map((symbol) =>
        market.stockCandles(symbol, {
          resolution: String(resolution),
          from: at - Number(days) * 86_400,
          to: at,
          at,
          extended: days === 2
        })
      )
    ),
  "daily candles": (market, at) => [
    market.bulkCandles("all", NewYork.dateOf(at)),
    market.fundCandles("VFINX", { resolution: "D", from: at - 40 * 86_400, to: at, at })
  ],
  "earnings and news": (market, at) =>
    market.stocks.flatMap(({ symbol }) => [
      market.earnings(symbol, { from: at - 400 * 86_400, to: at + 400 * 86_400, at }),
      market.news(symbol, { from: at - 40 * 86_400, to: at, at })
    ])
}

const digests: Readonly<Record<string, string>> = {
  chains: "01fd3ecca53eba4e",
  quotes: "38f19b62692b1e74",
  candles: "f7886f7c2f87b734",
  "daily candles": "6945dd2c74e3d179",
  "earnings and news": "8372956ce806e1f9"
}

describe("the markets of seeds 1 and 7", () => {
  const markets = [1, 7].map((seed) => Market.make({ seed }))
  for (const [name, tables] of Object.entries(asked)) {
    it(`have the ${name} that they had`, () => {
      const hash = createHash("sha256")
      for (const table of markets.flatMap((market) => moments.flatMap((at) => tables(market, at)))) {
        hash.update(table === undefined ? "none" : ColumnTable.encode(table as Table))
      }
      assert.strictEqual(hash.digest("hex").slice(0, 16), digests[name])
    })
  }
})
