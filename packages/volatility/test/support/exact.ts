/**
 * Black's formula in 77 digits, by whole numbers: an oracle that shares nothing with what it judges. The table of `oracle/make.py`, made by another
 * library, judges the oracle.
 */

/** Numbers are whole multiples of 2⁻²⁵⁶. */
const bits = 256n
const one = 1n << bits

const times = (a: bigint, b: bigint): bigint => (a * b) >> bits
const over = (a: bigint, b: bigint): bigint => (a << bits) / b

/** A double, exactly: every one is a whole number over a power of two. */
const ofDouble = (value: number): bigint => {
  let [whole, power] = [value, 0n]
  while (!Number.isInteger(whole)) {
    whole *= 2 ** 32
    power += 32n
  }
  return (BigInt(whole) << bits) >> power
}

const root = (value: bigint): bigint => {
  const square = value << bits
  let guess = 1n << BigInt(square.toString(2).length / 2 + 1 | 0)
  for (;;) {
    const next = (guess + square / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

const arctangent = (of: bigint): bigint => {
  let [sum, power] = [0n, one / of]
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += (k & 2n) === 0n ? power / k : -power / k
    power /= of * of
  }
  return sum
}

/** J. Machin's sum. */
const pi = 4n * (4n * arctangent(5n) - arctangent(239n))

const ln2 = (() => {
  let sum = 0n
  for (let k = 1n; k <= bits; k++) sum += (one >> k) / k
  return sum
})()

/** `exp(−y)` of y ≥ 0 as a number from a half to 1 and a power of two to divide it by. */
const exponential = (y: bigint): { readonly part: bigint; readonly power: bigint } => {
  const power = y / ln2
  const halvings = 24n
  const rest = (y - power * ln2) >> halvings
  let [sum, term] = [one, one]
  for (let k = 1n; term !== 0n; k++) {
    term = -times(term, rest) / k
    sum += term
  }
  for (let k = 0n; k < halvings; k++) sum = times(sum, sum)
  return { part: sum, power }
}

const rootHalfPi = root(pi / 2n)

/** The probability above z over the density at z. */
const mills = (z: bigint): bigint => {
  const { part, power } = exponential(times(z, z) / 2n)
  const inverse = over(one, part) << power
  if (z < 0n) return 2n * times(rootHalfPi, inverse) - mills(-z)
  if (z > 12n * one) {
    let fraction = z
    for (let k = 100n; k > 0n; k--) fraction = z + over(k * one, fraction)
    return over(one, fraction)
  }
  const square = times(z, z)
  let [sum, term] = [z, z]
  for (let k = 3n; term > 0n; k += 2n) {
    term = times(term, square) / k
    sum += term
  }
  return times(rootHalfPi, inverse) - sum
}

/** The double nearest to a number over a power of two. */
const toDouble = (value: bigint, power: bigint): number => {
  const spare = BigInt(Math.max(0, value.toString(2).length - 120))
  return Number(value >> spare) * 2 ** Number(spare - bits - power)
}

/** The ratio of `mills` as a double. */
export const millsOf = (z: number): number => toDouble(mills(ofDouble(z)), 0n)

/** The normalised price of an option out of the money: `x ≤ 0` is its log-moneyness, s its volatility times the root of time. */
export const price = (x: number, s: number): number => {
  const [h, t] = [over(ofDouble(x), ofDouble(s)), ofDouble(s) / 2n]
  const { part, power } = exponential((times(h, h) + times(t, t)) / 2n)
  const density = over(part, root(2n * pi))
  return toDouble(times(density, mills(-h - t) - mills(t - h)), power)
}
