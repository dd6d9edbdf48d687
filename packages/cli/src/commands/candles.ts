/** `marketdata stock candles`, `stock bulk-candles` and `fund candles`: open, high, low and close of stocks and funds. */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import type * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as Columns from "@effect-marketdata/export/Columns"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { Answered, Call } from "../asking/call.ts"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { optionsOf, rangeOf, uncached, withSymbol } from "../asking/mode.ts"
import * as Flags from "../text/flags.ts"
import * as Candles from "../views/candles.ts"
import * as Table from "../views/table.ts"

// The constructors of queries check what no type has seen: the resolution, the names of columns, which days go together.

/** Candles of each symbol. Those of several are one table, whose rows say whose they are. */
const ofEach = <Data extends Candles.Candles>(
  symbols: ReadonlyArray<string>,
  make: (symbol: string) => Result.Result<Query.Query<Data>, InvalidQuery>
) =>
  Effect.map(
    Effect.forEach(symbols, (symbol) => Effect.fromResult(make(symbol))),
    ([query, ...others]): Call<Data> => ({
      query: query!,
      view: Candles.view(query!.resolution),
      ...others.length > 0 && { list: { others, join } }
    })
  )

const join = <Data>(parts: ReadonlyArray<Answered<Data>>): Data => {
  const tables = parts.map(({ answer, query }) =>
    Columns.withSymbol(answer.data as Columns.Table, query.segments["symbol"]!) as AnyTable
  )
  return ColumnTable.merge(ColumnTable.specOf(tables[0]!), tables) as Data
}

type AnyTable = ColumnTable.ColumnTable<ColumnSpec, string>

const symbolsOf = (description: string) => Asking.symbol(description).pipe(Argument.atLeast(1))

/** How long a candle is; `lengths` says which there are. */
const resolution = (lengths: string) =>
  Flag.String("resolution").pipe(
    Flag.withAlias("r"),
    Flag.withMetavar("LENGTH"),
    Flags.defaultTo(`How long a candle is: ${lengths}, with a number or without`, "D")
  )

const expected = Flags.positive(
  "candles",
  "1000",
  "How many candles you expect; the price counts this many where the days do not bound it"
)

const adjustSplits = Flags.yesOrNo("adjust-splits", "Whether to adjust prices for splits")

export const stockCandles = asks({
  examples: [
    ["AAPL --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["AAPL --resolution 5 --from 2026-11-20 --to 2026-11-20", "A candle every five minutes of one day"],
    ["AAPL MSFT --countback 30 --format csv", "The last 30 days of two stocks, as CSV"]
  ],
  flags: {
    symbols: symbolsOf("The stocks, such as AAPL MSFT"),
    resolution: resolution("minutes such as 5, or H, D, W, M or Y"),
    ...Asking.range,
    extended: Flags.yesOrNo(
      "extended",
      "Add candles of before and after the session, to those of minutes and hours"
    ),
    adjustsplits: adjustSplits,
    adjustdividends: Flags.yesOrNo("adjust-dividends", "Whether to adjust prices for dividends"),
    candles: expected,
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*(input) {
    const { candles: many, resolution, symbols, ...flags } = yield* rangeOf(input)
    const options = { ...yield* uncached(flags), assume: optionsOf({ candles: many }) } as StockCandles.Options
    return yield* ofEach(
      symbols,
      (symbol) => Query.stockCandles(resolution as StockCandles.Resolution, symbol, options)
    )
  })
})

export const fundCandles = asks({
  examples: [
    ["VFINX --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["VFINX --resolution W --countback 12", "The last twelve weeks"],
    ["VFINX --countback 30 --format csv", "The last 30 days, as CSV"]
  ],
  flags: {
    symbols: symbolsOf("The funds, such as VFINX"),
    resolution: resolution("D, W, M or Y"),
    ...Asking.range,
    candles: expected,
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*(input) {
    const { candles: many, resolution, symbols, ...flags } = yield* rangeOf(input)
    const options = { ...yield* uncached(flags), assume: optionsOf({ candles: many }) } as FundCandles.Options
    return yield* ofEach(symbols, (symbol) => Query.fundCandles(resolution as FundCandles.Resolution, symbol, options))
  })
})

export const stockBulkCandles = asks({
  examples: [
    ["AAPL MSFT SPY", "The last day"],
    ["AAPL MSFT --date 2026-11-20", "A day that is over"],
    ["AAPL MSFT SPY --columns symbol,c,v --format csv", "Closes and volumes, as CSV"]
  ],
  flags: {
    symbols: Asking.symbol("The stocks, such as AAPL MSFT; none with --all").pipe(Argument.atLeast(0)),
    all: Flags.isOn("all", "Every stock there is"),
    date: Flags.text("date", "DAY", "The day, as YYYY-MM-DD, today or yesterday; the last one where it is left out"),
    adjustsplits: adjustSplits,
    expect: Flags.positive(
      "symbols",
      "6000",
      "How many stocks you expect; the price of --all counts this many"
    ),
    ...Asking.columns,
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ all, columns, expect, symbols, ...flags }) {
    if (all && symbols.length > 0) {
      return yield* InvalidQuery.of("--all", true, {
        rule: "cannot be combined with symbols",
        example: symbols.slice(0, 3).join(" ")
      })
    }
    const given = yield* uncached({ ...flags, columns: withSymbol(columns, all || symbols.length > 1) })
    const options = { ...given, assume: optionsOf({ symbols: expect }) } as StockBulkCandles.Options
    return yield* Table.view(Query.stockBulkCandles(all ? "all" : symbols, options), Candles.view())
  })
})
