import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as News from "@effect-marketdata/sandbox/News"
import { assert, describe, it } from "@effect/vitest"
import * as Stock from "./support/stock.ts"

const midnight = (text: string): number => NewYork.midnight(CalendarDate.parseUnsafe(text))

const range = { from: midnight("2026-09-01"), to: midnight("2026-12-01"), at: midnight("2026-12-01") }

const articles = News.between(1, Stock.of("AAPL"), range)

describe("News", () => {
  describe("between", () => {
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
  })
})
