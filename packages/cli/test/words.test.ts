import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { forAll } from "../../core/test/support/depth.ts"
import * as Words from "../src/text/words.ts"

const byIntl = (value: number, least: number, most: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: least, maximumFractionDigits: most })

const decimals = fc.constantFrom([0, 6], [0, 0], [2, 4], [2, 2], [3, 3], [4, 4])
const values = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.tuple(fc.integer({ min: -1e12, max: 1e12 }), fc.nat(9)).map(([digits, scale]) => Number(`${digits}e-${scale}`))
)

it("prints what Intl prints, whatever the number", () => {
  forAll({ seed: 34 }, values, decimals, (value, [least, most]) => {
    assert.strictEqual(Words.number(value, least, most), byIntl(value, least, most))
  })
})

it.each([1.005, 0.000001, 0.0000005, 999.9999996, 1234567.125, 1e9, -0, 0.1 + 0.2, Infinity])(
  "prints %s as Intl does",
  (value) => {
    for (const [least, most] of [[0, 6], [2, 2], [0, 0]]) {
      assert.strictEqual(Words.number(value, least, most), byIntl(value, least!, most!))
    }
  }
)
