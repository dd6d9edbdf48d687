import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"

const start = 1_795_194_000

/** A clock beside the one that the test sets. */
const make = (options: SandboxClock.Options) =>
  Effect.map(Layer.build(SandboxClock.layer(options)), Context.get(SandboxClock.SandboxClock))

/** The sandbox's time in seconds since its start, and the time in which it waits, while an hour passes outside. */
const anHour = Effect.fnUntraced(function*(options: SandboxClock.Options) {
  const fiber = yield* Effect.forkChild(
    Effect.gen(function*() {
      const before = yield* Clock.currentTimeMillis
      yield* Effect.sleep("1 hour")
      return [before / 1000 - start, (yield* Clock.currentTimeMillis) / 1000 - start]
    }).pipe(Effect.provide(SandboxClock.layer({ ...options, at: start })))
  )
  yield* TestClock.adjust("1 hour")
  return yield* Fiber.join(fiber)
})

it.effect("that is frozen stands still, and waits as long as the world does", function*() {
  assert.deepStrictEqual(yield* anHour({ pace: "frozen" }), [0, 0])
})

it.effect("that is real goes as the world does, from where it was set", function*() {
  assert.deepStrictEqual(yield* anHour({}), [0, 3600])
})

it.effect("that is fast passes an hour in a minute", function*() {
  const asleep = Effect.andThen(Effect.sleep("1 hour"), Clock.currentTimeMillis)
  const fiber = yield* Effect.forkChild(Effect.provide(asleep, SandboxClock.layer({ pace: "fast", at: start })))
  yield* TestClock.adjust("59999 millis")
  assert.isUndefined(fiber.pollUnsafe())
  yield* TestClock.adjust("1 millis")
  assert.strictEqual(yield* Fiber.join(fiber), (start + 3600) * 1000)
})

it.effect("that is fast is as fast as it is told", function*() {
  const { now } = yield* make({ pace: "fast", at: start, speed: 3600 })
  yield* TestClock.adjust("10 seconds")
  assert.strictEqual(yield* now, start + 36_000)
})

it.effect("begins now where it is not told", function*() {
  yield* TestClock.setTime(start * 1000)
  const { now } = yield* make({})
  assert.strictEqual(yield* now, start)
})

it.effect("goes on from where it is set", function*() {
  const { now, set } = yield* make({ at: start })
  yield* TestClock.adjust("1 minute")
  yield* set(start + 86_400)
  yield* TestClock.adjust("1 minute")
  assert.strictEqual(yield* now, start + 86_460)
})

describe("what it cannot be set to", () => {
  const outside = [SandboxClock.earliest - 1, SandboxClock.latest + 1, 1e15, -1e15, Number.MAX_VALUE]
  const times: ReadonlyArray<unknown> = [...outside, NaN, Infinity, -Infinity, "2026-11-20", null, {}]
  for (const at of times) {
    it.effect(`is refused with the times it takes: ${String(at)}`, function*() {
      const built = yield* Effect.flip(make({ at: at as number }))
      const { now, set } = yield* make({ at: start, pace: "frozen" })
      const refused = yield* Effect.flip(set(at as number))
      for (const error of [built, refused]) {
        assert.deepStrictEqual([error._tag, error.option], ["SandboxClockError", "at"])
        assert.include(error.message, "must be a number of epoch seconds from 946702800 (2000-01-01)")
        assert.include(error.message, "(2095-12-31)")
      }
      assert.strictEqual(yield* now, start)
    })
  }

  for (const at of [SandboxClock.earliest, SandboxClock.latest]) {
    it.effect(`is set to the ends of what it takes: ${at}`, function*() {
      const { now, set } = yield* make({ pace: "frozen" })
      yield* set(at)
      assert.strictEqual(yield* now, at)
    })
  }

  const cases = [["speed", 0], ["speed", -1], ["speed", NaN], ["speed", Infinity], ["pace", "slow"]] as const
  for (const [option, value] of cases) {
    it.effect(`refuses ${option} ${value}`, function*() {
      const error = yield* Effect.flip(make({ [option]: value }))
      assert.strictEqual(error.option, option)
      assert.match(error.message, new RegExp(`^${option} "?${value}"? must be .*, e\\.g\\. .*\\.$`))
    })
  }
})

it.effect("never tells a time that is not a date, however fast it goes", function*() {
  const services = yield* Layer.build(SandboxClock.layer({ pace: "fast", speed: 1e300, at: start }))
  const clock = Context.get(services, Clock.Clock)
  yield* TestClock.adjust("1 day")
  assert.strictEqual(clock.currentTimeMillisUnsafe(), 8_640_000_000_000_000)
  assert.strictEqual(clock.currentTimeNanosUnsafe(), 8_640_000_000_000_000_000_000n)
  for (const [shift, told] of [[1e300, 8.64e15], [-1e300, -8.64e15], [NaN, 86_400_000]] as const) {
    const outer = yield* Clock.Clock
    assert.strictEqual(SandboxClock.shifted(outer, (millis) => millis + shift).currentTimeMillisUnsafe(), told)
  }
})

it.effect("leaves the clock of everybody else alone", function*() {
  yield* Effect.provide(Effect.void, SandboxClock.layer({ at: start }))
  assert.strictEqual(yield* Clock.currentTimeMillis, 0)
})
