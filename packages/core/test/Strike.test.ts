import * as Strike from "@effect-marketdata/core/Strike"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { hostileText } from "./support/arbitraries.ts"
import * as Depth from "./support/depth.ts"

const refusal = (input: string | number) => Result.getOrThrow(Result.flip(Strike.parse(input)))

const words = ["x", "", " ", " 150", "150 ", "1,5", "+150", "0x96", "1_000", "1e5", "15e1", "--1", "1.2.3", "$150"]
  .concat(["1e0", "1E-0", "150e+0", "NaN", "Infinity", "150\n", "١٥٠", "１５０"])

/** What is not a strike, by what is wrong with it, and what is said of it. That strikes are encoded to the thousandth is a law. */
const refused: Readonly<
  Record<Strike.StrikeError["problem"], readonly [says: string, ...ReadonlyArray<string | number>]>
> = {
  NotAThousandth: ["must have at most 3 decimals", "1.2345", "32.2505", 32.2505, 0.1 + 0.2, 1e-7],
  TooLarge: ["99999.999", "100000", 100_000, "99999999", 1e21, Number.MAX_VALUE],
  Negative: ["must ", "-1", "-150", -0.001],
  NotADecimal: ["must be a decimal", ...words, NaN, Infinity, -Infinity]
}

it.each(Object.entries(refused))(
  "[2.3-strike-fraction] [2.3-strike-range] refuses: %s",
  (problem, [says, ...inputs]) => {
    for (const input of inputs) {
      const { message, problem: found } = refusal(input)
      assert.strictEqual(found, problem)
      assert.include(message, says)
      assert.isTrue(message.startsWith(`strike ${JSON.stringify(String(input))} must `), message)
    }
  }
)

it("takes the greatest strike, and minus zero for zero", () => {
  assert.strictEqual(Strike.parseUnsafe(Strike.max), Strike.max)
  for (const zero of [-0, "-0"]) assert.strictEqual(Strike.toDigits(Strike.parseUnsafe(zero)), "00000000")
})

it("reads a long text in time that grows with its length", () => {
  for (const text of ["0".repeat(100_000) + "x", "1." + "0".repeat(100_000) + "1"]) {
    assert.isTrue(Result.isFailure(Strike.parse(text)))
  }
}, 5000)

it("answers every text with a strike that its digits carry, or with an error in one short line", () => {
  Depth.forAll(Depth.trials(2_3), hostileText, (text) => {
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
