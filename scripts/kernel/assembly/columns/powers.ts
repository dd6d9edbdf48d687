/** 10^k as the nearest double, k up to 45. */
export const POWERS: usize = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23,
  1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35,
  1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45
])

/** What that double leaves of 10^k, from 10^23 on: before, it leaves nothing. */
export const RESIDUES: usize = memory.data<f64>([
  8388608.0, 16777216.0, -905969664.0, -4764729344.0, -13287555072.0,
  416880263168.0, 8566849142784.0, -19884624838656.0, 364103705034752.0, -5366162204393472.0,
  5.442476901295718e+16, 5.4424769012957184e+17, 3.1366338920820244e+18, -4.242063737401796e+19, 4.6123734179787886e+20,
  2.251190176543966e+21, 6.029083362839682e+22, -3.037860284270037e+23, -6.200086450407783e+23, -4.488571267807592e+25,
  -1.393721169594141e+26, -8.821361405306423e+27, 7.024271097546445e+28
])

export const EXACT: i32 = 22
export const LARGEST: i32 = 45

@inline function upperHalf(value: f64): f64 {
  const scaled = value * 134217729.0
  return scaled - (scaled - value)
}

/**
 * Divides by 10^power: the quotient with its remainder carried along, or NaN where that does not prove which double is nearest.
 * packages/core/src/columns/internal/numbers.ts does the same, in the same steps.
 */
export function dividedByPower(mantissa: i64, power: i32): f64 {
  const dividend = f64(mantissa)
  const left = f64(mantissa - i64(dividend))
  const divisor = load<f64>(POWERS + (<usize>power << 3))
  const residue = power > EXACT ? load<f64>(RESIDUES + (<usize>(power - EXACT - 1) << 3)) : 0
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
