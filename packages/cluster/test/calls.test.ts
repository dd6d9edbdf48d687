/** What a caller does on its connection to a runner, under virtual time: the runner is played by the test. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import { Gateway, Protocol, Runner } from "@effect-marketdata/cluster"
import { Array as Arr, Effect, Exit, Fiber, Layer, Option, Queue, type Scope } from "effect"
import {
  MessageStorage,
  Runner as ClusterRunner,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerStorage,
  Sharding,
  ShardingConfig
} from "effect/cluster"
import * as Socket from "effect/socket/Socket"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"
import * as Calls from "../src/runner/calls.ts"
import { connections } from "../src/runner/sockets.ts"
import { Connections, type Frame, frameReader, writeFrame } from "../src/wire/connections.ts"

/** The storage of runners, a part of which is the test's. */
const storing = (part: Partial<RunnerStorage.RunnerStorage["Service"]>) =>
  Layer.effect(
    RunnerStorage.RunnerStorage,
    Effect.map(RunnerStorage.makeMemory, (storage) => RunnerStorage.RunnerStorage.of({ ...storage, ...part }))
  )

/** One end of a connection: what it is told by the other end, and what it says. */
const socketOf = (
  told: Queue.Queue<Uint8Array>,
  said: Array<Frame>,
  opened: Effect.Effect<void, never, Scope.Scope> = Effect.void
) =>
  Socket.make({
    reader: Effect.as(opened, { pull: Effect.map(Queue.take(told), Arr.of), upgrade: () => Effect.void }),
    writer: Effect.succeed({
      write: () => Effect.void,
      writeAll: (chunks) => Effect.sync(() => void said.push(...frameReader(1_000_000)(chunks) ?? assert.fail()))
    })
  })

/** A runner that says what the test lets it say, and what it has heard; or a caller that finds none. */
const playing = Effect.fnUntraced(function*(isThere: boolean) {
  const heard: Array<Frame> = []
  const said = yield* Queue.unbounded<Uint8Array>()
  const counts = { opened: 0, closed: 0 }
  const close = () => Effect.sync(() => void counts.closed++)
  const opened = Effect.acquireRelease(Effect.sync(() => void counts.opened++), close)
  const socket = socketOf(said, heard, opened)
  const say = (...frame: Parameters<typeof writeFrame>) => Queue.offerAll(said, writeFrame(...frame))
  /** Ends a call, the first one being 0: too many others wait. */
  const busy = (at: number, tenure?: number) => {
    const error = { _tag: "Busy", waiting: 7, tenure }
    return say("Ended", heard[at]!.call, JSON.stringify({ _tag: "Failure", cause: [{ _tag: "Fail", error }] }))
  }
  const garble = Queue.offer(said, new Uint8Array(20).fill(255))
  const far = ClusterRunner.make({ address: RunnerAddress.make("far", 1), groups: ["default"], weight: 1 })
  const caller = Gateway.layer({ account: "main", caller: "desk", patience: "1 minute" }).pipe(
    Layer.provide(Sharding.layer),
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provide(Layer.provide(
      Calls.layerRunners,
      Layer.merge(Runners.layerNoop, Layer.succeed(Calls.Connecting, { dial: () => Effect.succeed(socket) }))
    )),
    Layer.provide(MessageStorage.layerNoop),
    Layer.provide(storing({ getRunners: Effect.succeed(isThere ? [[far, true]] : []) })),
    Layer.provide(ShardingConfig.layer({ ...Runner.shardingConfig, runnerAddress: Option.none() })),
    Layer.provide(Layer.sync(Connections, () => connections({ name: "desk", proof: "" })))
  )
  const context = yield* Layer.build(caller)
  // The caller learns which runners there are.
  yield* TestClock.adjust("10 seconds")
  const ask = Effect.forkChild(Effect.provideContext(MarketData.stockPrices(["A"]), context))
  const kinds = () => heard.map(({ kind }) => kind)
  return { ask, busy, counts, garble, heard, kinds, say }
})

const played = playing(true)

const soon = TestClock.adjust("1 second")

it.effect("a connection for calls is asked whether it is alive where it is silent while a call waits, and given up where it is not", function*() {
  const { ask, counts, kinds, say } = yield* played
  const call = yield* ask
  yield* soon
  assert.deepStrictEqual(kinds(), ["Ask"])
  yield* TestClock.adjust("5 seconds")
  assert.deepStrictEqual(kinds(), ["Ask", "Ping"])
  yield* say("Pong", 0n)
  yield* TestClock.adjust("5 seconds")
  assert.deepStrictEqual(counts, { opened: 1, closed: 0 })
  // From here on it says nothing: the call is brought again, on another connection.
  yield* TestClock.adjust("11 seconds")
  assert.deepStrictEqual(counts, { opened: 2, closed: 1 })
  assert.strictEqual(kinds().filter((kind) => kind === "Ask").length, 2)
  assert.isUndefined(call.pollUnsafe())
  yield* Fiber.interrupt(call)
})

it.effect("a connection for calls that brings no answer in time may have been charged, but not where there was no runner", function*() {
  for (const isThere of [true, false]) {
    const call = yield* (yield* playing(isThere)).ask
    yield* TestClock.adjust("2 minutes")
    const charged = isThere ? /no answer came within 60000 ms.*may have been charged/ : /no answer came(?!.*may have)/
    assert.match(String(yield* Fiber.await(call)), charged)
  }
})

it.effect("a connection for calls tells the runner when nobody waits for a call any more", function*() {
  const { ask, heard, kinds } = yield* played
  const call = yield* ask
  yield* soon
  yield* Fiber.interrupt(call)
  yield* soon
  assert.deepStrictEqual(kinds(), ["Ask", "Stop"])
  assert.strictEqual(heard[1]!.call, heard[0]!.call)
})

it.effect("a connection for calls ends when there was no call for a while, and is opened again for the next", function*() {
  const { ask, busy, counts } = yield* played
  const first = yield* ask
  yield* soon
  yield* busy(0)
  yield* soon
  const exit = yield* Fiber.await(first)
  assert(Exit.isFailure(exit))
  assert.include(String(exit), "7 calls are waiting")
  yield* TestClock.adjust("25 seconds")
  assert.deepStrictEqual(counts, { opened: 1, closed: 1 })
  const second = yield* ask
  yield* soon
  assert.deepStrictEqual(counts, { opened: 2, closed: 1 })
  // Nothing was written to the one that had ended.
  yield* busy(1, 1e9)
  assert.match(String(yield* Fiber.await(second)), /7 calls are waiting(?!.*charged)/)
})

it.effect("a connection for calls takes calls straight to a runner that was found, until the account is not there any more", function*() {
  const { ask, busy, heard, say } = yield* played
  const ended = (call: Fiber.Fiber<unknown, unknown>) => Effect.map(Fiber.await(call), String)
  const found = yield* ask
  yield* soon
  yield* busy(0)
  assert.include(yield* ended(found), "7 calls are waiting")
  const straight = yield* ask
  yield* soon
  yield* say("Refused", heard[1]!.call)
  yield* soon
  // The cluster would say the same again; this is another message.
  assert.lengthOf(heard, 3)
  assert.notStrictEqual(heard[2]!.call, heard[1]!.call)
  yield* busy(2)
  assert.include(yield* ended(straight), "7 calls are waiting")
})

it.effect("a connection for calls brings a call again that went straight, where the connection broke", function*() {
  const { ask, busy, counts, garble, heard } = yield* played
  const found = yield* ask
  yield* soon
  yield* busy(0)
  yield* Fiber.await(found)
  const straight = yield* ask
  yield* soon
  yield* garble
  yield* soon
  assert.deepStrictEqual([heard.length, counts.opened], [3, 2])
  yield* busy(2, 60_000)
  const exit = String(yield* Fiber.await(straight))
  assert.include(exit, "7 calls are waiting")
  // The runner that is gone may have sent it.
  assert.include(exit, "may have been charged")
})

it.effect("a connection for calls that says what is not a frame is given up, and the call is brought again", function*() {
  const { ask, counts, garble } = yield* played
  const call = yield* ask
  yield* soon
  yield* garble
  yield* soon
  assert.deepStrictEqual([counts.opened, counts.closed], [2, 1])
  yield* Fiber.interrupt(call)
})

/** A call as it is written. */
const id = "8e4c0d7e-8a2b-4b4e-9f8d-6d1f0c1f2a3b"
const empty = { query: "{}", terms: "{}" }
const call: typeof Protocol.Call.Type = { ...empty, version: Protocol.version, call: id, caller: "desk" }

/** A runner that has the accounts of a test, and the other end of a connection to it. */
const answering = Effect.fnUntraced(function*(here: Connections["Service"]["here"]) {
  const said: Array<Frame> = []
  const heard = yield* Queue.unbounded<Uint8Array>()
  const socket = socketOf(heard, said)
  const cutOff = storing({ getRunners: Effect.succeed([]), acquire: () => Effect.succeed([]) })
  const runnerAddress = Option.some(RunnerAddress.make("here", 1))
  const server = Calls.layerServer.pipe(
    Layer.provide(Layer.succeed(Calls.Accepting, {
      address: { _tag: "TcpAddress", hostname: "here", port: 1 } as never,
      run: (handler) => Effect.andThen(Effect.ignore(handler(socket)), Effect.never)
    })),
    Layer.provide(Sharding.layer),
    Layer.provide([RunnerHealth.layerNoop, Runners.layerNoop]),
    Layer.provide([MessageStorage.layerNoop, cutOff]),
    Layer.provide(ShardingConfig.layer({ ...Runner.shardingConfig, runnerAddress })),
    Layer.provide(Layer.sync(Connections, () => ({ ...connections({ name: "", proof: "" }), here })))
  )
  yield* Layer.build(server)
  const say = (...frame: Parameters<typeof writeFrame>) =>
    Effect.andThen(Queue.offerAll(heard, writeFrame(...frame)), TestClock.adjust(0))
  const ask = (number: bigint, of: object = call) => say("Ask", number, JSON.stringify({ account: "main", call: of }))
  return { ask, said, say, hangUp: Effect.andThen(Queue.shutdown(heard), TestClock.adjust(0)) }
})

it.effect("a runner refuses calls about an account that it does not have at once, also where no runner has it", function*() {
  const { ask, said } = yield* answering(new Map())
  yield* ask(7n)
  yield* ask(8n, { version: 2 })
  const [refused, unread] = said
  assert.deepInclude(refused, { kind: "Refused", text: "", call: 7n })
  assert.match(unread!.text, /"Failure".*"Unreadable"/)
})

it.effect("a runner begins a call once, however often it comes, and ends it where nobody waits for it", function*() {
  const counts = { begun: 0, ended: 0 }
  const running = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void counts.ended++))
  const begun = Effect.andThen(Effect.sync(() => void counts.begun++), running)
  const { ask, hangUp, said, say } = yield* answering(new Map([["main", () => Effect.runFork(begun)]]))
  yield* ask(7n)
  yield* ask(7n)
  yield* ask(8n)
  yield* say("Stop", 7n)
  assert.deepStrictEqual([counts, said], [{ begun: 2, ended: 1 }, []])
  // Those of a connection end with it.
  yield* hangUp
  assert.deepStrictEqual(counts, { begun: 2, ended: 2 })
})
