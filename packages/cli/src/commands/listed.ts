/** What is listed, and when it is traded: a contract by its description, the expirations and strikes of an underlying, the days of the market. */
import { CalendarDate, Query, QueryText } from "@effect-marketdata/core"
import { Array as Arr, Effect } from "effect"
import * as Argument from "effect/cli/Argument"
import { asks } from "../call/command.ts"
import { uncached } from "../call/mode.ts"
import * as Document from "../output/document.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

/** A past trading day. */
const pastDay = Flags.text("date", "DAY")("As of a past day, as YYYY-MM-DD; as of now by default")

export const lookup = asks({
  examples: [
    ["AAPL 12/18/2026 250 call", "The symbol, and its parts"],
    ["\"SPY 12/18/2026 \\$600 put\"", "As one text"],
    ["AAPL 12/18/2026 250 put --format json", "As JSON"]
  ],
  flags: {
    words: Flags.argument("words")("Underlying, expiration, strike and side, such as: AAPL 12/18/2026 250 call").pipe(
      Argument.atLeast(1)
    ),
    mode: Flags.uncached
  },
  call: Effect.fnUntraced(function*({ words, ...flags }) {
    return yield* Table.view(Query.optionLookup(words.join(" "), yield* uncached(flags)), {
      rows: ({ contract, optionSymbol }) =>
        Document.records(["optionSymbol", "root", "expiration", "side", "strike"], [
          { ...contract, optionSymbol, expiration: CalendarDate.format(contract.expiration) }
        ])
    })
  })
})

export const expirations = asks({
  examples: [
    ["SPX", "All of them, with the days to go"],
    ["AAPL --strike 250", "Those that list a strike"],
    ["AAPL --format csv", "As CSV"]
  ],
  flags: {
    symbol: Flags.symbol("The underlying, such as SPX"),
    strike: Flags.finite("strike", "PRICE")("Only expirations that list this strike, in dollars"),
    nonstandard: Flags.yesOrNo("nonstandard")("The expirations of adjusted contracts as well"),
    date: pastDay,
    mode: Flags.uncached
  },
  call: Effect.fnUntraced(function*({ symbol, ...flags }) {
    return yield* Table.view(Query.optionExpirations(symbol, yield* uncached(flags)), {
      rows: ({ expirations }) => Document.rows(["expiration"], expirations.map((day) => [CalendarDate.format(day)])),
      lines: ({ expirations }, { columns }, now) => {
        const cells = expirations.map((day) => [Cells.dayOf(day), Cells.daysTo(day, now)])
        return Grid.format(["expiration", { head: "from today", align: "right" }], cells, columns)
      }
    })
  })
})

/** Texts side by side, on the right of columns of one width. */
const sideBySide = (texts: ReadonlyArray<string>, columns: number): ReadonlyArray<string> => {
  const width = texts.reduce((widest, { length }) => Math.max(widest, length), 0) + 2
  const perLine = Math.max(1, Math.floor(columns / width))
  return Arr.chunksOf(texts.map((text) => text.padStart(width)), perLine).map((line) => line.join(""))
}

export const strikes = asks({
  examples: [
    ["AAPL --expiration 2026-12-18", "Of one expiration"],
    ["AAPL", "Of every expiration"],
    ["AAPL --format jsonl", "A line of JSON for each strike"]
  ],
  flags: {
    symbol: Flags.symbol("The underlying, such as SPX"),
    expiration: Flags.text("expiration", "DAY")(
      "Only the strikes of one expiration, as YYYY-MM-DD; all expirations by default"
    ),
    date: pastDay,
    mode: Flags.uncached
  },
  call: Effect.fnUntraced(function*({ symbol, ...flags }) {
    return yield* Table.view(Query.optionStrikes(symbol, yield* uncached(flags)), {
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

export const marketStatus = asks({
  examples: [
    ["", "Today"],
    ["--from 2026-11-23 --to 2026-11-27", "The week of Thanksgiving"],
    ["2026-12-25 --format json", "One day, as JSON"]
  ],
  flags: {
    day: Flags.argument("day")("One day, as YYYY-MM-DD, today or yesterday; the same as --date").pipe(
      Argument.withDefault(undefined)
    ),
    ...Flags.dayOrRange,
    columns: Flags.columns,
    mode: Flags.uncached
  },
  call: Effect.fnUntraced(function*({ day, ...flags }) {
    return yield* Table.call(QueryText.marketStatus(day, yield* uncached(flags)), [
      Table.text("date", "day", Cells.day),
      Table.text("status", "market", Cells.marketStatus)
    ])
  })
})
