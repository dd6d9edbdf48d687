import { Account, NewYork } from "@effect-marketdata/core"
import { Accounts, type Sandbox } from "@effect-marketdata/sandbox"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, at, chain, chainOf, errmsg, friday, json, newest, noon, test } from "./support/service.ts"

const user = Account.nonProfessionalBySignature(true)

const options: Sandbox.Options = {
  profile: "public",
  accounts: Object.keys(Account.publicPlans).map((name) =>
    Accounts.make(name.toLowerCase().replaceAll(" ", "-"), Account.fromPublicPlan(name as Account.PublicPlanName, user))
  )
}

const prime = { token: "prime" }

test("an unfiltered chain has the next monthly expiration only, and standard contracts", function*() {
  const some = chainOf(yield* ask(chain, prime))
  assert.deepStrictEqual(new Set(some.expiration), new Set([NewYork.at(friday, 16, 0)]))
  const all = chainOf(yield* ask(`${chain}?expiration=all`, prime))
  assert.isAbove(new Set(all.expiration).size, 5)
  assert.isFalse([...all].some(({ optionSymbol }) => optionSymbol.startsWith("AAPL1")))
  const adjusted = chainOf(yield* ask(`${chain}?expiration=all&nonstandard=true`, prime))
  assert.isTrue([...adjusted].some(({ optionSymbol }) => optionSymbol.startsWith("AAPL1")))
}, options)

test("past days have no greeks", function*() {
  for (const path of [chain, "/v1/options/quotes/AAPL261218C00270000/"]) {
    const past = json(yield* ask(`${path}?date=2026-11-18`, prime))
    for (const name of ["iv", "delta", "gamma", "theta", "vega"]) {
      assert.deepStrictEqual(new Set(past[name]), new Set([null]), name)
    }
    assert.notInclude(past["bid"]!, null)
  }
}, options)

test("mid is rounded to cents, as JSON and as CSV", function*() {
  const target = "/v1/options/chain/F/?expiration=all"
  const mids = json(yield* ask(target, prime))["mid"]!
  assert.isTrue(mids.every((mid) => /^\d+(?:\.\d\d?)?$/.test(String(mid))))
  const csv = yield* ask(`${target}&format=csv&columns=mid`, prime)
  assert.deepStrictEqual(csv.body.trim().split(/\r?\n/).slice(1).map(Number), mids)
}, options)

test("the listing of a past day is of its midnight, and not of its close", function*() {
  for (const path of ["/v1/options/expirations/AAPL/", "/v1/options/strikes/AAPL/"]) {
    const { updated } = json(yield* ask(`${path}?date=2026-11-18`, prime)) as unknown as { updated: number }
    assert.strictEqual(updated, NewYork.midnight({ year: 2026, month: 11, day: 18 }), path)
  }
}, options)

test("data say no s where columns are chosen, or names for people", function*() {
  const names = (query: string) => Effect.map(ask(`${chain}?${query}`, prime), (reply) => Object.keys(json(reply)))
  assert.deepStrictEqual(yield* names("columns=bid,strike"), ["strike", "bid"])
  assert.deepStrictEqual(yield* names("columns=s,bid"), ["s", "bid"])
  assert.notInclude(yield* names("human=true"), "s")
  assert.include(yield* names("limit=5"), "s")
}, options)

test("missing data are no_data, with the times around or with words", function*() {
  const body = (target: string) => Effect.map(ask(target, prime), (reply) => [reply.status, reply.body])
  const dear = yield* body(`${chain}?minBid=100000`)
  assert.deepStrictEqual(dear, [404, `{"s":"no_data","nextTime":null,"prevTime":null}`])
  const closed = yield* body(`${chain}?date=2026-11-15`)
  assert.deepStrictEqual(closed, [404, `{"s":"no_data","errmsg":"Market closed on this date."}`])
  assert.deepStrictEqual(yield* body("/v1/options/chain/ZZZZ/"), [404, `{"s":"no_data","errmsg":"Symbol not found."}`])
  assert.deepStrictEqual(yield* body("/v1/options/quotes/AAPL261221C00270000/"), [
    404,
    `{"s":"error","errmsg":"No option found. No option was found for this strike and expiration."}`
  ])
}, options)

test("eod is the last session past 16:15, historical the one before the next has opened", function*() {
  const shown = (mode: string) => Effect.map(ask(`/v1/options/chain/F/?mode=${mode}`, prime), newest)
  const [thursday, today] = [NewYork.at({ ...friday, day: 19 }, 16, 0), NewYork.at(friday, 16, 0)]
  assert.deepStrictEqual([yield* shown("eod"), yield* shown("historical")], [thursday, thursday])
  yield* at(NewYork.at(friday, 16, 15))
  assert.deepStrictEqual(yield* shown("eod"), thursday)
  yield* at(NewYork.at(friday, 16, 15) + 1)
  assert.deepStrictEqual([yield* shown("eod"), yield* shown("historical")], [today, thursday])
  yield* at(NewYork.at({ ...friday, day: 23 }, 9, 30) + 1)
  assert.deepStrictEqual([yield* shown("eod"), yield* shown("historical")], [today, today])
}, options)

test("what a plan does not have is refused in words that name it", function*() {
  const refused = (target: string, token: string) => Effect.map(ask(target, { token }), errmsg)
  const old = "/v1/options/chain/F/?date=2021-11-19"
  assert.strictEqual(yield* refused(old, "free-forever"), "Free/Trial users can only access up to 1 year of data.")
  assert.strictEqual(yield* refused(old, "starter"), "Starter users can only access up to 5 years of data.")
  assert.strictEqual(yield* refused("/v1/stocks/earnings/MSFT/", "free-forever"), "This endpoint requires a paid plan.")
}, options)

describe("the accounts that are there without being configured", () => {
  const ofPlans: ReadonlyArray<readonly [token: string, credits: number, window: "day" | "minute", data: string]> = [
    ["sandbox-free", 100, "day", "historical"],
    ["sandbox-trial", 10_000, "day", "historical"],
    ["sandbox-paid", 100_000, "day", "realTime"],
    ["sandbox-free-forever", 100, "day", "historical"],
    ["sandbox-starter-trial", 10_000, "day", "historical"],
    ["sandbox-trader-trial", 100_000, "day", "historical"],
    ["sandbox-starter", 10_000, "day", "delayed"],
    ["sandbox-trader", 100_000, "day", "realTime"],
    ["sandbox-quant", 10_000, "minute", "realTime"],
    ["sandbox-prime", 100_000, "minute", "realTime"],
    ["sandbox-commercial", 100_000, "minute", "historical"]
  ]
  for (const [token, credits, window, data] of ofPlans) {
    test(`${token} has ${credits} credits a ${window}, and ${data} options`, function*() {
      const reply = yield* ask("/v1/options/chain/F/?strikeLimit=1", { token })
      assert.strictEqual(Number(reply.headers["x-api-ratelimit-limit"]), credits)
      const resets = window === "minute" ? noon + 60 : NewYork.at({ ...friday, day: 21 }, 9, 30)
      assert.strictEqual(Number(reply.headers["x-api-ratelimit-reset"]), resets)
      const permissions = reply.headers["x-options-data-permissions"]
      assert.strictEqual(permissions?.includes("delayed_quotes_permission"), data !== "historical")
      const age = noon - newest(reply)
      assert.strictEqual(age < 900 ? "realTime" : age < 6 * 3600 ? "delayed" : "historical", data)
    }, { profile: "public" })
  }

  const isPaid = (token: string) => !/free|trial/.test(token)
  for (const [token] of ofPlans) {
    test(`[8.2-access] ${token} is refused with 402 what is not in its plan, and given what is`, function*() {
      const status = (target: string) =>
        Effect.map(ask(target, { token }), ({ status }) => status === 203 ? 200 : status)
      const paid = isPaid(token) ? 200 : 402
      for (const mode of ["live", "cached", "delayed", "eod"]) {
        assert.strictEqual(yield* status(`/v1/stocks/quotes/MSFT/?mode=${mode}`), paid, mode)
      }
      assert.strictEqual(yield* status("/v1/stocks/quotes/MSFT/?mode=historical"), 200)
      assert.strictEqual(yield* status("/v1/stocks/earnings/MSFT/"), paid)
      assert.strictEqual(yield* status("/v1/stocks/earnings/AAPL/"), token.includes("free") ? 402 : 200)
      const cases = [
        [0.99, "from=2025-11-20&to=2025-11-25"],
        [2, "from=2024-11-18&to=2024-11-22"],
        [2, "to=2024-11-22"],
        [6, "from=2020-11-18&to=2020-11-20"]
      ] as const
      for (const [years, range] of cases) {
        const depth = isPaid(token) ? token === "sandbox-starter" ? 5 : Infinity : 1
        assert.strictEqual(yield* status(`/v1/stocks/candles/D/MSFT/?${range}`), years < depth ? 200 : 402, range)
      }
      assert.strictEqual(yield* status("/v1/options/chain/F/?date=2024-11-20"), isPaid(token) ? 200 : 402)
      assert.strictEqual(yield* status("/v1/options/chain/F/?from=2020-01-01&to=2027-12-31&strikeLimit=1"), 200)
      assert.strictEqual(yield* status("/v1/markets/status/?from=2015-01-05&to=2015-01-09"), 200)
    }, { profile: "public" })
  }
})

test("errors have guides, and a block names both addresses", function*() {
  for (const address of ["127.0.0.1", "127.0.0.2"]) yield* ask("/user/", { ...prime, address })
  const blocked = json(yield* ask("/user/", { ...prime, address: "127.0.0.1" }))
  assert.deepStrictEqual([blocked["authorizedIP"], blocked["blockedIP"]], ["127.0.0.2", "127.0.0.1"])
  assert.isString(blocked["troubleshootingGuide"])
}, options)

test("bulk candles of a single ticker do not say which it is", function*() {
  const names = (symbols: string) =>
    Effect.map(ask(`/v1/stocks/bulkcandles/D/?symbols=${symbols}`, prime), (reply) => Object.keys(json(reply)))
  assert.deepStrictEqual(yield* names("MSFT"), ["s", "o", "h", "l", "c", "v", "t"])
  assert.deepStrictEqual(yield* names("MSFT,NVDA"), ["s", "symbol", "o", "h", "l", "c", "v", "t"])
}, options)
