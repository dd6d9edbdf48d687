/** What all formats share: texts and numbers as bytes, and writing tables one after the other. */
import * as Result from "effect/Result"
import * as Columns from "../columns/Columns.ts"
import { attempt, ExportError, invalid, NoColumns, OtherColumns } from "../reason/ExportError.ts"

/** Bytes that are ready to be written. They may share memory with the last table. */
export type Bytes = Uint8Array<ArrayBuffer>

const utf8 = new TextEncoder()

/** A text as bytes. */
export const encoded = (text: string): Bytes => utf8.encode(text)

/** The most bytes that a number takes, its sign and exponent included. */
export const longest = 32

/** Numbers below it have at most fifteen digits with six decimals: only such a number is named by its digits alone. */
const most = 1e9

const [zero, minus, point] = [48, 45, 46]

/** Writes a whole number below 2 ** 31 so that its digits end there, with zeros before it where it has fewer than asked for. Returns where they begin. */
const digits = (bytes: Bytes, end: number, value: number, least: number): number => {
  let at = end
  let rest = value | 0
  do {
    const next = (rest / 10) | 0
    bytes[--at] = zero + rest - 10 * next
    rest = next
  } while (rest > 0 || end - at < least)
  return at
}

/** Writes a text so that it ends there. Returns where it begins. */
export const copy = (bytes: Bytes, end: number, text: Bytes): number => {
  let at = end
  for (let left = text.length - 1; left >= 0; left--) bytes[--at] = text[left]!
  return at
}

/**
 * Writes a number so that it ends there and reads back to the same bits, as `String` prints it, and `-0`. Returns where it begins. One with many digits, and
 * what is not finite, is written as `print` has it.
 */
export const number = (bytes: Bytes, end: number, value: number, print: (value: number) => string): number => {
  const size = Math.abs(value)
  const whole = size | 0
  let at = end
  if (whole !== size) {
    let unit = 100
    let count = 2
    while (count < 6 && Math.round(size * unit) / unit !== size) {
      unit *= 100
      count += 2
    }
    const scaled = Math.round(size * unit)
    if (size >= most || scaled / unit !== size) return copy(bytes, end, encoded(print(value)))
    const decimals = (scaled - whole * unit) | 0
    const shorter = (decimals / 10) | 0
    const isShorter = shorter * 10 === decimals
    at = digits(bytes, at, isShorter ? shorter : decimals, isShorter ? count - 1 : count)
    bytes[--at] = point
  }
  at = digits(bytes, at, whole, 1)
  if (value < 0 || (value === 0 && 1 / value < 0)) bytes[--at] = minus
  return at
}

/** Writes bytes one after the other, into memory that grows. */
export class Writer {
  private bytes: Bytes
  private at = 0

  /** How many bytes were written. */
  get length(): number {
    return this.at
  }

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Returns the written bytes. The writer must not be used any more. */
  get written(): Bytes {
    return this.bytes.subarray(0, this.at)
  }

  private reserve(length: number): void {
    if (this.at + length <= this.bytes.length) return
    const more = new Uint8Array(2 * (this.at + length))
    more.set(this.bytes)
    this.bytes = more
  }

  text(text: Uint8Array): void {
    const { length } = text
    this.reserve(length)
    const { at, bytes } = this
    // Most texts are shorter than what a call of `set` is worth.
    if (length < 64) { for (let from = 0; from < length; from++) bytes[at + from] = text[from]! }
    else bytes.set(text, at)
    this.at = at + length
  }

  /** Writes an integer with a number of digits. */
  digits(value: number, count: number): void {
    this.reserve(count)
    this.at += count
    digits(this.bytes, this.at, value, count)
  }
}

/** Concatenates bytes. */
export const joined = (pieces: ReadonlyArray<Bytes>): Bytes => {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/**
 * Writes tables one after the other. `push` takes a table, and returns what can be written of it and of those before; `end` returns the rest. What they
 * return may lie over the memory of the table: write it before the table is released.
 */
export interface Encoder {
  readonly push: (table: Columns.Table) => Result.Result<ReadonlyArray<Bytes>, ExportError>
  readonly end: () => Result.Result<ReadonlyArray<Bytes>, ExportError>
}

/**
 * What all formats take.
 *
 * - `types`: what columns of numbers become instead of their own type
 * - `metadata`: what the file says of itself: texts by name, such as `Export.about` makes of an answer. CSV and JSON lines have no place for it
 */
export interface Options {
  readonly types?: Columns.Types | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

const texts = { rule: "must be a string", example: "\"SPX\"" }

/** A format for known columns. */
export interface Writing {
  readonly table: (table: Columns.Table) => ReadonlyArray<Bytes>
  readonly end: () => ReadonlyArray<Bytes>
}

/** Whether columns go below others: a column without nulls also where there may be some. */
const isAlike = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>): boolean =>
  found.length === expected.length &&
  found.every((column, at) => column === expected[at] || column === expected[at]!.replace(" or null", ""))

/** Makes an encoder of what writes in a format: the first table says which columns there are. Callers without types may give null for options. */
export const make = <O extends Options>(
  options: O,
  format: (options: O) => (columns: ReadonlyArray<Columns.Column>) => Writing
): Encoder => {
  const given = options ?? {} as O
  const start = format(given)
  let expected: ReadonlyArray<string> = []
  let writing: Writing | undefined
  return {
    push: (table) =>
      attempt(() => {
        const columns = Columns.of(table, given.types ?? {})
        const found = columns.map(({ name, nullable, type }) => `${name} (${type}${nullable ? " or null" : ""})`)
        if (writing === undefined) {
          if (columns.length === 0) throw new ExportError({ reason: new NoColumns() })
          for (const [name, text] of Object.entries(given.metadata ?? {})) {
            if (typeof text !== "string") throw invalid(`metadata.${name}`, text, texts)
          }
          expected = found
          writing = start(columns)
        } else if (!isAlike(found, expected)) {
          throw new ExportError({ reason: new OtherColumns({ expected, found }) })
        }
        return writing.table(table)
      }),
    end: () =>
      attempt(() => {
        if (writing === undefined) throw new ExportError({ reason: new NoColumns() })
        return writing.end()
      })
  }
}

/** Writes one table as a whole. */
export const whole = (encoder: Encoder, table: Columns.Table): Result.Result<Bytes, ExportError> =>
  Result.flatMap(encoder.push(table), (begun) => Result.map(encoder.end(), (rest) => joined([...begun, ...rest])))
