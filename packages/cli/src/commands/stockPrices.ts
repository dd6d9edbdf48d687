/** `marketdata stock prices SYMBOL…`: the middle between bid and ask of stocks, and nothing else. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as Argument from "effect/cli/Argument"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { modeOf, optionsOf } from "../asking/mode.ts"
import * as Flags from "../text/flags.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** The columns of prices by importance. */
const importance = [
  Table.text("symbol", "symbol", Cells.text),
  Table.number("mid", "mid", Cells.price),
  Table.number("changepct", "change", Cells.percentage),
  Table.number("change", "in dollars", Cells.change),
  Table.number("updated", "age", Cells.age),
  Table.text("updated", "taken", Cells.moment)
]

export const askable = asks({
  examples: [
    ["AAPL MSFT SPY", "Prices of several stocks"],
    ["AAPL MSFT --mode cached", "From the cache, for one credit"],
    ["AAPL --columns symbol,mid --format csv", "Two columns, as CSV"]
  ],
  flags: {
    symbols: Asking.symbol("The stocks, such as AAPL MSFT").pipe(Argument.atLeast(1)),
    ...Asking.mode,
    extended: Flags.yesOrNo("extended", "Whether to count trading before and after the session"),
    ...Asking.columns
  },
  call: Effect.fnUntraced(function*({ columns, extended, symbols, ...modes }) {
    const query = yield* Effect.fromResult(
      Query.stockPrices(symbols, {
        // The constructor checks the names of columns, which no type has seen.
        ...optionsOf({ columns, extended }) as StockPrices.Options,
        mode: yield* modeOf(modes)
      })
    )
    return { ...Table.call(query, importance), fallbackUpTo: modes.fallbackUpTo }
  })
})
