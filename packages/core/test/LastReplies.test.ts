/** A reply that comes again is compared with the last one, and not decoded. */
import { LastReplies, Query, Reply } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Depth from "./support/depth.ts"

const query = Result.getOrThrow(Query.stockPrices(["A", "B", "C"], { columns: ["symbol", "mid"] }))
const pricesBody = (symbol: ReadonlyArray<string>): string =>
  JSON.stringify({ s: "ok", symbol, mid: symbol.map((_, index) => 100 + index) })

const ok = Reply.head({ status: 200, headers: {} })

/** Reads a text in pieces of a size, and counts the bytes that were decoded. */
const readWith = (memory: LastReplies.LastReplies | undefined) => (text: string, size: number, name = "prices") => {
  let decoded = 0
  const plain = Reply.reader(query, ok, { strict: false })
  const counting: Reply.Reader<unknown> = {
    ...plain,
    push: (bytes) => {
      decoded += bytes.length
      return plain.push(bytes)
    }
  }
  const reader = memory === undefined ? counting : LastReplies.reader(memory, name, counting)
  const bytes = new TextEncoder().encode(text)
  // A client's buffer may be used again for the next piece.
  const buffer = new Uint8Array(size)
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    buffer.set(piece)
    if (!reader.push(buffer.subarray(0, piece.length))) break
  }
  while (reader.advance?.() === true);
  return { body: reader.end(), decoded }
}

const dataOf = (body: Reply.Body<unknown>): unknown =>
  "data" in body && Result.isSuccess(body.data) ? body.data.success.value : undefined

it("answers with the same table, and decodes nothing, where each byte is the same", () => {
  const read = readWith(LastReplies.make({ maxBytes: 10_000 }))
  const [first, second] = [7, 11].map((size) => read(pricesBody(["A", "B", "C"]), size))
  assert.deepStrictEqual([first!.decoded > 0, second!.decoded], [true, 0])
  const table = dataOf(first!.body) as { readonly mid: Float64Array }
  assert.strictEqual(dataOf(second!.body), table)
  // Its columns are empty once its memory was moved to a worker.
  structuredClone(table.mid, { transfer: [table.mid.buffer] })
  assert.isAbove(read(pricesBody(["A", "B", "C"]), 11).decoded, 0)
})

it("reads any series of replies as a client without it does", () => {
  const whole = pricesBody(["A", "B", "C"])
  const others = [pricesBody(["A", "B", "D"]), pricesBody(["A", "B"]), `{"s":"error","errmsg":"closed"}`, ""]
  const text = fc.constantFrom(whole, `${whole} `, whole.slice(0, -1), ...others)
  const step = fc.record({ text, size: fc.integer({ min: 1, max: 200 }), name: fc.constantFrom("prices", "others") })
  const compared = fc.constantFrom(undefined, (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0)
  Depth.forAll(
    { numRuns: Depth.runs(200, 25), seed: 15_7 },
    fc.array(step, { maxLength: 12 }),
    fc.integer({ min: 1, max: 1200 }),
    compared,
    (steps, maxBytes, isEqual) => {
      const read = readWith(LastReplies.make({ maxBytes, isEqual }))
      for (const { name, size, text } of steps) {
        const plain = readWith(undefined)(text, size, name).body
        assert.strictEqual(JSON.stringify(read(text, size, name).body), JSON.stringify(plain))
      }
    }
  )
})

it("keeps no more bytes than it may, and forgets the oldest first", () => {
  const body = pricesBody(["A", "B", "C"])
  const read = readWith(LastReplies.make({ maxBytes: body.length * 4 }))
  for (const name of ["a", "b", "a", "c", "d", "e"]) read(body, 4096, name)
  assert.strictEqual(read(body, 4096, "e").decoded, 0)
  assert.isAbove(read(body, 4096, "b").decoded, 0)
  const none = readWith(LastReplies.make({ maxBytes: body.length - 1 }))
  none(body, 50)
  assert.isAbove(none(body, 50).decoded, 0)
})

it("gives two readers of the same query one reply each", () => {
  const memory = LastReplies.make({ maxBytes: 10_000 })
  const body = new TextEncoder().encode(pricesBody(["A", "B", "C"]))
  readWith(memory)(pricesBody(["A", "B", "C"]), 4096)
  const [one, two] = [1, 2].map(() => LastReplies.reader(memory, "prices", Reply.reader(query, ok, { strict: false })))
  assert(one !== undefined && two !== undefined)
  const other = new TextEncoder().encode(pricesBody(["X", "B", "C"]))
  one.push(other.subarray(0, 60))
  two.push(body.subarray(0, 60))
  one.push(other.subarray(60))
  two.push(body.subarray(60))
  assert.deepStrictEqual(
    [one, two].map((reader) => [...(dataOf(reader.end()) as Iterable<{ symbol: string }>)].map(({ symbol }) => symbol)),
    [["X", "B", "C"], ["A", "B", "C"]]
  )
})
