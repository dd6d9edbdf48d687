import * as Query from "@effect-marketdata/core/Query"
import { Market, Sandbox, SandboxReply } from "@effect-marketdata/sandbox"
import { Cause, Effect, Layer, Logger } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { ask, at, chain, consumed, isData, json, noon, test } from "./support/service.ts"

/** Every status that the service has. */
const statuses = new Set([200, 203, 204, 400, 401, 402, 403, 404, 405, 413, 429])

const endpoints = Object.values(Query.endpoints)

/** What all objects have, which no table of names may take for an entry of its own. */
const inherited = ["__proto__", "constructor", "toString"]

const piece = fc.oneof(
  fc.constantFrom(...new Set(endpoints.flatMap(({ path }) => path.split("/"))), "AAPL", "SPX", "D", "..", "."),
  fc.constantFrom("%2e%2e", "%00", "%E0%A4%A", "%", "%zz", "é", "\u0000", "<script>", ...inherited),
  fc.string({ maxLength: 12 })
)

const name = fc.oneof(
  fc.constantFrom(...new Set(endpoints.flatMap(({ parameters }) => parameters)), ...inherited),
  fc.constantFrom("mode", "maxage", "columns", "limit", "offset", "format", "headers", "human", "dateformat", "token"),
  fc.string({ maxLength: 6 })
)

const value = fc.oneof(
  fc.constantFrom(..."live cached 5min 2026-11-18 now -5%20days AAPL,MSFT csv true 270 >270 1e999".split(" ")),
  fc.constantFrom(
    ..."-0 NaN Infinity 0x10 999999999 99999 1/1/0001 12/31/9999 %F0%9F%92%A9".split(" "),
    "9".repeat(30)
  ),
  fc.string({ maxLength: 10 })
)

const target = fc.tuple(
  fc.constantFrom("", "/v1/options/chain/AAPL", "/v1/stocks/candles/D/AAPL", "/v1/options/quotes/AAPL261218C00270000"),
  fc.array(piece, { maxLength: 4 }),
  fc.array(fc.tuple(name, value), { maxLength: 4 })
).map(([path, pieces, query]) =>
  `${[path, ...pieces].join("/")}/${query.length === 0 ? "" : `?${query.map((pair) => pair.join("=")).join("&")}`}`
)

describe("what nobody should send", () => {
  it.effect("has a right status each, costs nothing unless it is answered, and tells of no other account", () =>
    Effect.gen(function*() {
      yield* at(noon)
      const cases = fc.sample(fc.tuple(target, fc.constantFrom("sandbox-paid", "", "nobody")), {
        numRuns: runs(1500, 200),
        seed: 22_718
      })
      for (const [target, token] of cases) {
        const reply = yield* ask(target, { token })
        assert.isTrue(statuses.has(reply.status), `${reply.status} ${target} ${reply.body.slice(0, 200)}`)
        assert.notInclude(reply.body, "sandbox-free")
        assert.notInclude(reply.body, "sandbox-paid")
        if (!isData(reply)) assert.strictEqual(consumed(reply), 0)
        if (reply.status >= 400 && reply.headers["content-type"] === "application/json") {
          assert.deepStrictEqual(Object.keys(json(reply)), ["s", "errmsg"])
        }
      }
    }).pipe(Effect.provide(Sandbox.layer())))

  const cases: ReadonlyArray<readonly [name: string, target: string, status: number]> = [
    ["[7.3-cause-url] an ampersand in the path", "/v1/options/chain/AAPL&side=call", 400],
    ["[7.3-cause-url] an equals sign in the path", "/v1/options/chain/symbol=AAPL/", 400],
    ["[7.3-cause-url] a fragment", "/v1/options/chain/AAPL/#top", 400],
    ["[7.3-cause-url] a blank", "/v1/options/chain/AAPL/?side=call x", 400],
    ["[7.3-url-shape] no path", "v1/options/chain/AAPL/", 400],
    ["[7.3-url-shape] a whole address", "http://elsewhere/v1/options/chain/AAPL/", 400],
    ["[7.3-cause-malformed-query] two equals signs", `${chain}?side=call=put`, 400],
    ["[7.3-cause-malformed-query] a second question mark", `${chain}?side=call?mode=live`, 400],
    ["[7.3-cause-malformed-query] nothing between two", `${chain}?side=call&&mode=live`, 400],
    ["[7.3-cause-malformed-query] a value without a name", `${chain}?=call`, 400],
    ["[7.3-cause-malformed-query] half an encoding", `${chain}?side=%`, 400],
    ["[7.3-cause-malformed-query] bytes that are not text", `${chain}?side=%FF`, 400],
    ["an undecodable path", "/v1/options/chain/%FF/", 400],
    ["[7.1-400] a path that climbs", "/v1/options/chain/%2e%2e%2f/", 400],
    ["dots for a symbol", "/v1/options/chain/../", 400],
    ["a name that every object has", "/v1/__proto__/chain/AAPL/", 404],
    ["an underlying that every object has", "/v1/options/chain/__proto__/", 404],
    ["[7.1-404] a path of the service's under another prefix", "/api/v1/options/chain/AAPL/", 404]
  ]
  for (const [name, target, status] of cases) {
    test(`${name} is a ${status}`, function*() {
      const reply = yield* ask(target)
      assert.deepStrictEqual([reply.status, json(reply)["s"], consumed(reply)], [status, "error", 0])
    })
  }

  const targets = [
    "/v1/stocks/candles/60/AAPL/?countback=999999999999",
    "/v1/stocks/candles/D/AAPL/?from=0001-01-01&to=9999-12-31",
    "/v1/stocks/news/AAPL/?countback=999999999999",
    "/v1/stocks/earnings/AAPL/?from=0001-01-01&to=9999-12-31",
    "/v1/markets/status/?countback=999999999999",
    "/v1/funds/candles/Y/VFINX/?countback=999999999999"
  ]
  for (const target of targets) {
    test(`${target} asks for more than there is, and is given that`, () =>
      Effect.map(ask(target), (reply) => assert.isTrue(isData(reply))))
  }

  test("an empty query is none", () => Effect.map(ask(`${chain}?`), (reply) => assert.isTrue(isData(reply))))

  test("[7.3-html-400] the line's limit comes before method, path and token, and can be lowered", function*() {
    const long = `/nowhere/${"x".repeat(100)}`
    for (const method of ["GET", "DELETE"]) {
      const reply = yield* ask(long, { method, token: "nobody" })
      assert.deepStrictEqual([reply.status, reply.headers], [400, { "content-type": "text/html" }])
    }
    assert.deepStrictEqual(yield* (yield* Sandbox.Sandbox).requests, [])
    assert.strictEqual((yield* ask("/v1/nowhere/")).status, 404)
  }, { maxLineBytes: 64 })
})

describe("a defect", () => {
  const broken = {
    ...Market.make({ seed: 1 }),
    find: (): never => {
      throw new Error("a secret of the market's")
    }
  }
  const logged: Array<string> = []
  const logger = Logger.layer([Logger.make(({ cause }) => logged.push(Cause.pretty(cause)))])
  test("is a 500 that says nothing of itself, costs nothing, is logged, and leaves the service as it was", function*() {
    for (let index = 0; index < 60; index++) {
      const reply = yield* Effect.provide(ask(chain), logger)
      assert.deepStrictEqual([reply.status, consumed(reply)], [500, 0])
      assert.strictEqual(reply.body, `{"s":"error","errmsg":"Internal server error."}`)
      assert.include(logged[index], "a secret of the market's")
    }
    assert.isTrue(isData(yield* ask("/user/")))
    assert.strictEqual((yield* (yield* Sandbox.Sandbox).requests).length, 61)
  }, { market: broken })
})

describe("replies", () => {
  it.effect("of many rows are written while they are read, and may be read twice", function*() {
    yield* at(noon)
    const sandbox = yield* Sandbox.Sandbox
    const headers = { authorization: "Bearer sandbox-paid" }
    const request = { method: "GET", target: "/v1/options/chain/SPX/", address: "127.0.0.1", headers }
    const { body } = yield* sandbox.handle(request)
    assert.isFalse(typeof body === "string")
    const parts = [...body]
    assert.lengthOf(parts, 27)
    assert.strictEqual(JSON.parse(parts.join("")).strike.length, 22_718)
    assert.strictEqual(SandboxReply.text({ status: 200, headers: {}, body }), parts.join(""))
  }, Layer.fresh(Sandbox.layer()))

  test("have ids that differ", function*() {
    const ids = new Set<string | undefined>()
    for (let index = 0; index < 20; index++) ids.add((yield* ask("/v1/stocks/quotes/AAPL/")).headers["cf-ray"])
    assert.strictEqual(ids.size, 20)
  })
})
