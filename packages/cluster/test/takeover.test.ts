import { CreditLedger, IpGuard, MarketData, Policies } from "@effect-marketdata/client"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { pricesBody, replying, symbolsOf } from "../../client/test/support/scripted.ts"
import { through } from "./support/embedded.ts"
import { passing } from "../../client/test/support/clients.ts"

const prices = MarketData.stockPrices(["A"])

/** A runner whose guard says these things in turn, the last one again and again; and what it was told of requests. */
const guarded = (...says: ReadonlyArray<"send" | "late send" | "busy" | { readonly until: number }>) => {
  const left: Array<IpGuard.Departure> = []
  let asked = 0
  const admit: IpGuard.IpGuard["Service"]["admit"] = Effect.suspend(() => {
    const say = says[Math.min(asked++, says.length - 1)]!
    return Effect.succeed<IpGuard.Admission>(
      say === "send" || say === "late send"
        ? { _tag: "Send", leave: (departure) => Effect.sync(() => void left.push(departure)) }
        : { _tag: "Held", until: say === "busy" ? undefined : say.until, over: Effect.sleep("1 second") }
      // One that is cut off from its database answers when it is back, and cannot be interrupted before.
    ).pipe(Effect.delay(say === "late send" ? "20 seconds" : 0), Effect.uninterruptible)
  })
  const http = replying((url) => ({ status: 200, body: pricesBody(symbolsOf(url)) }))
  const client = MarketData.layer({ baseUrl: "https://service.test", token: Redacted.make("a-token-for-tests") }).pipe(
    Layer.provideMerge(Layer.succeed(IpGuard.IpGuard, { admit })),
    Layer.provide([http.layer, CreditLedger.layerUnlimited])
  )
  return { http, layer: through(client), left }
}

describe("a runner that takes over", () => {
  it.effect("waits until the runner before it is over, and no call fails meanwhile", () => {
    const { http, layer, left } = guarded("busy", "busy", "busy", "send")
    return Effect.gen(function*() {
      const asked = yield* Effect.forkChild(prices)
      yield* TestClock.adjust("2 seconds")
      assert.lengthOf(http.requests, 0)
      yield* TestClock.adjust("2 seconds")
      assert.lengthOf((yield* Fiber.join(asked)).data, 1)
      // Nothing was sent when it looked whether it may.
      assert.deepStrictEqual(left, ["lost", "answered"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits for another runner that may send, and then says until when the service blocks its address", () => {
    const { http, layer } = guarded({ until: 1_795_208_400 })
    return Effect.gen(function*() {
      const asked = yield* Effect.forkChild(Effect.flip(prices))
      yield* TestClock.adjust("14 seconds")
      assert.isUndefined(asked.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { reason } = yield* Fiber.join(asked)
      assert(reason._tag === "IpBlocked")
      assert.strictEqual(reason.until, 1_795_208_400)
      // The next call is told at once.
      assert.strictEqual((yield* Effect.flip(prices)).reason._tag, "IpBlocked")
      assert.lengthOf(http.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits for the end of the block where the policy at the call says so", () => {
    const { http, layer } = guarded({ until: 10 }, { until: 10 }, "send")
    return Effect.gen(function*() {
      const patient = Effect.provideService(prices, Policies.IpRule, { whenHeld: "wait", heldBy: "addressBlock" })
      yield* passing(patient, "3 seconds")
      assert.lengthOf(http.requests, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("leaves no request in flight at the guard, though it was let in when it had given up waiting", () => {
    const { layer, left } = guarded("late send", "send")
    return Effect.gen(function*() {
      yield* passing(prices, "21 seconds")
      assert.deepStrictEqual(left, ["lost", "answered"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("gives up waiting, and leaves it to each call, if the runner before it does not end", () => {
    const { layer } = guarded("busy")
    return Effect.gen(function*() {
      assert.strictEqual((yield* passing(Effect.flip(prices), "16 seconds")).reason._tag, "IpBlocked")
    }).pipe(Effect.provide(layer))
  })
})
