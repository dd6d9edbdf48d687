/** Faults of interplay: every part keeps its clauses, and together they lose money, data or patience. */
import type { Seam } from "./seam.ts"

/** A fault that no clause names: `about` says in a few words what goes wrong. */
export interface InterplayFault extends Seam {
  /** The tests that should find it, from the root of the repository. */
  readonly tests: ReadonlyArray<string>
}

/** Names the tests that find some faults, as `client/retry` for one of the client's. */
export const foundBy = (tests: ReadonlyArray<string>, ...faults: ReadonlyArray<Seam>): ReadonlyArray<InterplayFault> =>
  faults.map((fault) => ({
    ...fault,
    tests: tests.map((name) => `packages/${name.replace("/", "/test/")}.test.ts`)
  }))
