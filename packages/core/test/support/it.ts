/** Effect's Vitest, whose tests are also written as their steps: `it.effect("…", function*() { yield* … })`. */
import { it as vitest, type Vitest } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"

export * from "@effect/vitest"

type Step<R> = Effect.Effect<unknown, unknown, R>

/** What a test does with what it is given: an effect, or its steps. */
export type Test<R, Args extends ReadonlyArray<unknown> = []> = (
  ...args: Args
) => Step<R> | Generator<Step<R>, unknown, never>

export const steps = <R, Args extends ReadonlyArray<unknown>>(test: Test<R, Args>) => (...args: Args): Step<R> => {
  const told = test(...args)
  return Effect.isEffect(told) ? told : Effect.gen(() => told)
}

const tester = (run: Vitest.Tester<Scope.Scope>) => {
  const each = <Case>(cases: ReadonlyArray<Case>) => (name: string, test: Test<Scope.Scope, [Case]>) =>
    run.each(cases)(name, (value) => steps(test)(value))
  function one(name: string, test: Test<Scope.Scope>): void
  function one<R>(name: string, test: Test<R | Scope.Scope>, given: Layer.Layer<R, unknown, Scope.Scope>): void
  function one(name: string, test: Test<Scope.Scope>, given?: Layer.Layer<never, unknown, Scope.Scope>) {
    // What a test has opened is closed before what it was given.
    run(name, () => given === undefined ? steps(test)() : Effect.provide(Effect.scoped(steps(test)()), given))
  }
  return Object.assign(one, { each })
}

/** `it` of plain functions, `it.effect` on a clock that only tests move, and `it.live` on the machine's, both given a layer if they need one. */
export const it = Object.assign((name: string, test: () => unknown, timeout?: number) => vitest(name, test, timeout), {
  each: vitest.each,
  effect: tester(vitest.effect),
  live: tester(vitest.live)
})
