import * as ColumnDecoder from "@effect-marketdata/core/columns/ColumnDecoder"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { type Cut, difference, errorLine, inPieces, kernels } from "../support/decodings.ts"
import { document, mutate, subjects } from "../support/documents.ts"
import { anyNumber } from "../support/numberTexts.ts"
import * as Oracle from "../support/oracle.ts"
import * as Random from "../support/random.ts"
import { seed, timeout, times } from "../support/trialCounts.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A buffer that still holds what another table left in it. */
const used = (size: number): ArrayBuffer => new Uint8Array(size).fill(0xaa).buffer

describe(`decoding beside JSON.parse, seed ${seed}`, () => {
  it(`reads ${times(1_000_000)} numbers to the last bit, with both kernels, whole and in pieces`, { timeout }, () => {
    const random = Random.make(seed)
    const { below, pick } = random
    const perDocument = 5000
    for (let done = 0; done < times(1_000_000); done += perDocument) {
      const texts = Array.from({ length: perDocument }, () => anyNumber(random))
      const column = pick(["bid", "updated"])
      const bytes = bytesOf(`{"s":"ok","${column}":[${texts.join(pick([",", ",", ", ", ",\n  ", " , "]))}]}`)
      const expected = texts.map((text): number => JSON.parse(text))
      const size = pick([50, 4000, 70_000])
      for (const kernel of kernels) {
        for (const pieces of [false, true]) {
          const options = { columns: [column], kernel }
          const outcome = pieces
            ? inPieces(OptionChain.spec, bytes, () => 1 + below(size), options)
            : ColumnDecoder.decode(OptionChain.spec, bytes, options)
          const read = Result.getOrThrow(outcome).vectors[column] as Float64Array
          const row = expected.findIndex((value, row) => !Object.is(value, read[row]))
          assert.strictEqual(row, -1, `${texts[row]} is ${read[row]} in ${kernel.name}`)
        }
      }
    }
  })

  it(`takes and refuses ${times(100_000)} documents as the oracle does, with the same error in every way of reading`, {
    timeout
  }, () => {
    const random = Random.make(seed)
    const { below, chance, pick } = random
    const judges = subjects.map(({ question }) => Oracle.judge(question))
    let accepted = 0
    for (let done = 0; done < times(100_000); done++) {
      const which = below(subjects.length)
      const { options, spec } = subjects[which]!
      const original = bytesOf(document(random, subjects[which]!))
      const bytes = chance(0.1) ? original : mutate(random, original)
      const verdict = judges[which]!(bytes)
      if (Result.isSuccess(verdict)) accepted++
      let first: string | undefined
      for (const [way, kernel] of kernels.entries()) {
        const size = pick([1, 5, 40, 300])
        const cut: Cut = () => 1 + below(size)
        const outcomes = [
          ColumnDecoder.decode(spec, bytes, { ...options, kernel }),
          inPieces(spec, bytes, cut, { ...options, kernel, recycled: chance(0.3) ? used(below(3000)) : undefined })
        ]
        for (const outcome of outcomes) {
          const place = () =>
            `${kernel.name}, document ${done} of seed ${seed}: ${JSON.stringify(String(Buffer.from(bytes)))}`
          const problem = difference(spec, verdict, outcome)
          if (problem !== undefined) assert.fail(`${problem}, ${place()}`)
          const error = errorLine(outcome)
          if (way === 0 && outcome === outcomes[0]) first = error
          else if (error !== first) assert.fail(`${error} instead of ${first}, ${place()}`)
        }
      }
    }
    // Were nearly all refused, or nearly all taken, the documents would be no test.
    assert.isAbove(accepted, times(100_000) * 0.15)
    assert.isBelow(accepted, times(100_000) * 0.85)
  })
})
