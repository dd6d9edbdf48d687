/** What is written as frames is read as them, however it arrives, and what is not a frame is not read. */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Depth from "../../core/test/support/depth.ts"
import { type Frame, frameKinds, frameReader, writeFrame } from "../src/wire/connections.ts"

const frame = fc.record({
  kind: fc.constantFrom(...frameKinds),
  call: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  text: fc.string({ unit: "grapheme", maxLength: 200 }),
  data: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 3 }).map((byte) => new Uint8Array(20_000).fill(byte)))
})

const bytesOf = ({ call, data, kind, text }: Frame) => Buffer.concat(writeFrame(kind, call, text, data))

const told = ({ data, ...head }: Frame) => ({ ...head, data: Buffer.from(data).toString("latin1") })

/** Cuts bytes into pieces. */
const pieces = (bytes: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return at.slice(1).map((end, piece) => bytes.subarray(at[piece], end))
}

it("are read as they were written, wherever their bytes are cut", () => {
  Depth.forAll(
    { numRuns: Depth.runs(1000, 100), seed: 17_601 },
    fc.array(frame, { maxLength: 6 }),
    fc.array(fc.nat(), { maxLength: 12 }),
    (frames, cuts) => {
      const read = frameReader(100_000)
      const arrived = pieces(Buffer.concat(frames.map(bytesOf)), cuts).flatMap((piece) =>
        read([piece]) ?? assert.fail()
      )
      assert.deepStrictEqual(arrived.map(told), frames.map(told))
    }
  )
})

it("that are too large, of no kind, or shorter than they say are none", () => {
  const ask = bytesOf({ kind: "Ask", call: 7n, text: "{}", data: new Uint8Array() })
  const changed = (at: number, byte: number) => Buffer.from(ask).fill(byte, at, at + 1)
  for (const bytes of [changed(12, 99), changed(13, 200), changed(0, 5), changed(2, 200)]) {
    assert.isUndefined(frameReader(1000)([bytes]))
  }
  assert.isUndefined(frameReader(ask.length - 5)([ask]))
  assert.strictEqual(frameReader(ask.length - 4)([ask])?.length, 1)
})
