/** `marketdata stock candles`, `stock bulk-candles` and `fund candles`: open, high, low and close of stocks and funds. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import { ColumnTable, Query, QueryText } from "@effect-marketdata/core"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Columns } from "@effect-marketdata/export"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Effect, type Result } from "effect"
import { type Answered, asks, type Call } from "../call/command.ts"
import * as CallFlags from "../call/flags.ts"
import { rangeOf, uncached, withSymbol } from "../call/mode.ts"
import * as Flags from "../text/flags.ts"
import * as Candles from "../views/candles.ts"
import * as Table from "../views/table.ts"

// Values of flags are not typed as options of queries; the constructors check them: the resolution, columns, which days go together.

/** Makes the call of one or more symbols, each a query; several are joined to one table with a column of symbols. */
const ofEach = <Length extends string, Options, Data extends Candles.Candles>(
  make: (resolution: Length, symbol: string, options: Options) => Result.Result<Query.Query<Data>, InvalidQuery>
) =>
  Effect.fnUntraced(function*(input: Input) {
    const { candles, resolution, symbols, ...flags } = yield* rangeOf(input)
    const options = { ...yield* uncached(flags), assume: { candles } } as Options
    const [query, ...others] = yield* Effect.forEach(symbols, (symbol) =>
      Effect.fromResult(make(resolution as Length, symbol, options)))
    const call: Call<Data> = {
      query: query!,
      view: Candles.view(query!.resolution),
      ...others.length > 0 && { list: { others, join } }
    }
    return call
  })

const join = <Data>(parts: ReadonlyArray<Answered<Data>>): Data => {
  const tables = parts.map(({ answer, query }) =>
    Columns.withSymbol(answer.data as Columns.Table, query.segments["symbol"]!) as AnyTable
  )
  return ColumnTable.merge(ColumnTable.specOf(tables[0]!), tables) as Data
}

type AnyTable = ColumnTable.ColumnTable<ColumnSpec, string>

/** The flags of a command for candles: `lengths` are its resolutions in words, `own` its other flags. */
const flagsOf = <const Own extends Command.Command.Config>(symbols: string, lengths: string, own: Own) => ({
  symbols: CallFlags.symbol(symbols).pipe(Argument.atLeast(1)),
  resolution: Flag.String("resolution").pipe(
    Flag.withAlias("r"),
    Flag.withMetavar("LENGTH"),
    Flags.defaultTo(`How long a candle is: ${lengths}, with a number or without`, "D")
  ),
  ...CallFlags.range,
  ...own,
  candles: Flags.positive(
    "candles",
    "1000",
    "How many candles you expect; the price counts this many, and all that come back are charged"
  ),
  ...CallFlags.columns,
  ...CallFlags.uncached
})

type Input = Flags.Given<ReturnType<typeof flagsOf<{}>>>

const adjustSplits = Flags.yesOrNo("adjust-splits", "Whether to adjust prices for splits")

export const stockCandles = asks({
  examples: [
    ["AAPL --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["AAPL --resolution 5 --from 2026-11-20 --to 2026-11-20", "A candle every five minutes of one day"],
    ["AAPL MSFT --countback 30 --format csv", "The last 30 days of two stocks, as CSV"]
  ],
  flags: flagsOf("The stocks, such as AAPL MSFT", "minutes such as 5, or H, D, W, M or Y", {
    extended: Flags.yesOrNo("extended", "Add candles of before and after the session, to those of minutes and hours"),
    adjustsplits: adjustSplits,
    adjustdividends: Flags.yesOrNo("adjust-dividends", "Whether to adjust prices for dividends")
  }),
  call: ofEach(Query.stockCandles)
})

export const fundCandles = asks({
  examples: [
    ["VFINX --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["VFINX --resolution W --countback 12", "The last twelve weeks"],
    ["VFINX --countback 30 --format csv", "The last 30 days, as CSV"]
  ],
  flags: flagsOf("The funds, such as VFINX", "D, W, M or Y", {}),
  call: ofEach(Query.fundCandles)
})

export const stockBulkCandles = asks({
  examples: [
    ["AAPL MSFT SPY", "The last day"],
    ["AAPL MSFT --date 2026-11-20", "A day that is over"],
    ["AAPL MSFT SPY --columns symbol,c,v --format csv", "Closes and volumes, as CSV"]
  ],
  flags: {
    symbols: CallFlags.symbol("The stocks, such as AAPL MSFT; none with --all").pipe(Argument.atLeast(0)),
    all: Flags.isOn("all", "Every stock there is"),
    date: Flags.text("date", "DAY", "The day, as YYYY-MM-DD, today or yesterday; the last one by default"),
    adjustsplits: adjustSplits,
    expect: Flags.positive("symbols", "6000", "How many stocks you expect, for the price; all that come are charged"),
    ...CallFlags.columns,
    ...CallFlags.uncached
  },
  call: Effect.fnUntraced(function*({ all, columns, expect, symbols, ...flags }) {
    const given = yield* uncached({ ...flags, columns: withSymbol(columns, all || symbols.length > 1) })
    const options = { ...given, all, assume: { symbols: expect } }
    return yield* Table.view(QueryText.stockBulkCandles(symbols, options), Candles.view())
  })
})
