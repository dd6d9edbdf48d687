/** `marketdata market status`: on which days the market is open. */
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Argument from "effect/cli/Argument"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { uncached } from "../asking/mode.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

export const marketStatus = asks({
  examples: [
    ["", "Today"],
    ["--from 2026-11-23 --to 2026-11-27", "The week of Thanksgiving"],
    ["2026-12-25 --format json", "One day, as JSON"]
  ],
  flags: {
    day: Argument.String("day").pipe(
      Argument.withDescription("One day, as YYYY-MM-DD, today or yesterday; the same as --date"),
      Argument.optional
    ),
    ...Asking.dayOrRange,
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ date, day, ...flags }) {
    if (Option.isSome(day) && Option.isSome(date)) {
      return yield* InvalidQuery.of("--date", date.value, {
        rule: `cannot be combined with the day ${day.value}`,
        example: "marketdata market status 2026-12-25"
      })
    }
    // The constructor checks what no type has seen: the names of columns, and which days go together.
    const given = { ...flags, date: Option.orElse(day, () => date) }
    const options = (yield* uncached(given)) as MarketStatus.Options
    return yield* Table.call(Query.marketStatus(options), [
      Table.text("date", "day", Cells.day),
      Table.text("status", "market", Cells.marketStatus)
    ])
  })
})
