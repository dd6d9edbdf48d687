/**
 * JSON numbers: their grammar, and their value as the nearest double.
 *
 * Digits are collected in two integers of at most nine digits each. Up to 15 digits form an exact double, which one multiplication or
 * division by an exact power of ten rounds correctly. Up to 18 digits are divided with the remainder carried along, and the quotient is
 * taken where the remainder proves it; the few that remain are left to `Number`.
 */

/** The largest power of ten that is an exact double. */
const exactPower = 22

/** 10^k is the sum of two doubles exactly for k up to 45. */
const largestPower = 45

/** The powers of ten, each as the nearest double. */
export const powers = /* @__PURE__ */ Float64Array.from({ length: largestPower + 1 }, (_, k) => Number(`1e${k}`))

/** What the double nearest to 10^k leaves of it. */
export const residues = /* @__PURE__ */ Float64Array.from(
  powers,
  (power, k) => k <= exactPower ? 0 : Number(10n ** BigInt(k) - BigInt(power))
)

/** The upper half of a double's digits (Veltkamp): a product of halves is exact. */
const upperHalf = (value: number): number => {
  const scaled = value * 134_217_729
  return scaled - (scaled - value)
}

/** Below this share of a quotient the carried remainder is not trusted: 2^-97, far above its own error. */
const doubt = 2 ** -97

/**
 * Divides by a power of ten, `power` up to 45. The dividend is the sum of a double and what it leaves. Returns NaN where it cannot prove which
 * double is nearest.
 */
const dividedByPower = (dividend: number, left: number, power: number): number => {
  const divisor = powers[power]!
  const quotient = dividend / divisor
  const product = quotient * divisor
  const quotientHigh = upperHalf(quotient)
  const quotientLow = quotient - quotientHigh
  const divisorHigh = upperHalf(divisor)
  const divisorLow = divisor - divisorHigh
  const productLow = ((quotientHigh * divisorHigh - product) + quotientHigh * divisorLow + quotientLow * divisorHigh) +
    quotientLow * divisorLow
  const correction = ((dividend - product) - productLow - quotient * residues[power]! + left) / divisor
  const margin = quotient * doubt
  const above = quotient + (correction + margin)
  return above === quotient + (correction - margin) ? above : NaN
}

/** Where the number that was read last ends: the first byte after it, or -1 if the bytes are not a number. */
export const scanned = { end: 0 }

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57

const malformed = (): number => {
  scanned.end = -1
  return NaN
}

/**
 * Reads the number that starts at `start`, and sets `scanned.end`. Returns NaN with an end where the value needs `Number`. The byte after the
 * number must be in the array.
 */
export const scanNumber = (bytes: Uint8Array, start: number): number => {
  const negative = bytes[start] === 45
  let at = negative ? start + 1 : start
  // Significant digits: the first nine in `high`, the next nine in `low`.
  let high = 0
  let low = 0
  let digits = 0
  let exponent = 0
  if (!isDigit(bytes[at]!)) return malformed()
  if (bytes[at] === 48) {
    at++
    if (isDigit(bytes[at]!)) return malformed()
  } else {
    for (; isDigit(bytes[at]!); at++, digits++) {
      if (digits < 9) high = high * 10 + bytes[at]! - 48
      else if (digits < 18) low = low * 10 + bytes[at]! - 48
    }
  }
  if (bytes[at] === 46) {
    const fraction = ++at
    if (digits === 0) { while (bytes[at] === 48) at++ }
    for (; isDigit(bytes[at]!); at++, digits++) {
      if (digits < 9) high = high * 10 + bytes[at]! - 48
      else if (digits < 18) low = low * 10 + bytes[at]! - 48
    }
    if (at === fraction) return malformed()
    exponent = fraction - at
  }
  if (bytes[at] === 101 || bytes[at] === 69) {
    at++
    const smaller = bytes[at] === 45
    if (smaller || bytes[at] === 43) at++
    if (!isDigit(bytes[at]!)) return malformed()
    let power = 0
    for (; isDigit(bytes[at]!); at++) if (power < 100_000) power = power * 10 + bytes[at]! - 48
    exponent += smaller ? -power : power
  }
  scanned.end = at
  const value = valueOf(high, low, digits, exponent)
  return negative ? -value : value
}

const valueOf = (high: number, low: number, digits: number, exponent: number): number => {
  if (digits === 0) return 0
  if (digits <= 15) {
    const mantissa = digits <= 9 ? high : high * powers[digits - 9]! + low
    if (exponent === 0) return mantissa
    if (exponent > 0) return exponent <= exactPower ? mantissa * powers[exponent]! : NaN
    if (exponent >= -exactPower) return mantissa / powers[-exponent]!
    return exponent >= -largestPower ? dividedByPower(mantissa, 0, -exponent) : NaN
  }
  if (digits > 18 || exponent > 0 || exponent < -largestPower) return NaN
  const upper = high * powers[digits - 9]!
  const mantissa = upper + low
  return dividedByPower(mantissa, low - (mantissa - upper), -exponent)
}
