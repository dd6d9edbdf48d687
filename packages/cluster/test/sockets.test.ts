import * as MarketData from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Gateway, Runner } from "@effect-marketdata/cluster"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer, Logger, Redacted, References, Result, Tracer } from "effect"
import { MessageStorage, RunnerStorage, Sharding } from "effect/cluster"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as TestClock from "effect/testing/TestClock"
import { once } from "node:events"
import * as Net from "node:net"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { tracerOf } from "../../client/test/support/clients.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { folder } from "../../sql/test/support/databases.ts"
import * as Sockets from "../src/runner/sockets.ts"
import { writeFrame } from "../src/wire/connections.ts"
import { freePort } from "./support/freePort.ts"

const secret = Redacted.make("a text that nobody guesses")
const credential = (name: string, of = secret) => Result.getOrThrow(Runner.credential(of, name))
const prices = MarketData.stockPrices(["AAPL"])
const quiet = Layer.succeed(References.MinimumLogLevel, "None")

/** A runner on a port, over a file that its callers read. */
const runner = Effect.fnUntraced(function*(options: Partial<Runner.Options> = {}, path?: string) {
  const port = yield* freePort
  const filename = path ?? join(yield* folder, "cluster.db")
  const database = Layer.orDie(Sqlite.layer({ filename, synchronous: "normal" }))
  const errors: Array<unknown> = []
  const logger = Logger.layer([
    Logger.make(({ logLevel, message }) => void (logLevel === "Error" && errors.push(message)))
  ])
  const cluster = Runner.layer({ host: "127.0.0.1", port, ...options })
  const made = Layer.merge(Layer.provide(Gateway.layerEntity({ account: "main" }), cluster), cluster).pipe(
    Layer.provide(Layer.fresh(Runner.layerStorage({ account: "main", address: "office" }))),
    Layer.provide(MarketDataTest.layer()),
    Layer.provide([database, logger])
  )
  const context = yield* Layer.build(made)
  /** Asks from another program, which has a cluster of its own. */
  const ask = <A, E, R>(
    call: Effect.Effect<A, E, R>,
    options: Partial<Gateway.Options> & { readonly credential?: Redacted.Redacted | undefined } = {}
  ) =>
    call.pipe(
      Effect.provide(
        Gateway.layer({ account: "main", patience: "20 seconds", ...options }).pipe(
          Layer.provideMerge(Runner.layerCaller({ credential: options.credential })),
          Layer.provide([Layer.fresh(database), quiet])
        )
      )
    )
  const { activeEntityCount } = Context.get(context, Sharding.Sharding)
  return { activeEntityCount, ask, context, errors, filename, port }
})

const refusal = <A, E, R>(asked: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(asked), (error) => {
    assert(error instanceof MarketDataError)
    return error.reason
  })

/** Connects, and says something; tells what the other end did: it answered, or closed. */
const saidAt = (port: number, said: string | Uint8Array) =>
  Effect.callback<"answered" | "closed">((resume) => {
    const socket = Net.connect(port, "127.0.0.1").on("error", () => {})
    for (const [event, what] of [["close", "closed"], ["data", "answered"]] as const) {
      socket.on(event, () => resume(Effect.succeed(what)))
    }
    socket.write(said)
    return Effect.sync(() => socket.destroy())
  })

const refusedAt = (port: number, said: string | Uint8Array) =>
  Effect.map(saidAt(port, said), (what) => assert.strictEqual(what, "closed"))

it.live("with a secret, calls are those of the name in the credential, and no other", function*() {
  const { ask } = yield* runner({ secret })
  const desk = { credential: credential("desk") }
  assert.strictEqual((yield* ask(prices, desk)).data.length, 1)
  const reason = yield* refusal(ask(prices, { ...desk, caller: "somebody else" }))
  assert(reason._tag === "InvalidQuery")
  assert.match(reason.message, /^caller "somebody else" must be the name in this program's credential/)
})

it.live("without the right credential nobody is let in, and nothing of what is said is read", function*() {
  const { ask, errors, filename, port } = yield* runner({ secret })
  const others = [
    undefined,
    credential("desk", Redacted.make("a text that somebody guesses")),
    Redacted.make(Redacted.value(credential("desk")).replace("desk.", "ops."))
  ]
  for (const credential of others) {
    const reason = yield* refusal(ask(prices, { credential, patience: "0.3 seconds" }))
    assert.deepInclude(reason, { _tag: "GatewayUnavailable", cause: "Unreachable" })
  }
  yield* refusedAt(port, "x".repeat(10_000))
  yield* refusedAt(port, "desk.\n")
  yield* refusedAt(port, new Uint8Array(600))
  // A runner of another secret would take the account from it.
  const other = yield* Effect.flip(runner({ secret: Redacted.make("a text that somebody guesses") }, filename))
  assert.include(String(other), "secret \"<redacted>\" must be that of the runner at 127.0.0.1:")
  // A refused connection is not an error of the runner.
  assert.deepStrictEqual(errors, [])
})

it.live("end whose frame is larger than a call may be", function*() {
  const { ask, port } = yield* runner()
  // 240 MB, as a length of four bytes in either order.
  const length = [0x0e, 0x4e, 0x1c, 0x00]
  for (const bytes of [length, length.toReversed()]) {
    yield* refusedAt(port, Buffer.concat([Buffer.from("desk.\n"), Buffer.from(bytes), Buffer.alloc(100_000)]))
  }
  // So does one that could be read.
  const frames = (yield* RpcSerialization.RpcSerialization).makeUnsafe()
  const asking = (bytes: number) => {
    const said = { _tag: "Request", id: "1", tag: "x".repeat(bytes), payload: new Uint8Array(), headers: [] } as const
    return Buffer.concat([Buffer.from("desk.\n"), frames.encode(said) as Uint8Array])
  }
  assert.strictEqual(yield* saidAt(port, asking(60_000)), "answered")
  yield* refusedAt(port, asking(70_000))
  // Answers may be larger.
  const all = yield* ask(MarketData.optionChain("AAPL", { mode: "cached", expiration: "all" }))
  assert.isAbove(all.data.length, 1000)
}, RpcSerialization.layerSchemaBinary())

it.live("for calls end with what is not a frame or too large a one, and answer all others", function*() {
  const { ask, port } = yield* runner()
  const greeting = Buffer.from("desk. calls\n")
  const saying = (...frame: Parameters<typeof writeFrame>) => Buffer.concat([greeting, ...writeFrame(...frame)])
  assert.strictEqual(yield* saidAt(port, saying("Ping", 1n)), "answered")
  // What is not a call is not a reason to end those of others.
  assert.strictEqual(yield* saidAt(port, saying("Ask", 1n, "no call")), "answered")
  assert.strictEqual(yield* saidAt(port, saying("Ask", 1n, `{"account":"main","call":{"version":1}}`)), "answered")
  yield* refusedAt(port, saying("Ask", 1n, "x".repeat(70_000)))
  yield* refusedAt(port, Buffer.concat([greeting, Buffer.alloc(20, 255)]))
  assert.strictEqual((yield* ask(prices)).data.length, 1)
})

it.live("for calls carry the trace of who asks to the runner", function*() {
  const spans: Array<Tracer.NativeSpan> = []
  const asking = Effect.flatMap(runner(), ({ ask }) => Effect.withSpan(ask(prices), "the program"))
  yield* Effect.provideService(asking, Tracer.Tracer, tracerOf(spans))
  const traceOf = (of: string) => spans.find(({ name }) => name === of)?.traceId ?? assert.fail(of)
  assert.strictEqual(traceOf("effect-marketdata/Gateway.Ask"), traceOf("the program"))
})

it.live("about an account that is not served are refused typed, before anything is made for it", function*() {
  const { activeEntityCount, ask, context } = yield* runner()
  const reason = yield* refusal(ask(prices, { account: "another" }))
  assert.match(reason.message, /^account "another" must be "main", which the runner serves/)
  // The cluster refuses its other messages, too.
  const asked = Effect.map(Effect.exit(ask(Gateway.status("another"))), String)
  assert.include(yield* asked, "this runner serves another account")
  const counted = [yield* activeEntityCount, (yield* ask(prices)).data.length, yield* activeEntityCount]
  assert.deepStrictEqual(counted, [0, 1, 1])
  const own = Layer.provide(Gateway.layer({ account: "another" }), Layer.succeedContext(context))
  assert.deepInclude(yield* refusal(Effect.provide(prices, own)), { _tag: "InvalidQuery", parameter: "account" })
})

it.live("of one program reach the cluster that they are for, also beside its own runner", function*() {
  const one = yield* runner()
  const other = yield* one.ask(runner())
  assert.include(yield* one.ask(other.ask(Gateway.status("main"))), { runner: `127.0.0.1:${other.port}` })
})

it.live("without a secret are those of this machine only, wherever a runner is told to listen", function*() {
  const { port } = yield* runner({ listen: "0.0.0.0" })
  const outside = Object.values(networkInterfaces()).flat().find((one) => one?.family === "IPv4" && !one.internal)
  for (const host of ["127.0.0.2", ...outside === undefined ? [] : [outside.address]]) {
    const socket = Net.connect(port, host)
    const [error] = yield* Effect.promise(() => once(socket, "error"))
    assert.strictEqual(error.code, "ECONNREFUSED")
  }
})

it.effect("end whose other end reads nothing of what waits for it, and not where it reads slowly", function*() {
  const destroyed: Array<string> = []
  const connection = (name: string, reads: number) => {
    const conn = { bytesWritten: 1000, writableLength: 1000, destroy: () => void destroyed.push(name) }
    const read = Effect.forever(Effect.delay(Effect.sync(() => void (conn.writableLength -= reads)), "1 second"))
    return Effect.all([Effect.forkChild(Sockets.watch(conn)), Effect.forkChild(read)])
  }
  yield* connection("stopped", 0)
  yield* connection("slow", 10)
  yield* TestClock.adjust("21 seconds")
  assert.deepStrictEqual([...new Set(destroyed)], ["stopped"])
})

const messageOf = <E extends Error, R>(layer: Layer.Layer<never, E, R>, given: Layer.Layer<R, Error>) =>
  Effect.map(Effect.flip(Layer.build(Layer.provide(layer, given))), ({ message }) => message)

it.effect("refuse typed what cannot be a place, a secret or a credential", function*() {
  const storage = Layer.merge(RunnerStorage.layerMemory, MessageStorage.layerNoop)
  const refused = (options: object) => messageOf(Runner.layer(options as Runner.Options), storage)
  assert.match(yield* refused({}), /^host undefined must be the name or the address of a host/)
  assert.match(yield* refused({ host: "one", port: 0.5 }), /^port 0.5 must be an integer from 1 to 65535/)
  for (const secret of ["a secret in the clear", Redacted.make("in the clear"), 7]) {
    const message = yield* refused({ host: "one", secret })
    assert.match(message, /must be a Redacted string of 16 characters or more/)
    assert.notInclude(message, "in the clear")
  }
  const caller = Runner.layerCaller({ credential: Redacted.make("no credential") })
  assert.match(yield* messageOf(caller, Sqlite.layer({ filename: ":memory:" })), /must be what Runner.credential made/)
}, quiet)

it.effect("refuse typed a database that cannot be used, as a runner or as a caller", function*() {
  const away = PgClient.layer({ url: Redacted.make("postgresql://desk@127.0.0.1:1/none") })
  for (const layer of [Runner.layerCaller(), Runner.layerStorage({ account: "main", address: "office" })]) {
    assert.match(yield* messageOf(layer, away), /^the database cannot be used: .*ECONNREFUSED/)
  }
}, quiet)
