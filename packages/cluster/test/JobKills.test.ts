/** Jobs whose machines die at any moment: whatever happens, nothing is paid for twice, and what was billed is what the job says. */
import { Job, JobSink } from "@effect-marketdata/cluster"
import * as Query from "@effect-marketdata/core/Query"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { assert, it } from "@effect/vitest"
import { Effect, Random, Result, Stream } from "effect"
import { runs } from "../../core/test/support/depth.ts"
import { sqlite } from "../../sql/test/support/databases.ts"
import { ledger, machine, service, untilOver } from "./support/machines.ts"
import { pass, step } from "./support/time.ts"

const symbols = ["AAPL", "MSFT", "SPY", "QQQ", "F", "IWM", "T", "KO", "GE", "XOM"]
const queries = symbols.map((symbol) => Result.getOrThrow(Query.stockPrices([symbol])))

const seeds = Array.from({ length: runs(2, 1) }, (_, seed) => seed + 1)

/** How one machine's life ends. */
type End = "kill" | "stop" | "leave"

/** Runs a job on one machine after the other, each of which ends at some moment, and then on one that lives. */
const story = (seed: number, whenLost: "report" | "askAgain") =>
  Effect.gen(function*() {
    const database = yield* sqlite.make
    const job: Job.Options = { id: "prices", queries, budget: 15, whenLost }
    for (let life = 0; life < 5; life++) {
      const mortal = yield* machine(database, {
        gateway: yield* Random.nextBoolean,
        runner: { concurrency: yield* Random.nextIntBetween(1, 5) }
      })
      yield* mortal.use(Job.start(job))
      const steps = yield* Random.nextIntBetween(0, 12)
      for (let taken = 0; taken < steps; taken++) yield* step(yield* Random.nextIntBetween(1, 700))
      const end: End = (["kill", "kill", "stop", "leave"] as const)[yield* Random.nextIntBetween(0, 4)]!
      if (end === "kill") yield* mortal.kill
      // What is left alone goes on beside its successor, as behind a network that is cut.
      else if (end === "stop") yield* mortal.stop
    }
    const last = yield* machine(database)
    yield* last.use(Job.start(job))
    const over = yield* untilOver(last, "prices")
    yield* pass(10)
    return {
      over,
      outcomes: yield* last.use(Stream.runCollect(Job.outcomes("prices"))),
      kept: yield* last.use(Stream.runCollect(JobSink.answers("prices"))),
      // Asking for the balance closes what the dead have left.
      balance: yield* Effect.orDie(
        last.use(Effect.scoped(Effect.flatMap(SqlLedger.makeUnlimited(ledger), ({ balance }) => balance)))
      )
    }
  }).pipe(Random.withSeed(seed))

for (const whenLost of ["report", "askAgain"] as const) {
  it.effect(
    `pays for no query twice unless that is allowed, and tells what each cost (${whenLost}, ${seeds.length} seeds)`,
    () =>
      Effect.forEach(seeds, (seed) =>
        Effect.gen(function*() {
          const { balance, kept, outcomes, over } = yield* story(seed, whenLost)
          const sandbox = yield* Sandbox.Sandbox
          const billed = yield* sandbox.billed
          const requests = yield* sandbox.requests
          const about = `seed ${seed}`
          assert.strictEqual(over.state, "ended", about)
          assert.lengthOf(outcomes, queries.length, about)
          assert.deepInclude(over, { asked: 0, notAsked: 0, reserved: 0 }, about)
          // The service does not know some of the symbols, and nothing else may fail.
          for (const { outcome } of outcomes) {
            if (outcome._tag === "Failed") assert.strictEqual(outcome.error.reason._tag, "NotFound", about)
          }
          // The bill is what is known, and at most what is uncertain in addition.
          assert.isAtMost(over.credits, billed, about)
          assert.isAtLeast(over.credits + over.uncertain, billed, about)
          assert.isAtMost(over.credits + over.uncertain, over.budget, about)
          assert.deepInclude(balance, { charged: over.credits, uncertain: over.uncertain, reserved: 0 }, about)
          // Each answer that is said to be there is there.
          const answered = outcomes.flatMap(({ index, outcome }) => outcome._tag === "Answered" ? [index] : [])
          assert.deepStrictEqual(kept.map(({ index }) => index), answered, about)
          if (whenLost === "report") {
            // What cost nothing may be asked again, such as the price of a symbol that the service does not know.
            const paid = requests.filter(({ credits }) => credits > 0).map(({ target }) => target)
            assert.lengthOf(new Set(paid), paid.length, about)
          } else {
            assert.strictEqual(over.lost, 0, about)
          }
        }).pipe(Effect.scoped, Effect.provide(service({ latency: "1 second" }), { local: true })), { discard: true })
  )
}
