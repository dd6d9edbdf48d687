import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Turns from "./Turns.ts"

/** What a waiting call is told: that it runs now, or that it lost its seat. */
type Word = "run" | "unseated"

/** Runs calls in the order of `Turns`. */
export type Room = ReturnType<typeof make>

/** Opens a room. */
export const make = (size: Pick<Turns.Turns, "places" | "seats">) => {
  let turns = Turns.make(size)
  let calls = 0
  const told = new Map<number, Deferred.Deferred<Word>>()
  const tell = (call: number, word: Word): void => {
    const waiting = told.get(call)
    told.delete(call)
    if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.succeed(word))
  }
  const leave = Effect.sync(() => {
    const left = Turns.leave(turns)
    turns = left.turns
    if (left.next !== undefined) tell(left.next, "run")
  })
  /** How many calls of each caller run. */
  const running = new Map<string, number>()
  const count = (caller: string, more: 1 | -1): void => {
    const calls = (running.get(caller) ?? 0) + more
    if (calls === 0) running.delete(caller)
    else running.set(caller, calls)
  }
  return {
    /** How many calls run and how many wait now, and whose they are. */
    state: () => ({
      running: turns.running,
      waiting: turns.seated,
      callers: [...new Set([...running.keys(), ...turns.waiting.keys()])].map((caller) => ({
        caller,
        running: running.get(caller) ?? 0,
        waiting: Turns.waitingOf(turns, caller).length
      }))
    }),
    /**
     * Runs a call once it is its turn, and gives its place to the next one however it ends. A call that goes away while it waits leaves its
     * seat. Fails with `full` where it gets no seat, or has to give it up.
     */
    inTurn: <A, E, R, E2>(
      caller: string,
      call: Effect.Effect<A, E, R>,
      full: (waiting: number) => Effect.Effect<never, E2>
    ) =>
      Effect.uninterruptibleMask((restore) => {
        const run = Effect.suspend(() => {
          count(caller, 1)
          return Effect.ensuring(restore(call), Effect.andThen(Effect.sync(() => count(caller, -1)), leave))
        })
        const refuse = Effect.suspend(() => full(turns.seated))
        const number = calls++
        const entered = Turns.enter(turns, caller, number)
        if (entered._tag === "Refused") return refuse
        turns = entered.turns
        if (entered._tag === "Runs") return run
        if (entered.unseated !== undefined) tell(entered.unseated, "unseated")
        const word = Deferred.makeUnsafe<Word>()
        told.set(number, word)
        // If it was told to run while it was interrupted, its place goes to the next call.
        const passOn = Effect.flatMap(Deferred.await(word), (word) => word === "run" ? leave : Effect.void)
        const goAway = Effect.suspend(() => {
          if (!told.delete(number)) return passOn
          turns = Turns.cancel(turns, caller, number)
          return Effect.void
        })
        return Effect.flatMap(
          Effect.onInterrupt(restore(Deferred.await(word)), () => goAway),
          (word): Effect.Effect<A, E | E2, R> => word === "run" ? run : refuse
        )
      })
  }
}
