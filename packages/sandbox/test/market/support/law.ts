/** Laws, held against the same values in every run: a failure is then one of the code. With `endOnFailure` it is shown as it was found. */
import * as fc from "fast-check"

export const holds = <Values>(
  law: fc.IProperty<Values>,
  options: { readonly numRuns?: number; readonly endOnFailure?: boolean } = {}
): void => fc.assert(law, { seed: 22_718, ...options })
