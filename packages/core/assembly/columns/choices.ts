import { CHOICE_BYTES, CHOICES, FIRST_CHOICE } from "./layout"
import { endOf, FULL, isWhitespace, MORE, report, SLOW } from "./stop"

/** Reads choices: the next eight bytes are compared with each token of the table, under its mask. */
export function choices(position: usize, safe: usize, column: usize, row: i32, capacity: i32): i32 {
  const count = load<i32>(CHOICES)
  while (position < safe) {
    if (row >= capacity) return report(FULL, position, row)
    if (isWhitespace(load<u8>(position))) {
      position++
      continue
    }
    const word = load<u64>(position)
    let entry = FIRST_CHOICE
    let code = 0
    while (code < count && (word & load<u64>(entry, 8)) != load<u64>(entry)) {
      entry += CHOICE_BYTES
      code++
    }
    if (code == count) return report(SLOW, position, row)
    const length: usize = load<u32>(entry, 16)
    const at = position + length
    const end = load<u8>(at)
    if (end != 44) {
      const stop = endOf(end)
      if (stop == SLOW) return report(SLOW, position, row)
      store<u8>(column + row, code)
      return report(stop, at, row + 1)
    }
    store<u8>(column + row, code)
    row++
    position = at + 1
    // Neighbours are often equal.
    const mask = load<u64>(entry, 8)
    const token = load<u64>(entry)
    while (
      position < safe && row < capacity && (load<u64>(position) & mask) == token && load<u8>(position + length) == 44
    ) {
      store<u8>(column + row, code)
      row++
      position += length + 1
    }
  }
  return report(MORE, position, row)
}
