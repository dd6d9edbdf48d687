/** The client over real sockets, with every HTTP client that Node has. */
import { CacheFallback, CreditLedger, MarketData, RetryPolicy } from "@effect-marketdata/client"
import type { MarketDataConfig } from "@effect-marketdata/client/MarketDataConfig"
import manifest from "@effect-marketdata/client/package.json" with { type: "json" }
import * as DataMode from "@effect-marketdata/core/DataMode"
import { Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Deferred, Effect, Fiber, Layer, Redacted, Result } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import * as Http from "../../cli/src/call/http.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf } from "./support/clients.ts"
import { chainBody, pricesBody } from "./support/scripted.ts"
import * as Wire from "./support/wire.ts"

/** Each HTTP client, which codings it undoes, and whether it asks a service on this machine for them. */
const clients = [
  ["fetch", FetchHttpClient.layer, ["gzip", "deflate", "br", "zstd"], true],
  ["node:http", NodeHttpClient.layerNodeHttpOptions({ keepAlive: true }), [], false],
  ["undici", NodeHttpClient.layerUndici, [], false],
  ["what commands send with", Http.layer, ["gzip", "br"], false]
] as const

const ask = MarketData.stockPrices(["A"])
const chain = MarketData.optionChain("SPX", { assume: { contracts: 50 } })
const ok = pricesBody(["A"])

for (const [name, httpClient, codings, asks] of clients) {
  /** The client before the sandbox behind a real server. */
  const sandboxed = (options: MarketDataConfig = {}) =>
    Layer.unwrap(
      Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) =>
        MarketData.layer({ baseUrl, token: Redacted.make("sandbox-paid"), ...options }))
    ).pipe(
      Layer.provideMerge(CreditLedger.layerMemory({ allowance: 100_000 })),
      Layer.provide(httpClient),
      Layer.merge(CacheFallback.layerAlways),
      Layer.provideMerge(SandboxServer.layer()),
      Layer.provideMerge(Sandbox.layer({ seed: 1, cold: ["F"] }))
    )

  /** The client before a server of the test's own. */
  const before = (wire: Wire.Wire, options: Parameters<typeof clientOf>[1] = {}) =>
    clientOf({ layer: httpClient }, { baseUrl: wire.baseUrl, allowance: 100, ...options })

  describe(`over ${name}`, () => {
    it.live("names the library and its version to the service", function*() {
      const wire = yield* Wire.serve((socket) => socket.end(Wire.reply(200, ok)))
      yield* Effect.provide(ask, before(wire))
      const { version } = manifest
      const agents = wire.requests.map(({ headers }) => headers["user-agent"])
      assert.deepStrictEqual(agents, [`effect-marketdata/${version}`])
    })

    it.live("[4-get] [4.1-path] [7.1-203] [8.3-hit] [4.1-cost-cached] fetches a whole cached chain for one credit", () =>
      Effect.gen(function*() {
        const { credits, data, provenance } = yield* MarketData.optionChain("AAPL", {
          mode: DataMode.cached(),
          expiration: "all"
        })
        assert.isAbove(data.length, 1000)
        assert.deepStrictEqual([provenance.status, credits.charged], [203, 1])
        assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
      }).pipe(Effect.provide(sandboxed())))

    it.live("follows no redirect: the other origin hears nothing of the token", function*() {
      const other = yield* Wire.serve((socket) => socket.end(Wire.reply(200, ok)))
      for (const status of [301, 302, 303, 307, 308]) {
        const wire = yield* Wire.serve((socket) =>
          socket.end(Wire.reply(status, "", { location: `${other.baseUrl}/v1/?token=a-token-for-tests` }))
        )
        const { reason } = yield* Effect.provide(Effect.flip(ask), before(wire))
        assert.deepInclude(reason, { _tag: "UnexpectedStatus", status })
        assert.include(reason.message, `(it said "go to ${other.baseUrl}/v1/?token=`)
        assert.notInclude(reason.message, "a-token")
        assert.strictEqual(wire.requests.length, 1)
      }
      assert.strictEqual(other.connections(), 0)
    })

    it.live("asks once where no client can read the head of a reply: the next would be the same, and charged again", function*() {
      for (const header of ["a\u0001: 1", `long: ${"x".repeat(20_000)}`, "content-length: 2\r\ncontent-length: 2"]) {
        const wire = yield* Wire.serve((socket) => socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${ok}`))
        const { reason } = yield* Effect.provide(Effect.flip(ask), before(wire))
        assert.deepInclude(reason, { _tag: "TransportFailure", mayHaveBeenCharged: true })
        assert.strictEqual(wire.requests.length, 1)
      }
      const wire = yield* Wire.serve((socket) =>
        socket.end(`HTTP/1.1 100 Continue\r\n\r\n${String(Wire.reply(200, ok))}`)
      )
      const asked = yield* Effect.provide(Effect.result(ask), before(wire))
      if (Result.isFailure(asked)) assert.include(asked.failure.message, "100 Continue was not asked for")
      assert.strictEqual(wire.requests.length, 1)
    })

    const switched = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n"
    const huge = Wire.reply(200, "{", { "content-length": 9e9, connection: "keep-alive" })
    for (
      const [why, head] of [["an unasked 101 took out of HTTP", switched], ["announces a huge body", huge]] as const
    ) {
      it.live(`closes a connection that ${why}`, function*() {
        const wire = yield* Wire.serve((socket) => socket.write(head))
        const ends = Effect.flip(ask).pipe(Effect.andThen(wire.quiet), Effect.timeout("10 seconds"))
        yield* Effect.provide(ends, before(wire, { given: RetryPolicy.layer({ attempts: 1 }) }))
      })
    }

    const begun: Wire.Answer = (socket) =>
      socket.write(Wire.reply(200, ok.slice(0, 20), { "content-length": 1000, connection: "keep-alive" }))
    for (const [when, answer] of [["before the reply", () => {}], ["within the body", begun]] as const) {
      it.live(`closes the socket of a query that is interrupted ${when}, and settles the ledger`, function*() {
        const wire = yield* Wire.serve(answer)
        yield* Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(ask)
          yield* wire.asked(1)
          yield* Fiber.interrupt(fiber)
          yield* wire.quiet
          assert.deepInclude(yield* balance, { reserved: 0, uncertain: 1, charged: 0 })
        }).pipe(Effect.provide(before(wire)))
      })
    }

    it.live("closes the socket of a reply that is interrupted before anybody reads it, and settles the ledger", function*() {
      const wire = yield* Wire.serve(begun)
      const head = yield* Deferred.make<void>()
      // What an application does with each reply may take its time.
      const transformClient = HttpClient.tap(() => Effect.andThen(Deferred.succeed(head, undefined), Effect.never))
      yield* Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(ask)
        yield* Deferred.await(head)
        yield* Fiber.interrupt(fiber)
        yield* wire.quiet
        assert.deepInclude(yield* balance, { reserved: 0, uncertain: 1, charged: 0 })
      }).pipe(Effect.provide(before(wire, { transformClient })))
    })

    it.live("uses a connection again after a reply, one without a body as well", function*() {
      const wire = yield* Wire.serve((socket, _, { target }) =>
        socket.write(
          target.includes("mode=cached")
            ? "HTTP/1.1 204 No Content\r\nconnection: keep-alive\r\n\r\n"
            : Wire.reply(200, ok, { connection: "keep-alive" })
        )
      )
      yield* Effect.gen(function*() {
        for (let count = 0; count < 3; count++) {
          yield* Effect.flip(MarketData.stockPrices(["A"], { mode: DataMode.cached() }))
          yield* ask
        }
      }).pipe(Effect.provide(before(wire)))
      assert.strictEqual(wire.requests.length, 6)
      // A client may open another one where it is asked in the moment in which a reply ends; three replies have no body.
      assert.isAtMost(wire.connections(), 3)
    })

    describe("codings", () => {
      const coded = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
      it.live(asks ? "asks for codings that it undoes" : "asks for no coding", function*() {
        const wire = yield* Wire.serve((socket, _, { headers }) => {
          const asked = headers["accept-encoding"]?.includes("gzip") === true
          socket.end(asked ? Wire.reply(200, gzipSync(ok), { "content-encoding": "gzip" }) : Wire.reply(200, ok))
        })
        assert.strictEqual((yield* Effect.provide(ask, before(wire))).data.length, 1)
        assert.strictEqual(wire.requests[0]?.headers["accept-encoding"] !== undefined, asks)
      })

      for (const [coding, compress] of Object.entries(coded)) {
        const serve = (status: number, text: string) =>
          Wire.serve((socket) => socket.end(Wire.reply(status, compress(text), { "content-encoding": coding })))
        if (codings.some((name) => name === coding)) {
          it.live(`reads ${coding}`, function*() {
            const wire = yield* serve(200, chainBody(50))
            const { data } = yield* Effect.provide(chain, before(wire))
            assert.strictEqual(data.length, 50)
          })
          continue
        }

        it.live(`takes ${coding} that it did not ask for as data that cannot be read`, function*() {
          const wire = yield* serve(200, chainBody(50))
          const { reason } = yield* Effect.provide(Effect.flip(chain), before(wire))
          assert(reason._tag === "MalformedReply")
          assert.strictEqual(reason.code, "InvalidUtf8")
          assert.include(reason.detail, `bytes in the coding ${coding}`)
        })

        it.live(`keeps nothing of an explanation in ${coding} that it did not ask for`, function*() {
          const wire = yield* serve(403, `{"s":"error","errmsg":"${"No. ".repeat(40)}"}`)
          const { reason } = yield* Effect.provide(Effect.flip(ask), before(wire))
          assert.deepInclude(reason, { _tag: "Forbidden", body: "" })
        })
      }
    })
  })
}

it.live("over fetch asks once where a proxy wants credentials", function*() {
  const wire = yield* Wire.serve((socket) => socket.end(Wire.reply(407, "", { "proxy-authenticate": "Basic" })))
  const client = clientOf({ layer: FetchHttpClient.layer }, { baseUrl: wire.baseUrl })
  const { reason } = yield* Effect.provide(Effect.flip(ask), client)
  assert.deepInclude(reason, { _tag: "TransportFailure", detail: "status 407, a proxy asks for credentials" })
  assert.strictEqual(wire.requests.length, 1)
})

it.live("over fetch keeps the program's own options of fetch beside what it needs itself", function*() {
  const wire = yield* Wire.serve((socket) => socket.end(Wire.reply(302, "", { location: "http://127.0.0.1:9/" })))
  const { reason } = yield* Effect.flip(ask).pipe(
    Effect.provideService(FetchHttpClient.RequestInit, { headers: { "x-proxy": "here" }, redirect: "follow" }),
    Effect.provide(clientOf({ layer: FetchHttpClient.layer }, { baseUrl: wire.baseUrl }))
  )
  assert.strictEqual(reason._tag, "UnexpectedStatus")
  // Nothing that was kept on the way answers.
  assert.deepInclude(wire.requests[0]?.headers, { "x-proxy": "here", "cache-control": "no-cache" })
})
