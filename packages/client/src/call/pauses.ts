/** What makes the reading of replies pause: too many bytes in memory, or other work of the program that waits for its turn. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** One reply that is being read. */
export interface Counted {
  /** Counts bytes that were read. Returns whether more may be read at once. */
  readonly take: (bytes: number) => boolean
  /** Waits until more may be read. */
  readonly room: Effect.Effect<void>
  /** The reply is read, or given up: makes room for others. */
  readonly end: () => void
}

/**
 * Makes what begins to count the bytes of a reply. It may read its share without waiting; beyond its share it waits while all replies that a client reads
 * together hold more than `most` bytes. The reply that was first to exceed its share never waits, so that one reply always ends and makes room.
 *
 * So all replies together hold at most `most` bytes, the share of each, one whole reply, and the last piece of each.
 */
export const bytesInFlight = ({ most, share }: { readonly most: number; readonly share: number }) => {
  let total = 0
  /** The replies beyond their share, in the order in which they exceeded it. */
  const large = new Set<Counted>()
  const waiting = new Map<Counted, () => void>()
  const wake = () => {
    if (waiting.size === 0) return
    for (const [counted, go] of Array.from(waiting)) if (total <= most || isFirst(counted)) go()
  }
  const isFirst = (counted: Counted): boolean => large.values().next().value === counted
  return (): Counted => {
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
}

/**
 * The turns in which the replies of a client are decoded. All replies share the time of one turn of the event loop: fifty replies with a turn each would
 * block the program.
 */
export type Turns = ReturnType<typeof turns>

/** A turn is over after this many nanoseconds of work or, under a clock that stands still, this many bytes. */
const mostNanos = 8_000_000n
const mostBytes = 1_048_576

/** Begins the first turn. */
export const turns = () => {
  const one = Semaphore.makeUnsafe(1)
  let nanos = 0n
  let bytes = 0
  return {
    /** Counts work that was done. */
    count: (moreNanos: bigint, moreBytes: number): void => {
      nanos += moreNanos
      bytes += moreBytes
    },
    /** Whether enough was done for this turn. */
    isOver: (): boolean => nanos > mostNanos || bytes > mostBytes,
    /** Waits for a turn; one reply has one at a time. */
    next: one.withPermit(Effect.map(Effect.yieldNow, () => {
      nanos = 0n
      bytes = 0
    }))
  }
}
