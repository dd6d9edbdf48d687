import { Chance, SeededRuntime } from "@effect-marketdata/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect } from "effect"

const make = (seed = 1) => SeededRuntime.make({ at: 1000, chance: Chance.make(seed) })

/** Lets everything happen. */
const toEnd = (runtime: SeededRuntime.SeededRuntime) => {
  do runtime.rest()
  while (runtime.wake())
}

it("lets time pass only when no fiber can go on", () => {
  const runtime = make()
  const seen: Array<number> = []
  runtime.fork(
    Effect.forEach(
      ["1 minute", "1 hour"] as const,
      (pause) => Effect.andThen(Effect.sleep(pause), Effect.map(Clock.currentTimeMillis, (now) => seen.push(now)))
    )
  )
  runtime.rest()
  assert.deepStrictEqual([runtime.now(), runtime.sleeping(), seen], [1000, 1, []])
  toEnd(runtime)
  assert.deepStrictEqual(seen, [61_000, 3_661_000])
  assert.strictEqual(runtime.sleeping(), 0)
})

it("lets the seed decide who goes on", () => {
  const orderOf = (seed: number) => {
    const runtime = make(seed)
    const order: Array<number> = []
    for (let number = 0; number < 8; number++) {
      runtime.fork(Effect.andThen(Effect.yieldNow, Effect.sync(() => order.push(number))))
    }
    toEnd(runtime)
    return order.join()
  }
  assert.strictEqual(orderOf(1), orderOf(1))
  assert.isAbove(new Set([1, 2, 3, 4, 5].map(orderOf)).size, 3)
})

it("kills a process where it stands: nothing of it runs any more, and others go on", () => {
  const runtime = make()
  const [one, other] = [runtime.process(), runtime.process()]
  const said: Array<string> = []
  const gate = Deferred.makeUnsafe<void>()
  const life = (name: string) =>
    Effect.sleep("1 second").pipe(
      Effect.andThen(Effect.sync(() => said.push(`${name} wakes up`))),
      Effect.andThen(Deferred.await(gate)),
      Effect.ensuring(Effect.sync(() => said.push(`${name} ends`)))
    )
  one.fork(life("one"))
  other.fork(life("other"))
  runtime.rest()
  other.kill()
  other.post(() => said.push("a dead process has a turn"))
  other.post(() => said.push("a dead process wakes up"), 5)
  toEnd(runtime)
  one.post(() => Deferred.doneUnsafe(gate, Effect.void))
  toEnd(runtime)
  assert.deepStrictEqual([one.isAlive(), other.isAlive(), said], [true, false, ["one wakes up", "one ends"]])
  assert.strictEqual(runtime.sleeping(), 0)
})

it("gives each process a clock of its own", () => {
  const runtime = make()
  const early = runtime.process({ ahead: -600 })
  const told: Array<number> = []
  early.fork(Effect.andThen(Effect.sleep(100), Effect.map(Clock.currentTimeMillis, (now) => told.push(now))))
  toEnd(runtime)
  assert.deepStrictEqual([told, early.now(), runtime.now()], [[500], 500, 1100])
})

it("posts a task for later, and calls it off", () => {
  const runtime = make()
  const ran: Array<number> = []
  runtime.post(() => ran.push(runtime.now()), 50)
  runtime.post(() => ran.push(-1), 20)()
  toEnd(runtime)
  assert.deepStrictEqual(ran, [1050])
})

it("refuses to go on for ever without any time passing", () => {
  const runtime = make()
  const again = () => void runtime.post(again)
  again()
  assert.throws(runtime.rest, SeededRuntime.Restless)
})
