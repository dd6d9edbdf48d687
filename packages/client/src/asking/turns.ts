import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/**
 * The turns in which the replies of a client are read. All of them share the time between two turns of the event loop: each by itself would be
 * short enough, and fifty of them would hold up the program.
 */
export interface Turns {
  /** Counts work that was done. */
  readonly count: (nanos: bigint, bytes: number) => void
  /** Whether enough was done for this turn. */
  readonly isOver: () => boolean
  /** Waits for a turn; one reply has one at a time. */
  readonly next: Effect.Effect<void>
}

/** After this many nanoseconds of work, or bytes where no time goes by, a turn is over. */
const mostNanos = 8_000_000n
const mostBytes = 1_048_576

/** Begins the first turn. */
export const make = (): Turns => {
  const one = Semaphore.makeUnsafe(1)
  let nanos = 0n
  let bytes = 0
  return {
    count: (moreNanos, moreBytes) => {
      nanos += moreNanos
      bytes += moreBytes
    },
    isOver: () => nanos > mostNanos || bytes > mostBytes,
    next: one.withPermit(Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => {
        nanos = 0n
        bytes = 0
      })
    ))
  }
}
