import { assert, describe, it } from "@effect/vitest"
import * as Differential from "../support/differential.ts"
import { seed, timeout, times } from "../support/trialCounts.ts"

describe(`decoding beside JSON.parse, seed ${seed}`, () => {
  it(`reads ${times(1_000_000)} numbers to the last bit, with both kernels, whole and in pieces`, { timeout }, () => {
    assert.isAtLeast(Differential.numbers(seed, times(1_000_000)), times(1_000_000))
  })

  it(`takes and refuses ${times(100_000)} documents as the oracle does, with the same error in every way of reading`, {
    timeout
  }, () => {
    const { accepted, documents } = Differential.documents(seed, times(100_000))
    // Were nearly all refused, or nearly all taken, the documents would be no test.
    assert.isAbove(accepted, documents * 0.1)
    assert.isBelow(accepted, documents * 0.9)
  })
})
