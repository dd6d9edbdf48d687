import * as NewYork from "@effect-marketdata/core/NewYork"
import { Faults, Sandbox, SandboxClock, SandboxServer } from "@effect-marketdata/sandbox"
import { Effect, Fiber, Layer, Schema } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import * as Zlib from "node:zlib"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as RawSocket from "./rawSocket.ts"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)
const token = "sandbox-paid"
const target = "/v1/options/chain/AAPL/?mode=cached&expiration=2026-12-18&columns=strike,bid,updated"

const faulty = (faults: ReadonlyArray<Faults.Fault>, seed = 1) =>
  Layer.provide(Faults.layer({ faults, seed }), Sandbox.layer({ seed: 1 }))

const ask = (asked = target) =>
  Effect.flatMap(Sandbox.Sandbox, (sandbox) =>
    sandbox.handle({
      method: "GET",
      target: asked,
      headers: { authorization: `Bearer ${token}` },
      address: "127.0.0.1"
    }))

const status = (asked?: string) => Effect.map(ask(asked), (reply) => reply.status)

/** What a client in this process gets: status, headers and body, or the word for what broke. */
const inProcess = (faults: ReadonlyArray<Faults.Fault>) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(noon * 1000)
    const client = yield* HttpClient.HttpClient
    const response = yield* client.get(`http://sandbox.test${target}`, {
      headers: { authorization: `Bearer ${token}` }
    })
    return { status: response.status, headers: response.headers, body: yield* response.text }
  }).pipe(
    Effect.catch((error) => Effect.succeed(error.reason._tag)),
    Effect.provide(Layer.provide(Sandbox.layerHttpClient, faulty(faults)))
  )

/** What comes over a socket, byte by byte. */
const overSocket = (faults: ReadonlyArray<Faults.Fault>, ...headers: ReadonlyArray<string>) =>
  Effect.flatMap(
    SandboxServer.SandboxServer,
    ({ baseUrl }) => RawSocket.exchange(baseUrl, RawSocket.get(target, `Authorization: Bearer ${token}`, ...headers))
  ).pipe(Effect.provide(
    SandboxServer.layer().pipe(
      Layer.provide(faulty(faults)),
      Layer.provide(SandboxClock.layer({ pace: "frozen", at: noon }))
    )
  ))

const bodyOf = (received: string) => received.slice(received.indexOf("\r\n\r\n") + 4)
const lengthOf = (received: string) => Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1])

const whole = Effect.map(overSocket([]), bodyOf)

describe("kinds", () => {
  it.effect("latency waits by Effect's clock", function*() {
    const fiber = yield* Effect.forkChild(status())
    yield* TestClock.adjust("1999 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Fiber.join(fiber), 404)
  }, faulty([{ kind: { _tag: "Latency", millis: 2000 } }]))

  describe("a reset before the reply", () => {
    const faults: ReadonlyArray<Faults.Fault> = [{ kind: { _tag: "Reset" } }]

    it.live("sends nothing over a socket", function*() {
      assert.strictEqual(yield* overSocket(faults), "")
    })

    it.effect("is the transport's error in process", function*() {
      assert.strictEqual(yield* inProcess(faults), "TransportError")
    })
  })

  describe("a reset within the body", () => {
    const faults: ReadonlyArray<Faults.Fault> = [{ kind: { _tag: "ResetWithinBody", after: 20 } }]

    it.live("sends the head and the first part over a socket, and not the end", function*() {
      const received = yield* overSocket(faults)
      assert.deepStrictEqual(RawSocket.statuses(received), [203])
      assert.include(received, (yield* whole).slice(0, 20))
      assert.notMatch(received, /\r\n0\r\n\r\n$/)
    })

    it.live("sends the first part compressed, too, to who takes that", function*() {
      const received = yield* overSocket(faults, "Accept-Encoding: gzip")
      const [, chunks = ""] = received.split(/\r\n\r\n/)
      const bytes = Buffer.from(chunks.replace(/(?:^|\r\n)[0-9a-f]+\r\n|\r\n$/g, ""), "latin1")
      const text = Zlib.gunzipSync(bytes, { finishFlush: Zlib.constants.Z_SYNC_FLUSH }).toString()
      assert.strictEqual(text, (yield* whole).slice(0, 20))
    })

    it.effect("fails whoever reads the body in process", function*() {
      assert.strictEqual(yield* inProcess(faults), "DecodeError")
    })
  })

  it.live("truncation ends the body early and calls it whole", function*() {
    const received = yield* overSocket([{ kind: { _tag: "Truncation", after: 20 } }])
    assert.strictEqual(bodyOf(received), (yield* whole).slice(0, 20))
    assert.strictEqual(lengthOf(received), 20)
  })

  it.live("garbage is not JSON, and other garbage with another seed", function*() {
    const received = bodyOf(yield* overSocket([{ kind: { _tag: "Garbage" } }]))
    assert.throws(() => JSON.parse(received))
    const garbage = (seed: number) => Effect.provide(ask(), faulty([{ kind: { _tag: "Garbage" } }], seed))
    assert.strictEqual((yield* garbage(1)).body, (yield* garbage(1)).body)
    assert.notStrictEqual((yield* garbage(1)).body, (yield* garbage(2)).body)
  })

  describe("a wrong length", () => {
    for (const by of [7, -7]) {
      it.live(`promises ${by} bytes more than come, and the connection ends`, function*() {
        const received = yield* overSocket([{ kind: { _tag: "WrongLength", by } }])
        assert.strictEqual(bodyOf(received), yield* whole)
        assert.strictEqual(lengthOf(received), bodyOf(received).length + by)
      })
    }

    it.effect("in process is a broken body, or one that lacks its end", function*() {
      assert.strictEqual(yield* inProcess([{ kind: { _tag: "WrongLength", by: 7 } }]), "DecodeError")
      const all = yield* inProcess([])
      const less = yield* inProcess([{ kind: { _tag: "WrongLength", by: -7 } }])
      assert.isTrue(typeof all === "object" && typeof less === "object" && less.body === all.body.slice(0, -7))
    })
  })

  it.live("data that are plausible and wrong have one column too short, a strike of zero, or an unknown column", function*() {
    const read = (kind: Faults.Kind) => Effect.map(overSocket([{ kind }]), (received) => JSON.parse(bodyOf(received)))
    const ragged = yield* read({ _tag: "RaggedColumn" })
    assert.deepStrictEqual([ragged.bid.length, ragged.updated.length], [ragged.strike.length, ragged.strike.length - 1])
    const [first, ...others] = (yield* read({ _tag: "ZeroStrike" })).strike
    assert.strictEqual(first, 0)
    assert.isTrue(others.every((strike: number) => strike > 0))
    const { strike, vanna } = yield* read({ _tag: "ExtraField" })
    assert.strictEqual(vanna.length, strike.length)
  })

  it.live("a skewed clock shows in the data and in the date", function*() {
    const skewed = yield* overSocket([{ kind: { _tag: "ClockSkew", seconds: 3600 } }])
    const straight = yield* overSocket([])
    assert.match(straight, /\r\ndate: Fri, 20 Nov 2026 17:00:00 GMT\r\n/i)
    assert.match(skewed, /\r\ndate: Fri, 20 Nov 2026 18:00:00 GMT\r\n/i)
    assert.notStrictEqual(bodyOf(skewed), bodyOf(straight))
  })

  it.effect("[8.3-age] a skewed clock keeps nothing young in the cache that has not been asked for since", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(noon * 1000)
      assert.include([200, 203], yield* status("/v1/stocks/quotes/F/"))
      assert.strictEqual(yield* status("/v1/stocks/quotes/F/?mode=cached"), 204)
    }).pipe(Effect.provide(Layer.provide(
      Faults.layer({ faults: [{ count: 1, kind: { _tag: "ClockSkew", seconds: 7200 } }] }),
      Sandbox.layer({ cold: ["F"] })
    ))))

  it.effect("leave a reply without a body alone", function*() {
    yield* TestClock.setTime(noon * 1000)
    for (const kind of ["Garbage", "RaggedColumn", "ExtraField"] as const) {
      const faulty = Layer.provide(Faults.layer({ faults: [{ kind: { _tag: kind } }] }), Sandbox.layer({ cold: ["F"] }))
      const reply = yield* Effect.provide(ask("/v1/options/chain/F/?mode=cached"), faulty)
      assert.deepStrictEqual([reply.status, reply.body], [204, ""])
    }
  })
})

describe("script", () => {
  const burst = (count: number, match?: string): Faults.Fault => ({
    ...(match === undefined ? {} : { match }),
    count,
    kind: { _tag: "Status", status: 503 }
  })

  it.effect("strikes only what matches", function*() {
    assert.deepStrictEqual([yield* status("/v1/nowhere?to=/v1/options/chain/"), yield* status()], [404, 503])
  }, faulty([burst(1, "/v1/options/chain/")]))

  it.effect("strikes with the first that does, in order", function*() {
    assert.deepStrictEqual([yield* status(), yield* status(), yield* status()], [503, 500, 404])
  }, faulty([burst(0), burst(1), { count: 1, kind: { _tag: "Status", status: 500 } }]))

  it.effect("strikes by chance as often as it says, and alike with the same seed", function*() {
    const run = (seed: number) =>
      Effect.provide(
        Effect.all(Array.from({ length: 1000 }, () => status("/"))),
        faulty([{ probability: 0.3, kind: { _tag: "Status", status: 503 } }], seed)
      )
    const struck = yield* run(1)
    assert.deepStrictEqual(yield* run(1), struck)
    assert.notDeepEqual(yield* run(2), struck)
    assert.approximately(struck.filter((status) => status === 503).length, 300, 60)
  })

  it("that is random has every kind, each as likely", () => {
    const script = Faults.random(0.6)
    let left = 1
    for (const { probability = 1 } of script) {
      assert.approximately(left * probability, 0.6 / script.length, 1e-12)
      left *= 1 - probability
    }
    assert.strictEqual(new Set(script.map(({ kind }) => kind._tag)).size, Faults.Kind.members.length)
  })

  const cases = [
    ["a count below zero", { count: -1, kind: { _tag: "Reset" } }],
    ["a probability over one", { probability: 1.1, kind: { _tag: "Reset" } }],
    ["a status that is not a failure", { kind: { _tag: "Status", status: 200 } }],
    ["a kind of nobody", { kind: { _tag: "Plague" } }]
  ] as const
  for (const [name, fault] of cases) {
    it(`takes no ${name.replace(/^an? /, "")}`, () =>
      assert.strictEqual(Schema.decodeUnknownResult(Faults.Script)([fault])._tag, "Failure"))
  }
})
