import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, at, chain, consumed, isData, json, noon, test } from "./support/service.ts"

/** Tickers that nobody has, because there is a digit in each, and so short that a thousand fit into a line. */
const made = Array.from({ length: 2000 }, (_, index) => index.toString(36).toUpperCase())
  .filter((ticker) => /\d/.test(ticker)).slice(0, 1000)

describe("the bill", () => {
  const quotes: ReadonlyArray<readonly [clause: string, target: string, credits: number]> = [
    ["8.2-cost-quotes", "/v1/stocks/quotes/AAPL/", 1],
    ["8.2-cost-quotes", "/v1/stocks/quotes/?symbols=AAPL,MSFT,NVDA", 3],
    ["8.2-cost-quotes", "/v1/stocks/quotes/?symbols=AAPL,ZZZZ,MSFT,AAPL", 2],
    ["8.2-cost-quotes", "/v1/stocks/quotes/?symbols=AAPL,MSFT&mode=delayed", 2],
    ["8.2-cost-quotes", "/v1/stocks/quotes/?symbols=AAPL,MSFT&columns=symbol", 2],
    ["8.2-cost-quotes", "/v1/stocks/prices/?symbols=AAPL,MSFT,NVDA", 3],
    ["8.2-cost-quotes", "/v1/options/quotes/AAPL261218C00270000/", 1],
    ["8.2-cost-quotes", "/v1/options/quotes/AAPL261218C00270000/?mode=cached", 1],
    ["8.2-cost-quotes", "/v1/stocks/quotes/?symbols=AAPL,MSFT,NVDA&mode=cached", 1],
    ["8.2-cost-quotes", "/v1/stocks/prices/?symbols=AAPL,MSFT,NVDA&mode=stale", 1],
    ["8.2-cost-candles", "/v1/stocks/candles/D/AAPL/?from=2026-11-02&to=2026-11-13", 1],
    ["8.2-cost-candles", "/v1/stocks/candles/1/AAPL/?from=2026-11-09&to=2026-11-11", 2],
    ["8.2-cost-candles", "/v1/stocks/candles/1/AAPL/?from=2026-11-09&to=2026-11-13&mode=delayed", 2],
    ["8.2-cost-candles", "/v1/stocks/candles/1/AAPL/?countback=1000&to=2026-11-13", 1],
    ["8.2-cost-candles", "/v1/stocks/candles/1/AAPL/?countback=1001&to=2026-11-13", 2],
    ["8.2-cost-candles", "/v1/funds/candles/D/VFINX/?countback=5", 1],
    ["8.2-cost-candles", "/v1/funds/candles/D/VFINX/?countback=1000", 1],
    ["8.2-cost-candles", "/v1/funds/candles/D/VFINX/?countback=1001", 2],
    ["8.2-cost-bulk-candles", "/v1/stocks/bulkcandles/D/?symbols=AAPL,MSFT,ZZZZ", 2],
    ["8.2-cost-bulk-candles", "/v1/stocks/bulkcandles/D/?symbols=AAPL,MSFT&mode=delayed", 2],
    ["8.2-cost-other", "/v1/options/expirations/AAPL/", 1],
    ["8.2-cost-other", "/v1/options/strikes/AAPL/", 1],
    ["8.2-cost-other", "/v1/options/lookup/AAPL%2012/18/2026%20270%20call", 1],
    ["8.2-cost-other", "/v1/markets/status/?from=2026-01-01&to=2026-12-31", 1],
    ["8.2-cost-other", "/v1/stocks/earnings/AAPL/?from=2020-01-01&mode=delayed", 1],
    ["8.2-cost-other", "/v1/stocks/news/AAPL/", 1],
    ["4.1-cost-cached", "/v1/options/chain/SPX/?mode=cached", 1],
    ["4.1-cost-historical", "/v1/options/chain/SPX/?date=2026-11-19", 23],
    ["4.1-cost-historical", `${chain}?date=2026-11-19&strikeLimit=1`, 1],
    ["4.1-cost-live", "/v1/options/chain/SPX/", 22_718],
    ["4.1-cost-delayed", "/v1/options/chain/SPX/?mode=delayed", 22_718]
  ]
  for (const [clause, target, credits] of quotes) {
    test(`[${clause}] [1-credits] ${target} costs ${credits}`, function*() {
      const reply = yield* ask(target)
      assert.isTrue(isData(reply), reply.body.slice(0, 200))
      assert.strictEqual(consumed(reply), credits)
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, credits)
    })
  }

  test("[4.1-cost-historical] how a part of 1000 is counted can be chosen", function*() {
    assert.strictEqual(consumed(yield* ask("/v1/options/chain/SPX/?date=2026-11-19")), 22)
  }, { assume: { rounding: "down" } })

  test("[8.2-cost-quotes] and so can it what makes a quote, and which rule prices fall under", function*() {
    const chain = yield* ask("/v1/options/chain/AAPL/?mode=live")
    assert.strictEqual(consumed(chain), json(chain)["strike"]!.length)
    assert.strictEqual(consumed(yield* ask("/v1/stocks/prices/?symbols=AAPL,MSFT")), 1)
  }, { assume: { quoteData: "all", kind: "other" } })

  const free: ReadonlyArray<readonly [target: string, status: number]> = [
    [`${chain}?mode=cached`, 204],
    [`${chain}?side=both`, 400],
    ["/v1/options/chain/ZZZZ/", 404],
    ["/v1/stocks/candles/5/AAPL/?from=2025-01-01", 413],
    ["/user/", 200],
    ["/status/", 200],
    ["/headers/", 200]
  ]
  for (const [target, status] of free) {
    test(`[1-credits] ${target} is a ${status} and free`, function*() {
      const reply = yield* ask(target)
      assert.deepStrictEqual([reply.status === 203 ? 200 : reply.status, consumed(reply)], [status, 0])
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 0)
    }, { cold: ["AAPL"] })
  }

  test("[8.1-no-cap] as many symbols are served as fit into a line of 4094 bytes, the last of them too", function*() {
    const paths = ["/v1/stocks/quotes/", "/v1/stocks/prices/", "/v1/stocks/bulkcandles/D/"]
    for (const path of paths) {
      for (const count of [700, 1000]) {
        const symbols = ["AAPL", ...made.slice(0, count - 2), "MSFT"]
        const target = `${path}?symbols=${symbols.join(",")}`
        assert.strictEqual(symbols.length, count)
        assert.isAtMost(`GET ${target} HTTP/1.1`.length, 4094)
        const reply = yield* ask(target)
        assert.deepStrictEqual(json(reply)["symbol"], ["AAPL", "MSFT"])
        assert.strictEqual(consumed(reply), 2)
      }
    }
  })
})

describe("the cache", () => {
  test(
    "[8.3-maxage-forms] [8.3-age] an absolute limit is a moment on New York clocks, that moment included",
    function*() {
      yield* ask("/v1/stocks/quotes/AAPL/?mode=live")
      yield* at(noon + 600)
      const status = (maxage: string) =>
        Effect.map(
          ask(`/v1/stocks/quotes/AAPL/?mode=cached&maxage=${encodeURIComponent(maxage)}`),
          (reply) => reply.status
        )
      const noons = ["2026-11-20 12:00", "2026-11-20T12:00:00", "2026-11-20T12:00:00Z", "11/20/2026 12:00 PM", noon]
      for (const text of noons) assert.strictEqual(yield* status(`${text}`), 203)
      assert.deepStrictEqual([yield* status("2026-11-20 12:00:01"), yield* status("10min")], [204, 203])
      assert.deepStrictEqual([yield* status("9min"), yield* status("1h")], [204, 203])
      for (const none of ["0min", "soon", "-5min", "5 min", "1.5h", "90s", "1d", "yesterday", "5 minutes ago", ""]) {
        assert.strictEqual(yield* status(none), 400, none)
      }
    },
    { cold: ["AAPL"] }
  )

  test("[4.1-maxage-ignored] at every endpoint maxage is nothing without cached data", function*() {
    const paths = ["/v1/stocks/quotes/AAPL/", "/v1/options/quotes/AAPL261218C00270000/", "/v1/stocks/candles/D/AAPL/"]
    for (const path of paths) {
      const [plain, aged] = [yield* ask(path), yield* ask(`${path}?maxage=never`)]
      assert.deepStrictEqual([aged.status, aged.body], [plain.status, plain.body])
    }
  })
})
