/**
 * The time of a sandbox: frozen, real or fast. It replaces Effect's clock for everything that the layer is provided to, and for nothing
 * else, so that a sandbox can live in another week than its clients.
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
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * How fast time passes: not at all, as everywhere, or many times as fast.
 *
 * @category models
 * @since 0.1.0
 */
export type Pace = "frozen" | "real" | "fast"

/**
 * A clock.
 *
 * - `pace`: frozen, real (the default) or fast
 * - `at`: the time it begins with, in epoch seconds; now where it is left out
 * - `speed`: how many seconds a second of a fast clock is; 60 by default, so that a session takes six and a half minutes
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
 * The clock of a sandbox, which can be set. `now` and `set` are in epoch seconds.
 *
 * @category services
 * @since 0.1.0
 */
export class SandboxClock extends Context.Service<SandboxClock, {
  readonly pace: Pace
  readonly now: Effect.Effect<number>
  readonly set: (at: number) => Effect.Effect<void>
}>()("@effect-marketdata/sandbox/SandboxClock") {}

/**
 * A clock in place of Effect's own. Waiting takes as long as the clock says; where time stands still, as long as it takes outside.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<SandboxClock> =>
  Layer.effectContext(Effect.map(Clock.Clock, (outer) => {
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
          Effect.sync(() => {
            anchor = { inner: at * 1000, outer: outer.currentTimeMillisUnsafe() }
          })
      })
    ).pipe(Context.add(Clock.Clock, clock))
  }))

/**
 * Returns a clock whose time is made of another's, both in epoch milliseconds; it waits as the other does.
 *
 * @category combinators
 * @since 0.1.0
 */
export const shifted = (clock: Clock.Clock, at: (millis: number) => number): Clock.Clock => {
  const millis = () => at(clock.currentTimeMillisUnsafe())
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
