/**
 * What is reported of stocks: the earnings of companies, quarter by quarter, some weeks after a fiscal quarter ends, and estimated before;
 * and news, what their prices did, in words. These are made up, and their links lead to no page.
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import * as ExpirationCycle from "./ExpirationCycle.ts"
import * as Quotes from "./quotes.ts"
import * as QuoteTime from "./QuoteTime.ts"
import * as SeededNoise from "./seededNoise.ts"
import * as Spot from "./Spot.ts"
import type { Stock } from "./Stock.ts"
import * as TradingHours from "./TradingHours.ts"

/**
 * Which reports: those of the days from `from` to `to`, both included, as far as they are known at a moment. All are epoch seconds.
 */
export interface Range {
  readonly from: number
  readonly to: number
  readonly at: number
}

/** Each thing that is left to chance has a number of its own. */
const chance = { delay: 1, time: 2, season: 3, surprise: 4 } as const

/** How far ahead earnings are estimated. */
const daysAhead = 370

const growth = 0.06

/**
 * Returns the reports of a range in the order of their days; none of an ETF. A report counts from the moment on at which it is published:
 * before the session of its day, or after it.
 */
export const between = (
  seed: number,
  { company, symbol }: Stock,
  { at, from, to }: Range
): ReadonlyArray<StockEarnings.Row> => {
  if (company === undefined) return []
  const reports: Array<StockEarnings.Row> = []
  const last = Math.min(NewYork.epochDayOf(to), NewYork.epochDayOf(at) + daysAhead)
  const today = NewYork.midnight(NewYork.dateOf(at))
  for (let quarter = quarterOf(NewYork.epochDayOf(from)) - 2; quarter <= quarterOf(last); quarter++) {
    const ended = firstOf(quarter * 3 + 3 + company.yearEnds % 3) - 1
    const own = SeededNoise.mix(SeededNoise.named(seed, symbol), ended)
    const draw = (what: number): number => SeededNoise.draw(own, what)
    const reportDay = ExpirationCycle.daily.onOrAfter(ended + 20 + Math.floor(draw(chance.delay) * 20))
    const reportDate = CalendarDate.fromEpochDay(reportDay)
    const midnight = NewYork.midnight(reportDate)
    if (midnight < from || midnight > to || reportDay > last || reportDate.year < QuoteTime.years.first) continue
    const isEarly = draw(chance.time) < 0.4
    const isOut = at >= NewYork.at(reportDate, isEarly ? 7 : 16, isEarly ? 0 : 30)
    const { month, year } = CalendarDate.fromEpochDay(ended)
    const fiscalYear = month > company.yearEnds ? year + 1 : year
    const trend = company.earnings / 4 * (1 + growth) ** ((ended - baseDay) / 365)
    const estimated = Quotes.round(trend * (0.9 + 0.2 * draw(chance.season)), 2)
    const reported = Quotes.round(estimated * (0.94 + 0.16 * draw(chance.surprise)), 2)
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

/** Each thing that is left to chance has a number of its own. */
const ofArticle = { isWritten: 1, delay: 2, wording: 3 } as const

/** There are no prices to write about before. */
const firstDay = CalendarDate.toEpochDay({ year: QuoteTime.years.first, month: 1, day: 1 })

/** On how many days something is written. */
const share = 0.6

const rises = ["gains", "climbs", "advances", "rises"] as const
const falls = ["slips", "falls", "declines", "drops"] as const

/**
 * Returns the articles that were published in a range, the oldest first: at most one a day, within three hours of the close.
 */
export const newsBetween = (seed: number, stock: Stock, { at, from, to }: Range): ReadonlyArray<StockNews.Row> => {
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

const article = (seed: number, stock: Stock, day: number, publicationDate: number, wording: number): StockNews.Row => {
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
