import type { Fault } from "../fault.ts"

const module = (name: string) => `packages/sandbox/src/market/${name}.ts`

const file = module("ChainSnapshot")

/** What the synthetic market could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "2.1-side", file, find: "vectors.side[row] = of.sideCode", replace: "vectors.side[row] = 1 - of.sideCode" },
  {
    clause: "2.1-mid",
    file,
    find: "const mid = (quote.bid + quote.ask) / 200",
    replace: "const mid = quote.ask / 100"
  },
  { clause: "2.1-dte", file, find: "vectors.dte[row] = days", replace: "vectors.dte[row] = days + 1" },
  {
    clause: "2.1-moneyness",
    file,
    find: "vectors.inTheMoney[row] = intrinsic > 0 ? 1 : 0",
    replace: "vectors.inTheMoney[row] = intrinsic >= 0 ? 1 : 0"
  },
  {
    clause: "2.1-last-null",
    file,
    find: "if (Number.isNaN(trading.last)) neverTraded",
    replace: "if (trading.volume === 0) neverTraded"
  },
  {
    clause: "2.1-only-last-null",
    file,
    find: "nulls: { last: neverTraded }",
    replace: "nulls: { last: neverTraded, iv: neverTraded }"
  },
  { clause: "2.1-expiration", file, find: `kind === "index" ? 15 : 0`, replace: `kind === "index" ? 0 : 15` },
  {
    clause: "2.1-first-traded",
    file,
    find: "vectors.firstTraded[row] = firstTraded",
    replace: "vectors.firstTraded[row] = firstTraded + 60"
  },
  {
    clause: "2.1-updated",
    file,
    find: "Math.max(time.open, time.moment - trading.age)",
    replace: "time.moment - trading.age - 86_400"
  },
  { clause: "2.3-format", file, find: ".slice(0, -8)", replace: ".slice(0, -8).toLowerCase()" },
  {
    clause: "2.1-side",
    file,
    find: `const sides = ["call", "put"] as const`,
    replace: `const sides = ["put", "call"] as const`
  },
  {
    clause: "2.1-moneyness",
    file,
    find: "Math.abs(mid - intrinsic)",
    replace: "(mid - intrinsic)"
  },
  {
    clause: "2.1-first-traded",
    file: module("Listing"),
    find: "Eastern.at(firstDay, 9, 30)",
    replace: "Eastern.at(firstDay, 0, 0)"
  },
  {
    clause: "2.1-last-null",
    file: module("Trading"),
    find: ": NaN,",
    replace: ": 0,"
  },
  {
    clause: "2.1-updated",
    file: module("QuoteTime"),
    find: "Math.min(end, open + Math.floor((epochSeconds - open) / 60) * 60)",
    replace: "open + Math.floor((epochSeconds - open) / 60) * 60"
  },
  {
    clause: "2.1-updated",
    file: module("Trading"),
    find: "draw(today, chance.age)",
    replace: "draw(now, chance.age)"
  },
  {
    clause: "2.1-updated",
    file: module("QuoteTime"),
    find: "const end = close + overtime",
    replace: "const end = close"
  },
  {
    clause: "8.2-timeliness",
    file: module("Trading"),
    find: "draw(today, chance.age)",
    replace: "draw(now, chance.age)"
  },
  {
    clause: "4.2-quote",
    file: module("Market"),
    find: `symbol.side === "call" ? 0 : 1`,
    replace: `symbol.side === "call" ? 1 : 0`
  },
  {
    clause: "4.2-quote",
    file: module("Market"),
    find: "listed.root === symbol.root && listed.expiration === expiration",
    replace: "listed.expiration === expiration"
  },
  {
    clause: "4.4-stock-quote",
    file: module("StockSnapshot"),
    find: "Spot.price(seed, stock, day, time.progress)",
    replace: "Spot.price(seed, stock, day, 1)"
  },
  {
    clause: "4.4-stock-quote",
    file: module("StockSnapshot"),
    find: "Math.max(year.h, today.h)",
    replace: "year.h"
  },
  {
    clause: "4.5-prices",
    file: module("RowTable"),
    find: "codes.get(element) ?? codes.size",
    replace: "codes.size"
  },
  {
    clause: "4.5-bulk-candles",
    file: module("Candles"),
    find: "moment <= to; moment += step",
    replace: "moment < to; moment += step"
  },
  {
    clause: "4.5-bulk-candles",
    file: module("StockMarket"),
    find: "[{ symbol, ...candle, t }]",
    replace: "[{ symbol, ...candle, t: t + 34_200 }]"
  }
]
