import * as Runner from "@effect-marketdata/cluster/Runner"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const account = "main"

/** A request from an address, which is answered. */
const send = (address: string) =>
  Effect.gen(function*() {
    const admission = yield* (yield* SqlIpGuard.make({ account, address })).admit
    assert(admission._tag === "Send")
    yield* TestClock.adjust("1 second")
    yield* admission.leave("answered")
  }).pipe(Effect.scoped)

describe("a runner", () => {
  it.effect("[5.6-simultaneous] joins at once, or when a return to its address is safe", () =>
    Effect.gen(function*() {
      const join = (address: string) => Effect.scoped(Layer.build(Runner.layerJoin({ account, address })))
      yield* join("one")
      yield* send("one")
      yield* send("two")
      yield* join("two")
      yield* join("three")
      const back = yield* Effect.forkChild(join("one"))
      yield* TestClock.adjust("299 seconds")
      assert.isUndefined(back.pollUnsafe())
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(back)
      yield* send("one")
    }).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" }))))
})
