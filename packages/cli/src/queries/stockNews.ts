/** From the flags of `stock news` to its query and view. */
import * as Query from "@effect-marketdata/core/Query"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/stockNews.ts"
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

export const of = Effect.fnUntraced(function*({ mode, symbol, ...options }: Input) {
  const query = yield* Effect.fromResult(
    Query.stockNews(symbol, {
      // The constructor checks what no type has seen: the names of columns, and which days go together.
      ...optionsOf(options) as StockNews.Options,
      mode: yield* uncachedModeOf({ mode })
    })
  )
  return { query, view: Table.viewOf(query, importance) }
})
