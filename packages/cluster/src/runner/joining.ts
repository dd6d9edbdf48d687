import type * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Effect from "effect/Effect"

/** How often a runner looks whether the others still count on its last life, in milliseconds. */
const poll = 500

/** How long the others take for the shards of a runner that is gone: they look every half second, and ask for locks every second. */
const settling = 3000

/**
 * Waits until the others know that the last life of a runner is over, and have its shards. While a join is pending nobody takes shards, so a runner that
 * was killed and joins again at once would leave its shards with nobody until the debounce is over.
 */
export const untilForgotten = (
  address: RunnerAddress.RunnerAddress
): Effect.Effect<void, never, RunnerStorage.RunnerStorage> =>
  Effect.flatMap(RunnerStorage.RunnerStorage, ({ getRunners }) => {
    const isKnown = Effect.map(
      getRunners,
      (runners) =>
        runners.some(([runner, isHealthy]) =>
          isHealthy && runner.address.host === address.host && runner.address.port === address.port
        )
    )
    return Effect.delay(isKnown, poll).pipe(
      Effect.repeat({ until: (known) => !known }),
      Effect.andThen(Effect.sleep(settling)),
      // The runner itself tells that the database cannot be used.
      Effect.ignore
    )
  })
