import type { Edit } from "../fault.ts"

/** A fault of interplay: every part keeps its clauses, and together they lose money, data or patience. */
export interface InterplayFault extends Edit {
  /** What goes wrong, in a few words. */
  readonly name: string
  /** The tests that should find it, from the root of the repository. */
  readonly tests: ReadonlyArray<string>
}

export const client = (module: string): string => `packages/client/src/${module}.ts`
export const core = (module: string): string => `packages/core/src/${module}.ts`

export const clientTests = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `packages/client/test/${name}.test.ts`)
export const coreTests = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `packages/core/test/${name}.test.ts`)
