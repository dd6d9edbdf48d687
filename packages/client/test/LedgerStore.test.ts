import { CreditLedger, LedgerStore, MarketData, RetryPolicy } from "@effect-marketdata/client"
import { Ledger, Reason } from "@effect-marketdata/core"
import { Effect, Layer, Stream } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import { clientOf, sent } from "./support/clients.ts"
import { pricesBody, type Script, service } from "./support/scripted.ts"

/** A store that works for some steps, and then does not until it is mended: what it should record it takes later, with the next step. */
const breaking = (works: number) => {
  let ledger = Ledger.make(100)
  let left = works
  let later: Array<() => void> = []
  const happened: Array<string> = []
  const run = <A>(step: (ledger: Ledger.Ledger, now: number) => LedgerStore.Step<A>): A => {
    const taken = step(ledger, 0)
    ledger = taken.ledger
    happened.push(...taken.events.map(({ _tag }) => _tag))
    return taken.value
  }
  const store: LedgerStore.LedgerStore = {
    take: (step) =>
      Effect.suspend(() => {
        if (left-- <= 0) return Effect.fail(new Reason.LedgerUnavailable({ detail: "database or disk is full" }))
        const waiting = later
        later = []
        for (const recorded of waiting) recorded()
        return Effect.succeed(run((ledger, now) => step(ledger, now, undefined)))
      }),
    record: (step, meanwhile) =>
      Effect.sync(() => {
        if (left-- > 0) return run((ledger, now) => step(ledger, now, false))
        later.push(() => run((ledger, now) => step(ledger, now, true)))
        return meanwhile
      }),
    history: Stream.empty,
    readings: (read) => Stream.fromEffect(read)
  }
  return { store, run, happened, mend: () => void (left = Infinity), state: () => ledger }
}

const prices: Script = { status: 200, body: pricesBody(["A"]) }

/** A client over a service, whose ledger is kept in a store; nothing is waited for. */
const clientOver = (store: LedgerStore.LedgerStore, http: ReturnType<typeof service>) =>
  clientOf(http, {
    under: Layer.succeed(CreditLedger.CreditLedger, CreditLedger.make(store)),
    given: RetryPolicy.layer({ base: 0 })
  })

it.effect("that cannot be written sends nothing: the query fails by name", function*() {
  const { message, reason } = yield* Effect.flip(MarketData.stockPrices(["A"]))
  assert.strictEqual(reason._tag, "LedgerUnavailable")
  assert.include(message, "the ledger of credits cannot be used: database or disk is full.")
  assert.include(message, "Nothing was sent.")
  assert.strictEqual(yield* sent, 0)
}, clientOver(breaking(0).store, service(prices)))

// Reserve, mark and lose; the second mark fails.
it.effect("that cannot be written after an attempt sends no second one: the first may be charged", function*() {
  const { message, reason } = yield* Effect.flip(MarketData.stockPrices(["A"]))
  assert.deepInclude(reason, { _tag: "LedgerUnavailable", wasSent: true, cost: "possible" })
  assert.include(message, "an earlier request may have been charged")
  assert.strictEqual(yield* sent, 1)
}, clientOver(breaking(3).store, service({ fails: "ECONNRESET" }, prices)))

const late = breaking(2)
it.effect("that cannot record a charge fails no answer, and records it later, once", function*() {
  const { happened, mend, state, store } = late
  const { credits } = yield* MarketData.stockPrices(["A"])
  assert.strictEqual(credits.charged, 1)
  assert.deepStrictEqual(happened, ["Reserved", "Sent"])
  assert.strictEqual(Ledger.available(state()), 99)
  mend()
  assert.deepInclude(yield* CreditLedger.make(store).balance, { charged: 1, reserved: 0, available: 99 })
  assert.deepStrictEqual(happened, ["Reserved", "Sent", "Charged", "Settled"])
}, clientOver(late.store, service(prices)))

it.effect("does not record a charge again that was written before the connection was lost", function*() {
  const { run, store } = breaking(Infinity)
  const twice = CreditLedger.make({
    ...store,
    record: (step) =>
      Effect.sync(() => {
        const first = run((ledger, now) => step(ledger, now, false))
        run((ledger, now) => step(ledger, now, true))
        return first
      })
  })
  const reservation = yield* twice.reserve(40)
  yield* reservation.send(40, 0)
  yield* reservation.charge({ credits: 25 }, 0)
  yield* reservation.settle
  assert.deepInclude(yield* twice.balance, { charged: 25, reserved: 0, available: 75 })
})

it.effect("sends nothing under a reservation that was closed, such as one whose owner was taken for dead", function*() {
  const ledger = yield* CreditLedger.makeMemory({ allowance: 100 })
  const reservation = yield* ledger.reserve(40)
  yield* reservation.settle
  const reason = yield* Effect.flip(reservation.send(40, 0))
  assert.deepInclude(reason, { _tag: "LedgerUnavailable", detail: "the query's reservation is closed" })
})

it("abandons the reservations of an owner who is gone: what is in flight may have been charged, the rest is free", () => {
  const reserved = Ledger.reserve(Ledger.make(100), 40)
  assert(reserved._tag === "Success")
  const ledger = Ledger.send(reserved.success.ledger, reserved.success.id, 30)
  const of = { reservation: reserved.success.id, query: undefined }
  const abandoned = LedgerStore.abandon(ledger, 5, [of])
  assert.deepInclude(abandoned.ledger, { charged: 0, uncertain: 30, now: 5 })
  assert.strictEqual(Ledger.available(abandoned.ledger), 70)
  const events = LedgerStore.events(abandoned.ledger, abandoned.events, 7)
  const told = events.map(({ _tag, available, number, time }) => [number, _tag, time, available])
  assert.deepStrictEqual(told, [[7, "Lost", 5, 70], [8, "Settled", 5, 70]])
  assert.deepStrictEqual(LedgerStore.abandon(abandoned.ledger, 5, [of]).events, [])
})
