/** From the flags of `strikes` to its query and view. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import { optionsOf } from "../asking/options.ts"
import type { Input } from "../commands/strikes.ts"
import type { Size } from "../output/output.ts"
import * as Rows from "../output/rows.ts"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "../views/cells.ts"

const rows = ({ expirations }: OptionStrikes.OptionStrikes): Rows.Rows =>
  Rows.of(
    ["expiration", "strike"],
    expirations.flatMap(({ expiration, strikes }) => strikes.map((strike) => [CalendarDate.format(expiration), strike]))
  )

/** Each expiration with its strikes, as many lines as these take. */
const lines = (
  { expirations }: OptionStrikes.OptionStrikes,
  { columns }: Size,
  now: number
): ReadonlyArray<Line> =>
  expirations.flatMap(({ expiration, strikes }, index): ReadonlyArray<Line> => [
    ...(index === 0 ? [] : [""]),
    [
      { text: Cells.dayOf(expiration), means: "heading" },
      `, ${Cells.daysTo(expiration, now)}: ${Words.count(strikes.length, "strike")}`
    ],
    ...rowsOf(strikes.map(Words.number), columns)
  ])

/** Texts side by side, on the right of columns of one width. */
const rowsOf = (texts: ReadonlyArray<string>, columns: number): ReadonlyArray<string> => {
  const width = texts.reduce((widest, { length }) => Math.max(widest, length), 0) + 2
  const perLine = Math.max(1, Math.floor(columns / width))
  return Array.from(
    { length: Math.ceil(texts.length / perLine) },
    (_, line) => texts.slice(line * perLine, (line + 1) * perLine).map((text) => text.padStart(width)).join("")
  )
}

export const of = Effect.fnUntraced(function*({ mode, symbol, ...options }: Input) {
  const query = yield* Effect.fromResult(
    Query.optionStrikes(symbol, { ...optionsOf(options), mode: yield* uncachedModeOf({ mode }) })
  )
  return { query, view: { rows, lines } }
})
