import { NewYork, OptionChain } from "@effect-marketdata/core"
import { Sandbox } from "@effect-marketdata/sandbox"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "../../core/test/support/it.ts"
import type { Reply } from "./support/service.ts"
import { ask, at, chain, chainOf, consumed, friday, isData, json, newest, noon, test } from "./support/service.ts"

describe("what it refuses", () => {
  const unknown = "/v1/options/chain/ZZZZ/"
  const past = `${chain}?date=2026-11-19`
  const cases: ReadonlyArray<readonly [string, string, number, string]> = [
    ["[7.1-404] [7.3-400-vs-404] an underlying it does not know", unknown, 404, "Symbol not found."],
    ["[7.1-400] [7.3-400-vs-404] an invalid symbol", "/v1/options/chain/A%20B/", 400, "Invalid underlying"],
    ["[7.3-cause-malformed-query] a parameter without a value", `${chain}?mode`, 400, "key=value"],
    ["[7.3-cause-malformed-query] a parameter given twice", `${chain}?mode=live&mode=live`, 400, "twice"],
    ["[7.3-cause-wrong-type] an invalid date", `${chain}?date=soon`, 400, "Invalid date"],
    ["[7.3-cause-wrong-type] an invalid expiration", `${chain}?expiration=2026-02-30`, 400, "Invalid expiration"],
    ["[7.3-cause-unsupported-value] an invalid side", `${chain}?side=both`, 400, "Invalid side"],
    ["[7.3-cause-unsupported-value] an invalid column", `${chain}?columns=price`, 400, "There is no column"],
    ["[7.3-cause-unsupported-value] a format it does not have", `${chain}?format=xml`, 400, "Invalid format"],
    ["[8.3-maxage-forms] an invalid age", `${chain}?mode=cached&maxage=soon`, 400, "Invalid maxage"],
    ["[8.2-cached-unavailable] cached data of a past day", `${past}&mode=cached`, 400, "Invalid mode"],
    ["[4.1-date] a day without a session", `${chain}?date=2026-11-15`, 404, "Market closed on this date."],
    ["an expiration that is not listed", `${chain}?expiration=2026-11-21`, 404, "No data found."]
  ]
  for (const [name, target, status, text] of cases) {
    test(`${name}: ${status}, [2.2-error-body] in words, [7.1-bodies-unknown] and free`, function*() {
      const reply = yield* ask(target)
      assert.strictEqual(reply.status, status)
      assert.include(reply.body, text)
      const { errmsg, s, ...others } = JSON.parse(reply.body)
      assert.deepStrictEqual([s, typeof errmsg, others, consumed(reply)], ["error", "string", {}, 0])
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 0)
    })
  }

  test("[5.3-header] a header that is not a bearer's is not a token, and goes before one in the query", function*() {
    const status = (authorization: string, query = "") =>
      Effect.map(ask(`${chain}${query}`, { token: "", headers: { authorization } }), (reply) => reply.status)
    const others = ["Token sandbox-paid", "Basic sandbox-paid", "sandbox-paid", "Bearer {sandbox-paid}"]
    for (const header of [...others, "Bearer", "Bearer  ", ""]) {
      assert.strictEqual(yield* status(header), 401, header)
      assert.strictEqual(yield* status(header, "?token=sandbox-paid"), 401, header)
    }
    assert.strictEqual(yield* status("Bearer nobody", "?token=sandbox-paid"), 401)
    assert.include([200, 203], yield* status("Bearer sandbox-paid", "?token=nobody"))
    assert.include([200, 203], yield* status("bearer sandbox-paid"))
  })
})

describe("chains", () => {
  test("[4.1-path] [9-version] [2.1-shape] [2.1-lengths] [2.1-fields] [2.1-closed] are whole, and without any deviation", function*() {
    const reply = yield* ask(chain)
    const body = JSON.parse(reply.body)
    const data = chainOf(reply)
    assert.deepStrictEqual(Object.keys(body), ["s", ...Object.keys(OptionChain.spec)])
    assert.strictEqual(body.s, "ok")
    const lengths = new Set(Object.values(body).slice(1).map((column) => (column as Array<unknown>).length))
    assert.deepStrictEqual(lengths, new Set([data.length]))
    assert.deepStrictEqual(data.findings, [])
  })

  test("[4.1-path] are found by the symbol as it is written, encoded or not, and under one path", function*() {
    const underlyings = (target: string) =>
      Effect.map(ask(target), (reply) => new Set(chainOf(reply).underlying.values))
    for (const segment of ["BRK.B", "BRK%2EB", "%42RK.B"]) {
      assert.deepStrictEqual(yield* underlyings(`/v1/options/chain/${segment}/`), new Set(["BRK.B"]))
    }
    for (const path of ["/v1/options/chain/BRKB/", "/v1/options/CHAIN/AAPL/", "/V1/options/chain/AAPL/"]) {
      assert.strictEqual((yield* ask(path)).status, 404, path)
    }
  })

  test("[2.1-last-null] have null for a contract that was never traded, however they are written", function*() {
    for (const output of ["", "&dateformat=timestamp", "&columns=last,updated&dateformat=spreadsheet"]) {
      const last = json(yield* ask(`${chain}?expiration=all${output}`))["last"]!
      const nulls = last.filter((price) => price === null)
      assert.isAbove(nulls.length, 0)
      assert.isBelow(nulls.length, last.length)
      assert.isTrue(last.every((price) => price === null || (typeof price === "number" && price > 0)))
    }
  })

  test("[4.1-date] of a past day are those of its close, yesterday's on the day after", function*() {
    for (const [date, day, hour] of [["2026-11-19", 19, 16], ["2025-11-28", 28, 13]] as const) {
      const reply = yield* ask(`${chain}?date=${date}&strikeLimit=3`)
      assert.isTrue(isData(reply))
      assert.strictEqual(newest(reply), NewYork.at({ year: Number(date.slice(0, 4)), month: 11, day }, hour, 0))
    }
    // New York's midnight changes the day, not that of UTC.
    yield* at(NewYork.at({ ...friday, day: 19 }, 23, 59))
    assert.strictEqual((yield* ask(`${chain}?date=2026-11-19`)).status, 400)
    assert.isTrue(isData(yield* ask(`${chain}?date=2026-11-18&strikeLimit=1`)))
    yield* at(NewYork.at(friday, 0, 0))
    assert.isTrue(isData(yield* ask(`${chain}?date=2026-11-19&strikeLimit=1`)))
  })

  it.effect("[1-kinds] have prices of their seed", function*() {
    yield* at(noon)
    const price = (seed: number) =>
      ask(`${chain}?columns=underlyingPrice`).pipe(
        Effect.map((reply) => JSON.parse(reply.body).underlyingPrice[0]),
        Effect.provide(Sandbox.layer({ seed }))
      )
    assert.strictEqual(yield* price(1), yield* price(1))
    assert.notStrictEqual(yield* price(1), yield* price(2))
  })
})

describe("modes", () => {
  const ages = (target: string, token: string) => Effect.map(ask(target, { token }), (reply) => noon - newest(reply))

  test("[8.2-default] live for paid accounts, delayed for free and trial ones", function*() {
    assert.isBelow(yield* ages(chain, "sandbox-paid"), 900)
    assert.isAtLeast(yield* ages(chain, "sandbox-free"), 900)
    assert.isAtLeast(yield* ages(chain, "sandbox-trial"), 900)
  })

  test("[7.2-not-mapped] [7.1-200] [7.2-success-set] fresh data come with 200 and with 203, at the same price [7.2-203-price]", function*() {
    for (const mode of ["", "&mode=live", "&mode=delayed"]) {
      const replies: Array<Reply> = []
      for (let minute = 0; minute < 20; minute++) {
        yield* at(noon + minute * 60)
        replies.push(yield* ask(`${chain}?side=call&expiration=2026-12-18${mode}`))
      }
      assert.deepStrictEqual(new Set(replies.map((reply) => reply.status)), new Set([200, 203]), mode)
      for (const reply of replies) assert.strictEqual(consumed(reply), chainOf(reply).length)
    }
  })
})

describe("the cache", () => {
  test("[8.3-hit] [4.1-statuses] [4.1-cost-cached] a hit is a 203 and costs one credit whatever its size", function*() {
    const reply = yield* ask("/v1/options/chain/SPX/?mode=cached&maxage=5min&columns=strike")
    assert.deepStrictEqual([reply.status, consumed(reply)], [203, 1])
    assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
  })

  test("[8.3-fallback] live data after a miss cost the full live price", function*() {
    // A past day enters nothing into the cache.
    yield* ask(`${chain}?date=2026-11-18`)
    const miss = yield* ask(`${chain}?mode=cached`)
    assert.deepStrictEqual([miss.status, consumed(miss)], [204, 0])
    const live = yield* ask(`${chain}?mode=live`)
    assert.strictEqual(consumed(live), chainOf(live).length)
  }, { cold: ["AAPL"] })
})
