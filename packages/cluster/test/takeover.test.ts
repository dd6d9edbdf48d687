import { IpGuard, MarketData, Policies } from "@effect-marketdata/client"
import { Effect, Fiber, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, passing, sent } from "../../client/test/support/clients.ts"
import { pricesBody, replying, symbolsOf } from "../../client/test/support/scripted.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { through } from "./support/embedded.ts"

const prices = MarketData.stockPrices(["A"])

/** A runner whose guard says these things in turn, the last one again and again; and what it was told of requests. */
const guarded = (...says: ReadonlyArray<"send" | "late send" | "busy" | { readonly until: number }>) => {
  const left: Array<IpGuard.Ending> = []
  let asked = 0
  const admit: IpGuard.IpGuard["Service"]["admit"] = Effect.suspend(() => {
    const say = says[Math.min(asked++, says.length - 1)]!
    return Effect.succeed<IpGuard.Admission>(
      say === "send" || say === "late send"
        ? { _tag: "Send", leave: (ending) => Effect.sync(() => void left.push(ending)) }
        : { _tag: "Held", until: say === "busy" ? undefined : say.until, over: Effect.sleep("1 second") }
      // One that is cut off from its database answers when it is back, and cannot be interrupted before.
    ).pipe(Effect.delay(say === "late send" ? "20 seconds" : 0), Effect.uninterruptible)
  })
  const http = replying((url) => ({ status: 200, body: pricesBody(symbolsOf(url)) }))
  const guard = Layer.succeed(IpGuard.IpGuard, { admit })
  return { layer: through(Layer.provideMerge(clientOf(http, { under: guard }), guard)), left }
}

const waiting = guarded("busy", "busy", "busy", "send")
it.effect("waits until the runner before it is over, and no call fails meanwhile", function*() {
  const asked = yield* Effect.forkChild(prices)
  yield* TestClock.adjust("2 seconds")
  assert.strictEqual(yield* sent, 0)
  yield* TestClock.adjust("2 seconds")
  assert.lengthOf((yield* Fiber.join(asked)).data, 1)
  // Nothing was sent when it looked whether it may.
  assert.deepStrictEqual(waiting.left, ["lost", "answered"])
}, waiting.layer)

it.effect("waits for another runner that may send, and then says until when its address is blocked", function*() {
  const asked = yield* Effect.forkChild(Effect.flip(prices))
  yield* TestClock.adjust("14 seconds")
  assert.isUndefined(asked.pollUnsafe())
  yield* TestClock.adjust("1 second")
  const { reason } = yield* Fiber.join(asked)
  assert.deepInclude(reason, { _tag: "IpBlocked", until: 1_795_208_400 })
  // The next call is told at once.
  assert.strictEqual((yield* Effect.flip(prices)).reason._tag, "IpBlocked")
  assert.strictEqual(yield* sent, 0)
}, guarded({ until: 1_795_208_400 }).layer)

it.effect("waits for the end of the block where the policy at the call says so", function*() {
  const patient = Effect.provideService(prices, Policies.IpRule, { whenHeld: "wait", heldBy: "addressBlock" })
  yield* passing(patient, "3 seconds")
  assert.strictEqual(yield* sent, 1)
}, guarded({ until: 10 }, { until: 10 }, "send").layer)

const late = guarded("late send", "send")
it.effect("leaves no request in flight at the guard, though it was let in when it had given up waiting", function*() {
  yield* passing(prices, "21 seconds")
  assert.deepStrictEqual(late.left, ["lost", "answered"])
}, late.layer)

it.effect("gives up waiting, and leaves it to each call, if the runner before it does not end", function*() {
  assert.strictEqual((yield* passing(Effect.flip(prices), "16 seconds")).reason._tag, "IpBlocked")
}, guarded("busy").layer)
