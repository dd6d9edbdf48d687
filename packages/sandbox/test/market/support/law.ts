/** Laws, held against the same values in every run: a failure is then one of the code. With `endOnFailure` it is shown as it was found. */
import * as fc from "fast-check"
import { runs } from "../../../../core/test/support/depth.ts"

/** So often at full depth where `numRuns` does not say it, and half as often by default. */
export const holds = <Values>(
  law: fc.IProperty<Values>,
  { numRuns = runs(100, 50), ...options }: { readonly numRuns?: number; readonly endOnFailure?: boolean } = {}
): void => fc.assert(law, { seed: 22_718, numRuns, ...options })
