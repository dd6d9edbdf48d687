import { pageBytes } from "../wasmModule.ts"
import * as Abi from "./abi.ts"
import { powers, scanned, scanNumber } from "./json.ts"

/** `null` as the four bytes of a little-endian word. */
const nullWord = 0x6c6c756e

/** A number that ends farther from its start than this may have run into bytes that have not arrived. */
const longestNumber = Abi.lookAhead - 8

/** This many digits and a dot, and an integer of 32 bits has held them. */
const exactDigits = 9

/**
 * The hot loops in plain TypeScript. A number is read a byte at a time, which a processor does faster than all that is clever, as long as
 * its digits fit one integer; choices are compared four bytes at a time.
 */
export class TypescriptKernel implements Abi.Kernel {
  readonly name = "typescript"
  memory: Abi.Memory = Abi.view(new ArrayBuffer(pageBytes))
  private data = new DataView(this.memory.bytes.buffer)

  reserve(size: number): void {
    if (size <= this.memory.bytes.length) return
    const before = this.memory.bytes
    this.memory = Abi.view(new ArrayBuffer(Math.ceil(size / pageBytes) * pageBytes))
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
    const { memory: { bytes, words } } = this
    const repeats = (flags & Abi.repeats) !== 0
    const first = column >> 3
    const end = first + capacity
    let stop: number = Abi.stopMore
    for (let out = first + row;;) {
      words[Abi.positionRegister] = position
      out = repeats ? this.repeatedNumbers(safe, out, end) : this.usualNumbers(safe, out, end)
      position = words[Abi.positionRegister]!
      row = out - first
      if (position >= safe) break
      if (out >= end) {
        stop = Abi.stopFull
        break
      }
      if (isWhitespace(bytes[position]!)) {
        position++
        continue
      }
      const at = this.readWithCare(position, out, nulls, row, flags)
      const byteAfter = bytes[at]!
      stop = at === position ? Abi.stopSlow : byteAfter === Abi.comma ? Abi.stopMore : endOf(byteAfter)
      if (stop === Abi.stopSlow) break
      row = ++out - first
      position = at
      if (stop !== Abi.stopMore) break
      position++
    }
    return this.report(stop, position, row)
  }

  /**
   * Reads numbers of few digits, each with its comma, from the position in the register to floats from `out` to before `end`. Stops at
   * whatever is written differently; returns where the next float goes, and leaves the position in the register. It is a function of its
   * own because engines compile a small loop twice as well as one among others.
   */
  private usualNumbers(safe: number, out: number, end: number): number {
    // Constants of the function, and not imported, because then they stand in the loop as numbers, however the modules were bundled.
    const comma = 44
    const dot = 46
    const minus = 45
    const zero = 48
    const { memory: { bytes, floats, words } } = this
    let position = words[Abi.positionRegister]!
    while (position < safe && out < end) {
      let at = position
      let code = bytes[at]!
      const negative = code === minus
      if (negative) code = bytes[++at]!
      const start = at
      let mantissa = code - zero
      if (mantissa >>> 0 > 9) break
      code = bytes[++at]!
      let digit = code - zero
      if (mantissa === 0 && digit >>> 0 <= 9) break
      while (digit >>> 0 <= 9) {
        mantissa = (Math.imul(mantissa, 10) + digit) | 0
        code = bytes[++at]!
        digit = code - zero
      }
      if (code === comma) {
        if (at - start > exactDigits) break
        floats[out] = negative ? -mantissa : mantissa
      } else if (code === dot) {
        const fraction = at + 1
        code = bytes[++at]!
        digit = code - zero
        while (digit >>> 0 <= 9) {
          mantissa = (Math.imul(mantissa, 10) + digit) | 0
          code = bytes[++at]!
          digit = code - zero
        }
        if (code !== comma || at === fraction || at - start > exactDigits + 1) break
        const value = mantissa / powers[at - fraction]!
        floats[out] = negative ? -value : value
      } else break
      out++
      position = at + 1
    }
    words[Abi.positionRegister] = position
    return out
  }

  /**
   * Does the same where neighbours are often equal: a token is compared with the one before it, twelve bytes at once, because no usual number is
   * longer. Those that are not equal are mostly instants, in ten digits.
   */
  private repeatedNumbers(safe: number, out: number, end: number): number {
    const { data, memory: { floats, words } } = this
    let position = words[Abi.positionRegister]!
    while (position < safe && out < end) {
      const token = position
      const instant = instantAt(data, token)
      if (instant > 0) {
        floats[out] = instant
        position += instantLength
      } else {
        words[Abi.positionRegister] = token
        if (this.usualNumbers(safe, out, out + 1) === out) break
        position = words[Abi.positionRegister]!
      }
      const value = floats[out++]!
      const length = position - token
      const [mask0, mask1, mask2] = [maskOf(length), maskOf(length - 4), maskOf(length - 8)]
      const word0 = data.getInt32(token, true) & mask0
      const word1 = data.getInt32(token + 4, true) & mask1
      const word2 = data.getInt32(token + 8, true) & mask2
      while (
        out < end && position < safe && (data.getInt32(position, true) & mask0) === word0 &&
        (data.getInt32(position + 4, true) & mask1) === word1 && (data.getInt32(position + 8, true) & mask2) === word2
      ) {
        floats[out++] = value
        position += length
      }
    }
    words[Abi.positionRegister] = position
    return out
  }

  /**
   * Reads the number or null at a position to the float at `out`. Returns where it ends; the position itself if it is to be read by the
   * driver.
   */
  private readWithCare(position: number, out: number, nulls: number, row: number, flags: number): number {
    const { data, memory: { bytes, floats, words } } = this
    if (data.getInt32(position, true) === nullWord) {
      if ((flags & Abi.nullsAllowed) === 0 || !mayFollow(bytes[position + 4]!)) return position
      bytes[nulls + (row >> 3)]! |= 1 << (row & 7)
      words[Abi.nullsRegister]!++
      floats[out] = NaN
      return position + 4
    }
    const value = scanNumber(bytes, position)
    const { end } = scanned
    if (Number.isNaN(value) || end - position > longestNumber || !mayFollow(bytes[end]!)) return position
    floats[out] = value
    return end
  }

  choices(position: number, safe: number, column: number, row: number, capacity: number): number {
    const { data, memory: { bytes, words } } = this
    const entries = Abi.choicesAt + Abi.choicesFirst
    const last = entries + words[Abi.choicesAt >> 2]! * Abi.choiceBytes
    let stop: number = Abi.stopMore
    next: while (position < safe) {
      if (row >= capacity) {
        stop = Abi.stopFull
        break
      }
      if (isWhitespace(bytes[position]!)) {
        position++
        continue
      }
      let low = data.getInt32(position, true)
      let high = data.getInt32(position + 4, true)
      for (let entry = entries, code = 0; entry < last; entry += Abi.choiceBytes, code++) {
        const word = entry >> 2
        if ((((low & words[word + 2]!) ^ words[word]!) | ((high & words[word + 3]!) ^ words[word + 1]!)) !== 0) continue
        // Neighbours are often the same choice.
        do {
          const at = position + words[word + 4]!
          const end = bytes[at]!
          if (end !== Abi.comma) {
            stop = endOf(end)
            if (stop === Abi.stopSlow) break next
          }
          bytes[column + row++] = code
          position = at
          if (stop !== Abi.stopMore) break next
          position++
          if (position >= safe || row >= capacity) continue next
          low = data.getInt32(position, true)
          high = data.getInt32(position + 4, true)
        } while ((((low & words[word + 2]!) ^ words[word]!) | ((high & words[word + 3]!) ^ words[word + 1]!)) === 0)
        continue next
      }
      stop = Abi.stopSlow
      break
    }
    return this.report(stop, position, row)
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
    const longest = Abi.keyBytes + digits
    let stop: number = Abi.stopMore
    // Of the text before: where the cache has it, the length of its key, and its code.
    let slot = 0
    let size = -1
    let code = 0
    while (position < safe) {
      if (row >= capacity) {
        stop = Abi.stopFull
        break
      }
      const lead = bytes[position]!
      if (lead !== Abi.quote) {
        if (isWhitespace(lead)) {
          position++
          continue
        }
        stop = Abi.stopSlow
        break
      }
      const start = position + 1
      if (size < 0 || bytes[start + size + digits] !== Abi.quote || !holds(data, slot, start, size)) {
        let length = 0
        while (length <= longest && bytes[start + length] !== Abi.quote) length++
        if (length > longest || length < digits) {
          stop = Abi.stopSlow
          break
        }
        size = length - digits
        slot = slotOf(bytes, start, size)
        for (let tries = 1;; tries++) {
          const isFree = words[slot >> 2] === Abi.freeSlot
          if (!isFree && holds(data, slot, start, size)) break
          if (isFree || tries === Abi.legendTries) {
            stop = Abi.stopUnknown
            break
          }
          slot = Abi.legendAt + ((slot - Abi.legendAt + Abi.slotBytes) & (Abi.legendBytes - 1))
        }
        if (stop === Abi.stopUnknown) {
          words[Abi.slotRegister] = slot
          words[Abi.lengthRegister] = length
          break
        }
        code = words[(slot + Abi.keyBytes) >> 2]!
      }
      let at = start + size
      let value = 0
      if (digits !== 0) {
        value = eightDigitsAt(data, at)
        if (value < 0) {
          stop = Abi.stopSlow
          break
        }
        at += digits
      }
      at++
      const end = bytes[at]!
      if (end !== Abi.comma) {
        stop = endOf(end)
        if (stop === Abi.stopSlow) break
      }
      words[codes + row] = code
      words[values + row] = value
      row++
      position = at
      if (stop !== Abi.stopMore) break
      position++
    }
    return this.report(stop, position, row)
  }

  /** Writes the registers, and passes the reason on. */
  private report(stop: number, position: number, row: number): number {
    const { words } = this.memory
    words[Abi.positionRegister] = position
    words[Abi.rowRegister] = row
    return stop
  }
}

const zeros = 0x30303030

const isWhitespace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** What the loop returns for the byte after an element, if that is not a comma. */
const endOf = (code: number): number =>
  code === Abi.closeBracket ? Abi.stopEnd : isWhitespace(code) ? Abi.stopSeparator : Abi.stopSlow

/** Returns whether an element may end before this byte. */
const mayFollow = (code: number): boolean => code === Abi.comma || endOf(code) !== Abi.stopSlow

/** The value of four digits, the first in the lowest byte. */
const valueOf = (digits: number): number => {
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff
  return (Math.imul(pairs, 100) + (pairs >>> 16)) & 0xffff
}

/** The value of the eight digits at a position; -1 if they are not all digits. */
const eightDigitsAt = (data: DataView, at: number): number => {
  const upper = data.getInt32(at, true) ^ zeros
  const lower = data.getInt32(at + 4, true) ^ zeros
  const others = ((upper + 0x76767676) | upper | (lower + 0x76767676) | lower) & 0x80808080
  return others === 0 ? valueOf(upper) * 10_000 + valueOf(lower) : -1
}

/** An instant with its comma. */
const instantLength = 11

/** The instant at a position, in ten digits with a comma behind; 0 if it is not one. */
const instantAt = (data: DataView, at: number): number => {
  const eight = eightDigitsAt(data, at)
  const last = data.getInt32(at + 8, true) ^ zeros
  const two = last & 0xffff
  const isInstant = eight >= 10_000_000 && (((two + 0x7676) | two) & 0x8080) === 0 &&
    ((last >>> 16) & 0xff) === (Abi.comma ^ Abi.zero)
  return isInstant ? eight * 100 + (two & 0xff) * 10 + (two >>> 8) : 0
}

/** Covers the first bytes of a word: none for 0 or less, all for 4 or more. */
const maskOf = (length: number): number => length >= 4 ? -1 : length <= 0 ? 0 : (1 << (length << 3)) - 1

/** Returns whether a slot of the cache holds the key of a length at `start`. */
const holds = (data: DataView, slot: number, start: number, size: number): boolean => {
  let at = 0
  for (; at + 4 <= size; at += 4) if (data.getInt32(slot + at, true) !== data.getInt32(start + at, true)) return false
  const others = (data.getInt32(slot + at, true) ^ data.getInt32(start + at, true)) & maskOf(size - at)
  return others === 0 && (size === Abi.keyBytes || data.getUint8(slot + size) === Abi.quote)
}

/** The place of a key in the cache, by its hash (FNV). */
const slotOf = (bytes: Uint8Array, start: number, size: number): number => {
  let hash = 0
  for (let at = start; at < start + size; at++) hash = Math.imul(hash ^ bytes[at]!, 0x0100_0193)
  return Abi.legendAt + (hash >>> 24) * Abi.slotBytes
}
