/** From the flags of `expirations` to its query and view. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as OptionExpirations from "@effect-marketdata/core/OptionExpirations"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/expirations.ts"
import type { Size } from "../output/output.ts"
import * as Rows from "../output/rows.ts"
import * as Grid from "../text/grid.ts"
import type { Line } from "../text/span.ts"
import * as Cells from "../views/cells.ts"

const rows = ({ expirations }: OptionExpirations.OptionExpirations): Rows.Rows =>
  Rows.of(["expiration"], expirations.map((day) => [CalendarDate.format(day)]))

const lines = (
  { expirations }: OptionExpirations.OptionExpirations,
  { columns }: Size,
  now: number
): ReadonlyArray<Line> =>
  Grid.format(
    [{ head: "expiration", align: "left" }, { head: "from today", align: "right" }],
    expirations.map((day) => [Cells.dayOf(day), Cells.daysTo(day, now)]),
    columns
  )

export const of = Effect.fnUntraced(function*({ mode, symbol, ...options }: Input) {
  const query = yield* Effect.fromResult(
    Query.optionExpirations(symbol, { ...optionsOf(options), mode: yield* uncachedModeOf({ mode }) })
  )
  return { query, view: { rows, lines } }
})
