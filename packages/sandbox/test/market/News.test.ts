import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as News from "@effect-marketdata/sandbox/News"
import * as Spot from "@effect-marketdata/sandbox/Spot"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Stock from "./support/stock.ts"

const midnight = (text: string): number => NewYork.midnight(CalendarDate.parseUnsafe(text))

const range = { from: midnight("2026-09-01"), to: midnight("2026-12-01"), at: midnight("2026-12-01") }

const articles = News.between(1, Stock.of("AAPL"), range)

describe("News", () => {
  describe("between", () => {
    it("tells on many days what the price did, after the close", () => {
      assert.isTrue(articles.length > 25 && articles.length < 55)
      for (const { content, headline, publicationDate, source, symbol } of articles) {
        const date = NewYork.dateOf(publicationDate!)
        const session = Option.getOrThrow(TradingCalendar.session(TradingCalendar.NYSE, date))
        assert.isTrue(publicationDate! > session.close && publicationDate! < session.close + 3 * 3600 + 60)
        const close = Spot.close(1, Stock.of("AAPL"), CalendarDate.toEpochDay(date)).toFixed(2)
        assert.match(headline!, /^Apple (gains|climbs|advances|rises|slips|falls|declines|drops) \d+\.\d% to /)
        assert.include(headline, `$${close}`)
        assert.include(content, `$${close}`)
        assert.strictEqual(source, `https://news.example/${CalendarDate.format(date)}/aapl`)
        assert.strictEqual(symbol, "AAPL")
      }
    })

    it("says rises of rises and falls of falls", () => {
      for (const { headline, publicationDate } of articles) {
        const day = NewYork.epochDayOf(publicationDate!)
        const before = Option.getOrThrow(
          TradingCalendar.previousTradingDay(TradingCalendar.NYSE, CalendarDate.fromEpochDay(day))
        )
        const moved = Spot.close(1, Stock.of("AAPL"), day) -
          Spot.close(1, Stock.of("AAPL"), CalendarDate.toEpochDay(before))
        assert.strictEqual(/slips|falls|declines|drops/.test(headline!), moved < 0)
      }
    })

    it("is the oldest first, within the range, and nothing that is not written yet", () => {
      const published = articles.map(({ publicationDate }) => publicationDate!)
      assert.deepStrictEqual(published, published.toSorted((a, b) => a - b))
      const [from, to] = [published[3]!, published[8]!]
      assert.deepStrictEqual(News.between(1, Stock.of("AAPL"), { ...range, from, to }), articles.slice(3, 9))
      assert.deepStrictEqual(
        News.between(1, Stock.of("AAPL"), { ...range, from: from + 1, to: to - 1 }),
        articles.slice(4, 8)
      )
      assert.deepStrictEqual(News.between(1, Stock.of("AAPL"), { ...range, at: to }), articles.slice(0, 9))
    })

    it("begins where prices do", () => {
      const [first] = News.between(1, Stock.of("AAPL"), { from: -1e12, to: range.to, at: midnight("2000-02-01") })
      assert.strictEqual(NewYork.dateOf(first!.publicationDate!).year, 2000)
    })
  })
})
