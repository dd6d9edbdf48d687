/** `marketdata stock news SYMBOL`: news about a company. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { optionsOf, uncachedModeOf } from "../asking/mode.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** The columns of news by importance. */
const importance = [
  Table.number("publicationDate", "age", Cells.age),
  Table.sentence("headline", "headline", Cells.text),
  Table.text("symbol", "symbol", Cells.text),
  Table.text("publicationDate", "published", Cells.moment),
  Table.sentence("source", "source", Cells.text),
  Table.sentence("content", "text", Cells.text)
]

export const askable = asks({
  examples: [
    ["AAPL", "The latest article"],
    ["AAPL --from 2026-11-01 --to 2026-11-20", "The articles of some days"],
    ["AAPL --countback 5 --format jsonl", "The last five, a line of JSON each"]
  ],
  flags: {
    symbol: Asking.symbol("The stock, such as AAPL"),
    ...Asking.dayOrRange,
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ mode, symbol, ...options }) {
    const query = yield* Effect.fromResult(
      Query.stockNews(symbol, {
        // The constructor checks what no type has seen: the names of columns, and which days go together.
        ...optionsOf(options) as StockNews.Options,
        mode: yield* uncachedModeOf(mode)
      })
    )
    return Table.call(query, importance)
  })
})
