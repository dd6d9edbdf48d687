/** What is refused, in which words, and which refusal comes first. The requests are written by hand, as any client may write them. */
import { Account, NewYork } from "@effect-marketdata/core"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, at, chain, consumed, errmsg, friday, isData, json, newest, noon, test } from "./support/service.ts"

const wrongDate = "Invalid date. The date parameter is used for historical queries only."

const quote = "/v1/options/quotes/AAPL261218C00270000/"

describe("a date", () => {
  const refused: ReadonlyArray<readonly [name: string, target: string]> = [
    ["of the past, for the quote of a stock", "/v1/stocks/quotes/AAPL/?date=2026-11-18"],
    ["of the past, for the quotes of stocks", "/v1/stocks/quotes/?symbols=AAPL,MSFT&date=2026-11-18"],
    ["of the past, for prices", "/v1/stocks/prices/?symbols=AAPL&date=2026-11-18"],
    ["of the past, for candles, whose days are a range", "/v1/stocks/candles/D/AAPL/?date=2026-11-18"],
    ["that is today, for a chain", `${chain}?date=2026-11-20`],
    ["that is today in epoch seconds, for a quote", `${quote}?date=${noon}`],
    ["that is to come, for expirations", "/v1/options/expirations/AAPL/?date=2027-01-04"],
    ["that is to come, for strikes", "/v1/options/strikes/AAPL/?date=11/23/2026"],
    ["that does not exist, for a chain", `${chain}?date=2026-02-30`],
    ["that is not a date, for a quote", `${quote}?date=soon`],
    ["that is empty, for a chain", `${chain}?date=`],
    ["told from today, for a chain, which takes none such", `${chain}?date=yesterday`],
    ["that is not a date, for bulk candles", "/v1/stocks/bulkcandles/D/?symbols=AAPL&date=2026-13-01"],
    ["that is not a date, for the market's days", "/v1/markets/status/?date=someday"],
    ["that is not a date, for news", "/v1/stocks/news/AAPL/?date=x"],
    ["that is not a date, for the quote of a stock", "/v1/stocks/quotes/AAPL/?date=x"]
  ]
  for (const [name, target] of refused) {
    test(`[7.3-date-errmsg] [7.1-400] ${name}, is a 400 in the contract's words`, function*() {
      const reply = yield* ask(target)
      const told = [reply.status, reply.body, consumed(reply)]
      assert.deepStrictEqual(told, [400, JSON.stringify({ s: "error", errmsg: wrongDate }), 0])
    })
  }
})

describe("the words of a refusal", () => {
  const times = { date: "2026-11-18", from: "2026-12-01", to: "2026-11-01", maxage: "2026-11-20 09:30" }
  const contracts = { expiration: "2026-12-18", dte: "30", month: "12", strike: "270", delta: ".5" }
  const others = { minBid: "5", maxBid: "1", countback: "5", weekly: "true", monthly: "false", am: "true" }
  const values = { ...times, ...contracts, ...others, mode: "cached" }
  const paths = [
    chain,
    "/v1/options/strikes/AAPL/",
    "/v1/stocks/candles/D/AAPL/",
    "/v1/stocks/news/AAPL/",
    "/v1/markets/status/"
  ]
  for (const path of paths) {
    test(`show what the request wrote, and no inside of the service: ${path}`, function*() {
      const given = Object.entries(values)
      let refused = 0
      for (const [name, value] of given) {
        for (const [other, second] of given) {
          if (name === other) continue
          const reply = yield* ask(`${path}?${name}=${value}&${other}=${second}`.replaceAll(" ", "%20"))
          if (isData(reply) || reply.status === 204) continue
          refused++
          assert.notMatch(errmsg(reply), /[{[]|undefined|null|NaN|(with|like|after|than)\.$/, `${name} ${other}`)
        }
      }
      assert.isAbove(refused, 0)
    })
  }
})

describe("a cached mode on a free or trial plan", () => {
  const others: ReadonlyArray<readonly [name: string, target: string]> = [
    ["an endpoint without cached data", "/v1/stocks/candles/D/AAPL/?mode=cached"],
    ["a past day", `${chain}?mode=cached&date=2026-11-18`],
    ["an invalid date", `${chain}?mode=stale&date=soon`],
    ["an invalid option symbol", "/v1/options/quotes/NOPE/?mode=cache"],
    ["an invalid column", `${chain}?mode=cached&columns=price`],
    ["an invalid age", `${chain}?mode=cached&maxage=soon`],
    ["an invalid description", "/v1/options/lookup/nonsense?mode=cached"],
    ["an underlying that is not known", "/v1/options/chain/ZZZZ/?mode=cached"],
    ["an invalid filter", `${chain}?mode=cached&strike=high`]
  ]
  for (const token of ["sandbox-free", "sandbox-trial"]) {
    for (const [name, target] of others) {
      test(`[8.2-access] [7.1-402] is a 402 before ${name} is refused: ${token}`, function*() {
        const reply = yield* ask(target, { token })
        assert.deepStrictEqual([reply.status, errmsg(reply)], [402, "The mode cached requires a paid plan."])
        const paid = yield* ask(target)
        assert.include([400, 404], paid.status)
      })
    }
  }

  test("[8.2-access] is a 402 before the credits are looked at", function*() {
    yield* ask(chain, { token: "sandbox-free" })
    assert.strictEqual((yield* ask(chain, { token: "sandbox-free" })).status, 429)
    assert.strictEqual((yield* ask(`${chain}?mode=cached`, { token: "sandbox-free" })).status, 402)
  }, {
    accounts: [Accounts.make(
      "sandbox-free",
      Account.make({ plan: "free", user: Account.unknown, allowance: { credits: 1, window: "day" } })
    )]
  })
})

describe("without a token", () => {
  const anonymous = { token: "" }
  const monday = { ...friday, day: 23 }

  /** The moments at which what counts as historical changes, and the days whose data are historical then (contract 8.4). */
  const times: ReadonlyArray<readonly [moment: number, optionsDay: number, stocksDay: number]> = [
    [NewYork.at(friday, 8, 0), 18, 19],
    [NewYork.at(friday, 9, 29, 59), 18, 19],
    [NewYork.at(friday, 9, 30), 19, 19],
    [NewYork.at(friday, 16, 14, 59), 19, 19],
    [NewYork.at(friday, 16, 15), 19, 20],
    [NewYork.at({ ...friday, day: 22 }, 12, 0), 19, 20],
    [NewYork.at(monday, 9, 30), 20, 20]
  ]
  for (const [moment, optionsDay, stocksDay] of times) {
    const [options, stocks] = [optionsDay, stocksDay].map((day) => ({ year: 2026, month: 11, day }))
    const endOfOptions = NewYork.at(options!, 16, 0)
    const endOfStocks = NewYork.at(stocks!, 16, 0)

    test(`[5.5-demo] [8.4-options] [8.4-stocks] there are only closed sessions at ${NewYork.format(moment)}`, function*() {
      yield* at(moment)
      const updated = (target: string) => Effect.map(ask(target, anonymous), newest)
      assert.isAtMost(yield* updated(chain), endOfOptions)
      assert.isAbove(yield* updated(chain), endOfOptions - 600)
      assert.isAtMost(yield* updated(quote), endOfOptions)
      assert.strictEqual(yield* updated("/v1/stocks/quotes/AAPL/"), endOfStocks)
      assert.strictEqual(yield* updated("/v1/stocks/prices/?symbols=AAPL"), endOfStocks)
      const fields = ["/v1/options/expirations/AAPL/", "/v1/options/strikes/AAPL/", "/v1/stocks/news/AAPL/"]
      for (const target of fields) {
        const reply = yield* ask(target, anonymous)
        // Options on indexes are quoted for 15 minutes after the close.
        const updated = Number(json(reply)["updated"])
        assert.strictEqual(updated, target.includes("options") ? endOfOptions + 900 : endOfStocks)
      }
      const candles = json(yield* ask("/v1/stocks/candles/5/AAPL/?from=2026-11-16&columns=t&extended=true", anonymous))
      assert.isAtMost(Math.max(...candles["t"] as ReadonlyArray<number>), endOfStocks)
      const earnings = yield* ask("/v1/stocks/earnings/AAPL/", anonymous)
      assert.isAtMost(newest(earnings), endOfStocks)
    })

    test(`[5.5-demo] [8.4-options] a date is answered once its session is historical, at ${NewYork.format(moment)}`, function*() {
      yield* at(moment)
      for (let day = 16; day <= 20; day++) {
        if (NewYork.at({ ...friday, day: day + 1 }, 0, 0) > moment) continue
        for (const path of [chain, quote, "/v1/options/expirations/AAPL/", "/v1/options/strikes/AAPL/"]) {
          const reply = yield* ask(`${path}?date=2026-11-${day}`, anonymous)
          assert.strictEqual(isData(reply), day <= optionsDay, `${reply.status} ${path} ${day}`)
          if (!isData(reply)) assert.strictEqual(reply.status, 404)
        }
      }
      const series = json(yield* ask(`${quote}?from=2026-11-16`, anonymous))
      assert.strictEqual(series["updated"]!.length, optionsDay - 15)
    })
  }

  test(
    "[1-kinds] an account with historical data only waits for the next session, as for data without a date",
    function*() {
      yield* at(NewYork.at(friday, 9, 29, 59))
      assert.strictEqual((yield* ask(`${chain}?date=2026-11-19`)).status, 404)
      yield* at(NewYork.at(friday, 9, 30))
      assert.isTrue(isData(yield* ask(`${chain}?date=2026-11-19`)))
      // Without an allowance the page of the account tells zeros.
      assert.include((yield* ask("/user/")).body, `"x-ratelimit-requests-limit":0`)
    },
    { accounts: [Accounts.make("sandbox-paid", Account.make({ plan: "paid", user: Account.professional }))] }
  )
})
