import * as Runner from "@effect-marketdata/cluster/Runner"
import { assert, describe, it } from "@effect/vitest"
import * as Member from "effect/cluster/Runner"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"

const runnerAt = (host: string) =>
  Member.make({ address: RunnerAddress.make(host, 34431), groups: ["default"], weight: 1 })

describe("a runner", () => {
  it.effect("joins once the others know that its last life is over, and have had time to take its accounts", () =>
    Effect.gen(function*() {
      let runners: ReadonlyArray<readonly [Member.Runner, boolean]> = [
        [runnerAt("10.0.0.1"), true],
        [runnerAt("10.0.0.2"), true]
      ]
      const storage = RunnerStorage.RunnerStorage.of({
        ...(yield* RunnerStorage.makeMemory),
        getRunners: Effect.sync(() => [...runners])
      })
      const joining = yield* Effect.forkChild(
        Effect.provideService(Runner.untilMayJoin({ host: "10.0.0.1" }), RunnerStorage.RunnerStorage, storage)
      )
      const hasJoined = Effect.sync(() => joining.pollUnsafe() !== undefined)
      yield* TestClock.adjust("5 seconds")
      assert.isFalse(yield* hasJoined)
      // Known to be dead is as good as forgotten.
      runners = [[runnerAt("10.0.0.1"), false], [runnerAt("10.0.0.2"), true]]
      yield* TestClock.adjust("3 seconds")
      assert.isFalse(yield* hasJoined)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(joining)
    }))
})
