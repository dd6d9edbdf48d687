import { CACHE, CACHE_BYTES, FREE, KEY_BYTES, LENGTH, SLOT, SLOT_BYTES, TRIES } from "./layout"
import { endOf, FULL, isWhitespace, MORE, report, SLOW, UNKNOWN } from "./stop"

/**
 * Reads texts. A key is a text without its last digits, in one vector padded with quotes, which no text holds. It is compared with the key
 * before, then looked up in the cache: at the place that its hash gives it, or at one of the next few. Before the first text stands what
 * stands in free places, which is not a key.
 */
export function texts(
  position: usize,
  safe: usize,
  column: usize,
  row: i32,
  capacity: i32,
  numbers: usize,
  digits: usize
): i32 {
  const INDEX = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  const QUOTE = i8x16.splat(34)
  let before = i32x4.splat(FREE)
  let code = 0
  while (position < safe) {
    if (row >= capacity) return report(FULL, position, row)
    const lead = load<u8>(position)
    if (lead != 34) {
      if (!isWhitespace(lead)) return report(SLOW, position, row)
      position++
      continue
    }
    const start = position + 1
    const bytes = v128.load(start)
    const quotes = (u32(i8x16.bitmask(i8x16.eq(v128.load(start, 16), QUOTE))) << 16) |
      u32(i8x16.bitmask(i8x16.eq(bytes, QUOTE)))
    const length: usize = ctz(quotes)
    if (quotes == 0 || length < digits || length > KEY_BYTES + digits) return report(SLOW, position, row)
    const key = v128.bitselect(bytes, QUOTE, i8x16.lt_u(INDEX, i8x16.splat(i8(length - digits))))
    if (v128.any_true(v128.xor(key, before))) {
      const hash = (i64x2.extract_lane(key, 0) * 0x9e3779b97f4a7c15) ^ (i64x2.extract_lane(key, 1) * 0xc2b2ae3d27d4eb4f)
      let slot = CACHE + (usize(u64(hash) >> 56) * SLOT_BYTES)
      let tries = 1
      while (v128.any_true(v128.xor(v128.load(slot), key))) {
        if (load<i32>(slot) == FREE || tries++ == TRIES) {
          store<i32>(SLOT, i32(slot))
          store<i32>(LENGTH, i32(length))
          return report(UNKNOWN, position, row)
        }
        slot = CACHE + ((slot - CACHE + SLOT_BYTES) & (CACHE_BYTES - 1))
      }
      before = key
      code = load<i32>(slot, 16)
    }
    let value = 0
    if (digits != 0) {
      let word = load<u64>(start + length - 8) ^ 0x3030303030303030
      if (((word + 0x7676767676767676) | word) & 0x8080808080808080) return report(SLOW, position, row)
      word = (word * 10) + (word >> 8)
      value = i32((((word & 0x000000ff000000ff) * 0x000f424000000064) +
        (((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32)
    }
    const at = start + length + 1
    const end = load<u8>(at)
    if (end != 44) {
      const stop = endOf(end)
      if (stop == SLOW) return report(SLOW, position, row)
      store<i32>(column + (<usize>row << 2), code)
      store<i32>(numbers + (<usize>row << 2), value)
      return report(stop, at, row + 1)
    }
    store<i32>(column + (<usize>row << 2), code)
    store<i32>(numbers + (<usize>row << 2), value)
    row++
    position = at + 1
    // Neighbours often begin alike and are equally long: where each ends need not be found first.
    const mask = i8x16.lt_u(INDEX, i8x16.splat(i8(length - digits)))
    const prefix = v128.and(key, mask)
    while (position < safe && row < capacity) {
      if (
        v128.any_true(v128.xor(v128.and(v128.load(position, 1), mask), prefix)) |
        (load<u8>(position) != 34) | (load<u16>(position + length, 1) != 0x2c22)
      ) break
      if (digits != 0) {
        let word = load<u64>(position + length - 7) ^ 0x3030303030303030
        if (((word + 0x7676767676767676) | word) & 0x8080808080808080) break
        word = (word * 10) + (word >> 8)
        value = i32((((word & 0x000000ff000000ff) * 0x000f424000000064) +
          (((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32)
      }
      store<i32>(column + (<usize>row << 2), code)
      store<i32>(numbers + (<usize>row << 2), value)
      row++
      position += length + 3
    }
  }
  return report(MORE, position, row)
}
