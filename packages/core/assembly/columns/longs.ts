import { POWERS } from "./layout"
import { dividedByPower, EXACT } from "./powers"
import { progress } from "./progress"
import {
  BELOW_DIGITS,
  COMMAS,
  DIGITS_UP,
  DOTS,
  eights,
  equal,
  HUNDREDS,
  KEEP,
  KEEP_EIGHT,
  notDigits,
  TEN_THOUSANDS,
  TENS,
  ZEROS
} from "./vectors"

/** So many digits always fit into 64 bits. */
const MOST_DIGITS: i32 = 18

/**
 * Reads long fractions, as a `double` is printed with all its digits: up to 24 digits behind the dot and 31 characters in all. The digits
 * behind the dot are three eights, read at once from the comma backwards.
 */
export function longs(position: usize, safe: usize, out: usize, outEnd: usize): u64 {
  const comma = v128.load(COMMAS)
  const dot = v128.load(DOTS)
  const zero = v128.load(ZEROS)
  const digitsUp = v128.load(DIGITS_UP)
  const belowDigits = v128.load(BELOW_DIGITS)
  const tens = v128.load(TENS)
  const hundreds = v128.load(HUNDREDS)
  const tenThousands = v128.load(TEN_THOUSANDS)
  while (position < safe && out < outEnd) {
    const a = v128.load(position)
    const b = v128.load(position, 16)
    const commas = equal(a, comma) | (equal(b, comma) << 16)
    const token = (commas ^ (commas - 1)) >>> 1
    const dots = token & (equal(a, dot) | (equal(b, dot) << 16))
    const others = token & (notDigits(a, digitsUp, belowDigits) | (notDigits(b, digitsUp, belowDigits) << 16))
    const negative = u32(load<u8>(position) == 45)
    const length = i32(ctz(commas))
    const whole = i32(ctz(dots)) - i32(negative)
    const digits = length - i32(ctz(dots)) - 1
    if (
      // no end in sight, or something other than digits, one dot and a leading minus
      commas == 0 || dots == 0 || (dots & (dots - 1)) | (others ^ dots ^ negative) ||
      // no digit on one side of the dot, or too many
      u32(digits - 1) >= 24 || whole < 1 || (whole > 1 && whole + digits > MOST_DIGITS)
    ) break
    let at = position + negative
    let integer = i64(load<u8>(at)) - 48
    if (integer == 0 ? whole > 1 : whole + digits > MOST_DIGITS) break
    for (const end = at + whole; ++at < end;) integer = integer * 10 + i64(load<u8>(at)) - 48
    const end = position + length
    const behind = eights(
      v128.and(v128.sub_sat<u8>(v128.load(end - 16), zero), v128.load(KEEP + min(digits, 16))),
      v128.and(v128.sub_sat<u8>(v128.load64_zero(end - 24), zero), v128.load64_zero(KEEP_EIGHT + max(digits, 16) - 16)),
      tens,
      hundreds,
      tenThousands
    )
    // 24 digits fit as well where the first of them are zeros.
    const first = i64(i32x4.extract_lane(behind, 2))
    if (first >= 900) break
    const mantissa = integer * i64(load<f64>(POWERS + (<usize>min(digits, MOST_DIGITS) << 3))) +
      (first * 100000000 + i64(i32x4.extract_lane(behind, 0))) * 100000000 + i64(i32x4.extract_lane(behind, 1))
    // Which of the two is right comes as a surprise to the processor, so that both are computed.
    const quotient = reinterpret<i64>(f64(mantissa) / load<f64>(POWERS + (<usize>digits << 3)))
    const isExact = -i64(mantissa < 1 << 53 && digits <= EXACT)
    const bits = (quotient & isExact) | (reinterpret<i64>(dividedByPower(mantissa, digits)) & ~isExact)
    const value = reinterpret<f64>(bits ^ (i64(negative) << 63))
    if (value != value) break
    store<f64>(out, value)
    out += 8
    position = end + 1
  }
  return progress(position, out)
}
