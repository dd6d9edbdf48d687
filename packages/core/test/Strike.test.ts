import * as Strike from "@effect-marketdata/core/Strike"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { hostileText } from "./support/arbitraries.ts"
import * as Depth from "./support/depth.ts"

const runs = Depth.trials(2_3)

const problem = (input: string | number): string =>
  Result.match(Strike.parse(input), { onFailure: (error) => error.problem, onSuccess: String })

describe("Strike", () => {
  describe("toDigits", () => {
    it("[2.3-strike-integer] writes 150 as 00150000", () => {
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe(150)), "00150000")
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe("6500")), "06500000")
      assert.strictEqual(Strike.toDigits(0), "00000000")
    })

    it("[2.3-strike-tenth] writes 32.5 as 00032500", () => {
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe(32.5)), "00032500")
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe("32.5")), "00032500")
    })
  })

  describe("parse", () => {
    it("[2.3-strike-fraction] refuses a strike that is no whole thousandth, and names the rule", () => {
      assert.deepStrictEqual([problem("32.2505"), problem(32.2505)], ["NotAThousandth", "NotAThousandth"])
      assert.deepStrictEqual([problem(0.1 + 0.2), problem(1e-7)], ["NotAThousandth", "NotAThousandth"])
      assert.include(Result.getOrThrow(Result.flip(Strike.parse("32.2505"))).message, "must have at most 3 decimals")
    })

    it("[2.3-strike-range] takes 99999.999 and refuses more", () => {
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe("99999.999")), "99999999")
      assert.strictEqual(Strike.parseUnsafe(Strike.max), Strike.max)
      for (const input of ["100000", 100_000, "99999999", 1e21, Number.MAX_VALUE]) {
        assert.strictEqual(problem(input), "TooLarge")
      }
      assert.include(Result.getOrThrow(Result.flip(Strike.parse(100_000))).message, "99999.999")
    })

    it("[2.3-strike-range] reads 1.005 as 1005 thousandths, though 1.005 * 1000 is less", () => {
      assert.isBelow(1.005 * 1000, 1005)
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe(1.005)), "00001005")
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe("1.005")), "00001005")
    })

    it("refuses negative strikes, and takes minus zero for zero", () => {
      assert.deepStrictEqual([problem("-150"), problem(-0.001)], ["Negative", "Negative"])
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe(-0)), "00000000")
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe("-0")), "00000000")
    })

    it("refuses what is no decimal number", () => {
      const others = ["", " ", " 150", "150 ", "1,5", "+150", "0x96", "1_000", "1e5", "15e1", "--1", "1.2.3", "$150"]
      for (const text of [...others, "NaN", "Infinity", "150\n", "١٥٠", "１５０"]) {
        assert.strictEqual(problem(text), "NotADecimal")
      }
      for (const number of [NaN, Infinity, -Infinity]) assert.strictEqual(problem(number), "NotADecimal")
    })

    it("answers every text with a strike that its digits carry, or with an error in one short line", () => {
      Depth.forAll(runs, hostileText, (text) => {
        Result.match(Strike.parse(text), {
          onFailure: (error) => {
            assert.strictEqual(error.input, text)
            assert.isBelow(error.message.length, 700)
            assert.notInclude(error.message, "\n")
          },
          onSuccess: (strike) => assert.match(Strike.toDigits(strike), /^\d{8}$/)
        })
      })
    })

    it("says each problem in a message that quotes the input", () => {
      for (const input of ["x", "1.2345", "-1", "100000"]) {
        const { message } = Result.getOrThrow(Result.flip(Strike.parse(input)))
        assert.isTrue(message.startsWith(`strike "${input}" must `), message)
      }
    })
  })
})
