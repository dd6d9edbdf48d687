/** News about stocks: what their prices did, in words. They are made up, and their links lead to no page. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as StockNews from "@effect-marketdata/core/StockNews"
import type { Range } from "./earnings.ts"
import * as ExpirationCycle from "./ExpirationCycle.ts"
import * as QuoteTime from "./QuoteTime.ts"
import * as SeededNoise from "./seededNoise.ts"
import * as Spot from "./Spot.ts"
import type { Stock } from "./Stock.ts"
import * as TradingHours from "./TradingHours.ts"

/** Each thing that is left to chance has a number of its own. */
const chance = { isWritten: 1, delay: 2, wording: 3 } as const

/** There are no prices to write about before. */
const firstDay = CalendarDate.toEpochDay({ year: QuoteTime.years.first, month: 1, day: 1 })

/** On how many days something is written. */
const share = 0.6

const rises = ["gains", "climbs", "advances", "rises"] as const
const falls = ["slips", "falls", "declines", "drops"] as const

/**
 * Returns the articles that were published in a range, the oldest first: at most one a day, within three hours of the close.
 */
export const between = (seed: number, stock: Stock, { at, from, to }: Range): ReadonlyArray<StockNews.Row> => {
  const articles: Array<StockNews.Row> = []
  const own = SeededNoise.mix(SeededNoise.mix(seed, SeededNoise.ofText(stock.symbol)), SeededNoise.ofText("news"))
  const until = Math.min(to, at)
  const last = NewYork.epochDayOf(until)
  for (let day = Math.max(firstDay, NewYork.epochDayOf(from)); day <= last; day++) {
    const hours = TradingHours.of(day)
    const draw = (what: number): number => SeededNoise.unit(SeededNoise.mix(SeededNoise.mix(own, day), what))
    if (hours === undefined || draw(chance.isWritten) >= share) continue
    const published = hours.session.ends + 60 + Math.floor(draw(chance.delay) * 10_800)
    if (published < from || published > until) continue
    articles.push(article(seed, stock, day, published, draw(chance.wording)))
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
