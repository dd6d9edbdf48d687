/** From the flags of `market status` to its query and view. */
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/marketStatus.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** The columns of market days by importance. */
const importance = [
  Table.text("date", "day", Cells.day),
  Table.text("status", "market", Cells.marketStatus)
]

export const of = Effect.fnUntraced(function*({ mode, ...options }: Input) {
  const query = yield* Effect.fromResult(
    Query.marketStatus({
      // The constructor checks what no type has seen: the names of columns, and which days go together.
      ...optionsOf(options) as MarketStatus.Options,
      mode: yield* uncachedModeOf({ mode })
    })
  )
  return { query, view: Table.viewOf(query, importance) }
})
