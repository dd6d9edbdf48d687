/** What pauses the reading of replies: too many bytes under way, and other things to do. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/**
 * The bytes of the replies that a client is reading, all together. A reply has a share that it never waits for; beyond it, a reply waits while
 * too much is under way. The one that wanted more first never waits, so that there is always one that comes to its end, and makes room.
 *
 * So all replies together hold at most `most` bytes, the share of each, and one whole reply; and each the piece that it read last.
 */
export interface BytesInFlight {
  /** Begins to count a reply. */
  readonly begin: () => Counted
}

/** One reply that is being read. */
export interface Counted {
  /** Counts bytes that were read. Answers whether more may be read at once. */
  readonly take: (bytes: number) => boolean
  /** Waits until more may be read. */
  readonly room: Effect.Effect<void>
  /** The reply is read, or given up: makes room for others. */
  readonly end: () => void
}

/** Counts from 0: as many bytes as `most`, and `share` for each reply. */
export const bytesInFlight = ({ most, share }: { readonly most: number; readonly share: number }): BytesInFlight => {
  let total = 0
  /** Those that want more than their share, in the order in which they did. */
  const large = new Set<Counted>()
  const waiting = new Map<Counted, () => void>()
  const wake = () => {
    if (waiting.size === 0) return
    for (const [counted, go] of Array.from(waiting)) if (total <= most || isFirst(counted)) go()
  }
  const isFirst = (counted: Counted): boolean => large.values().next().value === counted
  const begin = (): Counted => {
    let held = 0
    const mayGoOn = (): boolean => held <= share || total <= most || isFirst(counted)
    const counted: Counted = {
      take: (bytes) => {
        held += bytes
        total += bytes
        if (held > share) large.add(counted)
        return mayGoOn()
      },
      room: Effect.callback((resume) => {
        if (mayGoOn()) return resume(Effect.void)
        waiting.set(counted, () => {
          waiting.delete(counted)
          resume(Effect.void)
        })
        return Effect.sync(() => void waiting.delete(counted))
      }),
      end: () => {
        total -= held
        held = 0
        large.delete(counted)
        wake()
      }
    }
    return counted
  }
  return { begin }
}

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
export const turns = (): Turns => {
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
