/** How old the data of a reply are, in each mode. It can be told while a session is open: outside of one all modes show its close. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isFull, runs } from "../../core/test/support/depth.ts"
import { ask, at, friday, json, newest, noon, test } from "./support/service.ts"

const open = NewYork.at(friday, 9, 30)
const close = NewYork.at(friday, 16, 0)

/** Moments of Friday's session at all seconds of a minute, from the time on when delayed and cached data are of that session too. */
const moments = Array.from({ length: runs(20, 7) }, (_, index) => open + 18 * 60 + index * (isFull ? 1117 : 3181))
  .filter((time) => time < close)

/** Quotes are taken once a minute, and the newest one in a chain may be a while older still. */
const minute = 60
const taken = 2 * minute

/** Symbols that many ask for, and symbols that few do. */
const symbols = { heavilyUsed: ["AAPL", "SPY"], others: ["F", "MSFT"] }

/** One query to each kind of data that the cache has. */
const targetsOf = (symbol: string): ReadonlyArray<string> => [
  `/v1/options/chain/${symbol}/?strikeLimit=20&dte=30`,
  `/v1/stocks/quotes/${symbol}/?extended=false`,
  `/v1/stocks/prices/?symbols=${symbol}`
]

const ageOf = (target: string, now: number) => Effect.map(ask(target), (reply) => now - newest(reply))

/** The ages in a mode of everything that the cache has, at each of the moments. */
const ages = Effect.fnUntraced(function*(mode: string, symbols: ReadonlyArray<string>) {
  const all: Array<number> = []
  for (const now of moments) {
    yield* at(now)
    for (const target of symbols.flatMap(targetsOf)) all.push(yield* ageOf(`${target}&mode=${mode}`, now))
  }
  return all
})

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

test("[8.2-timeliness] live data are the newest that there are, delayed data those of 15 minutes before", function*() {
  const all = [...symbols.heavilyUsed, ...symbols.others]
  for (const age of yield* ages("live", all)) {
    assert.isAtLeast(age, 0)
    assert.isBelow(age, taken)
  }
  for (const age of yield* ages("delayed", all)) {
    assert.isAtLeast(age, 15 * minute)
    assert.isBelow(age, 15 * minute + taken)
  }
})

test("[8.2-timeliness] cached data are seconds to ten minutes old, and a minute where a symbol is heavily used", function*() {
  const hot = yield* ages("cached", symbols.heavilyUsed)
  const cold = yield* ages("cached", symbols.others)
  for (const age of hot) assert.isBelow(age, minute + taken)
  for (const age of cold) assert.isBelow(age, 10 * minute + taken)
  assert.isAtLeast(Math.min(...hot, ...cold), 0)
  assert.isBelow(Math.min(...cold), minute)
  assert.isAbove(Math.max(...cold), 5 * minute)
  assert.isBelow(mean(hot), mean(cold))
})

test("[8.2-timeliness] at any hour cached data are as new as live data were ten minutes before, and no newer than live data are", function*() {
  const quote = (symbol: string, mode: string, now: number) =>
    Effect.andThen(
      at(now),
      Effect.map(ask(`/v1/stocks/quotes/${symbol}/?extended=false&mode=${mode}`), (reply) =>
        Number(json(reply)["updated"]?.[0]))
    )
  // From Friday noon to Monday's close: an open session, the night, a weekend, the minutes around an open.
  for (let now = noon; now < noon + 3.2 * 86_400; now += isFull ? 1733 : 13_877) {
    for (const symbol of ["AAPL", "F"]) {
      const oldest = yield* quote(symbol, "live", now - 10 * minute)
      const cached = yield* quote(symbol, "cached", now)
      assert.isAtLeast(cached, oldest)
      assert.isAtMost(cached, yield* quote(symbol, "live", now))
    }
  }
})
