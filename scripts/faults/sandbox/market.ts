import { of, type Seam } from "../seam.ts"

const ChainSnapshot = of(() => import("@effect-marketdata/sandbox/ChainSnapshot"))
const ColumnTable = of(() => import("@effect-marketdata/core/ColumnTable"))
const OptionSymbol = of(() => import("@effect-marketdata/core/OptionSymbol"))
const StockSnapshot = of(() => import("@effect-marketdata/sandbox/StockSnapshot"))
const Trading = of(() => import("@effect-marketdata/sandbox/Trading"))

type Make = typeof import("@effect-marketdata/sandbox/ChainSnapshot").make

/** A chain whose columns are changed when it is made. */
const changed = (
  clause: string,
  change: (chain: ReturnType<Make>, row: number, underlying: Parameters<Make>[1]) => unknown
): Seam =>
  ChainSnapshot(clause, "make", (make) => (seed, underlying, ...listed) => {
    const chain = make(seed, underlying, ...listed)
    for (let row = 0; row < chain.length; row++) change(chain, row, underlying)
    return chain
  })

/** What the synthetic market could get wrong. */
export const faults: ReadonlyArray<Seam> = [
  changed("2.1-side", ({ side }, row) => side[row] = 1 - side[row]!),
  changed("2.1-mid", ({ ask, mid }, row) => mid[row] = ask[row]!),
  changed("2.1-dte", ({ dte }, row) => dte[row]!++),
  // Below its intrinsic value an option has a negative time value.
  changed("2.1-moneyness", ({ extrinsicValue, intrinsicValue, mid }, row) => {
    if (mid[row]! < intrinsicValue[row]!) extrinsicValue[row]! *= -1
  }),
  changed("2.1-expiration", ({ expiration }, row, { kind }) => expiration[row]! -= kind === "index" ? 900 : 0),
  changed("2.1-first-traded", ({ firstTraded }, row) => firstTraded[row]! -= 34_200),
  changed("2.1-updated", ({ updated }, row) => updated[row]! -= 86_400),
  Trading("2.1-last-null", "make", (make) => (...of) => {
    const trading = make(...of)
    return { ...trading, last: Number.isNaN(trading.last) ? 0 : trading.last }
  }),
  ColumnTable(
    "2.1-only-last-null",
    "make",
    (make) => (spec, content) =>
      make(spec, { ...content, nulls: "last" in content.nulls ? { ...content.nulls, iv: content.nulls["last"] } : {} })
  ),
  OptionSymbol("2.3-format", "format", (format) => (symbol) => format(symbol).toLowerCase()),
  // All day long a stock has the price of its close.
  StockSnapshot("4.4-stock-quote", "make", (make) => (...of) => {
    const at = make(...of)
    return (time: Parameters<typeof at>[0]) => at({ ...time, progress: 1 })
  })
]
