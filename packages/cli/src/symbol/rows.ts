/** Symbols and their parts as rows. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import { underlyingOf } from "@effect-marketdata/core/Expiration"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Rows from "../output/rows.ts"

/** The parts of each symbol, and the symbol in both forms. */
export const of = (symbols: ReadonlyArray<OptionSymbol.OptionSymbol>): Rows.Rows =>
  Rows.of(
    ["symbol", "root", "underlying", "expiration", "side", "strike", "padded"],
    symbols.map((symbol) => [
      OptionSymbol.format(symbol),
      symbol.root,
      underlyingOf(symbol.root),
      CalendarDate.format(symbol.expiration),
      symbol.side,
      symbol.strike,
      OptionSymbol.formatOsi(symbol)
    ])
  )

/** The same as objects. */
export const objects = (rows: Rows.Rows) => Array.from({ length: rows.length }, (_, at) => Rows.objectAt(rows, at))
