import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { once } from "node:events"
import * as Net from "node:net"
import * as Wire from "./wire.ts"

/** A server that says back what it is told. */
const echo = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = Net.createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.sync(() => server.close())
)

const connected = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const socket = Net.connect(port, "127.0.0.1")
      await once(socket, "connect")
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const answer = (socket: Net.Socket, text: string) =>
  Effect.promise(async () => {
    socket.write(text)
    const [bytes] = await once(socket, "data")
    return String(bytes)
  })

describe("A wire", () => {
  it.live("holds what is sent while it is cut, on old connections and new ones, until it is mended", () =>
    Effect.gen(function*() {
      const { port } = (yield* echo).address() as Net.AddressInfo
      const wire = yield* Wire.lay(port)
      const other = yield* Wire.lay(port)
      const old = yield* connected(wire.port)
      assert.strictEqual(yield* answer(old, "before"), "before")
      wire.cut()
      const heard: Array<string> = []
      const fresh = yield* connected(wire.port)
      for (const socket of [old, fresh]) socket.on("data", (bytes) => heard.push(String(bytes)))
      const answers = Effect.all([answer(old, "old"), answer(fresh, "fresh")], { concurrency: 2 })
      const waiting = yield* Effect.forkChild(answers)
      // Ten turns of another wire are time enough for one of this.
      const others = yield* connected(other.port)
      for (let turn = 0; turn < 10; turn++) yield* answer(others, "other")
      assert.deepStrictEqual(heard, [])
      wire.mend()
      assert.deepStrictEqual(yield* Fiber.join(waiting), [
        "old",
        "fresh"
      ])
    }).pipe(Effect.scoped))

  it.live("holds one direction alone, and takes its time", () =>
    Effect.gen(function*() {
      const { port } = (yield* echo).address() as Net.AddressInfo
      const wire = yield* Wire.lay(port, 20)
      const socket = yield* connected(wire.port)
      const began = performance.now()
      assert.strictEqual(yield* answer(socket, "slow"), "slow")
      assert.isAtLeast(performance.now() - began, 20)
      wire.cut("from")
      const waiting = yield* Effect.forkChild(answer(socket, "held"))
      wire.mend()
      assert.strictEqual(yield* Fiber.join(waiting), "held")
    }).pipe(Effect.scoped))

  it.live("brings all that is sent on it, also while this process is busy and its timers are early", () =>
    Effect.gen(function*() {
      const { port } = (yield* echo).address() as Net.AddressInfo
      const busy = (socket: Net.Socket): void => {
        for (const until = performance.now() + 2; performance.now() < until;);
        socket.write("more")
      }
      const server = Net.createServer((socket) => socket.on("data", () => busy(socket)).on("error", () => {})).listen(
        0,
        "127.0.0.1"
      )
      yield* Effect.promise(() => once(server, "listening"))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const worked = yield* connected((server.address() as Net.AddressInfo).port)
      worked.on("data", () => worked.write("more")).write("more")
      const wire = yield* Wire.lay(port, 1)
      const socket = yield* connected(wire.port)
      for (let turn = 0; turn < 50; turn++) assert.strictEqual(yield* answer(socket, "some"), "some")
    }).pipe(Effect.scoped))

  it.live("lets connections die without a word, while new ones work", () =>
    Effect.gen(function*() {
      const { port } = (yield* echo).address() as Net.AddressInfo
      const wire = yield* Wire.lay(port)
      const dead = yield* connected(wire.port)
      assert.strictEqual(yield* answer(dead, "before"), "before")
      wire.sever()
      const heard: Array<string> = []
      for (const event of ["data", "end", "close", "error"]) dead.on(event, () => heard.push(event))
      dead.write("after")
      const fresh = yield* connected(wire.port)
      for (let turn = 0; turn < 10; turn++) assert.strictEqual(yield* answer(fresh, "fresh"), "fresh")
      assert.deepStrictEqual(heard, [])
    }).pipe(Effect.scoped))
})
