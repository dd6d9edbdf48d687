import * as Chunkings from "@effect-marketdata/testing/Chunkings"
import { assert, describe, it } from "@effect/vitest"
import { sample } from "../support/drawn.ts"

describe("Chunkings", () => {
  it("lose no byte, and cut everywhere", () => {
    const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7])
    const firsts = new Set<number>()
    for (const chunking of sample(Chunkings.chunking)) {
      const pieces = Chunkings.cut(bytes, chunking)
      assert.deepStrictEqual(pieces.flatMap((piece) => [...piece]), [...bytes])
      firsts.add(pieces[0]!.length)
    }
    assert.deepStrictEqual(firsts, new Set([0, 1, 2, 3, 4, 5, 6, 7]))
  })
})
