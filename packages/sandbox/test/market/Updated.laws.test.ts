/** When quotes say they were taken: never in the future, never outside the hours of trading, and never further back than before. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Market from "@effect-marketdata/sandbox/Market"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import * as Arbitrary from "./support/arbitrary.ts"
import * as Law from "./support/law.ts"
import * as Stock from "./support/stock.ts"

/** Steps of a poller, in seconds: some seconds, some minutes, a night, a weekend. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 90 }) },
  { weight: 2, arbitrary: fc.integer({ min: 60, max: 1800 }) },
  fc.integer({ min: 36_000, max: 250_000 })
)

const polls = fc.tuple(Arbitrary.moment, fc.array(step, { minLength: 3, maxLength: 8 })).map(([first, steps]) => {
  const moments = [first]
  for (const step of steps) moments.push(moments.at(-1)! + step)
  return moments
})

/** The quarter of an hour around the close of a session, in which the options of an index are quoted and those of stocks are not. */
const aroundClose = fc.tuple(
  Arbitrary.moment.map((moment) => Option.getOrThrow(TradingCalendar.sessionOf(TradingCalendar.NYSE, moment)).close),
  fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 3, maxLength: 8 })
).map(([close, offsets]) => offsets.map((offset) => close - 300 + offset).toSorted((a, b) => a - b))

describe("Market", () => {
  describe("updated", () => {
    it("[2.1-updated] [8.2-timeliness] never goes back while time goes on, whatever the contract and the seed", () => {
      Law.holds(
        fc.property(Arbitrary.seed, Arbitrary.underlying, fc.oneof(polls, aroundClose), (seed, { symbol }, moments) => {
          const market = Market.make({ seed })
          const last = new Map<string, number>()
          for (const moment of moments) {
            const chain = market.chain(symbol, moment)!
            for (let row = 0; row < chain.length; row++) {
              const { optionSymbol, updated } = chain.at(row)
              const before = last.get(optionSymbol) ?? -Infinity
              if (updated === null || updated < before || updated > moment) {
                assert.fail(`${optionSymbol} at ${NewYork.format(moment)}: ${updated} after ${before}`)
              }
              last.set(optionSymbol, updated)
            }
          }
        }),
        { numRuns: 15, endOnFailure: true }
      )
    })

    it("[2.1-updated] of a stock never goes back either", () => {
      Law.holds(
        fc.property(Arbitrary.seed, Stock.any, polls, (seed, { symbol }, moments) => {
          const market = Market.make({ seed })
          let before = -Infinity
          for (const moment of moments) {
            const updated = Number(market.stockQuotes([symbol], moment).updated[0])
            assert.isTrue(updated >= before && updated <= moment, `${symbol} at ${NewYork.format(moment)}`)
            before = updated
          }
        }),
        { numRuns: 10, endOnFailure: true }
      )
    })

    it("[2.1-updated] of options on an index runs to 15 minutes after the close, of all others to the close", () => {
      Law.holds(
        fc.property(Arbitrary.seed, Arbitrary.underlying, Arbitrary.moment, (seed, { kind, symbol }, moment) => {
          const { close, date } = Option.getOrThrow(TradingCalendar.sessionOf(TradingCalendar.NYSE, moment))
          const end = kind === "index" ? close + 900 : close
          const market = Market.make({ seed })
          const chain = market.endOfDay(symbol, date)!
          assert.isAtMost(Math.max(...chain.updated), end)
          assert.isAbove(Math.max(...chain.updated), end - 60)
          assert.isTrue(market.chain(symbol, close + 3600) === chain)
          if (kind !== "index") return
          // The index itself has closed, and its options are still traded.
          const atClose = market.chain(symbol, close)!
          assert.strictEqual(atClose.underlyingPrice[0], chain.underlyingPrice[0])
          const total = ({ volume }: typeof chain) => volume.reduce((sum, each) => sum + each, 0)
          assert.isAbove(total(chain), total(atClose))
        }),
        { numRuns: 30, endOnFailure: true }
      )
    })
  })
})
