/** Laws that are asked of implementations with a mistake. */
import * as Law from "@effect-marketdata/testing/Law"
import { assert } from "@effect/vitest"
import * as Result from "effect/Result"

/** The names of the laws that do not hold. */
const broken = (laws: ReadonlyArray<Law.Law>): ReadonlyArray<string> =>
  laws.filter((law) => Result.isFailure(Law.attempt(law, { runs: 200, seed: 7 }))).map(({ name }) => name)

/** Checks that every law of a list is broken by one of the mistakes at least, and that each mistake breaks one. */
export const assertAllBroken = (mistakes: Readonly<Record<string, ReadonlyArray<Law.Law>>>): void => {
  const found = new Set<string>()
  const all = new Set<string>()
  for (const [mistake, laws] of Object.entries(mistakes)) {
    const names = broken(laws)
    assert.isNotEmpty(names, `no law finds out: ${mistake}`)
    for (const name of names) found.add(name)
    for (const { name } of laws) all.add(name)
  }
  assert.deepStrictEqual([...all].filter((name) => !found.has(name)), [])
}
