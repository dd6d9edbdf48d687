/**
 * How deep the tests go, in one place. By default a law is tried a hundred times and a long story a few: enough to find every planted fault,
 * in two minutes on two cores. `TEST_DEPTH=full npm test`, as continuous integration runs it, also runs the files named `*.full.test.ts`.
 * `TEST_SEED=7` has the decoder's and the ledger's tests draw other examples.
 */
import * as fc from "fast-check"

const depth = process.env["TEST_DEPTH"] ?? ""

if (depth !== "" && depth !== "full") {
  throw new Error(`TEST_DEPTH must be "full" or not set, not ${JSON.stringify(depth)}: try TEST_DEPTH=full npm test`)
}

export const isFull = depth === "full"

/** How long one test may take by default, in milliseconds. */
export const testTimeout = 60_000

/** The seed of tests that draw their own examples. */
export const seed = Number(process.env["TEST_SEED"] ?? 20_261_121)

/** How often something is tried at full depth, and by default. */
export const runs = (full: number, byDefault: number = Math.min(full, 100)): number => isFull ? full : byDefault

/** The settings of a law that costs little: 2,000 runs at full depth. On failure fast-check prints the seed and the path to the example. */
export const trials = (seed: number) => ({ numRuns: runs(2_000), seed })

/** Tries a law with what `values` draw, as often as `settings` say. */
export const forAll = <Values extends [unknown, ...Array<unknown>]>(
  settings: fc.Parameters<Values>,
  ...law: Parameters<typeof fc.property<Values>>
): void => fc.assert(fc.property<Values>(...law), settings)

/** Tries a law that takes promises. */
export const forAllAsync = <Values extends [unknown, ...Array<unknown>]>(
  settings: fc.Parameters<Values>,
  ...law: Parameters<typeof fc.asyncProperty<Values>>
): Promise<void> => fc.assert(fc.asyncProperty<Values>(...law), settings)
