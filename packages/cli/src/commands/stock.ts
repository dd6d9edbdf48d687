/**
 * `marketdata stock …` and `fund candles`: quotes, prices, news and earnings of stocks, and candles of stocks and funds; these for people with the closes as a
 * sparkline, and a warning about the last candle while it still changes.
 */
import type { StockEarnings, StockNews, StockPrices } from "@effect-marketdata/core"
import { CalendarDate, ColumnTable, NewYork, Query, QueryText, TradingCalendar } from "@effect-marketdata/core"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Columns } from "@effect-marketdata/export"
import { Effect, Option, type Result } from "effect"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { type Answered, asks, type Call } from "../call/command.ts"
import { modeOf, rangeOf, uncached, withSymbol } from "../call/mode.ts"
import * as Document from "../output/document.ts"
import * as Flags from "../text/flags.ts"
import { type Line, means, textOf, wrap } from "../text/span.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

// Values of flags are not typed as options of queries; the constructors check them: columns, resolutions, and which days go together.

const symbols = Flags.symbol("The stocks, such as AAPL MSFT").pipe(Argument.atLeast(1))

const extended = Flags.yesOrNo("extended")("Whether to count trading before and after the session")

/** The columns of quotes by importance. */
const ofQuotes = [
  Table.text("symbol", "symbol", Cells.text),
  Table.number("bid", "bid", Cells.price),
  Table.number("ask", "ask", Cells.price),
  Table.number("last", "last", Cells.price),
  Table.number("changepct", "change", Cells.percentage),
  Table.number("updated", "age", Cells.age),
  Table.number("volume", "volume", Cells.quantity),
  Table.number("52weekLow", "year low", Cells.price),
  Table.number("52weekHigh", "year high", Cells.price),
  ...Table.openToClose,
  Table.number("mid", "mid", Cells.price),
  Table.number("change", "in dollars", Cells.change),
  Table.number("bidSize", "bid size", Cells.quantity),
  Table.number("askSize", "ask size", Cells.quantity),
  Table.text("updated", "taken", Cells.moment)
]

export const stockQuote = asks({
  examples: [
    ["AAPL MSFT SPY", "Quotes of several stocks"],
    ["AAPL --52week", "With the range of the year"],
    ["AAPL MSFT --mode cached --format csv", "From the cache, as CSV"]
  ],
  flags: {
    symbols,
    ...Flags.mode,
    candle: Flags.isOn("candle")("Add the day's candle"),
    yearRange: Flags.isOn("52week")("Add the highest and the lowest price of a year; of one stock only"),
    extended,
    columns: Flags.columns
  },
  display: { watch: Flags.watch },
  call: Effect.fnUntraced(function*({ candle, columns, extended, symbols, yearRange, ...modes }, display) {
    const given = { columns: withSymbol(columns, symbols.length > 1), extended }
    const options = { ...given, mode: yield* modeOf(modes), candle, "52week": yearRange }
    const call = yield* Table.call(QueryText.stockQuotes(symbols, options), ofQuotes)
    return { ...call, fallbackUpTo: modes.fallbackUpTo, every: display?.watch }
  })
})

export const stockPrices = asks({
  examples: [
    ["AAPL MSFT SPY", "Prices of several stocks"],
    ["AAPL MSFT --mode cached", "From the cache, for one credit"],
    ["AAPL --columns symbol,mid --format csv", "Two columns, as CSV"]
  ],
  flags: { symbols, ...Flags.mode, extended, columns: Flags.columns },
  call: Effect.fnUntraced(function*({ columns, extended, symbols, ...modes }) {
    const given = { columns: withSymbol(columns, symbols.length > 1), extended } as StockPrices.Options
    const options = { ...given, mode: yield* modeOf(modes) }
    const call = yield* Table.call(Query.stockPrices(symbols, options), [
      Table.text("symbol", "symbol", Cells.text),
      Table.number("mid", "mid", Cells.price),
      Table.number("changepct", "change", Cells.percentage),
      Table.number("change", "in dollars", Cells.change),
      Table.number("updated", "age", Cells.age),
      Table.text("updated", "taken", Cells.moment)
    ])
    return { ...call, fallbackUpTo: modes.fallbackUpTo }
  })
})

/** What there is about one stock in a range of days. */
const days = {
  symbol: Flags.symbol("The stock, such as AAPL"),
  ...Flags.dayOrRange,
  columns: Flags.columns,
  mode: Flags.uncached
}

export const stockNews = asks({
  examples: [
    ["AAPL", "The latest article"],
    ["AAPL --from 2026-11-01 --to 2026-11-20", "The articles of some days"],
    ["AAPL --countback 5 --format jsonl", "The last five, a line of JSON each"]
  ],
  flags: days,
  call: Effect.fnUntraced(function*({ symbol, ...flags }) {
    return yield* Table.call(Query.stockNews(symbol, (yield* uncached(flags)) as StockNews.Options), [
      Table.number("publicationDate", "age", Cells.age),
      Table.sentence("headline", "headline", Cells.text),
      Table.text("symbol", "symbol", Cells.text),
      Table.text("publicationDate", "published", Cells.moment),
      Table.sentence("source", "source", Cells.text),
      Table.sentence("content", "text", Cells.text)
    ])
  })
})

export const stockEarnings = asks({
  examples: [
    ["AAPL --countback 8", "The last eight quarters"],
    ["AAPL --from 2025-01-01 --to 2026-11-20", "The reports of some days"],
    ["AAPL --countback 8 --columns reportDate,reportedEPS,estimatedEPS --format csv", "Three columns, as CSV"]
  ],
  flags: days,
  call: Effect.fnUntraced(function*({ symbol, ...flags }) {
    return yield* Table.call(Query.stockEarnings(symbol, (yield* uncached(flags)) as StockEarnings.Options), [
      Table.text("reportDate", "report", Cells.day),
      Table.number("reportedEPS", "reported", Cells.price),
      Table.number("estimatedEPS", "expected", Cells.price),
      Table.number("surpriseEPSpct", "surprise", Cells.percentage),
      Table.number("fiscalYear", "year", Cells.plain),
      Table.number("fiscalQuarter", "quarter", Cells.plain),
      Table.text("reportTime", "when", Cells.text),
      Table.text("currency", "currency", Cells.text),
      Table.text("symbol", "symbol", Cells.text),
      Table.number("surpriseEPS", "difference", Cells.change),
      Table.text("date", "quarter ends", Cells.day),
      Table.number("updated", "changed", Cells.age)
    ])
  })
})

/** A table of candles, of which any column may be missing. */
export interface Candles extends Document.Table {
  readonly t?: Float64Array
  readonly c?: Float64Array
}

const ofCandles: ReadonlyArray<Table.Column> = [
  Table.text("symbol", "symbol", Cells.symbol),
  Table.text("t", "New York", Cells.day),
  ...Table.openToClose,
  Table.number("v", "volume", Cells.quantity)
]

type Length = NonNullable<Query.Query["resolution"]>

/** The view of candles of a length; of one day by default. */
export const view = (length: Length = { unit: "day", count: 1 }): Table.View<Candles> => ({
  rows: Document.ofTable,
  lines: (table, size, now) => [
    ...Table.lines(table, ofCandles, size, now),
    ...[...course(table, size.columns), ...unfinished(table, length, now)].flatMap((line) => wrap(line, size.columns))
  ]
})

const blocks = "▁▂▃▄▅▆▇█"

/** The closes as a sparkline: a block for each candle, or for several where there is less room, which shows their last close. Nothing for several stocks. */
const course = ({ c, columnNames }: Candles, room: number): ReadonlyArray<Line> => {
  const closes = c?.filter(Number.isFinite) ?? []
  if (closes.length < 3 || columnNames.includes("symbol")) return []
  const [least, most] = [Math.min(...closes), Math.max(...closes)]
  const bounds = [least, most].map((value) => textOf(Cells.price(value, 0))).join(" to ")
  const width = Math.min(closes.length, Math.max(1, room - bounds.length - 9))
  const blockOf = (_: unknown, at: number) => {
    const close = closes[Math.ceil((at + 1) * closes.length / width) - 1]!
    return blocks[most === least ? 0 : Math.round((close - least) / (most - least) * (blocks.length - 1))]!
  }
  return [[means("aside", "closes "), Array.from({ length: width }, blockOf).join(""), means("aside", `  ${bounds}`)]]
}

/** The last calendar day, as an epoch day, of a candle of one or more days that begins on `date`. */
const lastDay = (date: CalendarDate.CalendarDate, { count, unit }: Length): number => {
  const [first, months] = [CalendarDate.toEpochDay(date), unit === "year" ? 12 * count : count]
  if (unit === "day") return first + count - 1
  if (unit === "week") return first - CalendarDate.dayOfWeek(date) + 7 * count
  const next = (unit === "year" ? 0 : date.month - 1) + months
  return CalendarDate.toEpochDay({ year: date.year + Math.floor(next / 12), month: next % 12 + 1, day: 1 }) - 1
}

/** When a candle is over; one of days ends with the session of its last trading day. */
const endOf = (begin: number, length: Length): number => {
  if (length.unit === "minute") return begin + length.count * 60
  const { NYSE, session, tradingDayOnOrBefore } = TradingCalendar
  const last = tradingDayOnOrBefore(NYSE, CalendarDate.fromEpochDay(lastDay(NewYork.dateOf(begin), length)))
  return Option.getOrUndefined(Option.flatMap(last, (day) => session(NYSE, day)))?.close ?? begin
}

/** A warning about the last candle while it still changes. */
const unfinished = ({ t = new Float64Array(0) }: Candles, length: Length, now: number): ReadonlyArray<Line> => {
  const last = Math.max(...t.filter(Number.isFinite))
  const end = Number.isFinite(last) ? endOf(last, length) : now
  const text = `the candle of ${textOf(Cells.day(last, now))} is not over: it changes until ${NewYork.format(end)}`
  return end <= now ? [] : [means("warning", text)]
}

/** Makes the call of one or more symbols, each a query; several are joined to one table with a column of symbols. */
const ofEach = <Length extends string, Options, Data extends Candles>(
  make: (resolution: Length, symbol: string, options: Options) => Result.Result<Query.Query<Data>, InvalidQuery>
) =>
  Effect.fnUntraced(function*(input: Input) {
    const { candles, resolution, symbols, ...flags } = yield* rangeOf(input)
    const options = { ...yield* uncached(flags), assume: { candles } } as Options
    const [query, ...others] = yield* Effect.forEach(symbols, (symbol) =>
      Effect.fromResult(make(resolution as Length, symbol, options)))
    const list = others.length === 0 ? {} : { others, join }
    const call: Call<Data> = { query: query!, view: view(query!.resolution), ...list }
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
  symbols: Flags.symbol(symbols).pipe(Argument.atLeast(1)),
  resolution: Flags.usually(Flag.String("resolution").pipe(Flag.withAlias("r"), Flag.withMetavar("LENGTH")), "D")(
    `How long a candle is: ${lengths}, with a number or without`
  ),
  ...Flags.range,
  ...own,
  candles: Flags.positive("candles", "1000")(
    "How many candles you expect; the price counts this many, and all that come back are charged"
  ),
  columns: Flags.columns,
  mode: Flags.uncached
})

type Input = Flags.Given<ReturnType<typeof flagsOf<{}>>>

const adjustSplits = Flags.yesOrNo("adjust-splits")("Whether to adjust prices for splits")

export const stockCandles = asks({
  examples: [
    ["AAPL --from 2026-10-01 --to 2026-11-20", "A candle a day"],
    ["AAPL --resolution 5 --from 2026-11-20 --to 2026-11-20", "A candle every five minutes of one day"],
    ["AAPL MSFT --countback 30 --format csv", "The last 30 days of two stocks, as CSV"]
  ],
  flags: flagsOf("The stocks, such as AAPL MSFT", "minutes such as 5, or H, D, W, M or Y", {
    extended: Flags.yesOrNo("extended")("Add candles of before and after the session, to those of minutes and hours"),
    adjustsplits: adjustSplits,
    adjustdividends: Flags.yesOrNo("adjust-dividends")("Whether to adjust prices for dividends")
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
    symbols: Flags.symbol("The stocks, such as AAPL MSFT; none with --all").pipe(Argument.atLeast(0)),
    all: Flags.isOn("all")("Every stock there is"),
    date: Flags.text("date", "DAY")("The day, as YYYY-MM-DD, today or yesterday; the last one by default"),
    adjustsplits: adjustSplits,
    expect: Flags.positive("symbols", "6000")("How many stocks you expect, for the price; all that come are charged"),
    columns: Flags.columns,
    mode: Flags.uncached
  },
  call: Effect.fnUntraced(function*({ all, columns, expect, symbols, ...flags }) {
    const given = yield* uncached({ ...flags, columns: withSymbol(columns, all || symbols.length > 1) })
    const options = { ...given, all, assume: { symbols: expect } }
    return yield* Table.view(QueryText.stockBulkCandles(symbols, options), view())
  })
})
