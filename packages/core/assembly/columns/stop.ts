// Why a loop stops, and how it reports where.

@inline export const MORE: i32 = 0
@inline export const END: i32 = 1
@inline export const SLOW: i32 = 2
@inline export const SEPARATOR: i32 = 3
@inline export const FULL: i32 = 4
@inline export const UNKNOWN: i32 = 5

/** Writes the registers, and passes the reason on. */
@inline export function report(stop: i32, position: usize, row: i32): i32 {
  store<i32>(0, i32(position))
  store<i32>(4, row)
  return stop
}

@inline export function isWhitespace(byte: u32): bool {
  return byte == 32 || byte == 10 || byte == 13 || byte == 9
}

/** What the byte after an element, if it is not a comma, makes of the loop. */
@inline export function endOf(byte: u32): i32 {
  return byte == 93 ? END : isWhitespace(byte) ? SEPARATOR : SLOW
}
