import { POWERS, RESIDUES } from "./layout"

/** 10^k is a double, k up to 22: beyond, it leaves a residue. */
export const EXACT: i32 = 22

/** The largest power of the tables. */
export const LARGEST: i32 = 45

@inline function upperHalf(value: f64): f64 {
  const scaled = value * 134217729.0
  return scaled - (scaled - value)
}

/**
 * Divides by 10^power: the quotient with its remainder carried along, or NaN where that does not prove which double is nearest.
 * packages/core/src/columns/internal/json.ts does the same, in the same steps.
 */
@inline export function dividedByPower(mantissa: i64, power: i32): f64 {
  const dividend = f64(mantissa)
  const left = f64(mantissa - i64(dividend))
  const divisor = load<f64>(POWERS + (<usize>power << 3))
  const residue = load<f64>(RESIDUES + (<usize>power << 3))
  const quotient = dividend / divisor
  const product = quotient * divisor
  const quotientHigh = upperHalf(quotient)
  const quotientLow = quotient - quotientHigh
  const divisorHigh = upperHalf(divisor)
  const divisorLow = divisor - divisorHigh
  const productLow = ((quotientHigh * divisorHigh - product) + quotientHigh * divisorLow + quotientLow * divisorHigh) +
    quotientLow * divisorLow
  const correction = ((dividend - product) - productLow - quotient * residue + left) / divisor
  const margin = quotient * 6.310887241768095e-30
  const above = quotient + (correction + margin)
  return above == quotient + (correction - margin) ? above : NaN
}
