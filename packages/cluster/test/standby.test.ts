import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import { type Duration, Effect, Fiber, Layer, References, Scope } from "effect"
import { pricesBody, replying, symbolsOf } from "../../client/test/support/scripted.ts"
import { assert, it } from "../../core/test/support/it.ts"
import { type Machine, start } from "./support/network.ts"
import { pass } from "./support/time.ts"

/** What reached the service, in order: from which address. */
const service = (after: Duration.Input = "200 millis") => {
  const senders: Array<string> = []
  const clientOf = (address: string) =>
    replying((url) => {
      senders.push(address)
      return { status: 200, body: pricesBody(symbolsOf(url)), after }
    }).layer
  return { senders, clientOf }
}

/** Callers of a machine that ask every quarter of a second, and how their calls end. */
const callers = Effect.fnUntraced(function*(machine: Machine) {
  const outcomes: Array<string> = []
  const call = Effect.match(MarketData.stockPrices(["A"]), {
    onSuccess: () => "answered",
    onFailure: ({ reason }) => reason._tag
  })
  const asking = yield* Effect.map(call, (outcome) => void outcomes.push(outcome)).pipe(
    Effect.delay("250 millis"),
    Effect.forever,
    Effect.provideContext(machine.context),
    Effect.forkChild
  )
  return { outcomes, end: Fiber.interrupt(asking) }
})

const sqlite = Layer.orDie(Sqlite.layer({ filename: ":memory:" }))
const quiet = Layer.merge(sqlite, Layer.succeed(References.MinimumLogLevel, "None"))

/** Two machines with callers, which run for a while, and which of them sends. */
const running = Effect.fnUntraced(function*(options: { readonly hang?: boolean; readonly standby?: boolean }) {
  const { clientOf, senders } = service()
  const machines = yield* start(["one", "two"], clientOf, options)
  const asked = yield* Effect.forEach(machines, callers)
  yield* pass(4, 4)
  const first = machines.findIndex(({ address }) => address === senders.at(-1))
  assert.isAtLeast(first, 0)
  const moves = () => senders.filter((sender, index) => sender !== senders[index - 1])
  const [one, other] = [machines[first]!, machines[1 - first]!]
  return { one, other, ofOne: asked[first]!, ofOther: asked[1 - first]!, moves }
})

const handedOver = Effect.fnUntraced(function*(options: { readonly hang?: boolean }) {
  const { moves, ofOne, ofOther, one, other } = yield* running(options)
  yield* ofOne.end
  const stopping = yield* Effect.forkDetach(one.stop)
  yield* pass(10, 4)
  yield* ofOther.end
  assert.deepStrictEqual([...new Set(ofOther.outcomes)], ["answered"])
  assert.deepStrictEqual(moves(), [one.address, other.address])
  return stopping.pollUnsafe() !== undefined
})

it.effect("hand over in order, and no call of another machine fails", function*() {
  assert.isTrue(yield* handedOver({}))
}, quiet)

it.effect("hand over when one of them is told to end and never does", function*() {
  // One that never ends cannot be waited for.
  const scope = yield* Scope.make()
  assert.isFalse(yield* Scope.provide(handedOver({ hang: true }), scope))
}, quiet)

it.effect("hear what they had sent before they were cut off, if the account comes back to them", function*() {
  const { clientOf, senders } = service("6 seconds")
  const [one] = yield* start(["one"], clientOf)
  const asked = yield* Effect.forkChild(Effect.provideContext(MarketData.stockPrices(["A"]), one!.context))
  yield* pass(3, 4)
  one!.cut(true)
  yield* pass(3, 4)
  one!.cut(false)
  yield* pass(10, 4)
  assert.strictEqual((yield* Fiber.join(asked)).credits.charged, 1)
  assert.deepStrictEqual(senders, ["one"])
}, quiet)

/** How calls end when a sender that was cut off from the others for 8 seconds has been back for 20. */
const cutOff = Effect.fnUntraced(function*(standby: boolean) {
  const machines = yield* running({ standby })
  const { moves, ofOne, ofOther, one, other } = machines
  yield* ofOne.end
  one.cut(true)
  yield* pass(8, 4)
  assert.deepStrictEqual(moves(), [one.address, other.address])
  const before = ofOther.outcomes.length
  one.cut(false)
  yield* pass(20, 4)
  yield* ofOther.end
  return { ...machines, outcomes: [...new Set(ofOther.outcomes.slice(before))] }
})

it.effect(
  "[5.6-simultaneous] answer all calls when a sender that was cut off returns: it stands by until its address is safe",
  () =>
    Effect.gen(function*() {
      const { moves, one, other, outcomes } = yield* cutOff(true)
      assert.deepStrictEqual(outcomes, ["answered"])
      yield* pass(300, 0.1)
      const asked = yield* callers(other)
      yield* pass(4, 4)
      yield* asked.end
      assert.deepStrictEqual([...new Set(asked.outcomes)], ["answered"])
      assert.deepStrictEqual(moves(), [one.address, other.address, one.address])
    }).pipe(Effect.scoped, Effect.provide(quiet))
)

it.effect("would ask one that may not send, if it did not stand by", function*() {
  assert.include((yield* cutOff(false)).outcomes, "IpBlocked")
}, quiet)
