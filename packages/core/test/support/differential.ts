/** Decoding beside `JSON.parse` and the oracle, on as many random replies as one has time for. Each throws at the first difference. */
import { ColumnDecoder, OptionChain } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import { type Cut, difference, errorLine, inPieces, kernels } from "./decodings.ts"
import { document, mutate, type Subject, subjects } from "./documents.ts"
import { anyNumber } from "./numberTexts.ts"
import * as Oracle from "./oracle.ts"
import * as Random from "./random.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const numbersPerDocument = 5000

/** Reads so many numbers with both kernels, whole and in pieces, and compares every bit. Returns how many it read. */
export const numbers = (seed: number, count: number): number => {
  const random = Random.make(seed)
  const { below, pick } = random
  let done = 0
  for (; done < count; done += numbersPerDocument) {
    const texts = Array.from({ length: numbersPerDocument }, () => anyNumber(random))
    const column = pick(["bid", "updated"])
    const bytes = bytesOf(`{"s":"ok","${column}":[${texts.join(pick([",", ",", ", ", ",\n  ", " , "]))}]}`)
    const expected = texts.map((text): number => JSON.parse(text))
    const size = pick([50, 4000, 70_000])
    for (const kernel of kernels) {
      const options = { columns: [column], kernel }
      const outcomes = [
        ColumnDecoder.decode(OptionChain.spec, bytes, options),
        inPieces(OptionChain.spec, bytes, () => 1 + below(size), options)
      ]
      for (const outcome of outcomes) {
        const read = Result.getOrThrow(outcome).vectors[column] as Float64Array
        const row = expected.findIndex((value, row) => !Object.is(value, read[row]))
        if (row >= 0) throw new Error(`${kernel.name} reads ${texts[row]} as ${read[row]} (seed ${seed})`)
      }
    }
  }
  return done
}

/** A buffer that still holds what another table left in it. */
const used = (size: number): ArrayBuffer => new Uint8Array(size).fill(0xaa).buffer

const judges = new Map<Subject, (bytes: Uint8Array) => Oracle.Verdict>()

const judgeOf = (subject: Subject): (bytes: Uint8Array) => Oracle.Verdict => {
  const judge = judges.get(subject) ?? Oracle.judge(subject.expected)
  judges.set(subject, judge)
  return judge
}

/**
 * Reads one reply with both kernels, whole and in random pieces, and asks the oracle: all agree on its values, or on the error, field by field.
 * Returns the error, if it is one.
 */
export const compare = (random: Random.Random, subject: Subject, bytes: Uint8Array): string | undefined => {
  const { below, chance, pick } = random
  const { options, spec } = subject
  const verdict = judgeOf(subject)(bytes)
  const errors: Array<string | undefined> = []
  for (const kernel of kernels) {
    const size = pick([1, 5, 40, 300])
    const cut: Cut = () => 1 + below(size)
    const recycled = chance(0.3) ? used(below(3000)) : undefined
    const outcomes = [
      ColumnDecoder.decode(spec, bytes, { ...options, kernel }),
      inPieces(spec, bytes, cut, { ...options, kernel, recycled })
    ]
    for (const outcome of outcomes) {
      const problem = difference(spec, verdict, outcome)
      if (problem !== undefined) throw new Error(`${problem}, by ${kernel.name} in ${shown(bytes)}`)
      const error = errorLine(outcome)
      errors.push(error)
      if (error !== errors[0]) throw new Error(`${error} instead of ${errors[0]}, by ${kernel.name} in ${shown(bytes)}`)
    }
  }
  return errors[0]
}

const shown = (bytes: Uint8Array): string =>
  `${JSON.stringify(new TextDecoder().decode(bytes))} (base64 ${Buffer.from(bytes).toString("base64")})`

/** Compares a number of replies, most of them damaged. Returns that number, and how many of the replies are not errors. */
export const documents = (seed: number, count: number) => {
  const random = Random.make(seed)
  let accepted = 0
  for (let done = 0; done < count; done++) {
    const subject = random.pick(subjects)
    const original = bytesOf(document(random, subject))
    const bytes = random.chance(0.1) ? original : mutate(random, original)
    if (compare(random, subject, bytes) === undefined) accepted++
  }
  return { documents: count, accepted }
}
