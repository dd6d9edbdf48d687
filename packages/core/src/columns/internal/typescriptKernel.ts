import { type Kernel, type Memory, view } from "./kernel.ts"
import * as layout from "./layout.ts"
import { scanned, scanNumber } from "./numbers.ts"
import { byte } from "./tokens.ts"

const pageBytes = 65_536

/** `null` as the four bytes of a little-endian word. */
const nullWord = 0x6c6c756e

/** A number that ends farther from its start than this may have run into bytes that have not arrived. */
const longestNumber = layout.lookAhead - 8

/** What 1 to 3 digits push those before them up by. */
const shifts = [1, 10, 100, 1000]

/**
 * The hot loops in plain TypeScript. They read four bytes at a time as one word, and find out about four digits with one addition: a byte
 * of the word minus "0" is a digit if neither it nor it plus 118 has its top bit.
 */
export class TypescriptKernel implements Kernel {
  readonly name = "typescript"
  memory: Memory = view(new ArrayBuffer(pageBytes))
  private data = new DataView(this.memory.bytes.buffer)

  reserve(size: number): void {
    if (size <= this.memory.bytes.length) return
    const before = this.memory.bytes
    this.memory = view(new ArrayBuffer(Math.ceil(size / pageBytes) * pageBytes))
    this.memory.bytes.set(before)
    this.data = new DataView(this.memory.bytes.buffer)
  }

  numbers(
    position: number,
    safe: number,
    column: number,
    row: number,
    capacity: number,
    nulls: number,
    flags: number
  ): number {
    const { data, memory: { bytes, floats, words } } = this
    const first = column >> 3
    const repeats = (flags & layout.flag.repeats) !== 0
    let stop: number = layout.stop.more
    while (position < safe) {
      if (row >= capacity) {
        stop = layout.stop.full
        break
      }
      const lead = bytes[position]!
      if (lead <= 32) {
        if (!isWhitespace(lead)) {
          stop = layout.stop.slow
          break
        }
        position++
        continue
      }
      const negative = lead === byte.minus
      let at = negative ? position + 1 : position
      let value = 0
      let word = data.getInt32(at, true)
      if (word === nullWord && !negative && (flags & layout.flag.nullsAllowed) !== 0) {
        at += 4
        value = NaN
      } else {
        let digits = word ^ 0x30303030
        let others = ((digits + 0x76767676) | digits) & 0x80808080
        if ((digits & 255) === 0 && (others & 0x8000) === 0) {
          // A zero before another digit is no number.
          stop = layout.stop.slow
          break
        }
        if (others === 0) {
          value = valueOf(digits)
          at += 4
          word = data.getInt32(at, true)
          digits = word ^ 0x30303030
          others = ((digits + 0x76767676) | digits) & 0x80808080
          if (others === 0) {
            value = value * 10_000 + valueOf(digits)
            at += 4
            digits = data.getInt32(at, true) ^ 0x30303030
            others = ((digits + 0x76767676) | digits) & 0x80808080
          }
        } else if ((others & 0x80) !== 0) {
          stop = layout.stop.slow
          break
        }
        let isLong = others === 0
        if (!isLong) {
          const count = countOf(others)
          if (count > 0) {
            value = value * shifts[count]! + valueOf(digits << (32 - 8 * count))
            at += count
          }
          if (bytes[at] === dot) {
            digits = data.getInt32(at + 1, true) ^ 0x30303030
            others = ((digits + 0x76767676) | digits) & 0x80808080
            if (others !== 0) {
              const count = countOf(others)
              if (count === 0) {
                stop = layout.stop.slow
                break
              }
              const scale = shifts[count]!
              value = (value * scale + valueOf(digits << (32 - 8 * count))) / scale
              at += 1 + count
            } else if (!isDigit(bytes[at + 5]!)) {
              value = (value * 10_000 + valueOf(digits)) / 10_000
              at += 5
            } else isLong = true
          }
          // The mantissa must be exact before it is divided: up to eleven digits and four more are.
          const end = bytes[at]!
          isLong = isLong || end === 101 || end === 69
        }
        if (isLong) {
          value = scanNumber(bytes, position)
          at = scanned.end
          if (Number.isNaN(value) || at - position > longestNumber) {
            stop = layout.stop.slow
            break
          }
        } else if (negative) value = -value
      }
      const end = bytes[at]!
      if (end !== byte.comma) {
        stop = endOf(end)
        if (stop === layout.stop.slow) break
      }
      if (value !== value) {
        bytes[nulls + (row >> 3)]! |= 1 << (row & 7)
        words[layout.register.nulls]!++
      }
      floats[first + row] = value
      row++
      if (end !== byte.comma) {
        position = at
        break
      }
      const length = at + 1 - position
      position = at + 1
      if (repeats && length <= 12 && value === value) {
        const equal = position - length
        while (row < capacity && position < safe && isSame(data, equal, position, length)) {
          floats[first + row] = value
          row++
          position += length
        }
      }
    }
    words[layout.register.position] = position
    words[layout.register.row] = row
    return stop
  }

  choices(position: number, safe: number, column: number, row: number, capacity: number): number {
    const { data, memory: { bytes, words } } = this
    const entries = layout.choiceTable.at + layout.choiceTable.first
    const last = entries + words[layout.choiceTable.at >> 2]! * layout.choiceTable.entryBytes
    let stop: number = layout.stop.more
    next: while (position < safe) {
      if (row >= capacity) {
        stop = layout.stop.full
        break
      }
      if (isWhitespace(bytes[position]!)) {
        position++
        continue
      }
      const low = data.getInt32(position, true)
      const high = data.getInt32(position + 4, true)
      for (let entry = entries, code = 0; entry < last; entry += layout.choiceTable.entryBytes, code++) {
        const word = entry >> 2
        if ((((low & words[word + 2]!) ^ words[word]!) | ((high & words[word + 3]!) ^ words[word + 1]!)) !== 0) continue
        const at = position + words[word + 4]!
        const end = bytes[at]!
        if (end !== byte.comma) {
          stop = endOf(end)
          if (stop === layout.stop.slow) break next
        }
        bytes[column + row] = code
        row++
        position = at
        if (stop !== layout.stop.more) break next
        position++
        continue next
      }
      stop = layout.stop.slow
      break
    }
    words[layout.register.position] = position
    words[layout.register.row] = row
    return stop
  }

  texts(
    position: number,
    safe: number,
    column: number,
    row: number,
    capacity: number,
    numbers: number,
    digits: number
  ): number {
    const { data, memory: { bytes, words } } = this
    const codes = column >> 2
    const values = numbers >> 2
    const longest = layout.cache.keyBytes + digits
    let stop: number = layout.stop.more
    // The key of the text before, four bytes a word, its length, and its code.
    let key0 = 0
    let key1 = 0
    let key2 = 0
    let key3 = 0
    let keyLength = -1
    let code = 0
    while (position < safe) {
      if (row >= capacity) {
        stop = layout.stop.full
        break
      }
      const lead = bytes[position]!
      if (lead !== byte.quote) {
        if (isWhitespace(lead)) {
          position++
          continue
        }
        stop = layout.stop.slow
        break
      }
      const start = position + 1
      if (
        keyLength < 0 || bytes[start + keyLength + digits] !== byte.quote ||
        ((data.getInt32(start, true) & maskOf(keyLength)) ^ key0 |
            (data.getInt32(start + 4, true) & maskOf(keyLength - 4)) ^ key1 |
            (data.getInt32(start + 8, true) & maskOf(keyLength - 8)) ^ key2 |
            (data.getInt32(start + 12, true) & maskOf(keyLength - 12)) ^ key3) !== 0
      ) {
        let length = 0
        while (length <= longest && bytes[start + length] !== byte.quote) length++
        if (length > longest || length < digits) {
          stop = layout.stop.slow
          break
        }
        const size = length - digits
        const word0 = data.getInt32(start, true) & maskOf(size)
        const word1 = data.getInt32(start + 4, true) & maskOf(size - 4)
        const word2 = data.getInt32(start + 8, true) & maskOf(size - 8)
        const word3 = data.getInt32(start + 12, true) & maskOf(size - 12)
        let slot = slotOf(word0, word1, word2, word3)
        let word = (layout.cache.at + slot) >> 2
        let tries = 1
        while (
          ((words[word]! ^ word0) | (words[word + 1]! ^ word1) | (words[word + 2]! ^ word2) |
            (words[word + 3]! ^ word3)) !== 0
        ) {
          if (words[word] === -1 || tries++ === layout.cache.tries) {
            stop = layout.stop.unknown
            break
          }
          slot = (slot + layout.cache.slotBytes) & (layout.cache.bytes - 1)
          word = (layout.cache.at + slot) >> 2
        }
        if (stop === layout.stop.unknown) {
          words[layout.register.slot] = layout.cache.at + slot
          words[layout.register.length] = length
          break
        }
        code = words[word + 4]!
        key0 = word0
        key1 = word1
        key2 = word2
        key3 = word3
        keyLength = size
      }
      let at = start + keyLength
      let value = 0
      if (digits !== 0) {
        const upper = data.getInt32(at, true) ^ 0x30303030
        const lower = data.getInt32(at + 4, true) ^ 0x30303030
        if ((((upper + 0x76767676) | upper | (lower + 0x76767676) | lower) & 0x80808080) !== 0) {
          stop = layout.stop.slow
          break
        }
        value = valueOf(upper) * 10_000 + valueOf(lower)
        at += digits
      }
      at++
      const end = bytes[at]!
      if (end !== byte.comma) {
        stop = endOf(end)
        if (stop === layout.stop.slow) break
      }
      words[codes + row] = code
      words[values + row] = value
      row++
      position = at
      if (stop !== layout.stop.more) break
      position++
    }
    words[layout.register.position] = position
    words[layout.register.row] = row
    return stop
  }
}

const dot = 46

const isWhitespace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** What the byte after an element, if it is no comma, makes of the loop. */
const endOf = (code: number): number =>
  code === byte.closeBracket ? layout.stop.end : isWhitespace(code) ? layout.stop.separator : layout.stop.slow

/** The value of four digits, the first in the lowest byte. */
const valueOf = (digits: number): number => {
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff
  return (Math.imul(pairs, 100) + (pairs >>> 16)) & 0xffff
}

/** How many of four bytes come before the first that is no digit. */
const countOf = (others: number): number => (31 - Math.clz32(others & -others)) >> 3

/** Covers the first bytes of a word: none for 0 or less, all for 4 or more. */
const maskOf = (length: number): number => length >= 4 ? -1 : length <= 0 ? 0 : (1 << (length << 3)) - 1

/** Tells whether the bytes before and after a position are the same; up to twelve of them. */
const isSame = (data: DataView, a: number, b: number, length: number): boolean =>
  (((data.getInt32(a, true) ^ data.getInt32(b, true)) & maskOf(length)) |
    ((data.getInt32(a + 4, true) ^ data.getInt32(b + 4, true)) & maskOf(length - 4)) |
    ((data.getInt32(a + 8, true) ^ data.getInt32(b + 8, true)) & maskOf(length - 8))) === 0

/** The place of a key in the cache. */
const slotOf = (word0: number, word1: number, word2: number, word3: number): number => {
  const mixed = Math.imul(word0, 0x9e3779b1) ^ Math.imul(word1, 0x85ebca77) ^ Math.imul(word2, 0xc2b2ae3d) ^
    Math.imul(word3, 0x27d4eb2f)
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 24) * layout.cache.slotBytes
}
