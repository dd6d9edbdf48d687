// Vectors that the loops over numbers share. They lie in memory, because the engine keeps what it has loaded in registers, but builds a
// vector literal anew in each round.

const VECTORS: usize = memory.data<u8>([
  44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44,
  46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46, 46,
  48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48,
  45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45,
  80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80,
  137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137, 137,
  1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10,
  100, 0, 1, 0, 100, 0, 1, 0, 100, 0, 1, 0, 100, 0, 1, 0,
  16, 39, 1, 0, 16, 39, 1, 0, 16, 39, 1, 0, 16, 39, 1, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
])

@inline export const COMMAS: usize = VECTORS
@inline export const DOTS: usize = VECTORS + 16
@inline export const ZEROS: usize = VECTORS + 32
@inline export const MINUSES: usize = VECTORS + 48

/** Adding 80 makes digits, and no other bytes, the smallest of signed bytes: at most 137 - 256. */
@inline export const DIGITS_UP: usize = VECTORS + 64
@inline export const BELOW_DIGITS: usize = VECTORS + 80

/** What the digits of a pair, the pairs of a four and the fours of an eight are multiplied by before they are added. */
@inline export const TENS: usize = VECTORS + 96
@inline export const HUNDREDS: usize = VECTORS + 112
@inline export const TEN_THOUSANDS: usize = VECTORS + 128

/** Each byte is its own index. */
@inline export const INDEX: usize = VECTORS + 144

/** 16 bytes at KEEP + n keep the last n of 16 bytes, 8 bytes at KEEP_EIGHT + n the last n of 8. */
@inline export const KEEP: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
])
@inline export const KEEP_EIGHT: usize = KEEP + 8

/** One bit a byte: which bytes are equal to those of the other vector. */
@inline export function equal(bytes: v128, other: v128): u32 {
  return u32(i8x16.bitmask(v128.eq<i8>(bytes, other)))
}

/** One bit a byte: which bytes are not digits. */
@inline export function notDigits(bytes: v128, digitsUp: v128, belowDigits: v128): u32 {
  return u32(i8x16.bitmask(i8x16.gt_s(v128.add<i8>(bytes, digitsUp), belowDigits)))
}

/** Twice sixteen digits: each eight of them become four pairs, two fours, and one number of 32 bits. */
@inline export function eights(a: v128, b: v128, tens: v128, hundreds: v128, tenThousands: v128): v128 {
  const foursA = i32x4.dot_i16x8_s(v128.shr<u16>(v128.mul<i16>(a, tens), 8), hundreds)
  const foursB = i32x4.dot_i16x8_s(v128.shr<u16>(v128.mul<i16>(b, tens), 8), hundreds)
  return i32x4.dot_i16x8_s(i16x8.narrow_i32x4_u(foursA, foursB), tenThousands)
}
