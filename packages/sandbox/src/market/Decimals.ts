/**
 * Numbers with a few decimals, as quotes print them.
 *
 * @example
 * ```ts
 * import * as Decimals from "@effect-marketdata/sandbox/Decimals"
 *
 * Decimals.round(0.123456, 4) // => 0.1235
 * Object.is(Decimals.round(-0.00001, 4), 0) // => true
 * ```
 *
 * @since 0.1.0
 */

/**
 * Rounds to a number of decimals. What rounds to a negative zero is 0, because JSON knows no other.
 *
 * @category conversions
 * @since 0.1.0
 */
export const round = (value: number, decimals: number): number => {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale + 0
}
