import { CreditLedger, IpGuard, MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import type { Admission } from "@effect-marketdata/client/IpGuard"
import * as Reason from "@effect-marketdata/core/Reason"
import { Clock, type Duration, Effect, Fiber, Layer, Schedule } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, passing, sent, setBack } from "./support/clients.ts"
import { pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

const ok: Script = { status: 200, body: pricesBody(["A"]) }
const blocked: Script = {
  status: 403,
  body: `{"s":"error","errmsg":"Multiple IP addresses.","authorizedIP":"192.0.2.1","blockedIP":"192.0.2.2"}`
}
const forbidden: Script = { status: 403, body: `{"s":"error","errmsg":"Not for you."}` }
const lost: Script = { fails: "ECONNRESET" }
const late = (script: Script, seconds: number): Script => ({ ...script, after: `${seconds} seconds` })
const ask = MarketData.stockPrices(["A"])
const refused = Effect.map(Effect.flip(ask), ({ reason }) => reason._tag)

/** Lets time go by, and checks how many requests were sent by then. */
const sentAfter = Effect.fnUntraced(function*(time: Duration.Input, requests: number) {
  yield* TestClock.adjust(time)
  assert.strictEqual(yield* sent, requests)
})

const waiting = Layer.succeed(Policies.IpRule, { whenHeld: "wait", heldBy: "addressBlock" })
const everyTenSeconds = RetryPolicy.layerSchedule(Schedule.spaced("10 seconds"))

describe("a 403 that blocks the address", () => {
  it.effect("[5.6-single-ip] [7.1-403] holds back all calls until the block is over: they fail, unsent and free", () =>
    over(service(blocked, ok), function*(http) {
      const first = yield* Effect.flip(ask)
      assert.deepInclude(first.reason, { _tag: "AddressBlocked", blockedIP: "192.0.2.2" })
      const second = yield* Effect.flip(ask)
      assert.deepInclude(second.reason, { _tag: "IpBlocked", until: 300, cost: "none" })
      assert.deepStrictEqual(second.trace, [])
      assert.deepInclude(yield* balance, { reserved: 0, uncertain: 0 })
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual([yield* refused, http.requests.length], ["IpBlocked", 1])
      yield* TestClock.adjust("1 second")
      yield* ask
      assert.strictEqual(http.requests.length, 2)
    }))

  it.effect("[5.6-single-ip] holds back a second attempt, and says that the first may have been charged", function*() {
    const other = MarketData.stockPrices(["B"])
    const retried = yield* Effect.forkChild(Effect.flip(ask))
    yield* TestClock.adjust(1)
    yield* Effect.flip(other)
    yield* TestClock.adjust("1 minute")
    const { message, reason, trace } = yield* Fiber.join(retried)
    assert.deepInclude(reason, { _tag: "IpBlocked", wasSent: true, cost: "possible" })
    assert.match(message, /an earlier request may have been charged\.$/)
    assert.deepStrictEqual([trace.length, yield* sent], [1, 2])
  }, clientOf(service({ status: 503 }, blocked), { given: everyTenSeconds }))

  const ofThree = replying((url) => [ok, { status: 503 }, blocked]["ABC".indexOf(symbolsOf(url)[0]!)]!)
  it.effect("[5.6-single-ip] says the same of a part of a list", function*() {
    const { reason } = yield* passing(Effect.flip(MarketData.stockPrices(["A", "B", "C"])))
    assert(reason._tag === "Incomplete")
    assert.deepInclude(reason.errors[0].reason, { _tag: "IpBlocked", wasSent: true })
  }, clientOf(ofThree, { given: everyTenSeconds, maxSymbols: 1 }))

  it.effect("[5.6-single-ip] lets the second go by in which the block ends: the service counts in whole seconds", () =>
    over(service(blocked, ok), { given: waiting }, function*() {
      yield* TestClock.adjust("700 millis")
      yield* Effect.flip(ask)
      const fiber = yield* Effect.forkChild(ask)
      yield* TestClock.adjust("5 minutes")
      yield* sentAfter("299 millis", 1)
      yield* sentAfter(1, 2)
      yield* Fiber.join(fiber)
    }))

  it.effect("[5.6-single-ip] lets calls wait where the policy says so, and sends one at a time until one is answered", () =>
    over(service(blocked, late(blocked, 1), lost, late(ok, 1), ok), { given: waiting }, function*() {
      yield* Effect.flip(ask)
      const fibers = yield* Effect.forEach(Array.from({ length: 100 }), () => Effect.forkChild(Effect.result(ask)))
      yield* TestClock.adjust("5 minutes")
      yield* sentAfter("2 seconds", 2)
      yield* TestClock.adjust("5 minutes")
      yield* sentAfter("1 second", 4)
      yield* TestClock.adjust("2 seconds")
      const results = yield* Fiber.joinAll(fibers)
      assert.lengthOf(results.filter(({ _tag }) => _tag === "Failure"), 1)
    }))

  it.effect("[5.6-single-ip] does not take an answer to an earlier request for the end of the block", function*() {
    const first = yield* Effect.forkChild(ask)
    const second = yield* Effect.forkChild(Effect.flip(ask))
    yield* TestClock.adjust("1 second")
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(first)
    assert.strictEqual((yield* Fiber.join(second)).reason._tag, "AddressBlocked")
    const others = yield* Effect.forEach(Array.from({ length: 9 }), () => Effect.forkChild(ask))
    yield* sentAfter("5 minutes", 3)
    yield* TestClock.adjust("1 second")
    yield* TestClock.adjust("1 second")
    yield* Fiber.joinAll(others)
    assert.strictEqual(yield* sent, 11)
  }, clientOf(service(late(ok, 2), late(blocked, 1), late(ok, 1)), { given: waiting }))

  it.effect("[5.6-single-ip] also holds back what was queueing for permits", function*() {
    const fibers = yield* Effect.forEach(Array.from({ length: 200 }), () => Effect.forkChild(Effect.flip(ask)))
    yield* TestClock.adjust("1 second")
    const errors = yield* Fiber.joinAll(fibers)
    assert.deepStrictEqual([yield* sent, errors.filter(({ reason }) => reason._tag === "IpBlocked").length], [50, 150])
  }, clientOf(service(late(blocked, 1))))

  const hurried = Layer.merge(waiting, RetryPolicy.layer({ attempts: 3, base: 200, cap: 5000, deadline: 60_000 }))
  it.effect("can be waited for no longer than a query's deadline", function*() {
    yield* Effect.flip(ask)
    const { reason } = yield* passing(Effect.flip(ask), "1 minute")
    assert.deepInclude(reason, { _tag: "TimedOut", limit: "deadline", mayHaveBeenCharged: false })
  }, clientOf(service(blocked, ok), { given: hurried }))

  it.effect("is left to the call that is interrupted while it waits: nothing stays reserved", function*() {
    yield* Effect.flip(ask)
    const fiber = yield* Effect.forkChild(ask, { startImmediately: true })
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* balance).reserved, 1)
    yield* Fiber.interrupt(fiber)
    assert.deepInclude(yield* balance, { reserved: 0, uncertain: 0, charged: 0 })
  }, clientOf(service(blocked, ok), { allowance: 9, given: waiting }))
})

describe("any other 403", () => {
  const given = Layer.succeed(Policies.IpRule, { whenHeld: "fail", heldBy: "any403" })
  it.effect("[7.1-403] holds back all calls where the policy says so, and no other failure does", function*() {
    assert.deepStrictEqual([yield* refused, yield* refused, yield* refused], ["BadRequest", "Forbidden", "IpBlocked"])
  }, clientOf(service({ status: 400 }, forbidden, ok), { given }))

  it.effect("holds back none by default", () => over(service(forbidden, ok), () => Effect.andThen(refused, ask)))
})

it.effect("[5.6-simultaneous] an address that changes never has requests of two addresses in flight, and comes back only when it is safe", () => {
  let address = "A"
  return over(service(late(ok, 1)), { given: waiting, address: Effect.sync(() => address) }, function*(http) {
    const first = yield* Effect.forkChild(ask)
    yield* TestClock.adjust(0)
    address = "B"
    const second = yield* Effect.forkChild(ask)
    yield* sentAfter("500 millis", 1)
    yield* TestClock.adjust("500 millis")
    yield* Fiber.join(first)
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(second)
    assert.strictEqual(http.requests.length, 2)
    // The service has seen the new address since its first answer; what is answered later does not hold the old one back.
    yield* TestClock.adjust("1 minute")
    yield* passing(ask, "1 second")
    address = "A"
    const third = yield* Effect.forkChild(ask)
    yield* sentAfter("239 seconds", 3)
    yield* sentAfter("2 seconds", 4)
    yield* Fiber.join(third)
  })
})

it.effect("lets a call be interrupted while it waits for an address that never comes", function*() {
  assert.strictEqual((yield* passing(Effect.flip(Effect.timeout(ask, "5 seconds")), "5 seconds"))._tag, "TimeoutError")
  assert.deepInclude(yield* balance, { reserved: 0, uncertain: 0 })
}, clientOf(service(ok), { address: Effect.never }))

const expired = Effect.fail(new Reason.GuardUnavailable({ detail: "the lease is over" }))
const leased = Layer.succeed(IpGuard.IpGuard, {
  admit: Effect.succeed<Admission>({
    _tag: "Send",
    leave: () => Effect.void,
    fence: { check: expired, within: () => undefined }
  })
})
it.effect("sends nothing whose lease ended while the ledger marked it, and frees what that reserved", function*() {
  assert.deepStrictEqual([yield* refused, yield* sent], ["GuardUnavailable", 0])
  assert.deepInclude(yield* balance, { reserved: 0, uncertain: 0, available: 9 })
}, clientOf(service(ok), { allowance: 9, given: RetryPolicy.layerNone, under: leased }))

it.effect("[5.6-simultaneous] counts the time of an address from its first answer: what was lost shows nothing", () => {
  let address = "A"
  return over(
    service(ok, lost, ok),
    { given: RetryPolicy.layerNone, address: Effect.sync(() => address) },
    function*() {
      yield* ask
      address = "B"
      yield* refused
      yield* TestClock.adjust("1 minute")
      yield* ask
      yield* TestClock.adjust("242 seconds")
      address = "A"
      assert.strictEqual(yield* refused, "IpBlocked")
    }
  )
})

it.effect("holds no call for longer where the clock is set back", function*() {
  const guard = yield* IpGuard.makeMemory()
  const first = yield* guard.admit
  assert(first._tag === "Send")
  yield* first.leave("blocked")
  yield* TestClock.adjust("301 seconds")
  assert.strictEqual((yield* Effect.provideServiceEffect(guard.admit, Clock.Clock, setBack))._tag, "Send")
})

it.effect("is shared by the clients it is given to, and by no others", function*() {
  const http = service(blocked, ok)
  const client = (name: string) =>
    Layer.provide(MarketData.layer({ baseUrl: `https://${name}.test` }), [http.layer, CreditLedger.layerUnlimited])
  const guard = Layer.succeed(IpGuard.IpGuard, yield* IpGuard.makeMemory())
  const told = (name: string) => Effect.provide(refused, Layer.provide(client(name), guard))
  assert.deepStrictEqual([yield* told("one"), yield* told("two")], ["AddressBlocked", "IpBlocked"])
  yield* Effect.provide(ask, client("three"))
})
