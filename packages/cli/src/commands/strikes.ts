/** `marketdata strikes SYMBOL`: the strikes that are listed for an underlying, by expiration. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { uncached } from "../asking/mode.ts"
import * as Document from "../output/document.ts"
import * as Flags from "../text/flags.ts"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "../views/cells.ts"
import { view } from "../views/table.ts"

/** Texts side by side, on the right of columns of one width. */
const sideBySide = (texts: ReadonlyArray<string>, columns: number): ReadonlyArray<string> => {
  const width = texts.reduce((widest, { length }) => Math.max(widest, length), 0) + 2
  const perLine = Math.max(1, Math.floor(columns / width))
  return Array.from(
    { length: Math.ceil(texts.length / perLine) },
    (_, line) => texts.slice(line * perLine, (line + 1) * perLine).map((text) => text.padStart(width)).join("")
  )
}

export const strikes = asks({
  examples: [
    ["AAPL --expiration 2026-12-18", "Of one expiration"],
    ["AAPL", "Of every expiration"],
    ["AAPL --format jsonl", "A line of JSON for each strike"]
  ],
  flags: {
    symbol: Asking.symbol("The underlying, such as SPX"),
    expiration: Flags.text(
      "expiration",
      "DAY",
      "Only the strikes of one expiration, as YYYY-MM-DD; all expirations where it is left out"
    ),
    ...Asking.pastDay,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ symbol, ...flags }) {
    return yield* view(Query.optionStrikes(symbol, yield* uncached(flags)), {
      rows: ({ expirations }) =>
        Document.rows(
          ["expiration", "strike"],
          expirations.flatMap(({ expiration, strikes }) =>
            strikes.map((strike) => [CalendarDate.format(expiration), strike])
          )
        ),
      lines: ({ expirations }, { columns }, now) =>
        expirations.flatMap(({ expiration, strikes }, index): ReadonlyArray<Line> => [
          ...(index === 0 ? [] : [""]),
          [
            { text: Cells.dayOf(expiration), means: "heading" },
            `, ${Cells.daysTo(expiration, now)}: ${Words.count(strikes.length, "strike")}`
          ],
          ...sideBySide(strikes.map((strike) => Words.number(strike)), columns)
        ])
    })
  })
})
