/**
 * Strikes, for fast-check: every one that an option symbol can carry, every way to write it, and every way to get it wrong.
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 * import * as Strikes from "@effect-marketdata/testing/Strikes"
 * import * as Result from "effect/Result"
 * import * as fc from "fast-check"
 *
 * const [text] = fc.sample(Strikes.refused.TooLarge, { seed: 1, numRuns: 1 })
 * Result.isFailure(Strike.parse(text!)) // => true
 * ```
 *
 * @since 0.1.0
 */
import type * as Strike from "@effect-marketdata/core/Strike"
import * as fc from "fast-check"

/**
 * Whole thousandths of a dollar from 0 to 99,999,999; round ones and those at the edges are more likely than others.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const thousandths: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999 }),
  fc.integer({ min: 0, max: 9999 }).map((halves) => halves * 500),
  fc.integer({ min: 0, max: 99_999 }).map((quarters) => quarters * 250),
  fc.constantFrom(0, 1, 999, 1000, 1005, 99_999_998, 99_999_999)
)

/**
 * Strikes in dollars: whole thousandths from 0 to 99,999.999.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const strike: fc.Arbitrary<number> = thousandths.map((count) => count / 1000)

/**
 * A strike and a way to write it: with zeros in front and behind, or without.
 *
 * @category models
 * @since 0.1.0
 */
export interface Written {
  readonly thousandths: number
  readonly text: string
}

/**
 * Decimal texts of strikes, with the thousandths that they mean: `150`, `0150.50`, `32.250`, `.`-less where nothing follows.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const written: fc.Arbitrary<Written> = fc.tuple(thousandths, fc.nat({ max: 2 }), fc.nat({ max: 2 })).map(
  ([thousandths, before, behind]) => {
    const digits = String(thousandths).padStart(4, "0")
    const fraction = digits.slice(-3).replace(/0+$/, "") + "0".repeat(behind)
    const text = "0".repeat(before) + digits.slice(0, -3) + (fraction === "" ? "" : `.${fraction}`)
    return { thousandths, text }
  }
)

/**
 * Texts and numbers that are not strikes, by what is wrong with them.
 *
 * - `NotADecimal`: words, several points, an exponent in a text
 * - `NotAThousandth`: a fourth decimal place that is not 0
 * - `Negative`: below 0
 * - `TooLarge`: 100,000 dollars or more
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const refused: Readonly<Record<Strike.StrikeError["problem"], fc.Arbitrary<string | number>>> = {
  NotADecimal: fc.constantFrom("", "abc", "1.2.3", "1e2", "1,5", "$5", " 5", "0x10", "Infinity", "NaN", "٣"),
  NotAThousandth: fc.tuple(fc.nat({ max: 99_999 }), fc.nat({ max: 999 }), fc.integer({ min: 1, max: 9 })).map(
    ([dollars, places, fourth]) => `${dollars}.${String(places).padStart(3, "0")}${fourth}`
  ),
  Negative: thousandths.map((count) => -(count + 1) / 1000),
  TooLarge: fc.oneof(fc.integer({ min: 100_000, max: 1e9 }), fc.bigInt({ min: 100_000n, max: 10n ** 30n }).map(String))
}
