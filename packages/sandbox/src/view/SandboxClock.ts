/**
 * The time of a sandbox: frozen, real or fast. It replaces Effect's clock for everything that the layer is provided to, and for nothing
 * else, so a sandbox can have another time than its clients.
 *
 * @example
 * ```ts
 * import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
 * import * as Clock from "effect/Clock"
 * import * as Effect from "effect/Effect"
 *
 * const frozen = SandboxClock.layer({ pace: "frozen", at: 1795194000 })
 *
 * await Effect.runPromise(Effect.provide(Clock.currentTimeMillis, frozen)) // => 1795194000000
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as QuoteTime from "../market/QuoteTime.ts"

/**
 * How fast time passes: not at all, at normal speed, or faster.
 *
 * @category models
 * @since 0.1.0
 */
export type Pace = "frozen" | "real" | "fast"

/**
 * A clock.
 *
 * - `pace`: frozen, real (the default) or fast
 * - `at`: the initial time, in epoch seconds from `earliest` to `latest`; now by default
 * - `speed`: how many seconds a fast clock advances in a real second; 60 by default, so that a session takes six and a half minutes
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly pace?: Pace | undefined
  readonly at?: number | undefined
  readonly speed?: number | undefined
}

/**
 * The first second that a clock can be set to, in epoch seconds: there is no market before it.
 *
 * @category constants
 * @since 0.1.0
 */
export const earliest = NewYork.midnight({ year: QuoteTime.years.first, month: 1, day: 1 })

/**
 * The last second that a clock can be set to, in epoch seconds: there is no market after it.
 *
 * @category constants
 * @since 0.1.0
 */
export const latest = NewYork.midnight({ year: QuoteTime.years.last + 1, month: 1, day: 1 }) - 1

const dayOf = (epochSeconds: number): string => CalendarDate.format(NewYork.dateOf(epochSeconds))

/**
 * The clock cannot be set to a time, or cannot go at a speed.
 *
 * @category errors
 * @since 0.1.0
 */
export class SandboxClockError extends Data.TaggedError("SandboxClockError")<{
  readonly option: "pace" | "at" | "speed"
  readonly value: unknown
}> {
  /** What the option must be. */
  get rule(): string {
    return {
      pace: `must be "frozen", "real" or "fast"`,
      at: `must be a number of epoch seconds from ${earliest} (${dayOf(earliest)}) to ${latest} (${dayOf(latest)})`,
      speed: "must be a positive, finite number"
    }[this.option]
  }
  /** What it could be. */
  get example(): string {
    return { pace: "frozen", at: "1795194000", speed: "60" }[this.option]
  }
  override get message(): string {
    return Problem.format(`${this.option} ${Problem.shown(this.value)}`, this)
  }
}

/**
 * The clock of a sandbox, which can be set. `now` and `set` are in epoch seconds; `set` fails for a time before `earliest` or after `latest`.
 *
 * @category services
 * @since 0.1.0
 */
export class SandboxClock extends Context.Service<SandboxClock, {
  readonly pace: Pace
  readonly now: Effect.Effect<number>
  readonly set: (at: number) => Effect.Effect<void, SandboxClockError>
}>()("@effect-marketdata/sandbox/SandboxClock") {}

const paces: ReadonlyArray<unknown> = ["frozen", "real", "fast"]

const checkTime = (at: unknown): Effect.Effect<void, SandboxClockError> =>
  typeof at === "number" && at >= earliest && at <= latest
    ? Effect.void
    : Effect.fail(new SandboxClockError({ option: "at", value: at }))

const check = Effect.fnUntraced(function*({ at, pace, speed }: Options): Effect.fn.Return<void, SandboxClockError> {
  if (pace !== undefined && !paces.includes(pace)) {
    return yield* new SandboxClockError({ option: "pace", value: pace })
  }
  if (at !== undefined) yield* checkTime(at)
  if (speed !== undefined && !(typeof speed === "number" && speed > 0 && speed < Infinity)) {
    return yield* new SandboxClockError({ option: "speed", value: speed })
  }
})

/**
 * A clock that replaces Effect's own. A sleep takes as long as this clock says; if the clock is frozen, it takes real time.
 *
 * @example
 * ```ts
 * import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
 *
 * // It is noon in New York on 20 November 2026, and time goes on.
 * export const clock = SandboxClock.layer({ at: 1_795_194_000 })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<SandboxClock, SandboxClockError> =>
  Layer.effectContext(Effect.gen(function*() {
    yield* check(options)
    const outer = yield* Clock.Clock
    const { at, pace = "real" } = options
    const speed = pace === "frozen" ? 0 : pace === "real" ? 1 : options.speed ?? 60
    const start = outer.currentTimeMillisUnsafe()
    let anchor = { inner: at === undefined ? start : at * 1000, outer: start }
    const clock: Clock.Clock = {
      ...shifted(outer, (millis) => Math.floor(anchor.inner + (millis - anchor.outer) * speed)),
      sleep: (duration) => outer.sleep(speed === 0 ? duration : Duration.millis(Duration.toMillis(duration) / speed))
    }
    return Context.make(
      SandboxClock,
      SandboxClock.of({
        pace,
        now: Effect.sync(() => Math.floor(clock.currentTimeMillisUnsafe() / 1000)),
        set: (at) =>
          Effect.andThen(
            checkTime(at),
            Effect.sync(() => {
              anchor = { inner: at * 1000, outer: outer.currentTimeMillisUnsafe() }
            })
          )
      })
    ).pipe(Context.add(Clock.Clock, clock))
  }))

/** The furthest that a time lies from 1970, in milliseconds: beyond it there is no date. */
const furthest = 8_640_000_000_000_000

/**
 * Returns a clock whose time is made of another's, both in epoch milliseconds; it waits as the other does. It always tells a time that is
 * a date: one beyond the last date is told as that, and one that is not a number as the other clock's.
 *
 * @category combinators
 * @since 0.1.0
 */
export const shifted = (clock: Clock.Clock, at: (millis: number) => number): Clock.Clock => {
  const millis = () => {
    const outer = clock.currentTimeMillisUnsafe()
    const inner = at(outer)
    return Number.isNaN(inner) ? outer : Math.max(-furthest, Math.min(furthest, inner))
  }
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}
