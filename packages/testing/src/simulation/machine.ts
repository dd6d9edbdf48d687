import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Scheduler from "effect/Scheduler"
import type { Chance } from "./chance.ts"

/**
 * Time and order of a program, in one hand: which of the fibers that could go on does so next, and where it pauses, is chance's to decide,
 * and time passes only when nobody can go on. Nothing waits for the event loop, so that a program of many days is one synchronous call.
 */
export interface Machine {
  /** The time, in epoch milliseconds. */
  readonly now: () => number
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** Lets everybody go on until nobody can. */
  readonly rest: () => void
  /** Passes to the next moment at which somebody wakes up; false where nobody sleeps. */
  readonly wake: () => boolean
  /** How many sleep. */
  readonly sleeping: () => number
}

/** Raised where fibers go on for ever without any time passing. */
export class Restless extends Error {
  override readonly name = "Restless"
  override readonly message = "fibers go on for ever without any time passing"
}

/** This many turns in one moment are no work, but a loop. */
const mostTurns = 5_000_000

/** A machine whose time begins at a time in epoch milliseconds. */
export const make = ({ at, chance }: { readonly at: number; readonly chance: Chance }): Machine => {
  const ready: Array<() => void> = []
  const asleep = makeAlarms()
  let now = at

  const dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (task) => void ready.push(task),
    flush: () => {}
  }
  let untilPause = 1000
  const scheduler: Scheduler.Scheduler = {
    executionMode: "async",
    // Pauses come after any number of operations, so that every two steps of a program have something between them for some seed.
    shouldYield: (fiber) => {
      // Effect's own scheduler never pauses before the first operation of a turn either: a fiber that is interrupted before it has begun
      // would then begin all the same.
      if (--untilPause > 0 || fiber.currentOpCount < 2) return false
      untilPause = 1 + chance.below(chance.is(0.1) ? 20 : 3000)
      return true
    },
    makeDispatcher: () => dispatcher
  }
  const nanos = () => BigInt(Math.floor(now * 1000)) * 1000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis === Infinity) return Effect.never
      return millis <= 0 ? Effect.yieldNow : Effect.callback((resume) => {
        const cancel = asleep.add(now + Math.ceil(millis), () => resume(Effect.void))
        return Effect.sync(cancel)
      })
    }
  }
  const context = Context.make(Scheduler.Scheduler, scheduler).pipe(
    Context.add(Clock.Clock, clock),
    Context.add(Random.Random, {
      nextIntUnsafe: () => Math.floor((chance.next() - 0.5) * Number.MAX_SAFE_INTEGER * 2),
      nextDoubleUnsafe: chance.next
    })
  )
  const fork = Effect.runForkWith(context)

  return {
    now: () => now,
    fork: (effect) => fork(effect),
    rest: () => {
      for (let turns = 0; ready.length > 0; turns++) {
        if (turns > mostTurns) throw new Restless()
        const at = chance.below(ready.length)
        const task = ready[at]!
        ready[at] = ready.at(-1)!
        ready.length--
        task()
      }
    },
    wake: () => {
      const next = asleep.next()
      if (next === undefined) return false
      now = Math.max(now, next)
      for (const ring of asleep.take(now)) ready.push(ring)
      return true
    },
    sleeping: asleep.size
  }
}

/** What rings at a time: a heap by time, and by the order in which it was set. */
const makeAlarms = () => {
  interface Alarm {
    readonly at: number
    readonly order: number
    readonly ring: () => void
    isOff: boolean
  }
  const heap: Array<Alarm> = []
  let order = 0
  let size = 0
  const isBefore = (one: Alarm, other: Alarm) => one.at < other.at || one.at === other.at && one.order < other.order
  const swap = (a: number, b: number) => {
    const alarm = heap[a]!
    heap[a] = heap[b]!
    heap[b] = alarm
  }
  const pop = (): Alarm | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || first === last) return first
    heap[0] = last
    for (let at = 0;;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[least]!)) least = child
      }
      if (least === at) return first
      swap(at, least)
      at = least
    }
  }
  const next = (): number | undefined => {
    while (heap[0]?.isOff === true) pop()
    return heap[0]?.at
  }
  return {
    size: () => size,
    next,
    add: (at: number, ring: () => void) => {
      const alarm: Alarm = { at, order: order++, ring, isOff: false }
      let child = heap.push(alarm) - 1
      for (let parent = (child - 1) >> 1; child > 0 && isBefore(alarm, heap[parent]!); parent = (child - 1) >> 1) {
        swap(child, parent)
        child = parent
      }
      size++
      return () => {
        if (!alarm.isOff) size--
        alarm.isOff = true
      }
    },
    /** Everything that is due. */
    take: (now: number): ReadonlyArray<() => void> => {
      const due: Array<() => void> = []
      while ((next() ?? Infinity) <= now) {
        const alarm = pop()!
        size--
        alarm.isOff = true
        due.push(alarm.ring)
      }
      return due
    }
  }
}
