import { DIVISORS } from "./layout"
import { TEN_THOUSANDS, TENS, HUNDREDS, ZEROS } from "./vectors"

// How a number of fewer than sixteen characters, which was loaded as one vector, becomes a double.

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

/** Where each digit goes, in a number of so many characters of which so many stand from the dot on. */
@inline export function orderOf(length: usize, fromDot: usize): v128 {
  return v128.add<i8>(v128.load(ALIGN + length), v128.load(WITHOUT_DOT + (fromDot << 4)))
}

/** What its digits are divided by; the sign makes -0 of 0, as it should. */
@inline export function divisorOf(fromDot: usize, negative: i32): f64 {
  return load<f64>(DIVISORS + (fromDot << 3) + (<usize>negative << 7))
}

/** The double of its digits: sixteen of them become eight pairs, four fours, two eights. */
@inline export function valueOf(bytes: v128, order: v128, divisor: f64): f64 {
  let sums = v128.mul<i16>(v128.swizzle(v128.sub_sat<u8>(bytes, v128.load(ZEROS)), order), v128.load(TENS))
  sums = i32x4.dot_i16x8_s(v128.shr<u16>(sums, 8), v128.load(HUNDREDS))
  sums = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_u(sums, sums), v128.load(TEN_THOUSANDS))
  const eights = v128.mul<f64>(f64x2.convert_low_i32x4_s(sums), v128.load(HALVES))
  return (f64x2.extract_lane(eights, 0) + f64x2.extract_lane(eights, 1)) / divisor
}
