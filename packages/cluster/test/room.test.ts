/** Who waits for a place in a gateway gets it, and gives it on, at whatever moment callers go away. */
import { Effect, Exit, Fiber, Latch } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import { makeRoom } from "../src/gateway/serving.ts"

const full = (waiting: number) => Effect.fail(`${waiting} wait`)

it.effect("loses no place where a call goes away in the moment in which it is told to run", function*() {
  const room = makeRoom({ places: 1, seats: 5 })
  const over = yield* Latch.make()
  const first = yield* Effect.forkChild(room.inTurn("a", over.await, full))
  yield* Effect.yieldNow
  const second = yield* Effect.forkChild(room.inTurn("b", Effect.never, full))
  yield* Effect.yieldNow
  // The first ends, which tells the second to run, and before it can, it is interrupted.
  yield* over.open
  second.interruptUnsafe()
  yield* Fiber.join(first)
  assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(second)))
  assert.strictEqual(yield* room.inTurn("c", Effect.succeed("ran"), full), "ran")
  assert.deepStrictEqual(room.state(), { running: 0, waiting: 0, callers: [] })
})

it.effect("gives the place of a call that ended to the next, and counts whose calls run", function*() {
  const room = makeRoom({ places: 1, seats: 5 })
  const over = yield* Latch.make()
  const order: Array<string> = []
  const call = (name: string) =>
    Effect.forkChild(room.inTurn(name, Effect.andThen(over.await, Effect.sync(() => order.push(name))), full))
  const calls = [yield* call("a"), yield* call("b"), yield* call("c")]
  yield* Effect.yieldNow
  assert.deepInclude(room.state(), { running: 1, waiting: 2 })
  yield* over.open
  yield* Fiber.joinAll(calls)
  assert.deepStrictEqual(order, ["a", "b", "c"])
  assert.deepStrictEqual(room.state(), { running: 0, waiting: 0, callers: [] })
})

it.effect("takes no seat from a caller who waits as often as the one who comes", function*() {
  const room = makeRoom({ places: 1, seats: 2 })
  const stay = (name: string) => Effect.forkChild(Effect.exit(room.inTurn(name, Effect.never, full)))
  yield* stay("runs")
  const seated = [yield* stay("a"), yield* stay("b")]
  yield* Effect.yieldNow
  assert.strictEqual(yield* Effect.flip(room.inTurn("c", Effect.void, full)), "2 wait")
  assert.strictEqual(yield* Effect.flip(room.inTurn("a", Effect.void, full)), "2 wait")
  assert.deepStrictEqual(seated.map((fiber) => fiber.pollUnsafe()), [undefined, undefined])
})
