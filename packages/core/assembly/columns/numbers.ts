import { alike } from "./alike"
import { careful } from "./careful"
import { fours } from "./fours"
import { REPEATS } from "./layout"
import { longs } from "./longs"
import { outOf, positionOf } from "./progress"
import { divisorOf, orderOf, valueOf } from "./singles"
import { endOf, FULL, isWhitespace, MORE, report, SLOW } from "./stop"
import { BELOW_DIGITS, COMMAS, DIGITS_UP, DOTS, equal, notDigits, ZEROS } from "./vectors"

/** After a faster way failed, so many numbers are read one by one before it is tried again: twice as many each time it fails at once. */
const FEWEST: i32 = 4
const MOST: i32 = 256

/**
 * Reads numbers. Most columns hold short ones, which are read four a round; others repeat a number or the way it is written. What fits
 * neither is read one by one, sixteen bytes at a time without a branch; long fractions have a loop of their own. The rest, the last number of
 * an array among it, takes the careful way.
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
  const comma = v128.load(COMMAS)
  const dot = v128.load(DOTS)
  const zero = v128.load(ZEROS)
  const digitsUp = v128.load(DIGITS_UP)
  const belowDigits = v128.load(BELOW_DIGITS)
  const repeats = flags & REPEATS
  let position = start
  let out = column + (<usize>row << 3)
  const outEnd = column + (<usize>capacity << 3)
  // The number that was read last, which one that is written alike is compared with.
  let length: usize = 0
  let fromDot: usize = 0
  // Up to here numbers are read one by one.
  let outSingles = repeats ? min(outEnd, out + 8) : out
  let patience = FEWEST
  for (;;) {
    if (out >= outSingles && out < outEnd && position < safe) {
      const read = repeats
        ? alike(position, safe, out, outEnd, length, fromDot)
        : fours(position, safe, out, outEnd, column, nulls, flags)
      patience = outOf(read) == out ? min(patience << 1, MOST) : FEWEST
      position = positionOf(read)
      out = outOf(read)
      outSingles = min(outEnd, out + (<usize>patience << 3))
    }
    while (position < safe && out < outSingles) {
      if (load<u8>(position) <= 32) {
        while (position < safe && isWhitespace(load<u8>(position))) position++
        if (position >= safe || load<u8>(position) <= 32) break
      }
      const bytes = v128.load(position)
      // One bit a byte: where the commas, the dots, the zeros are, and what is not a digit.
      const commas = equal(bytes, comma) | 0x10000
      const dots = equal(bytes, dot)
      const others = notDigits(bytes, digitsUp, belowDigits) | 0x18000
      const zeros = equal(bytes, zero)
      length = ctz(commas)
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
      fromDot = length - ctz(dots | commas)
      store<f64>(out, valueOf(bytes, orderOf(length, fromDot), divisorOf(fromDot, negative)))
      out += 8
      position += length + 1
    }
    if (position < safe && out < outEnd) {
      if (out >= outSingles) continue
      if (equal(v128.load(position), comma) == 0) {
        const read = longs(position, safe, out, outEnd)
        if (outOf(read) != out) {
          position = positionOf(read)
          out = outOf(read)
          outSingles = max(outSingles, min(outEnd, out + 8))
          continue
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
      outSingles = max(outSingles, min(outEnd, out + 8))
      continue
    }
    return report(endOf(byte), end, row + 1)
  }
}
