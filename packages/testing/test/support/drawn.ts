/** Values of arbitraries, the same in every run. */
import * as Law from "@effect-marketdata/testing/Law"
import { assert } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"

const seed = 11

/** Draws so many values. */
export const sample = <A>(arbitrary: fc.Arbitrary<A>, numRuns = 300): ReadonlyArray<A> =>
  fc.sample(arbitrary, { numRuns, seed })

/** The smallest value for which a predicate does not hold: what somebody would be shown whose code has that mistake. */
export const smallest = <A>(arbitrary: fc.Arbitrary<A>, holds: (value: A) => boolean): unknown => {
  const tried = Law.attempt(Law.make({ name: "planted", clauses: [], arbitrary, holds }), { runs: 1000, seed })
  assert(Result.isFailure(tried))
  return tried.failure.counterexample
}
