/** `marketdata stock quote SYMBOL…`: quotes of stocks. */
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as Argument from "effect/cli/Argument"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { modeOf, optionsOf } from "../asking/mode.ts"
import * as Flags from "../text/flags.ts"
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

export const askable = asks({
  examples: [
    ["AAPL MSFT SPY", "Quotes of several stocks"],
    ["AAPL --52week", "With the range of the year"],
    ["AAPL MSFT --mode cached --format csv", "From the cache, as CSV"]
  ],
  flags: {
    symbols: Asking.symbol("The stocks, such as AAPL MSFT").pipe(Argument.atLeast(1)),
    ...Asking.mode,
    candle: Flags.isOn("candle", "Add the day's candle"),
    yearRange: Flags.isOn("52week", "Add the highest and the lowest price of a year; of one stock only"),
    extended: Flags.yesOrNo("extended", "Whether to count trading before and after the session"),
    ...Asking.columns
  },
  display: Asking.watch,
  call: Effect.fnUntraced(function*({ candle, columns, extended, symbols, yearRange, ...modes }, display) {
    // The constructors check the names of columns, which no type has seen.
    const options = {
      ...optionsOf({ columns, extended }) as { readonly columns: ReadonlyArray<StockQuotes.BaseColumn> | undefined },
      mode: yield* modeOf(modes),
      include: [...yearRange ? ["52week"] : [], ...candle ? ["candle"] : []] as ReadonlyArray<"candle">
    }
    const [symbol = "", ...others] = symbols
    if (yearRange && others.length > 0) {
      return yield* InvalidQuery.of("--52week", true, { rule: "is for one stock only", example: `${symbol} --52week` })
    }
    const query = yield* Effect.fromResult(
      others.length === 0 ? Query.stockQuote(symbol, options) : Query.stockQuotes(symbols, options)
    )
    return { ...Table.call(query, importance), fallbackUpTo: modes.fallbackUpTo, every: display?.watch }
  })
})
