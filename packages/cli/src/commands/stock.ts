/** `marketdata stock …`: quotes, prices, news and earnings of stocks. */
import { Query, QueryText, type StockEarnings, type StockNews, type StockPrices } from "@effect-marketdata/core"
import { Effect } from "effect"
import * as Argument from "effect/cli/Argument"
import { asks } from "../call/command.ts"
import { modeOf, uncached, withSymbol } from "../call/mode.ts"
import * as Flags from "../text/flags.ts"
import * as Cells from "../views/cells.ts"
import * as Table from "../views/table.ts"

// Values of flags are not typed as options of queries; the constructors check them: columns, and which days go together.

const symbols = Flags.symbol("The stocks, such as AAPL MSFT").pipe(Argument.atLeast(1))

const extended = Flags.yesOrNo("extended", "Whether to count trading before and after the session")

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
    candle: Flags.isOn("candle", "Add the day's candle"),
    yearRange: Flags.isOn("52week", "Add the highest and the lowest price of a year; of one stock only"),
    extended,
    ...Flags.columns
  },
  display: Flags.watch,
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
  flags: { symbols, ...Flags.mode, extended, ...Flags.columns },
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
const ofDays = {
  symbol: Flags.symbol("The stock, such as AAPL"),
  ...Flags.dayOrRange,
  ...Flags.columns,
  ...Flags.uncached
}

export const stockNews = asks({
  examples: [
    ["AAPL", "The latest article"],
    ["AAPL --from 2026-11-01 --to 2026-11-20", "The articles of some days"],
    ["AAPL --countback 5 --format jsonl", "The last five, a line of JSON each"]
  ],
  flags: ofDays,
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
  flags: ofDays,
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
