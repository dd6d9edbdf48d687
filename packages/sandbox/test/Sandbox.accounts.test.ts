import { Account, NewYork } from "@effect-marketdata/core"
import { Accounts, Sandbox } from "@effect-marketdata/sandbox"
import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { ask, at, chain, consumed, friday, isData, json, newest, noon, test } from "./support/service.ts"

const small = `${chain}?expiration=2026-12-18&side=call&strikeLimit=1`

const paid = (user: Account.User, allowance?: Account.Allowance) =>
  Accounts.make("sandbox-paid", Account.make({ plan: "paid", user, ...(allowance === undefined ? {} : { allowance }) }))

const thursdaysClose = NewYork.at({ ...friday, day: 19 }, 16, 0)

/** Whether data are the last ones of the session that closed then; a stock may have traded last a little before. */
const isOfSession = (updated: number, close: number): void => {
  assert.isAtMost(updated, close)
  assert.isAbove(updated, close - 900)
}

describe("entitlements", () => {
  const users: ReadonlyArray<readonly [string, Account.User, "realTime" | "delayed" | "historical"]> = [
    ["a non-professional of the first row", Account.nonProfessional("realTime"), "realTime"],
    ["a non-professional of the second row", Account.nonProfessional("delayed"), "delayed"],
    ["a professional", Account.professional, "historical"],
    ["a user of unknown kind", Account.unknown, "historical"]
  ]
  const isOf = { realTime: (age: number) => age < 60, delayed: (age: number) => age >= 900 && age < 960 }
  for (const [who, user, dataType] of users) {
    test(
      `[4.1-data-type-table] [4.1-delayed-condition] [1-kinds] ${who} is served ${dataType} options`,
      function*() {
        for (const target of [small, `${small}&mode=live`, `${small}&mode=cached`]) {
          const updated = newest(yield* ask(target))
          if (dataType === "historical") assert.strictEqual(updated, thursdaysClose)
          else assert.isTrue(isOf[dataType](noon - updated), `${noon - updated}`)
        }
      },
      { accounts: [paid(user)] }
    )
  }

  test("[5.8-premium-mode] free and trial accounts are served delayed data in whatever mode but cached", function*() {
    for (const token of ["sandbox-free", "sandbox-trial"]) {
      for (const mode of ["", "&mode=live", "&mode=delayed"]) {
        const age = noon - newest(yield* ask(small + mode, { token }))
        assert.isTrue(isOf.delayed(age), `${token} ${mode} ${age}`)
      }
    }
  })
})

describe("the demo", () => {
  const open = [
    small,
    "/v1/options/expirations/AAPL/",
    "/v1/options/strikes/AAPL/",
    "/v1/options/quotes/AAPL261218C00270000/",
    "/v1/options/lookup/AAPL%2012/18/2026%20270%20call",
    "/v1/stocks/quotes/AAPL/",
    "/v1/stocks/prices/?symbols=AAPL",
    "/v1/stocks/candles/D/AAPL/",
    "/v1/stocks/bulkcandles/D/?symbols=AAPL,aapl",
    "/v1/funds/candles/D/VFINX/",
    `${chain}?date=2026-11-18&strikeLimit=1`
  ]
  for (const target of open) {
    test(`[5.5-demo] ${target} is open without a token, and costs nobody anything`, function*() {
      const reply = yield* ask(target, { token: "" })
      assert.isTrue(isData(reply), reply.body)
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 0)
      assert.strictEqual(reply.headers["x-api-ratelimit-consumed"], "0")
      assert.strictEqual((yield* ask(target, { token: "nobody" })).status, 401)
    })
  }

  const closed = [
    "/v1/options/chain/SPX/",
    "/v1/options/quotes/SPXW261204P06800000/",
    "/v1/options/quotes/AAPLX261218C00270000/",
    "/v1/options/lookup/AMZN%2012/18/2026%20270%20call%20",
    "/v1/stocks/quotes/MSFT/",
    "/v1/stocks/quotes/?symbols=AAPL,MSFT",
    "/v1/stocks/prices/?symbols=MSFT,AAPL",
    "/v1/stocks/bulkcandles/D/?snapshot=true",
    "/v1/funds/candles/D/AAPL/",
    "/v1/markets/status/",
    "/user/",
    "/headers/"
  ]
  for (const target of closed) {
    test(`[5.5-demo] [5.7-401] ${target} is not`, function*() {
      const reply = yield* ask(target, { token: "" })
      const told = [reply.status, reply.body]
      assert.deepStrictEqual(told, [401, `{"s":"error","errmsg":"Invalid token header. No credentials provided."}`])
    })
  }

  test("[5.5-demo] [1-kinds] without a token there are historical data only, whatever the mode", function*() {
    for (const mode of ["", "&mode=live", "&mode=delayed"]) {
      assert.strictEqual(newest(yield* ask(small + mode, { token: "" })), thursdaysClose)
    }
    isOfSession(newest(yield* ask("/v1/stocks/quotes/AAPL/", { token: "" })), thursdaysClose)
    assert.strictEqual((yield* ask(`${small}&mode=cached`, { token: "" })).status, 402)
  })

  test("[5.5-demo] the ticker is configuration", function*() {
    assert.isTrue(isData(yield* ask("/v1/stocks/quotes/MSFT/", { token: "" })))
    assert.strictEqual((yield* ask("/v1/stocks/quotes/AAPL/", { token: "" })).status, 401)
  }, { demo: { ticker: "MSFT" } })
})

describe("one address at a time", () => {
  const [a, b, c] = ["127.0.0.1", "127.0.0.2", "127.0.0.3"] as const
  type Asked = readonly [seconds: number, address: string]
  const statuses = (...requests: ReadonlyArray<Asked>) =>
    Effect.forEach(requests, ([seconds, address]) =>
      Effect.andThen(
        at(noon + seconds),
        Effect.map(ask("/v1/stocks/quotes/MSFT/", { address }), ({ status }) => status === 203 ? 200 : status)
      ))

  const switches: ReadonlyArray<readonly [name: string, asked: ReadonlyArray<Asked>, statuses: string]> = [
    ["a return within five minutes is blocked", [[0, a], [60, b], [120, a], [121, b]], "200 200 403 200"],
    ["exactly five minutes count as inside", [[0, a], [60, b], [360, a]], "200 200 403"],
    ["a return after a second more is allowed", [[0, a], [60, b], [361, a]], "200 200 200"],
    [
      "a block lasts five minutes, and asking again does not make it longer",
      [[0, a], [60, b], [120, a], [300, a], [420, a], [421, a]],
      "200 200 403 403 403 200"
    ],
    ["a third address is not a return", [[0, a], [1, b], [2, c]], "200 200 200"]
  ]
  for (const [name, asked, expected] of switches) {
    test(`[5.6-single-ip] ${name}`, () =>
      Effect.map(statuses(...asked), (found) => assert.strictEqual(found.join(" "), expected)))
  }

  test("[5.6-single-ip] accounts have each their own address", function*() {
    const target = "/v1/stocks/quotes/MSFT/"
    const tokens = ["sandbox-paid", "sandbox-free", "sandbox-paid", "sandbox-free"]
    for (const [at, token] of tokens.entries()) {
      assert.isTrue(isData(yield* ask(target, { token, address: at % 2 === 0 ? a : b })))
    }
  })

  test("[7.1-403] [2.2-error-body] a block is told in the contract's two fields, free, and within the rates", function*() {
    yield* statuses([0, a], [60, b])
    const reply = yield* ask(chain, { address: a })
    assert.strictEqual(reply.status, 403)
    assert.deepStrictEqual(Object.keys(json(reply)), ["s", "errmsg"])
    assert.include(reply.body, "Only one device is permitted.")
    assert.strictEqual(consumed(reply), 0)
  })
})

describe("allowances", () => {
  const minute = { accounts: [paid(Account.nonProfessional("realTime"), { credits: 2, window: "minute" })] }

  test("of a minute are whole again with the next one", function*() {
    const status = Effect.map(ask("/v1/stocks/quotes/MSFT/"), (reply) => isData(reply) ? 200 : reply.status)
    assert.deepStrictEqual([yield* status, yield* status, yield* status], [200, 200, 429])
    yield* at(noon + 59)
    assert.strictEqual(yield* status, 429)
    yield* at(noon + 60)
    assert.strictEqual(yield* status, 200)
  }, minute)

  const crowd = (count: number) => {
    const target = "/v1/stocks/quotes/MSFT/"
    return Effect.gen(function*() {
      const fibers = yield* Effect.forEach(Array.from({ length: count }), () => Effect.forkChild(ask(target)))
      yield* TestClock.adjust("1 second")
      const replies = yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
      return replies.filter(({ status }) => status === 429).length
    })
  }

  const crowds: ReadonlyArray<readonly [name: string, count: number, refused: number, options: Sandbox.Options]> = [
    ["[8.5-not-shown] the contract has no limit of requests in flight", 500, 0, {}],
    ["the public service has 50 requests of an account in flight at once", 60, 10, { profile: "public" }],
    ["as many are in flight as an option says", 60, 57, { mostInFlight: 3 }],
    ["as many are in flight as an option says, also of the public service", 60, 57, {
      mostInFlight: 3,
      profile: "public"
    }]
  ]
  for (const [name, count, expected, options] of crowds) {
    test(name, () => Effect.map(crowd(count), (refused) => assert.strictEqual(refused, expected)), {
      latency: "1 second",
      ...options
    })
  }

  test("a request that is given up is no longer in flight", function*() {
    const target = "/v1/stocks/quotes/MSFT/"
    const inFlight = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(ask(target)))
    yield* TestClock.adjust("1 millis")
    yield* Fiber.interruptAll(inFlight)
    const after = yield* Effect.forkChild(ask(target))
    yield* TestClock.adjust("1 second")
    assert.isTrue(isData(yield* Fiber.join(after)))
  }, { latency: "1 second", mostInFlight: 50 })
})

test("[5.3-query] statements have an account's own requests and no other's, and no token", function*() {
  yield* ask("/v1/stocks/quotes/MSFT/")
  yield* ask("/v1/stocks/quotes/NVDA/?token=sandbox-free", { token: "" })
  yield* ask("/v1/stocks/quotes/TSLA/?%74oken=sandbox-free", { token: "" })
  yield* ask("/v1/stocks/quotes/TSLA/", { token: "nobody" })
  const sandbox = yield* Sandbox.Sandbox
  const { entries, ...statement } = yield* sandbox.statement("sandbox-free")
  assert.deepStrictEqual(entries.map(({ credits, status, target }) => [target, status < 204, credits]), [
    ["/v1/stocks/quotes/NVDA/?token=<redacted>", true, 1],
    ["/v1/stocks/quotes/TSLA/?%74oken=<redacted>", true, 1]
  ])
  assert.deepStrictEqual(statement, {
    opened: NewYork.at(friday, 9, 30),
    resets: NewYork.at({ ...friday, day: 21 }, 9, 30),
    allowance: 1_000_000,
    spent: 2
  })
  const nobody = yield* sandbox.statement("nobody")
  assert.deepStrictEqual([nobody.spent, nobody.allowance, nobody.entries], [0, undefined, []])
  assert.deepStrictEqual((yield* sandbox.requests).map(({ account }) => account), [
    "sandbox-paid",
    "sandbox-free",
    "sandbox-free",
    undefined
  ])
})
