import * as Strike from "@effect-marketdata/core/Strike"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { hostileText, thousandths } from "./support/arbitraries.ts"
import * as Depth from "./support/depth.ts"

const runs = Depth.trials(2_3)

const problem = (input: string | number): string =>
  Result.match(Strike.parse(input), { onFailure: (error) => error.problem, onSuccess: String })

/** The decimal text of some thousandths, made without a division. */
const decimal = (n: number): string => {
  const digits = String(n).padStart(4, "0")
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`
}

const survives = (n: number): void => {
  const text = decimal(n)
  const strike = Strike.parseUnsafe(text)
  assert.strictEqual(Strike.toThousandths(strike), n)
  assert.strictEqual(Strike.toDigits(strike), String(n).padStart(8, "0"))
  assert.strictEqual(Strike.fromThousandths(n), strike)
  assert.strictEqual(Strike.parseUnsafe(Number(text)), strike)
  assert.strictEqual(JSON.parse(text), strike)
}

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

    it("[2.3-strike-fraction] writes 32.25 as 00032250", () => {
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe(32.25)), "00032250")
      assert.strictEqual(Strike.toDigits(Strike.parseUnsafe("32.25")), "00032250")
    })
  })

  describe("parse", () => {
    it("[2.3-strike-fraction] refuses a strike that is no whole thousandth, and names the rule", () => {
      assert.strictEqual(problem("32.2505"), "NotAThousandth")
      assert.strictEqual(problem(32.2505), "NotAThousandth")
      assert.strictEqual(problem(0.1 + 0.2), "NotAThousandth")
      assert.strictEqual(problem(1e-7), "NotAThousandth")
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

    it("[2.3-strike-range] [2.3-strike-fraction] every strike survives, from text and from number", () => {
      for (let n = 0; n < Depth.runs(20_000, 2000); n++) survives(n)
      for (let n = 99_980_000; n <= 99_999_999; n += Depth.runs(7, 70)) survives(n)
      fc.assert(fc.property(thousandths, survives), runs)
    })

    it("[2.3-strike-fraction] reads zeros before and behind as no part of the value", () => {
      fc.assert(
        fc.property(thousandths, fc.nat({ max: 5 }), fc.nat({ max: 5 }), (n, before, behind) => {
          const text = "0".repeat(before) + decimal(n) + "0".repeat(behind)
          assert.strictEqual(Strike.parseUnsafe(text), n / 1000)
        }),
        runs
      )
    })

    it("[2.3-strike-fraction] takes a number if and only if a whole thousandth has no nearer double", () => {
      const number = fc.oneof(
        fc.double({ min: 0, max: Strike.max, noNaN: true }),
        fc.tuple(thousandths, fc.constantFrom(-1, 0, 1)).map(([n, ulps]) => n / 1000 * (1 + ulps * Number.EPSILON))
      )
      fc.assert(
        fc.property(number, (strike) => {
          const nearest = Math.round(strike * 1000) / 1000
          assert.strictEqual(Result.isSuccess(Strike.parse(strike)), strike === nearest && strike <= Strike.max)
        }),
        runs
      )
    })

    it("refuses a finer text than thousandths, however small the rest", () => {
      fc.assert(
        fc.property(thousandths, fc.nat({ max: 30 }), fc.integer({ min: 1, max: 9 }), (n, zeros, digit) => {
          assert.strictEqual(problem(decimal(n) + "0".repeat(zeros) + String(digit)), "NotAThousandth")
        }),
        runs
      )
    })

    it("refuses negative strikes, and takes minus zero for zero", () => {
      assert.strictEqual(problem("-150"), "Negative")
      assert.strictEqual(problem(-0.001), "Negative")
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
      fc.assert(
        fc.property(hostileText, (text) => {
          Result.match(Strike.parse(text), {
            onFailure: (error) => {
              assert.strictEqual(error.input, text)
              assert.isBelow(error.message.length, 700)
              assert.notInclude(error.message, "\n")
            },
            onSuccess: (strike) => assert.match(Strike.toDigits(strike), /^\d{8}$/)
          })
        }),
        runs
      )
    })

    it("says each problem in a message that quotes the input", () => {
      for (const input of ["x", "1.2345", "-1", "100000"]) {
        const { message } = Result.getOrThrow(Result.flip(Strike.parse(input)))
        assert.isTrue(message.startsWith(`strike "${input}" must `), message)
      }
    })
  })

  describe("parseUnsafe", () => {
    it("throws the error that parse fails with", () => {
      assert.throws(() => Strike.parseUnsafe("x"), Strike.StrikeError)
    })
  })
})
