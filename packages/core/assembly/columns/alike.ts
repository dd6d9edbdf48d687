import { progress } from "./progress"
import { divisorOf, orderOf, valueOf } from "./singles"
import { BELOW_DIGITS, DIGITS_UP, equal, INDEX, notDigits, ZEROS } from "./vectors"

/** After so many equal neighbours more are expected. */
const EQUALS: i32 = 4

/**
 * Reads numbers that are written like the one before: as long, and with the same dot and minus at the same places. That one takes `length`
 * characters, of which `fromDot` stand from the dot on. Equal neighbours are copied without being read.
 */
export function alike(
  position: usize,
  safe: usize,
  out: usize,
  outEnd: usize,
  length: usize,
  fromDot: usize
): u64 {
  const zero = v128.load(ZEROS)
  const digitsUp = v128.load(DIGITS_UP)
  const belowDigits = v128.load(BELOW_DIGITS)
  const step = length + 1
  const token = v128.load(position - step)
  const whole = i8x16.gt_s(i8x16.splat(i8(step)), v128.load(INDEX))
  const upToComma = (u32(1) << u32(step)) - 1
  const fixed = v128.and(i8x16.gt_s(v128.add<i8>(token, digitsUp), belowDigits), whole)
  const fixedBytes = v128.and(token, fixed)
  const others = u32(i8x16.bitmask(fixed))
  const negative = i32(load<u8>(position - step) == 45)
  const order = orderOf(length, fromDot)
  const divisor = divisorOf(fromDot, negative)
  let value = load<f64>(out - 8)
  let repeated = v128.and(token, whole)
  let equals = EQUALS
  while (out < outEnd && position < safe) {
    if (equals >= EQUALS) {
      while (
        out < outEnd && position < safe && !v128.any_true(v128.xor(v128.and(v128.load(position), whole), repeated))
      ) {
        store<f64>(out, value)
        out += 8
        position += step
      }
      equals = 0
      continue
    }
    const bytes = v128.load(position)
    const odd = notDigits(bytes, digitsUp, belowDigits)
    if (
      // another byte than before where there is no digit, or a digit missing
      ((odd ^ others) & upToComma) | u32(v128.any_true(v128.xor(v128.and(bytes, fixed), fixedBytes))) |
      // a zero first, and a digit after it
      (equal(bytes, zero) & ~(odd >>> 1) & u32(negative + 1))
    ) break
    const next = valueOf(bytes, order, divisor)
    store<f64>(out, next)
    out += 8
    position += step
    equals = select(equals + 1, 0, next == value)
    value = next
    repeated = v128.and(bytes, whole)
  }
  return progress(position, out)
}
