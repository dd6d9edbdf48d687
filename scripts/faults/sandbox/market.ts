import type { Fault } from "../fault.ts"

const file = "packages/sandbox/src/market/ChainSnapshot.ts"

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
    replace: "if (trading.volume < 0) neverTraded"
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
  { clause: "2.3-format", file, find: ".slice(0, -8)", replace: ".slice(0, -8).toLowerCase()" }
]
