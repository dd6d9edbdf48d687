/** From the flags of `stock quote` to its query and view. */
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { modeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Display, Input } from "../commands/stockQuote.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** The columns of quotes by importance. */
const importance = [
  Table.text("symbol", "symbol", Cells.text),
  Table.number("bid", "bid", Cells.price),
  Table.number("ask", "ask", Cells.price),
  Table.number("last", "last", Cells.price),
  Table.number("changepct", "change", Cells.percentage),
  Table.number("updated", "age", Cells.age),
  Table.number("volume", "volume", Cells.quantity),
  Table.number("52weekLow", "year low", Cells.price),
  Table.number("52weekHigh", "year high", Cells.price),
  Table.number("o", "open", Cells.price),
  Table.number("h", "high", Cells.price),
  Table.number("l", "low", Cells.price),
  Table.number("c", "close", Cells.price),
  Table.number("mid", "mid", Cells.price),
  Table.number("change", "in dollars", Cells.change),
  Table.number("bidSize", "bid size", Cells.quantity),
  Table.number("askSize", "ask size", Cells.quantity),
  Table.text("updated", "taken", Cells.moment)
]

export const of = Effect.fnUntraced(function*(
  { candle, columns, extended, symbols, yearRange, ...modes }: Input,
  display?: Display
) {
  // The constructors check the names of columns, which no type has seen.
  const { columns: names, extended: whether } = optionsOf({ columns, extended })
  const options = {
    mode: yield* modeOf(modes),
    columns: names as ReadonlyArray<StockQuotes.BaseColumn> | undefined,
    include: [...yearRange ? ["52week"] : [], ...candle ? ["candle"] : []] as ReadonlyArray<"candle">,
    extended: whether
  }
  const [symbol = "", ...others] = symbols
  if (yearRange && others.length > 0) {
    return yield* InvalidQuery.of("--52week", true, { rule: "is for one stock only", example: `${symbol} --52week` })
  }
  const query = yield* Effect.fromResult(
    others.length === 0 ? Query.stockQuote(symbol, options) : Query.stockQuotes(symbols, options)
  )
  return {
    query,
    view: Table.viewOf(query, importance),
    fallbackUpTo: modes.fallbackUpTo,
    every: display?.watch ?? Option.none()
  }
})
