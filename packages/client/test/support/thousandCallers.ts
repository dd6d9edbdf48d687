/** A thousand callers who ask under one budget, and give up at every moment: what holds of the budget, wherever its ledger is kept. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Policies from "@effect-marketdata/client/Policies"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import { assert } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Accountant, draw, maxSymbols, Service, type Stage, Stages, tickersOf, wholeHistory } from "./callers.ts"

const callers = 1000

/** Where the ledger is kept, and how time goes on. */
export interface Kept {
  readonly make: (allowance: number) => Effect.Effect<KeptLedger, never, Scope.Scope>
  readonly adjust: (time: Duration.Input) => Effect.Effect<void>
  /** Whether nothing can happen while a step is taken. */
  readonly isInstant: boolean
}

interface KeptLedger {
  readonly ledger: CreditLedger.CreditLedger["Service"]
  /** All that happened. */
  readonly events: Effect.Effect<ReadonlyArray<CreditLedger.Event>>
}

/** In memory. */
export const inMemory: Kept = {
  make: (allowance) =>
    Effect.map(
      CreditLedger.makeMemory({ allowance, history: 100_000 }),
      (ledger) => ({ ledger, events: wholeHistory(ledger) })
    ),
  adjust: TestClock.adjust,
  isInstant: true
}

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
const crowd = Effect.fnUntraced(function*(ask: Ask, seed: number, stages: Stages, adjust: Kept["adjust"]) {
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
    yield* adjust("500 millis")
  }
  while (fibers.some((fiber) => fiber.pollUnsafe() === undefined)) yield* adjust("10 seconds")
  yield* Effect.forEach(fibers, Fiber.join, { discard: true })
  return interrupted
})

/** Runs one seed, and checks at each step, and at the end, what must hold of its budget. */
const run = Effect.fnUntraced(function*(kept: Kept, seed: number) {
  const stages = new Stages()
  const plants = seed % 2 === 0
  const allowance = 100 + Math.floor(draw(seed, "allowance") * 500)
  const service = new Service(seed, plants, stages)
  const accountant = new Accountant(allowance, stages)
  const { events: whole, ledger } = yield* kept.make(allowance)
  const ask = yield* asking({ seed, service, ledger: accountant.watch(ledger) })
  const interrupted = yield* crowd(ask, seed, stages, kept.adjust)

  const balance = yield* ledger.balance
  const { accounts, admitted, charged, excess, overruns, refused, uncertain } = accountant
  assert.strictEqual(balance.reserved, 0, "something is still reserved")
  assert.deepInclude(balance, { charged, uncertain, overdrawn: excess, available: allowance - charged - uncertain })
  assert.isAtMost(charged + uncertain, allowance + balance.overdrawn, "spent more than there was")
  assert.isAtMost(service.billed, allowance, "billed more than there was, overruns apart")
  assert.isAtMost(service.billed + excess, charged + uncertain, "billed what is in no ledger")
  assert.isAtMost(excess, service.planted, "overran without a false assumption")
  assert.isTrue(accounts.every(({ settled }) => settled === 1), "settled twice, or never")
  const events = yield* whole
  assert.isTrue(events.every(({ number }, index) => number === index + 1), "the history has a gap")
  const told = (tag: CreditLedger.Event["_tag"]) => events.filter(({ _tag }) => _tag === tag).length
  assert.deepStrictEqual(
    [told("Reserved"), told("Settled"), told("Overran")],
    [admitted, admitted, overruns]
  )
  // Who gives up while a request is being written down has marked one that is never sent.
  if (kept.isInstant) assert.strictEqual(told("Sent"), service.requests)
  else assert.isAtLeast(told("Sent"), service.requests)
  const spent = new Set<number>()
  for (const event of events) {
    if ((event._tag === "Lost" || event._tag === "Charged") && event.credits > 0) spent.add(event.reservation)
    if (event._tag === "Extended") assert.isTrue(spent.has(event.reservation), "reserved less than a query may cost")
  }
  return { interrupted, admitted, refused, overruns, plants, extended: told("Extended") }
})

/** Runs some seeds, names the one that fails, and makes sure that together they have seen everything that is to be seen. */
export const runAll = (kept: Kept, seeds: number, expected: ReadonlyArray<Stage>) =>
  Effect.gen(function*() {
    const runs = yield* Effect.forEach(
      Arr.range(1, seeds),
      (seed) =>
        Effect.catchCause(Effect.scoped(run(kept, seed)), (cause) =>
          Effect.die(new Error(`seed ${seed}: ${Cause.pretty(cause)}`)))
    )
    for (const stage of expected) {
      assert.isTrue(
        runs.some(({ interrupted }) =>
          interrupted.includes(stage)
        ),
        `nobody was interrupted ${stage}`
      )
    }
    assert.isTrue(runs.every(({ admitted, refused }) => admitted > 20 && refused > 20), "the budget was not contested")
    assert.isTrue(runs.every(({ overruns, plants }) => plants || overruns === 0), "overran where nothing was planted")
    assert.isTrue(runs.some(({ overruns }) => overruns > 0), "nothing overran")
    assert.isTrue(runs.some(({ extended }) => extended > 0), "no retry had to make room")
  })

/** Where callers are interrupted. */
export const stages: ReadonlyArray<Stage> = [
  "not asked",
  "refused",
  "reserved",
  "in flight",
  "between attempts",
  "settled"
]
