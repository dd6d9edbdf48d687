/** `marketdata expirations SYMBOL`: the expirations that are listed for an underlying. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { uncached } from "../asking/mode.ts"
import * as Document from "../output/document.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import * as Cells from "../views/cells.ts"
import { view } from "../views/table.ts"

export const expirations = asks({
  examples: [
    ["SPX", "All of them, with the days to go"],
    ["AAPL --strike 250", "Those that list a strike"],
    ["AAPL --format csv", "As CSV"]
  ],
  flags: {
    symbol: Asking.symbol("The underlying, such as SPX"),
    strike: Flags.finite("strike", "PRICE", "Only expirations that list this strike, in dollars"),
    nonstandard: Flags.yesOrNo("nonstandard", "The expirations of adjusted contracts as well"),
    ...Asking.pastDay,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ symbol, ...flags }) {
    return yield* view(Query.optionExpirations(symbol, yield* uncached(flags)), {
      rows: ({ expirations }) => Document.rows(["expiration"], expirations.map((day) => [CalendarDate.format(day)])),
      lines: ({ expirations }, { columns }, now) =>
        Grid.format(
          [{ head: "expiration", align: "left" }, { head: "from today", align: "right" }],
          expirations.map((day) => [Cells.dayOf(day), Cells.daysTo(day, now)]),
          columns
        )
    })
  })
})
