import * as NewYork from "@effect-marketdata/core/NewYork"
import { AdminApi, Faults, Sandbox, SandboxClock, SandboxServer } from "@effect-marketdata/sandbox"
import { Effect, Fiber, Layer } from "effect"
import { runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as RawSocket from "./rawSocket.ts"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

const remembering = (remembered?: number) =>
  SandboxServer.layer().pipe(
    Layer.provide(Faults.layer()),
    Layer.provide(Sandbox.layer({ seed: 1, remembered })),
    Layer.provide(SandboxClock.layer({ pace: "frozen", at: noon }))
  )

const everything = remembering()

const bare = Layer.provide(SandboxServer.layer(), Sandbox.layer({ seed: 1 }))

const send = (method: string, target: string, headers: ReadonlyArray<string> = [], body = "") =>
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    const host = headers.some((header) => header.startsWith("Host:")) ? [] : [`Host: ${new URL(baseUrl).host}`]
    const length = body === "" ? [] : [`Content-Length: ${body.length}`]
    const head = [`${method} ${target} HTTP/1.1`, ...host, "Connection: close", ...length, ...headers]
    const received = yield* RawSocket.exchange(baseUrl, [...head, "", body].join("\r\n"))
    return {
      status: RawSocket.statuses(received)[0],
      head: received.slice(0, received.indexOf("\r\n\r\n")),
      body: received.slice(received.indexOf("\r\n\r\n") + 4)
    }
  })

const as = (token: string) => [`Authorization: Bearer ${token}`]
const chain = "/v1/options/chain/AAPL/?mode=cached&columns=strike"

describe("/sandbox/faults", () => {
  it.live("scripts what goes wrong, shows what is left, and ends it", function*() {
    const script = [{ count: 2, kind: { _tag: "Status", status: 503 } }]
    const put = yield* send("PUT", "/sandbox/faults", [], JSON.stringify(script))
    assert.deepStrictEqual([put.status, JSON.parse(put.body)], [200, { faults: script }])
    assert.strictEqual((yield* send("GET", chain, as("sandbox-paid"))).status, 503)
    assert.strictEqual(JSON.parse((yield* send("GET", "/sandbox/faults")).body).faults[0].count, 1)
    assert.strictEqual((yield* send("DELETE", "/sandbox/faults")).status, 200)
    assert.strictEqual((yield* send("GET", chain, as("sandbox-paid"))).status, 203)
  }, everything)

  const bodies = ["", "nonsense", "{}", `[{"kind":{"_tag":"Plague"}}]`, `[{"often":1,"kind":{"_tag":"Reset"}}]`]
  for (const body of bodies) {
    it.live(`answers 400 to the script ${body === "" ? "without text" : body}, and keeps the one it has`, () =>
      Effect.gen(function*() {
        yield* send("PUT", "/sandbox/faults", [], `[{"match":"/nowhere","kind":{"_tag":"Reset"}}]`)
        const refused = yield* send("PUT", "/sandbox/faults", [], body)
        assert.strictEqual(refused.status, 400)
        assert.include(refused.body, "not a script of faults")
        assert.strictEqual(JSON.parse((yield* send("GET", "/sandbox/faults")).body).faults.length, 1)
      }).pipe(Effect.provide(everything)))
  }
})

it.live("/sandbox/clock tells the sandbox's time and sets it", function*() {
  const clock = JSON.parse((yield* send("GET", "/sandbox/clock")).body)
  assert.deepStrictEqual(clock, { pace: "frozen", at: noon, newYork: "2026-11-20 12:00:00 EST" })
  const set = yield* send("PUT", "/sandbox/clock", [], `{"at":${noon + 3600}}`)
  assert.strictEqual(JSON.parse(set.body).newYork, "2026-11-20 13:00:00 EST")
  assert.match((yield* send("GET", chain)).head, /date: Fri, 20 Nov 2026 18:00:00 GMT/i)
  assert.strictEqual((yield* send("PUT", "/sandbox/clock", [], `{"at":"noon"}`)).status, 400)
  assert.match((yield* send("PUT", "/sandbox/clock", [], `{"at":1}`)).body, /e\.g\. \d+\."}$/)
}, everything)

it.live("says what a sandbox without faults and clock lacks", function*() {
  const cases = [
    ["GET", "faults", "Faults.layer"],
    ["DELETE", "faults", "Faults.layer"],
    ["GET", "clock", "SandboxClock.layer"]
  ] as const
  for (const [method, page, lacks] of cases) {
    const { body, status } = yield* send(method, `/sandbox/${page}`)
    assert.strictEqual(status, 404)
    assert.include(body, lacks)
  }
}, bare)

describe("what an account asked for and spent", () => {
  it.live("is told to this account, and to no other", function*() {
    yield* send("GET", chain, as("sandbox-paid"))
    yield* send("GET", "/v1/options/chain/MSFT/", as("sandbox-free"))
    const paid = yield* send("GET", "/sandbox/statement", ["Authorization: bearer sandbox-paid"])
    const statement = JSON.parse(paid.body)
    assert.deepStrictEqual([statement.spent, statement.resets - statement.opened], [1, 24 * 3600])
    assert.deepStrictEqual(statement.entries, [
      { time: noon, newYork: "2026-11-20 12:00:00 EST", target: chain, status: 203, credits: 1 }
    ])
    const free = yield* send("GET", "/sandbox/requests", as("sandbox-free"))
    const targets = JSON.parse(free.body).requests.map(({ target }: { readonly target: string }) => target)
    assert.deepStrictEqual(targets, ["/v1/options/chain/MSFT/"])
    assert.notInclude(paid.body + free.body, "sandbox-")
  }, everything)

  it.live(
    "is in the statement as far as it is of the open window, and what others ask drives nothing out",
    function*() {
      yield* send("GET", chain, as("sandbox-paid"))
      yield* send("PUT", "/sandbox/clock", [], `{"at":${noon + 86_400}}`)
      for (let asked = 0; asked < 3; asked++) yield* send("GET", chain, as("sandbox-free"))
      const { entries, spent } = JSON.parse((yield* send("GET", "/sandbox/statement", as("sandbox-paid"))).body)
      assert.deepStrictEqual([entries, spent], [[], 0])
      const { requests } = JSON.parse((yield* send("GET", "/sandbox/requests", as("sandbox-paid"))).body)
      assert.deepStrictEqual(requests.map(({ credits }: { readonly credits: number }) => credits), [1])
    },
    remembering(3)
  )

  for (const page of ["statement", "requests"]) {
    it.live(`is told to nobody without a token: ${page}`, function*() {
      yield* send("GET", chain)
      for (const headers of [[], ["Authorization: Basic abc"], ["Authorization: Bearer"]]) {
        assert.strictEqual((yield* send("GET", `/sandbox/${page}`, headers)).status, 401)
      }
    }, everything)
  }

  it.live("holds no query to the sandbox's own pages", function*() {
    yield* send("GET", "/sandbox/requests", as("sandbox-paid"))
    assert.deepStrictEqual(JSON.parse((yield* send("GET", "/sandbox/requests", as("sandbox-paid"))).body).requests, [])
  }, everything)
})

describe("who may ask", () => {
  it.live("is not a page of another site, nor one that hides where it is from", function*() {
    for (const origin of ["https://example.com", "null"]) {
      const headers = [`Origin: ${origin}`]
      assert.strictEqual((yield* send("GET", "/sandbox/faults", headers)).status, 403)
      assert.strictEqual((yield* send("PUT", "/sandbox/faults", headers, "[]")).status, 403)
    }
  }, everything)

  it.effect("is not whoever calls it by a name that the server allows: its pages are this machine's alone", () =>
    Effect.gen(function*() {
      const { handle } = yield* AdminApi.make
      const request = { method: "GET", target: "/sandbox/requests", address: "127.0.0.1", body: "" }
      assert.strictEqual((yield* handle({ ...request, headers: { host: "sandbox" } })).status, 403)
      assert.strictEqual((yield* handle({ ...request, headers: { host: "localhost" } })).status, 401)
    }).pipe(Effect.provide(Sandbox.layer({ seed: 1 }))))
})

describe("whatever is set", () => {
  const numbers = "1e15 -1e15 8.64e12 1e308 -1e308 -1 0 0.5 1e-300 9007199254740993 1e999".split(" ")
  const others = ["null", "true", `"1"`, "[]", "{}", `"\\u0000"`, "[[[[1]]]]"]
  const kinds = [
    ["Latency", "millis"],
    ["ResetWithinBody", "after"],
    ["Truncation", "after"],
    ["WrongLength", "by"],
    ["Status", "status"],
    ["ClockSkew", "seconds"]
  ]
  const settings = [...numbers, ...others].flatMap((value) => [
    ["clock", `{"at":${value}}`],
    ["clock", value],
    ["faults", value],
    ["faults", `[{"count":${value},"kind":{"_tag":"Garbage"}}]`],
    ["faults", `[{"probability":${value},"kind":{"_tag":"Garbage"}}]`],
    ...kinds.map(([kind, option]) => ["faults", `[{"kind":{"_tag":"${kind}","${option}":${value}}}]`])
  ])

  it.live("it answers 200 or 400, goes on to tell the time, and serves again when the script has ended", function*() {
    for (const [page = "", body = ""] of settings.filter((_, at) => at % runs(1, 3) === 0)) {
      const { status } = yield* send("PUT", `/sandbox/${page}`, [], body)
      assert.include([200, 400], status, body)
      // A request that the faults strike may go wrong, or take as long as they say: nobody waits for it.
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const struck = yield* Effect.forkChild(RawSocket.exchange(baseUrl, RawSocket.get(chain, ...as("sandbox-paid"))))
      assert.strictEqual((yield* send("GET", "/sandbox/clock")).status, 200, body)
      yield* Fiber.interrupt(struck)
      yield* send("DELETE", "/sandbox/faults")
      assert.strictEqual((yield* send("PUT", "/sandbox/clock", [], `{"at":${noon}}`)).status, 200, body)
      assert.strictEqual((yield* send("GET", chain, as("sandbox-paid"))).status, 203, body)
    }
  }, everything)
})

it.live("says which methods a page has", function*() {
  const refused = yield* send("POST", "/sandbox/faults", [], "[]")
  assert.strictEqual(refused.status, 405)
  assert.match(refused.head, /allow: GET, PUT, DELETE/i)
  assert.strictEqual((yield* send("CONSTRUCTOR", "/sandbox/faults")).status, 405)
}, everything)
