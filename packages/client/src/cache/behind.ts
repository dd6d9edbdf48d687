import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Patience from "./patience.ts"
import type { KeptReply } from "./store.ts"

/** The most bytes of replies that wait to be kept. Where there are more, a query waits for its own as long as for the disk, and then they are not kept. */
const mostBytes = 67_108_864

/** How long the end of a program waits for what is still to be kept: about half a second. */
const lastPatience = 450

/** Keeps replies behind the answers that they are: what was paid for is answered first. Meanwhile they answer from here. */
export interface Behind {
  readonly find: (key: string) => ReadonlyArray<KeptReply> | undefined
  readonly keep: (key: string, replies: ReadonlyArray<KeptReply>, work: Effect.Effect<void>) => Effect.Effect<void>
}

export const make: Effect.Effect<Behind, never, Scope.Scope> = Effect.gen(function*() {
  const waiting = new Map<string, ReadonlyArray<KeptReply>>()
  const fibers = new Set<Fiber.Fiber<void>>()
  let bytes = 0
  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      yield* Patience.within(lastPatience, Fiber.awaitAll(fibers))
      for (const fiber of fibers) fiber.interruptUnsafe()
    })
  )
  return {
    find: (key) => waiting.get(key),
    keep: Effect.fnUntraced(function*(key, replies, work) {
      const size = replies.reduce((sum, reply) => sum + reply.bytes.length, 0)
      waiting.set(key, replies)
      bytes += size
      const fiber = yield* Effect.forkDetach(work, { startImmediately: true })
      fibers.add(fiber)
      fiber.addObserver(() => {
        fibers.delete(fiber)
        bytes -= size
        if (waiting.get(key) === replies) waiting.delete(key)
      })
      if (bytes <= mostBytes) return
      yield* Patience.within(Patience.ofQuery, Fiber.await(fiber))
      fiber.interruptUnsafe()
    })
  }
})
