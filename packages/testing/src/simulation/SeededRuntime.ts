/**
 * A deterministic runtime: a seed decides which runnable fiber runs next, and where it yields, and time passes only when no fiber can run.
 * Nothing waits for the event loop, so a program of many days is one synchronous call, and the same seed takes the same steps.
 *
 * Programs on several machines are processes of one runtime. Each has a clock of its own, and can be killed: its fibers then stop where they are, and
 * nothing of them runs any more, no finalizer either. What goes from one process to another is posted, as over a network.
 *
 * Programs may wait for Effect's clock and for each other. They must not wait for a promise or a timer: nothing would wake them.
 *
 * @example
 * ```ts
 * import * as Chance from "@effect-marketdata/testing/Chance"
 * import * as SeededRuntime from "@effect-marketdata/testing/SeededRuntime"
 * import * as Effect from "effect/Effect"
 *
 * const runtime = SeededRuntime.make({ at: 0, chance: Chance.make(1) })
 * const [one, other] = [runtime.process(), runtime.process()]
 * const said: Array<string> = []
 * const say = (text: string) => Effect.onInterrupt(Effect.delay(Effect.sync(() => said.push(text)), "1 second"), () => Effect.sync(() => said.push("end")))
 * one.fork(say("one"))
 * other.fork(say("other"))
 * runtime.rest()
 * other.kill()
 * runtime.wake()
 * runtime.rest()
 * said // => ["one"]
 * ```
 *
 * @see {@link Simulation} which runs days of trading with it
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Scheduler from "effect/Scheduler"
import * as Tracer from "effect/Tracer"
import type { Chance } from "./Chance.ts"

/**
 * A program on a machine.
 *
 * - `now`: the time by its clock, in epoch milliseconds
 * - `fork`: starts a fiber
 * - `post`: runs a task in a turn of its own, after a number of milliseconds, unless the process was killed; returns a function that cancels it
 * - `kill`: ends it at once, as `kill -9` does. If a process kills itself, it runs on to the end of its turn
 *
 * @category models
 * @since 0.1.0
 */
export interface Process {
  readonly now: () => number
  readonly isAlive: () => boolean
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  readonly post: (task: () => void, milliseconds?: number) => () => void
  readonly kill: () => void
}

/**
 * A runtime, and its first process.
 *
 * - `process`: starts another one, whose clock may be ahead by a number of milliseconds, or behind
 * - `rest`: runs all fibers until none can run
 * - `wake`: advances time to the next moment at which a fiber wakes up; false if none sleeps
 * - `sleeping`: how many alarms are set
 *
 * @category models
 * @since 0.1.0
 */
export interface SeededRuntime extends Process {
  readonly process: (options?: { readonly ahead?: number | undefined }) => Process
  readonly rest: () => void
  readonly wake: () => boolean
  readonly sleeping: () => number
}

/**
 * Thrown by `rest` if fibers go on forever without any time passing.
 *
 * @category errors
 * @since 0.1.0
 */
export class Restless extends Error {
  override readonly name = "Restless"
  override readonly message = "fibers go on for ever without any time passing"
}

/** What a process runs in a turn. */
interface Task {
  readonly owner: symbol
  readonly run: () => void
}

/** What it runs at a time. */
type Alarm = Task & { readonly at: number }

/** The most turns at one moment of the clock: more are an endless loop. */
const mostTurns = 5_000_000

/**
 * Makes a runtime whose time begins at a time in epoch milliseconds.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ at, chance }: { readonly at: number; readonly chance: Chance }): SeededRuntime => {
  /** Tasks that could run now. */
  let ready: Array<Task> = []
  /** Alarms, sorted by time and then by the order in which they were set; the next is last. */
  let alarms: Array<Alarm> = []
  let now = at
  let untilPause = 1000

  // Yields after a random number of operations, so that for some seed another fiber runs between any two steps.
  const shouldYield: Scheduler.Scheduler["shouldYield"] = (fiber) => {
    // Effect's own scheduler never pauses before the first operation of a turn either: a fiber that is interrupted before it has begun
    // would then begin all the same.
    if (--untilPause > 0 || fiber.currentOpCount < 2) return false
    untilPause = 1 + chance.below(chance.is(0.1) ? 20 : 3000)
    return true
  }
  const random = {
    nextIntUnsafe: () => Math.floor((chance.next() - 0.5) * Number.MAX_SAFE_INTEGER * 2),
    nextDoubleUnsafe: chance.next
  }

  const process = ({ ahead = 0 }: { readonly ahead?: number | undefined } = {}): Process => {
    const owner = Symbol()
    let isDead = false
    const post = (run: () => void, milliseconds = 0): () => void => {
      if (isDead) return () => {}
      if (milliseconds <= 0) {
        ready.push({ owner, run })
        return () => {}
      }
      const alarm = { owner, run, at: now + Math.ceil(milliseconds) }
      // Searched from the end, because most ring soon.
      alarms.splice(alarms.findLastIndex(({ at }) => at > alarm.at) + 1, 0, alarm)
      return () => {
        const index = alarms.lastIndexOf(alarm)
        if (index >= 0) alarms.splice(index, 1)
      }
    }
    const dispatcher: Scheduler.SchedulerDispatcher = {
      scheduleTask: (task) => void post(task),
      flush: () => {}
    }
    const nowHere = () => now + ahead
    const nanos = () => BigInt(Math.floor(nowHere() * 1000)) * 1000n
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: nowHere,
      currentTimeMillis: Effect.sync(nowHere),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) => {
        const millis = Duration.toMillis(duration)
        if (millis === Infinity) return Effect.never
        return millis <= 0
          ? Effect.yieldNow
          : Effect.callback((resume) => Effect.sync(post(() => resume(Effect.void), millis)))
      }
    }
    const fork = Effect.runForkWith(
      Context.make(Scheduler.Scheduler, { executionMode: "async", shouldYield, makeDispatcher: () => dispatcher }).pipe(
        Context.add(Clock.Clock, clock),
        Context.add(Random.Random, random)
      )
    )
    return {
      now: nowHere,
      isAlive: () => !isDead,
      fork: (effect) => fork(effect),
      post,
      kill: () => {
        isDead = true
        ready = ready.filter((task) => task.owner !== owner)
        alarms = alarms.filter((alarm) => alarm.owner !== owner)
      }
    }
  }

  return {
    ...process(),
    process,
    rest: () => {
      for (let turns = 0; ready.length > 0; turns++) {
        if (turns > mostTurns) throw new Restless()
        const index = chance.below(ready.length)
        const { run } = ready[index]!
        ready[index] = ready.at(-1)!
        ready.length--
        run()
      }
    },
    wake: () => {
      const next = alarms.at(-1)
      if (next === undefined) return false
      now = Math.max(now, next.at)
      ready.push(...alarms.splice(alarms.findLastIndex(({ at }) => at > now) + 1).toReversed())
      return true
    },
    sleeping: () => alarms.length
  }
}

/**
 * Tells every text of logs and spans, for programs that are run with this context: a secret must be in none of them. Spans have numbers in place of
 * random ids.
 *
 * @category constructors
 * @since 0.1.0
 */
export const watching = (seek: (where: string, text: string) => void): Context.Context<never> => {
  let spans = 0
  class WatchedSpan extends Tracer.NativeSpan {
    private readonly number = ++spans
    // The ids are sent with requests, so they must be the same in every run of a seed.
    override get spanId(): string {
      return this.number.toString(16).padStart(16, "0")
    }
    override get traceId(): string {
      return Option.getOrUndefined(this.parent)?.traceId ?? this.number.toString(16).padStart(32, "0")
    }
    override attribute(key: string, value: unknown): void {
      seek("an attribute of a span", `${key} ${String(value)}`)
      super.attribute(key, value)
    }
    override event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
      seek("an event of a span", `${name} ${JSON.stringify(attributes)}`)
      super.event(name, startTime, attributes)
    }
  }
  const span: Tracer.Tracer["span"] = (options) => {
    seek("the name of a span", options.name)
    return new WatchedSpan(options)
  }
  const logger = Logger.make(({ cause, message }) => seek("a log", `${String(message)} ${Cause.pretty(cause)}`))
  return Context.make(Tracer.Tracer, Tracer.make({ span })).pipe(
    Context.add(Logger.CurrentLoggers, new Set([logger]))
  )
}
