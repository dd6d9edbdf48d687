/** From the flags of `market status` to its query and view. */
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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

export const of = Effect.fnUntraced(function*({ date, day, mode, ...options }: Input) {
  if (Option.isSome(day) && Option.isSome(date)) {
    return yield* InvalidQuery.of("--date", date.value, {
      rule: `cannot be combined with the day ${day.value}`,
      example: "marketdata market status 2026-12-25"
    })
  }
  const query = yield* Effect.fromResult(
    Query.marketStatus({
      // The constructor checks what no type has seen: the names of columns, and which days go together.
      ...optionsOf({ ...options, date: Option.orElse(day, () => date) }) as MarketStatus.Options,
      mode: yield* uncachedModeOf({ mode })
    })
  )
  return { query, view: Table.viewOf(query, importance) }
})
