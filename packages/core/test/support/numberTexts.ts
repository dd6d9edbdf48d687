/** Numbers as JSON may spell them, hard ones first of all. */
import type { Random } from "./random.ts"

const double = new Float64Array(1)
const bits = new BigUint64Array(double.buffer)

const anyDouble = ({ below }: Random): number => {
  do bits[0] = (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32))
  while (!Number.isFinite(double[0]))
  return double[0]!
}

const anyDigits = ({ below, chance }: Random, count: number): string => {
  let digits = ""
  for (let at = 0; at < count; at++) digits += chance(0.2) ? 0 : below(10)
  return digits
}

/** Digits of any number, with or without fraction and exponent. */
const anyGrammar = (random: Random): string => {
  const { below, chance, pick } = random
  let text = pick(["", "-"]) + (chance(0.4) ? "0" : `${1 + below(9)}${anyDigits(random, below(25))}`)
  if (chance(0.7)) text += `.${anyDigits(random, 1 + below(25))}`
  if (chance(0.3)) text += pick(["e", "E"]) + pick(["", "+", "-"]) + below(chance(0.1) ? 400 : 30)
  return text
}

/** Prints `numerator / 2^power` exactly. */
const exactly = (numerator: bigint, power: number): string => {
  const digits = String(numerator * 5n ** BigInt(power)).padStart(power + 1, "0")
  return power === 0 ? digits : `${digits.slice(0, -power)}.${digits.slice(-power)}`
}

/** The number exactly between two neighbouring doubles, or the digits beside it: the nearest double hangs on the last of them. */
const nearMidpoint = ({ below, chance, fraction }: Random): string => {
  const power = 1 + below(chance(0.7) ? 20 : 60)
  const mantissa = (1n << 52n) + BigInt(Math.floor(fraction() * 2 ** 52))
  const midpoint = exactly(2n * mantissa + 1n, power)
  if (chance(0.4)) return midpoint
  if (chance(0.5)) return `${midpoint}${"0".repeat(below(4))}1`
  return `${midpoint.slice(0, -1)}4${"9".repeat(1 + below(4))}`
}

const edges = `
  0 -0 0.0 -0.0 0e5 0E-5 -0e400 1e-400
  5e-324 -5e-324 2.4703282292062327e-324 2.4703282292062328e-324 2.2250738585072014e-308 2.2250738585072011e-308
  1.7976931348623157e308 1.7976931348623158e308
  9007199254740992 9007199254740993 9007199254740992.5 9007199254740993.0000000000000000000001
  999999999 1000000000 2147483647 2147483648 4294967295 4294967296
  999999999999999 1000000000000000 9999999999999999 123456789012345678 999999999999999999 1000000000000000000
  9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616 100000000000000000000000
  0.1 0.3 0.30000000000000004 4.35
  1e22 1e23 1E+23 1e-22 1e-23 1e45 1e-45 1e-46 123456789012345e-45 179769313486231570000e288
`.trim().split(/\s+/)

/** A finite number of JSON. */
export const anyNumber = (random: Random): string => {
  for (;;) {
    const text = spelled(random)
    if (Number.isFinite(Number(text))) return text
  }
}

const spelled = (random: Random): string => {
  const { below, chance, fraction, pick } = random
  const sign = chance(0.3) ? "-" : ""
  switch (below(16)) {
    case 0:
      return JSON.stringify(anyDouble(random))
    case 1:
      return `${sign}${below(1e6)}`
    case 2:
      return sign + (fraction() * 10 ** below(6)).toFixed(below(5))
    case 3:
      return sign + (fraction() * 10 ** (below(8) - 3)).toFixed(below(25))
    case 4:
      return JSON.stringify(fraction() * 10 ** (below(60) - 40))
    case 5:
      return (fraction() - 0.5).toExponential(below(20)).replace("e", pick(["e", "E"]))
    case 6:
      return JSON.stringify(Math.floor(fraction() * 2 ** 53) * pick([1, 2]) + below(3))
    case 7:
      return anyGrammar(random)
    case 8:
      return sign + nearMidpoint(random)
    case 9:
      return pick(edges)
    case 10:
      return `17${String(below(1e8)).padStart(8, "0")}`
    case 11:
      return `${sign}0.${"0".repeat(below(30))}${anyDigits(random, 1 + below(19))}`
    case 12:
      return `${sign}${1 + below(9)}${anyDigits(random, below(25))}`
    case 13:
      return `${sign}${1 + Math.floor(fraction() * 2 ** 53)}e${pick(["", "-"])}${below(50)}`
    case 14:
      return sign + (fraction() * 10 ** (below(300) - 150)).toPrecision(1 + below(25)).replace("e+", "e")
    default:
      return `${sign}${below(10_000) / 10 ** below(5)}`
  }
}
