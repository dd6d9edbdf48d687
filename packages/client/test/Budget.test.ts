import { Claim, CreditLedger, MarketData, Policies } from "@effect-marketdata/client"
import { Effect, Layer } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over, passing, sent } from "./support/clients.ts"
import { cutOff, pricesBody, replying, symbolsOf } from "./support/scripted.ts"

const prices = (...symbols: ReadonlyArray<string>) => MarketData.stockPrices(symbols)

const within = (budget: CreditLedger.CreditLedger["Service"]) => Effect.provideService(CreditLedger.Budget, budget)

const reasonOf = <A, E extends { readonly reason: unknown }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(call), ({ reason }) => reason as E["reason"])

/** A service that has prices of all stocks but one. */
const answering = () =>
  replying((url) => ({ status: symbolsOf(url)[0] === "NONE" ? 404 : 200, body: pricesBody(symbolsOf(url)) }))

it.effect("refuses what it does not cover before anything is sent, and counts beside the client's ledger", () =>
  over(answering(), { allowance: 10 }, function*(http) {
    const budget = yield* CreditLedger.makeMemory({ allowance: 3 })
    yield* within(budget)(prices("AAPL", "MSFT"))
    const reason = yield* reasonOf(within(budget)(prices("AAPL", "MSFT")))
    assert.deepInclude(reason, { _tag: "CreditBudgetExceeded", available: 1 })
    yield* prices("AAPL")
    assert.strictEqual((yield* reasonOf(within(budget)(prices("NONE"))))._tag, "NotFound")
    assert.lengthOf(http.requests, 3)
    assert.deepInclude(yield* budget.balance, { charged: 2, reserved: 0 })
    assert.deepInclude(yield* balance, { charged: 3, reserved: 0 })
  }))

it.effect("is not charged for what the client's ledger refuses", function*() {
  const budget = yield* CreditLedger.makeMemory({ allowance: 3 })
  const claimed = (run: string) =>
    prices("AAPL").pipe(within(budget), Effect.provideService(Claim.Current, { key: "once", run }))
  yield* claimed("first start")
  assert.strictEqual((yield* reasonOf(claimed("second start")))._tag, "AlreadySent")
  assert.strictEqual((yield* reasonOf(within(budget)(prices("A", "B"))))._tag, "CreditBudgetExceeded")
  assert.deepInclude(yield* budget.balance, { charged: 1, uncertain: 0, reserved: 0 })
  // The claim is the account's: another account has not sent it.
  yield* Effect.provide(claimed("second start"), clientOf(answering()))
}, clientOf(answering(), { allowance: 2 }))

it.effect("covers every attempt: a retry of what was lost needs room too", function*() {
  const budget = yield* CreditLedger.makeMemory({ allowance: 2 })
  const { _tag } = yield* passing(reasonOf(within(budget)(prices("AAPL"))), "10 minutes")
  assert.deepStrictEqual([_tag, yield* sent], ["CreditBudgetExceeded", 2])
  assert.deepInclude(yield* budget.balance, { available: 0, uncertain: 2, overdrawn: 0 })
}, clientOf(replying(() => ({ status: 200, body: cutOff("{\"s\":\"ok\"") }))))

it.effect("is not charged for a retry that the client's ledger does not cover", function*() {
  const budget = yield* CreditLedger.makeUnlimited()
  const { _tag } = yield* passing(reasonOf(within(budget)(prices("AAPL"))), "10 minutes")
  assert.deepStrictEqual([_tag, yield* sent], ["CreditBudgetExceeded", 2])
  assert.deepInclude(yield* budget.balance, { charged: 0, uncertain: 2, reserved: 0 })
}, clientOf(replying(() => ({ status: 200, body: cutOff("{\"s\":\"ok\"") })), { allowance: 2 }))

it.effect("pays for its own calls: those of another budget do not join them", function*() {
  const one = yield* CreditLedger.makeMemory({ allowance: 1 })
  const other = yield* CreditLedger.makeMemory({ allowance: 0 })
  yield* passing(
    Effect.all(
      [within(one)(prices("AAPL")), within(one)(prices("AAPL")), Effect.flip(within(other)(prices("AAPL")))],
      { concurrency: "unbounded" }
    ).pipe(Effect.provideService(Policies.Coalesce, true)),
    "1 second"
  )
  assert.deepStrictEqual([yield* sent, (yield* one.balance).charged, (yield* other.balance).charged], [1, 1, 0])
}, clientOf(replying((url) => ({ status: 200, body: pricesBody(symbolsOf(url)), after: "1 second" }))))

it.effect("holds for all calls of a client that is made under it, and counts once where it is around them too", function*() {
  const budget = yield* CreditLedger.makeMemory({ allowance: 2 })
  const layer = clientOf(answering()).pipe(Layer.provide(Layer.succeed(CreditLedger.Budget, budget)))
  yield* Effect.gen(function*() {
    yield* prices("AAPL")
    yield* within(budget)(prices("MSFT"))
    assert.strictEqual((yield* reasonOf(prices("SPY")))._tag, "CreditBudgetExceeded")
  }).pipe(Effect.provide(layer))
  assert.deepInclude(yield* budget.balance, { charged: 2 })
})

it.effect("dies without the client's ledger, which records what was sent and frees the rest", function*() {
  const budget = yield* CreditLedger.makeUnlimited()
  const died = Effect.die("no database")
  const reserve: typeof budget.reserve = (...of) =>
    Effect.map(budget.reserve(...of), (own) => ({ ...own, charge: () => died, settle: died }))
  yield* Effect.exit(within({ ...budget, reserve })(prices("AAPL", "MSFT")))
  assert.deepInclude(yield* balance, { charged: 1, uncertain: 0, reserved: 0 })
}, clientOf(answering(), { maxSymbols: 1, maxInFlight: 1 }))
