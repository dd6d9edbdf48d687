import { DIVISORS, NULLS, NULLS_ALLOWED, POWERS, REPEATS } from "./layout"
import { dividedByPower, EXACT, LARGEST } from "./powers"
import { endOf, FULL, isWhitespace, MORE, report, SLOW } from "./stop"

// Constants lie in memory, because the engine keeps what it has loaded in registers, but builds a vector literal anew in each round.
const CONSTANTS: usize = memory.data<u8>([
  44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44,
  46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46,
  48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48,
  80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80,
  137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137,
  1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10,
  100, 0, 1, 0, 100, 0, 1, 0, 100, 0, 1, 0, 100, 0, 1, 0,
  16, 39, 1, 0, 16, 39, 1, 0, 16, 39, 1, 0, 16, 39, 1, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
])
const HALVES: usize = memory.data<f64>([1e8, 1])

/** Byte i of the vector at ALIGN + n is i + n - 16: moves n digits to the right end; a negative index yields 0. */
const ALIGN: usize = memory.data<i8>([
  -16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
])

/** By the number of characters from the dot on, 0 if there is none: steps over the dot, by moving what is before it one to the right. */
const WITHOUT_DOT: usize = memory.data<i8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
])

/**
 * Reads numbers. Nearly all are shorter than sixteen characters and are followed by a comma: those are read sixteen bytes at a time without
 * a branch. The rest, the last of an array and nulls among them, take the careful way.
 */
export function numbers(
  start: usize,
  safe: usize,
  column: usize,
  row: i32,
  capacity: i32,
  nulls: usize,
  flags: i32
): i32 {
  const COMMA = v128.load(CONSTANTS)
  const DOT = v128.load(CONSTANTS, 16)
  const ZERO = v128.load(CONSTANTS, 32)
  // Adding 80 makes digits, and no other bytes, the smallest of signed bytes: at most 137 - 256.
  const DIGITS_UP = v128.load(CONSTANTS, 48)
  const BELOW_DIGITS = v128.load(CONSTANTS, 64)
  const TENS = v128.load(CONSTANTS, 80)
  const HUNDREDS = v128.load(CONSTANTS, 96)
  const TEN_THOUSANDS = v128.load(CONSTANTS, 112)
  const INDEX = v128.load(CONSTANTS, 128)
  const UPPER_LOWER = v128.load(HALVES)
  const repeats = flags & REPEATS
  let position = start
  let out = column + (<usize>row << 3)
  const outEnd = column + (<usize>capacity << 3)
  for (;;) {
    while (position < safe && out < outEnd) {
      if (load<u8>(position) <= 32) {
        while (position < safe && isWhitespace(load<u8>(position))) position++
        if (position >= safe || load<u8>(position) <= 32) break
      }
      const bytes = v128.load(position)
      // One bit a byte: where the commas, the dots, the zeros are, and what is no digit.
      const commas = i8x16.bitmask(v128.eq<i8>(bytes, COMMA)) | 0x10000
      const dots = i8x16.bitmask(v128.eq<i8>(bytes, DOT))
      const others = i8x16.bitmask(i8x16.gt_s(v128.add<i8>(bytes, DIGITS_UP), BELOW_DIGITS)) | 0x18000
      const zeros = i8x16.bitmask(v128.eq<i8>(bytes, ZERO))
      const length = ctz(commas)
      const upToComma = commas ^ (commas - 1)
      const token = upToComma >>> 1
      const negative = i32(load<u8>(position) == 45)
      const tokenDots = dots & token
      if (
        // something other than digits, a dot and a leading minus
        (((others ^ dots) - negative) & token) |
        // two of those next to each other, or one of them at the start or the end, where only a minus may be
        ((others & (others + others + 1) & upToComma) ^ negative) |
        // two dots
        (tokenDots & (tokenDots - 1)) |
        // a zero first, and a digit after it
        (zeros & ~(others >>> 1) & (negative + 1))
      ) break
      const fromDot = length - ctz(dots | commas)
      const order = v128.add<i8>(v128.load(ALIGN + length), v128.load(WITHOUT_DOT + (fromDot << 4)))
      // Sixteen digits become eight pairs, four fours, two eights.
      let sums = v128.mul<i16>(v128.swizzle(v128.sub_sat<u8>(bytes, ZERO), order), TENS)
      sums = i32x4.dot_i16x8_s(v128.shr<u16>(sums, 8), HUNDREDS)
      sums = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_u(sums, sums), TEN_THOUSANDS)
      const eights = v128.mul<f64>(f64x2.convert_low_i32x4_s(sums), UPPER_LOWER)
      const value = (f64x2.extract_lane(eights, 0) + f64x2.extract_lane(eights, 1)) /
        load<f64>(DIVISORS + (fromDot << 3) + (negative << 7))
      store<f64>(out, value)
      out += 8
      position += length + 1
      if (repeats) {
        const mask = i8x16.gt_s(i8x16.splat(i8(length + 1)), INDEX)
        const repeated = v128.and(bytes, mask)
        while (
          out < outEnd && position < safe &&
          !v128.any_true(v128.xor(v128.and(v128.load(position), mask), repeated))
        ) {
          store<f64>(out, value)
          out += 8
          position += length + 1
        }
      }
    }
    row = i32((out - column) >> 3)
    if (position >= safe) return report(MORE, position, row)
    if (out >= outEnd) return report(FULL, position, row)
    const end = careful(position, out, row, nulls, flags)
    if (end == 0) return report(SLOW, position, row)
    const byte = load<u8>(end)
    if (byte == 44) {
      out += 8
      position = end + 1
      continue
    }
    return report(endOf(byte), end, row + 1)
  }
}

/**
 * Reads the number or null at a position to `out`. Returns where it ends, or 0 if it is to be read by the driver: because it is none, because
 * a loop cannot prove its value, or because what follows is neither comma, bracket nor whitespace.
 */
function careful(position: usize, out: usize, row: i32, nulls: usize, flags: i32): usize {
  let at = position
  let value: f64
  if (load<u32>(position) == 0x6c6c756e) {
    at += 4
    if (!(flags & NULLS_ALLOWED) || !isEnd(at)) return 0
    const bits = nulls + (row >> 3)
    store<u8>(bits, load<u8>(bits) | (<u8>1 << u8(row & 7)))
    store<i32>(NULLS, load<i32>(NULLS) + 1)
    store<f64>(out, NaN)
    return at
  }
  const negative = load<u8>(at) == 45
  if (negative) at++
  let mantissa: u64 = 0
  let exponent = 0
  let digit = u32(load<u8>(at)) - 48
  if (digit > 9 || (digit == 0 && u32(load<u8>(at + 1)) - 48 <= 9)) return 0
  while (digit <= 9 && mantissa < MOST) {
    mantissa = mantissa * 10 + u64(digit)
    digit = u32(load<u8>(++at)) - 48
  }
  if (digit == DOT_DIGIT) {
    const fraction = ++at
    while (mantissa < MOST_BEFORE_EIGHT && at - fraction <= 24) {
      let word = load<u64>(at) ^ 0x3030303030303030
      if (((word + 0x7676767676767676) | word) & 0x8080808080808080) break
      word = (word * 10) + (word >> 8)
      mantissa = mantissa * 100000000 + ((((word & 0x000000ff000000ff) * 0x000f424000000064) +
        (((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32)
      at += 8
    }
    digit = u32(load<u8>(at)) - 48
    while (digit <= 9 && mantissa < MOST && at - fraction <= 40) {
      mantissa = mantissa * 10 + u64(digit)
      digit = u32(load<u8>(++at)) - 48
    }
    exponent = i32(fraction - at)
    if (exponent == 0) return 0
  }
  if (digit <= 9) return 0
  if ((digit | 32) == EXPONENT_DIGIT) {
    const sign = load<u8>(++at)
    if (sign == 45 || sign == 43) at++
    digit = u32(load<u8>(at)) - 48
    if (digit > 9) return 0
    let power = 0
    for (let count = 0; digit <= 9 && count < 4; count++) {
      power = power * 10 + i32(digit)
      digit = u32(load<u8>(++at)) - 48
    }
    if (power > 999) return 0
    exponent += sign == 45 ? -power : power
  }
  if (!isEnd(at)) return 0
  if (mantissa == 0) value = 0
  else if (exponent < -LARGEST || exponent > EXACT) return 0
  else if (mantissa < 1 << 53 && exponent >= -EXACT) {
    const power = load<f64>(POWERS + (<usize>abs(exponent) << 3))
    value = exponent < 0 ? f64(i64(mantissa)) / power : f64(i64(mantissa)) * power
  } else if (exponent > 0) return 0
  else value = dividedByPower(i64(mantissa), -exponent)
  if (value != value) return 0
  store<f64>(out, negative ? -value : value)
  return at
}

/** One digit more and a mantissa could pass 2^63; eight digits more. */
const MOST: u64 = 900000000000000000
const MOST_BEFORE_EIGHT: u64 = 92233720368

// "." and "e" as what they are less "0", the latter in lower case.
const DOT_DIGIT: u32 = u32(46 - 48)
const EXPONENT_DIGIT: u32 = 101 - 48

/** Tells whether an element may end before this byte. */
@inline function isEnd(at: usize): bool {
  const byte = load<u8>(at)
  return byte == 44 || byte == 93 || isWhitespace(byte)
}
