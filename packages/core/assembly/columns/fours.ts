import { CLOSE_LEFT, CLOSE_RIGHT, NULLS, NULLS_ALLOWED, SHARES } from "./layout"
import { progress } from "./progress"
import {
  BELOW_DIGITS,
  COMMAS,
  DIGITS_UP,
  DOTS,
  eights,
  equal,
  HUNDREDS,
  KEEP_EIGHT,
  MINUSES,
  notDigits,
  TEN_THOUSANDS,
  TENS,
  ZEROS
} from "./vectors"

/** The signs of two floats, and two times `null` behind four bytes that were masked off. */
const SIGNS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 128,
  0, 0, 0, 0, 110, 117, 108, 108, 0, 0, 0, 0, 110, 117, 108, 108
])
const ABSENT: usize = SIGNS + 16

/**
 * Reads four numbers a round, as long as each has at most eight characters and a comma behind it. Each is loaded so that it ends at the last
 * byte of a lane of eight, and what stands before it is masked off. The dots, the zeros and the other bytes of all four are a word of 32 bits
 * each, so that a rule of the grammar is one expression for all of them.
 */
export function fours(
  position: usize,
  safe: usize,
  out: usize,
  outEnd: usize,
  column: usize,
  nulls: usize,
  flags: i32
): u64 {
  const comma = v128.load(COMMAS)
  const dot = v128.load(DOTS)
  const zero = v128.load(ZEROS)
  const minus = v128.load(MINUSES)
  const digitsUp = v128.load(DIGITS_UP)
  const belowDigits = v128.load(BELOW_DIGITS)
  const tens = v128.load(TENS)
  const hundreds = v128.load(HUNDREDS)
  const tenThousands = v128.load(TEN_THOUSANDS)
  const sign = v128.load(SIGNS)
  let ahead = commasFrom(position, comma)
  while (position + 40 <= safe && out + 32 <= outEnd) {
    let commas = ahead
    const end0 = i32(ctz(commas))
    commas &= commas - 1
    const end1 = i32(ctz(commas))
    commas &= commas - 1
    const end2 = i32(ctz(commas))
    commas &= commas - 1
    const end3 = i32(ctz(commas))
    const length1 = end1 - end0 - 1
    const length2 = end2 - end1 - 1
    const length3 = end3 - end2 - 1
    if (u32((end0 - 1) | (length1 - 1) | (length2 - 1) | (length3 - 1)) > 7) break
    const next = position + end3 + 1
    const before = position - 8
    const keepA = v128.load64_lane(KEEP_EIGHT + length1, v128.load64_zero(KEEP_EIGHT + end0), 1)
    const keepB = v128.load64_lane(KEEP_EIGHT + length3, v128.load64_zero(KEEP_EIGHT + length2), 1)
    const a = v128.and(v128.load64_lane(before + end1, v128.load64_zero(before + end0), 1), keepA)
    const b = v128.and(v128.load64_lane(before + end3, v128.load64_zero(before + end2), 1), keepB)
    const keep = u32(i8x16.bitmask(keepA)) | (u32(i8x16.bitmask(keepB)) << 16)
    const dots = equal(a, dot) | (equal(b, dot) << 16)
    let others = keep & (notDigits(a, digitsUp, belowDigits) | (notDigits(b, digitsUp, belowDigits) << 16))
    const zeros = equal(a, zero) | (equal(b, zero) << 16)
    // Looked for before this round is finished, so that the next one need not wait for it.
    ahead = commasFrom(next, comma)
    const first = keep ^ ((keep << 1) & 0xfefefefe)
    let negative: u32 = 0
    let signA = i64x2.splat(0)
    let signB = i64x2.splat(0)
    let absent = 0
    let absentA = signA
    let absentB = signB
    if (others != dots) {
      absentA = v128.eq<i64>(a, v128.load(ABSENT))
      absentB = v128.eq<i64>(b, v128.load(ABSENT))
      absent = i64x2.bitmask(absentA) | (i64x2.bitmask(absentB) << 2)
      if (absent != 0) {
        if (!(flags & NULLS_ALLOWED)) break
        // Of its own four bytes only: a byte of 0 before them looks like one that was masked off.
        others &= ~((u32(i8x16.bitmask(absentA)) | (u32(i8x16.bitmask(absentB)) << 16)) & 0xf0f0f0f0)
      }
      const minusA = v128.eq<i8>(a, minus)
      const minusB = v128.eq<i8>(b, minus)
      negative = (u32(i8x16.bitmask(minusA)) | (u32(i8x16.bitmask(minusB)) << 16)) & first
      signA = v128.andnot(sign, v128.eq<i64>(minusA, signA))
      signB = v128.andnot(sign, v128.eq<i64>(minusB, signB))
    }
    if (
      // something other than digits, dots and leading minuses
      (others ^ dots ^ negative) |
      // a dot first
      (dots & first) |
      // two of them next to each other, or one at the end
      (others & ((others << 1) | 0x80808080)) |
      // two dots
      (dots & ((dots | 0x80808080) - 0x01010101)) |
      // a zero first, and a digit after it
      (zeros & (first + negative) & ~(others >> 1) & 0x7f7f7f7f)
    ) break
    const digitsA = v128.sub_sat<u8>(a, zero)
    const digitsB = v128.sub_sat<u8>(b, zero)
    if (dots == 0) {
      const integers = eights(digitsA, digitsB, tens, hundreds, tenThousands)
      v128.store(out, v128.xor(f64x2.convert_low_i32x4_s(integers), signA))
      v128.store(out, v128.xor(f64x2.convert_low_i32x4_s(upper(integers)), signB), 16)
    } else {
      // Eight times the bit of each dot, the index of the tables.
      const dot0 = <usize>((dots << 3) & 0x7f8)
      const dot1 = <usize>((dots >>> 5) & 0x7f8)
      const dot2 = <usize>((dots >>> 13) & 0x7f8)
      const dot3 = <usize>((dots >>> 21) & 0x7f8)
      const closeA = v128.load64_lane(CLOSE_RIGHT + dot1, v128.load64_zero(CLOSE_LEFT + dot0), 1)
      const closeB = v128.load64_lane(CLOSE_RIGHT + dot3, v128.load64_zero(CLOSE_LEFT + dot2), 1)
      const integers = eights(
        v128.swizzle(digitsA, closeA),
        v128.swizzle(digitsB, closeB),
        tens,
        hundreds,
        tenThousands
      )
      const shareA = v128.load64_lane(SHARES + dot1, v128.load64_zero(SHARES + dot0), 1)
      const shareB = v128.load64_lane(SHARES + dot3, v128.load64_zero(SHARES + dot2), 1)
      v128.store(out, v128.xor(v128.div<f64>(f64x2.convert_low_i32x4_s(integers), shareA), signA))
      v128.store(out, v128.xor(v128.div<f64>(f64x2.convert_low_i32x4_s(upper(integers)), shareB), signB), 16)
    }
    if (absent != 0) {
      v128.store(out, v128.bitselect(f64x2.splat(NaN), v128.load(out), absentA))
      v128.store(out, v128.bitselect(f64x2.splat(NaN), v128.load(out, 16), absentB), 16)
      const row = (out - column) >> 3
      const bits = nulls + (row >> 3)
      store<u16>(bits, load<u16>(bits) | u16(absent << i32(row & 7)))
      store<i32>(NULLS, load<i32>(NULLS) + popcnt(absent))
    }
    out += 32
    position = next
  }
  return progress(position, out)
}

/** One bit a byte: where the commas of the next 48 bytes are. */
@inline function commasFrom(position: usize, comma: v128): u64 {
  return u64(equal(v128.load(position), comma)) | (u64(equal(v128.load(position, 16), comma)) << 16) |
    (u64(equal(v128.load(position, 32), comma)) << 32)
}

/** Moves the upper two of four numbers down. */
@inline function upper(integers: v128): v128 {
  return v128.shuffle<i64>(integers, integers, 1, 1)
}
