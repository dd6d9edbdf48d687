/**
 * The stocks and funds of the market: quotes, candles, earnings and news, and when the market is open. `Market` is these and the options
 * on them.
 *
 * Earnings are reported quarter by quarter, some weeks after a fiscal quarter ends, and estimated before. News say in words what prices did. Both are made
 * up, and the links of articles lead to no page.
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type { ColumnKind, PackedVector } from "@effect-marketdata/core/ColumnKind"
import type { ColumnSpec, Row } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as StockNews from "@effect-marketdata/core/StockNews"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Candles from "./Candles.ts"
import * as ExpirationCycle from "./ExpirationCycle.ts"
import * as Memo from "./memo.ts"
import * as Quotes from "./quotes.ts"
import * as QuoteTime from "./QuoteTime.ts"
import * as Resolution from "./Resolution.ts"
import * as SeededNoise from "./seededNoise.ts"
import * as Spot from "./Spot.ts"
import * as Stock from "./Stock.ts"
import * as StockSnapshot from "./StockSnapshot.ts"
import * as TradingHours from "./TradingHours.ts"

/** A mutual fund: the walk that it follows, an index less what is held in bonds, and how far. It has one price a day, that of the close. */
interface Fund extends Spot.Asset {
  readonly symbol: string
}

/** Every fund of the market, by symbol, under real tickers. */
const allFunds: ReadonlyArray<Fund> = [
  { symbol: "FXAIX", path: "SPX", price: 237, volatility: 0.16 },
  { symbol: "VBIAX", path: "SPX", price: 54, volatility: 0.1 },
  { symbol: "VFINX", path: "SPX", price: 628, volatility: 0.16 },
  { symbol: "VTSMX", path: "SPX", price: 163, volatility: 0.165 }
]

/**
 * Which candles: those that begin from `from` to `to`, both included, in epoch seconds. `resolution` is written as in the service's paths.
 * `at` is the moment from which one looks, `to` where it is left out: what lies after it is not seen, and the last candle is as far as it
 * had come by then.
 */
export interface CandleRange {
  readonly resolution: string
  readonly from: number
  readonly to: number
  readonly at?: number | undefined
}

/**
 * The stocks and funds. Times are epoch seconds, and a symbol that is not known has no row, or undefined where it would have a table.
 *
 * - `stocks`, `funds`: what there is
 * - `stockQuotes`, `stockPrices`: a row for each symbol, in the order asked, with the newest quotes of a moment
 * - `stockCandles`: the candles of a range; undefined, too, for an invalid resolution. `extended` adds those from outside the session
 * - `bulkCandles`: the candle of a day for each symbol, as far as it has come at a moment, whole where none is given; no rows on a day
 *   without a session
 * - `earnings`, `news`: what was reported and written from `from` to `to`, as far as it is known at a moment
 * - `fundCandles`: the candles of a range, none shorter than a day
 * - `marketStatus`: whether the market is open, for each day from one to another; null outside 1990 to 2099
 */
export interface StockMarket {
  readonly stocks: ReadonlyArray<Stock.Stock>
  readonly funds: ReadonlyArray<Fund>
  readonly stockQuotes: (symbols: ReadonlyArray<string>, at: number) => StockQuotes.StockQuotes
  readonly stockPrices: (symbols: ReadonlyArray<string>, at: number) => StockPrices.StockPrices
  readonly stockCandles: (
    symbol: string,
    range: CandleRange & { readonly extended?: boolean | undefined }
  ) => StockCandles.StockCandles | undefined
  readonly bulkCandles: (
    symbols: ReadonlyArray<string> | "all",
    day: CalendarDate.CalendarDate,
    at?: number
  ) => StockBulkCandles.StockBulkCandles
  readonly earnings: (symbol: string, range: Reported) => StockEarnings.StockEarnings | undefined
  readonly news: (symbol: string, range: Reported) => StockNews.StockNews | undefined
  readonly fundCandles: (symbol: string, range: CandleRange) => FundCandles.FundCandles | undefined
  readonly marketStatus: (range: {
    readonly from: CalendarDate.CalendarDate
    readonly to: CalendarDate.CalendarDate
  }) => MarketStatus.MarketStatus
}

/** Tables of quotes that are kept: a quote lasts a minute, and a client that polls a few tickers asks for the same ones all the time. */
const tablesRemembered = 64

const remembered = <Table>(tableAt: (symbols: ReadonlyArray<string>, at: number) => Table) =>
  Memo.recent(tablesRemembered, (symbols, at) => `${Math.floor(at / 60)} ${symbols.join()}`, tableAt)

/** Creates the stocks and funds of a seed. */
export const make = (seed: number): StockMarket => {
  const bySymbol = new Map(Stock.all.map((stock) => {
    const candles = Candles.make(seed, stock)
    return [stock.symbol, { stock, candles, quoteAt: StockSnapshot.make(seed, stock, candles) }]
  }))
  const funds = new Map(allFunds.map((fund) => [fund.symbol, fund]))
  const quotes = (symbols: ReadonlyArray<string>, at: number): ReadonlyArray<StockSnapshot.StockSnapshot> => {
    const time = QuoteTime.at(at)
    return time === undefined ? [] : symbols.flatMap((symbol) => bySymbol.get(symbol)?.quoteAt(time) ?? [])
  }
  return {
    stocks: Stock.all,
    funds: allFunds,
    stockQuotes: remembered((symbols, at) => rowTable(StockQuotes.spec, quotes(symbols, at))),
    stockPrices: remembered((symbols, at) => rowTable(StockPrices.spec, quotes(symbols, at))),
    stockCandles: (symbol, { at, extended = false, from, resolution, to }) => {
      const found = bySymbol.get(symbol)
      const parsed = Resolution.parse(resolution)
      if (found === undefined || parsed === undefined) return undefined
      const range = { resolution: parsed, from, to, at: at ?? to, extended }
      return candleTable(StockCandles.spec, found.candles.between(range))
    },
    bulkCandles: (symbols, day, at) => {
      const epochDay = CalendarDate.toEpochDay(day)
      const t = NewYork.midnight(day)
      const all = symbols === "all" ? bySymbol.keys() : symbols
      const rows = [...all].flatMap((symbol) => {
        const candle = bySymbol.get(symbol)?.candles.ofDay(epochDay, at)
        return candle === undefined ? [] : [{ symbol, ...candle, t }]
      })
      return rowTable(StockBulkCandles.spec, rows)
    },
    earnings: (symbol, range) => {
      const found = bySymbol.get(symbol)
      return found && rowTable(StockEarnings.spec, earningsBetween(seed, found.stock, range))
    },
    news: (symbol, range) => {
      const found = bySymbol.get(symbol)
      return found && rowTable(StockNews.spec, newsBetween(seed, found.stock, range))
    },
    fundCandles: (symbol, { at, from, resolution, to }) => {
      const fund = funds.get(symbol)
      const parsed = Resolution.parse(resolution)
      if (fund === undefined || parsed === undefined || parsed.unit === "minute") return undefined
      const range = { resolution: parsed, from, to, at: at ?? to }
      return candleTable(FundCandles.spec, Candles.ofDays(range, (day, at) => netAssetValue(seed, fund, day, at)))
    },
    marketStatus: ({ from, to }) => {
      const days: Array<MarketStatus.Row> = []
      for (let day = CalendarDate.toEpochDay(from); day <= CalendarDate.toEpochDay(to); day++) days.push(statusOf(day))
      return rowTable(MarketStatus.spec, days)
    }
  }
}

/** The years of the calendar of core. */
const calendarYears = { first: 1990, last: 2099 } as const

const statusOf = (day: number): MarketStatus.Row => {
  const date = CalendarDate.fromEpochDay(day)
  const isKnown = date.year >= calendarYears.first && date.year <= calendarYears.last
  const isOpen = TradingCalendar.isTradingDay(TradingCalendar.NYSE, date)
  return { date: NewYork.midnight(date), status: isKnown ? isOpen ? "open" : "closed" : null }
}

/** A fund has one price a day: that of the close, and none before it. */
const netAssetValue = (seed: number, fund: Fund, day: number, at = Infinity): Candles.Candle | undefined => {
  const session = TradingHours.of(day)?.session
  if (session === undefined || at < session.ends) return undefined
  const value = Spot.close(seed, fund, day)
  return { o: value, h: value, l: value, c: value, v: 0 }
}

/** Candles are many: their columns are written without rows between. */
const candleTable = <Spec extends typeof FundCandles.spec>(spec: Spec, candles: ReadonlyArray<Candles.Timed>) => {
  const vectors: Record<string, Float64Array> = {}
  for (const name of ["t", "o", "h", "l", "c", "v"] as const) {
    if (Object.hasOwn(spec, name)) vectors[name] = Float64Array.from(candles, (candle) => candle[name])
  }
  return ColumnTable.make<Spec, keyof Spec & string>(spec, { length: candles.length, vectors, nulls: {}, findings: [] })
}

/**
 * Makes a table of few rows with all columns of a spec. It takes numbers, choices and plain texts, no option symbols.
 */
const rowTable = <Spec extends ColumnSpec>(
  spec: Spec,
  rows: ReadonlyArray<Row<Spec>>
): ColumnTable.ColumnTable<Spec> => {
  const vectors: Record<string, unknown> = {}
  const nulls: Record<string, Uint8Array<ArrayBuffer>> = {}
  for (const [name, { kind }] of Object.entries(spec)) {
    const elements: ReadonlyArray<unknown> = rows.map((row) => row[name])
    vectors[name] = kind.of(packedOf(kind, elements))
    if (elements.includes(null)) nulls[name] = bitmapOf(elements)
  }
  return ColumnTable.make(spec, { length: rows.length, vectors, nulls, findings: [] })
}

const packedOf = ({ storage }: ColumnKind, elements: ReadonlyArray<unknown>): PackedVector => {
  switch (storage._tag) {
    case "Numbers":
      return {
        lanes: [new Float64Array(elements.map((element) => element === null ? NaN : Number(element)))],
        legend: []
      }
    case "Choices": {
      const { values } = storage
      const codeOf = (element: unknown) => Math.max(0, values.findIndex((value) => value === element))
      return { lanes: [Uint8Array.from(elements, codeOf)], legend: [] }
    }
    case "Texts": {
      const codes = new Map<string, number>()
      const codeOf = (element: unknown): number => {
        if (typeof element !== "string") return 0
        const code = codes.get(element) ?? codes.size
        codes.set(element, code)
        return code
      }
      return { lanes: [Uint32Array.from(elements, codeOf)], legend: [...codes.keys()] }
    }
  }
}

const bitmapOf = (elements: ReadonlyArray<unknown>): Uint8Array<ArrayBuffer> => {
  const bitmap = new Uint8Array((elements.length + 7) >> 3)
  for (const [row, element] of elements.entries()) if (element === null) bitmap[row >> 3]! |= 1 << (row & 7)
  return bitmap
}

/**
 * Which reports: those of the days from `from` to `to`, both included, as far as they are known at a moment. All are epoch seconds.
 */
export interface Reported {
  readonly from: number
  readonly to: number
  readonly at: number
}

/** Each thing of a report that is left to chance has a number of its own. */
const ofReport = { delay: 1, time: 2, season: 3, surprise: 4 } as const

/** How far ahead earnings are estimated. */
const daysAhead = 370

/** By which share earnings grow in a year. */
const growth = 0.06

/**
 * Returns the reports of a range in the order of their days; none of an ETF. A report counts from the moment on at which it is published:
 * before the session of its day, or after it.
 */
export const earningsBetween = (
  seed: number,
  { company, symbol }: Stock.Stock,
  { at, from, to }: Reported
): ReadonlyArray<StockEarnings.Row> => {
  if (company === undefined) return []
  const reports: Array<StockEarnings.Row> = []
  const last = Math.min(NewYork.epochDayOf(to), NewYork.epochDayOf(at) + daysAhead)
  const today = NewYork.midnight(NewYork.dateOf(at))
  for (let quarter = quarterOf(NewYork.epochDayOf(from)) - 2; quarter <= quarterOf(last); quarter++) {
    const ended = firstOf(quarter * 3 + 3 + company.yearEnds % 3) - 1
    const own = SeededNoise.mix(SeededNoise.named(seed, symbol), ended)
    const draw = (what: number): number => SeededNoise.draw(own, what)
    const reportDay = ExpirationCycle.daily.onOrAfter(ended + 20 + Math.floor(draw(ofReport.delay) * 20))
    const reportDate = CalendarDate.fromEpochDay(reportDay)
    const midnight = NewYork.midnight(reportDate)
    if (midnight < from || midnight > to || reportDay > last || reportDate.year < QuoteTime.years.first) continue
    const isEarly = draw(ofReport.time) < 0.4
    const isOut = at >= NewYork.at(reportDate, isEarly ? 7 : 16, isEarly ? 0 : 30)
    const { month, year } = CalendarDate.fromEpochDay(ended)
    const fiscalYear = month > company.yearEnds ? year + 1 : year
    const trend = company.earnings / 4 * (1 + growth) ** ((ended - baseDay) / 365)
    const estimated = Quotes.round(trend * (0.9 + 0.2 * draw(ofReport.season)), 2)
    const reported = Quotes.round(estimated * (0.94 + 0.16 * draw(ofReport.surprise)), 2)
    const surprise = Quotes.round(reported - estimated, 2)
    reports.push({
      symbol,
      fiscalYear,
      fiscalQuarter: Math.floor((month - company.yearEnds + 11) % 12 / 3) + 1,
      date: NewYork.midnight(CalendarDate.fromEpochDay(ended)),
      reportDate: midnight,
      reportTime: isEarly ? "before market open" : "after market close",
      currency: "USD",
      reportedEPS: isOut ? reported : null,
      estimatedEPS: estimated,
      surpriseEPS: isOut ? surprise : null,
      surpriseEPSpct: isOut ? Quotes.round(surprise / estimated, 4) : null,
      updated: isOut ? midnight : today
    })
  }
  return reports
}

/** Earnings are those of this day, and grow from there. */
const baseDay = CalendarDate.toEpochDay({ year: 2026, month: 1, day: 1 })

/** Quarters of the calendar, counted through the years. */
const quarterOf = (day: number): number => {
  const { month, year } = CalendarDate.fromEpochDay(day)
  return year * 4 + Math.floor((month - 1) / 3)
}

/** The first day of a month; months are counted through the years. */
const firstOf = (month: number): number =>
  CalendarDate.toEpochDay({ year: Math.floor(month / 12), month: month % 12 + 1, day: 1 })

/** The same of an article. */
const ofArticle = { isWritten: 1, delay: 2, wording: 3 } as const

/** The first day that has prices to write about. */
const firstDay = CalendarDate.toEpochDay({ year: QuoteTime.years.first, month: 1, day: 1 })

/** The share of days on which something is written. */
const share = 0.6

const rises = ["gains", "climbs", "advances", "rises"] as const
const falls = ["slips", "falls", "declines", "drops"] as const

/**
 * Returns the articles that were published in a range, the oldest first: at most one a day, within three hours of the close.
 */
const newsBetween = (
  seed: number,
  stock: Stock.Stock,
  { at, from, to }: Reported
): ReadonlyArray<StockNews.Row> => {
  const articles: Array<StockNews.Row> = []
  const own = SeededNoise.named(SeededNoise.named(seed, stock.symbol), "news")
  const until = Math.min(to, at)
  const last = NewYork.epochDayOf(until)
  for (let day = Math.max(firstDay, NewYork.epochDayOf(from)); day <= last; day++) {
    const hours = TradingHours.of(day)
    const draw = (what: number): number => SeededNoise.draw(SeededNoise.mix(own, day), what)
    if (hours === undefined || draw(ofArticle.isWritten) >= share) continue
    const published = hours.session.ends + 60 + Math.floor(draw(ofArticle.delay) * 10_800)
    if (published < from || published > until) continue
    articles.push(article(seed, stock, day, published, draw(ofArticle.wording)))
  }
  return articles
}

const article = (
  seed: number,
  stock: Stock.Stock,
  day: number,
  publicationDate: number,
  wording: number
): StockNews.Row => {
  const { name, symbol } = stock
  const close = Spot.close(seed, stock, day)
  const before = Spot.close(seed, stock, ExpirationCycle.daily.before(day))
  const moved = (close / before - 1) * 100
  const verbs = moved < 0 ? falls : rises
  const verb = verbs[Math.floor(wording * verbs.length)]!
  const date = CalendarDate.format(CalendarDate.fromEpochDay(day))
  const percent = Math.abs(moved).toFixed(1)
  return {
    symbol,
    headline: `${name} ${verb} ${percent}% to $${close.toFixed(2)}`,
    content: `Shares of ${name} (${symbol}) closed at $${close.toFixed(2)} on ${date}, after $${
      before.toFixed(2)
    } the session before.`,
    source: `https://news.example/${date}/${symbol.toLowerCase()}`,
    publicationDate
  }
}
