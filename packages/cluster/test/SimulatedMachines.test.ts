/** What the simulated gateway has of the world: a supervisor, and sockets that wait where Effect's own do. */
import * as Chance from "@effect-marketdata/testing/Chance"
import * as SeededRuntime from "@effect-marketdata/testing/SeededRuntime"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { assert, describe, it } from "@effect/vitest"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as Runners from "effect/cluster/Runners"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Scope from "effect/Scope"
import type * as Socket from "effect/socket/Socket"
import * as SocketServer from "effect/socket/SocketServer"
import { PassThrough } from "node:stream"
import * as Machine from "./simulation/machine.ts"
import * as Network from "./simulation/network.ts"
import * as Sockets from "./simulation/sockets.ts"

const world = () => {
  const runtime = SeededRuntime.make({ at: 0, chance: Chance.make(1) })
  const network = Network.make({ runtime, chance: Chance.make(1) })
  const pass = (milliseconds: number) => {
    const until = runtime.now() + milliseconds
    runtime.post(() => {}, milliseconds)
    runtime.rest()
    while (runtime.now() < until && runtime.wake()) runtime.rest()
  }
  return { runtime, network, pass }
}

describe("a simulated machine", () => {
  /** Tells a program to end that takes a while to do so, and says which lives of it began, were overdue, and came to their end. */
  const endingOf = (milliseconds: number) => {
    const { network, pass, runtime } = world()
    const seen: Array<string> = []
    let life = 0
    const machine = Machine.start({
      name: "runner",
      ahead: 0,
      chance: Chance.make(1),
      network,
      runtime,
      program: () => {
        const mine = ++life
        seen.push(`${mine} began`)
        const end = Effect.andThen(Effect.sleep(milliseconds), Effect.sync(() => seen.push(`${mine} ended`)))
        return Effect.onInterrupt(Effect.never, () => end)
      },
      onOverdue: ({ name }) => seen.push(`${name} is overdue`)
    })
    pass(1000)
    machine.stop(1000)
    pass(Machine.grace + 5000)
    return seen
  }

  it("starts its program again when it has ended", () => {
    assert.deepStrictEqual(endingOf(25_000), ["1 began", "1 ended", "2 began"])
  })

  it("kills a program that does not end in time, as Kubernetes does after 30 seconds", () => {
    assert.deepStrictEqual(endingOf(60_000), ["1 began", "runner is overdue", "2 began"])
  })
})

/** Writes to a connection whose reader has ended. */
const lateWrite = (socket: Socket.Socket) =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    yield* Scope.provide(socket.reader, scope)
    yield* Scope.close(scope, Exit.void)
    const { write } = yield* socket.writer
    return yield* Effect.forkDetach(Effect.exit(write("late")), { startImmediately: true })
  })

describe("a write to an accepted connection that has closed", () => {
  // If this fails, Effect has mended it: then the simulated sockets fail too, and nothing is stuck any more.
  it.effect("waits for ever with the sockets of Effect", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.flatMap(NodeSocket.fromDuplex(Effect.succeed(new PassThrough())), lateWrite)
      yield* Effect.yieldNow
      assert.isUndefined(fiber.pollUnsafe())
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.scoped))

  it("waits for ever with the simulated ones, which know of it", () => {
    const { network, pass } = world()
    const sockets = Sockets.make(network)
    const [server, client] = [network.host("server"), network.host("client")]
    let writing: Fiber.Fiber<unknown, unknown> | undefined
    const accept = (socket: Socket.Socket) =>
      Effect.scoped(Effect.map(lateWrite(socket), (fiber) => void (writing = fiber)))
    server.process.fork(
      Effect.flatMap(SocketServer.SocketServer, ({ run }) => run(accept)).pipe(
        Effect.provide(sockets.server(server, 1))
      )
    )
    pass(10)
    assert.isFalse(sockets.isStuck(server))
    client.process.fork(
      Effect.flatMap(Runners.RpcClientProtocol, ({ make }) => make(RunnerAddress.make("server", 1))).pipe(
        Effect.andThen(Effect.never),
        Effect.scoped,
        Effect.provide(Layer.provideMerge(sockets.clients(client), RpcSerialization.layerSchemaBinary()))
      )
    )
    pass(100)
    client.kill()
    pass(60_000)
    assert.isDefined(writing)
    assert.isUndefined(writing?.pollUnsafe())
    assert.isTrue(sockets.isStuck(server))
    server.process.post(() => writing?.interruptUnsafe())
    pass(1)
    assert.isFalse(sockets.isStuck(server))
  })
})
