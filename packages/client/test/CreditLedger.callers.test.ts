/** A thousand callers who ask under one budget, and give up at every moment: what holds of the budget. */
import { CreditLedger, IpGuard, MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Cause, Effect, Exit, Fiber, Latch, Random, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { runs } from "../../core/test/support/depth.ts"
import {
  Accountant,
  draw,
  maxSymbols,
  Service,
  type Stage,
  Stages,
  tickersOf,
  wholeHistory
} from "./support/callers.ts"

const callers = 1000

/** What everybody shares who asks under one seed. */
interface World {
  readonly seed: number
  readonly service: Service
  readonly ledger: CreditLedger.CreditLedger["Service"]
}

/** How somebody asks for the prices of some tickers; what comes of it is not looked at. */
type Ask = (tickers: ReadonlyArray<string>) => Effect.Effect<unknown, unknown>

/** How long a caller has a reservation and has sent nothing, in milliseconds. */
const longestPause = 200
const patience = 4000
const retry = { attempts: 3, base: 400, cap: 2000 }

/** How callers ask: through the whole client. */
const asking = ({ ledger, seed, service }: World): Effect.Effect<Ask> =>
  MarketData.make({
    baseUrl: "https://service.test",
    token: Effect.flatMap(Random.nextIntBetween(0, longestPause), (millis) =>
      Effect.delay(Effect.succeed(Redacted.make("a-token-for-tests")), millis)),
    maxSymbols,
    retries: { tokens: 1e6, perSecond: 0 }
  }).pipe(
    Effect.provide(IpGuard.layerMemory()),
    Effect.provideService(CreditLedger.CreditLedger, ledger),
    Effect.provideService(HttpClient.HttpClient, service.client),
    Effect.map((client): Ask => (tickers) =>
      MarketData.stockPrices(tickers).pipe(
        Effect.provideService(MarketData.MarketData, client),
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make(retry)),
        Effect.provideService(Policies.AttemptTimeout, patience),
        Random.withSeed(`${seed} ${tickers[0]}`)
      )
    )
  )

/** The moments at which callers come, hundreds at once: a clock wakes sleepers one by one, but a latch lets all go that wait for it. */
const arrivals = 8

/** Lets a thousand callers ask within a few seconds, three in ten of whom give up at some moment, and gives where they were then. */
const crowd = Effect.fnUntraced(function*(ask: Ask, seed: number, stages: Stages) {
  const interrupted: Array<Stage> = []
  const gates = Arr.makeBy(arrivals, () => Latch.makeUnsafe())
  const call = Effect.fnUntraced(function*(caller: number) {
    yield* Latch.await(gates[Math.floor(draw(seed, "arrival", caller) * arrivals)]!)
    const asking = yield* Effect.forkChild(ask(tickersOf(seed, caller)))
    if (draw(seed, "gives up", caller) < 0.3) {
      yield* Effect.sleep(Math.floor(draw(seed, "patience", caller) ** 2 * 3000))
      interrupted.push(stages.of(caller))
      yield* Fiber.interrupt(asking)
    }
    const exit = yield* Fiber.await(asking)
    if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) return yield* Effect.failCause(exit.cause)
  })
  const fibers = yield* Effect.forEach(Arr.range(1, callers), (caller) => Effect.forkChild(call(caller)))
  for (const gate of gates) {
    yield* Latch.open(gate)
    yield* TestClock.adjust("500 millis")
  }
  while (fibers.some((fiber) => fiber.pollUnsafe() === undefined)) yield* TestClock.adjust("10 seconds")
  yield* Effect.forEach(fibers, Fiber.join, { discard: true })
  return interrupted
})

/** Runs one seed, and checks at each step, and at the end, what must hold of its budget. */
const run = Effect.fnUntraced(function*(seed: number) {
  const stages = new Stages()
  const plants = seed % 2 === 0
  const allowance = 100 + Math.floor(draw(seed, "allowance") * 500)
  const service = new Service(seed, plants, stages)
  const accountant = new Accountant(allowance, stages)
  const ledger = yield* CreditLedger.makeMemory({ allowance, history: 100_000 })
  const ask = yield* asking({ seed, service, ledger: accountant.watch(ledger) })
  const interrupted = yield* crowd(ask, seed, stages)

  const balance = yield* ledger.balance
  const { accounts, admitted, charged, excess, overruns, refused, uncertain } = accountant
  assert.strictEqual(balance.reserved, 0, "something is still reserved")
  assert.deepInclude(balance, { charged, uncertain, overdrawn: excess, available: allowance - charged - uncertain })
  assert.isAtMost(charged + uncertain, allowance + balance.overdrawn, "spent more than there was")
  assert.isAtMost(service.billed, allowance, "billed more than there was, overruns apart")
  assert.isAtMost(service.billed + excess, charged + uncertain, "billed what is in no ledger")
  assert.isAtMost(excess, service.planted, "overran without a false assumption")
  assert.isTrue(accounts.every(({ settled }) => settled === 1), "settled twice, or never")
  const events = yield* wholeHistory(ledger)
  assert.isTrue(events.every(({ number }, index) => number === index + 1), "the history has a gap")
  const told = (tag: CreditLedger.Event["_tag"]) => events.filter(({ _tag }) => _tag === tag).length
  assert.deepStrictEqual([told("Reserved"), told("Settled"), told("Overran")], [admitted, admitted, overruns])
  assert.strictEqual(told("Sent"), service.requests)
  const spent = new Set<number>()
  for (const event of events) {
    if ((event._tag === "Lost" || event._tag === "Charged") && event.credits > 0) spent.add(event.reservation)
    if (event._tag === "Extended") assert.isTrue(spent.has(event.reservation), "reserved less than a query may cost")
  }
  return { interrupted, admitted, refused, overruns, plants, extended: told("Extended") }
})

const seeds = runs(6, 3)

/** Where callers are interrupted. */
const everyStage: ReadonlyArray<Stage> = [
  "not asked",
  "refused",
  "reserved",
  "in flight",
  "in the body",
  "between attempts",
  "settled"
]

/** Runs some seeds, names the one that fails, and makes sure that together they have seen everything that is to be seen. */
const runAll = Effect.gen(function*() {
  const runs = yield* Effect.forEach(
    Arr.range(1, seeds),
    (seed) => Effect.catchCause(run(seed), (cause) => Effect.die(new Error(`seed ${seed}: ${Cause.pretty(cause)}`)))
  )
  for (const stage of everyStage) {
    assert.isTrue(runs.some(({ interrupted }) => interrupted.includes(stage)), `no caller was interrupted ${stage}`)
  }
  assert.isTrue(runs.every(({ admitted, refused }) => admitted > 20 && refused > 20), "the budget was not contested")
  assert.isTrue(runs.every(({ overruns, plants }) => plants || overruns === 0), "overran where nothing was planted")
  assert.isTrue(runs.some(({ overruns }) => overruns > 0), "nothing overran")
  assert.isTrue(runs.some(({ extended }) => extended > 0), "no retry had to make room")
})

describe("CreditLedger", () => {
  it.effect(`never admits more than the budget of a thousand callers: ${seeds} seeds`, () => runAll)
})
