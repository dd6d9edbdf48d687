import * as Effect from "effect/Effect"
import type { KeptReply, Store } from "./store.ts"

/** What a reply takes besides its bytes, about. */
const overhead = 1024

const sizeOf = (key: string, replies: ReadonlyArray<KeptReply>): number =>
  replies.reduce((sum, { bytes }) => sum + bytes.length + overhead, key.length * 2)

/** Keeps replies in memory, those that were used last. */
export const memoryStore = (maxBytes: number): Store => {
  // In the order in which they were used.
  const entries = new Map<string, ReadonlyArray<KeptReply>>()
  let held = 0
  const take = (key: string): ReadonlyArray<KeptReply> | undefined => {
    const replies = entries.get(key)
    if (replies === undefined) return undefined
    entries.delete(key)
    held -= sizeOf(key, replies)
    return replies
  }
  const put = (key: string, replies: ReadonlyArray<KeptReply>): void => {
    take(key)
    entries.set(key, replies)
    held += sizeOf(key, replies)
    for (const oldest of entries.keys()) {
      if (held <= maxBytes) break
      take(oldest)
    }
  }
  return {
    maxBytes,
    find: (key) =>
      Effect.sync(() => {
        const replies = take(key)
        if (replies === undefined) return { _tag: "None" }
        put(key, replies)
        return { _tag: "Kept", replies }
      }),
    keep: (key, replies) => Effect.sync(() => put(key, replies)),
    remove: (key) => Effect.sync(() => void take(key))
  }
}
