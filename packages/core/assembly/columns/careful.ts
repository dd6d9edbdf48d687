import { NULLS, NULLS_ALLOWED, POWERS } from "./layout"
import { dividedByPower, EXACT, LARGEST } from "./powers"
import { isWhitespace } from "./stop"

/**
 * Reads the number or null at a position to `out`. Returns where it ends, or 0 if it is to be read by the driver: because it is none, because
 * a loop cannot prove its value, or because what follows is neither comma, bracket nor whitespace.
 */
export function careful(position: usize, out: usize, row: i32, nulls: usize, flags: i32): usize {
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
