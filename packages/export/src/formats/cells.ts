/** The elements of a table as texts, for formats that are texts. A column is looked at once, and its cells are then read row by row. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Columns from "../columns/Columns.ts"
import * as Values from "../columns/values.ts"
import { invalid } from "../reason/ExportError.ts"
import { type Bytes, copy, encoded, longest, number, type Options as Common, Writer, type Writing } from "./encoder.ts"

/**
 * How times are written: `iso` as ISO 8601 with the offset of New York, such as `2026-11-20T16:00:00-05:00`, by default; or `epoch`, in seconds since
 * 1970.
 */
export interface Options extends Common {
  readonly times?: "iso" | "epoch" | undefined
}

/** How a format writes what it has words of its own for. */
export interface Style {
  readonly quote: (text: string) => string
  /** Prints a number as `String` does, unless it is not finite. */
  readonly print: (value: number) => string
  readonly missing: string
  /** What stands around option symbols and times, in which nothing is to be escaped. */
  readonly around: string
}

/** How many rows are made into bytes at once, so that what they are made of stays near the processor. */
const mostAtOnce = 1000

/** Bytes that some rows are made of, and where each part of each row begins and ends: first the first part of all these rows, then the second. */
interface Slice {
  readonly bytes: Bytes
  /** Where those that are of these rows alone begin: they are written from the end on. */
  top: number
  readonly starts: Int32Array
  readonly ends: Int32Array
}

/** Places a part of some rows, and returns how many bytes they are together. */
type Part = (slice: Slice, from: number, rows: number, place: number) => number

type Elements = Values.Values["first"] | Int32Array<ArrayBuffer>
type Nulls = Values.Values["nulls"]

/** A text of some by its number, and the last of them for a null. Each is written once, into what all slices begin with. */
const textPart = (shared: Writer, texts: ReadonlyArray<string>, numbers: Elements, nulls: Nulls): Part => {
  const bounds = new Int32Array(texts.length + 1).fill(shared.length)
  for (const [at, text] of texts.entries()) {
    shared.text(encoded(text))
    bounds[at + 1] = shared.length
  }
  return ({ ends, starts }, from, rows, place) => {
    let length = 0
    for (let row = 0; row < rows; row++) {
      const at = nulls !== undefined && Values.isSet(nulls, from + row) ? texts.length - 1 : numbers[from + row]!
      const start = bounds[at]!
      const end = bounds[at + 1]!
      starts[place + row] = start
      ends[place + row] = end
      length += end - start
    }
    return length
  }
}

/** A number behind a text, or another text for a null. */
const numberPart = (numbers: Elements, nulls: Nulls, before: string, { missing, print }: Style): Part => {
  const [beginning, absent] = [encoded(before), encoded(before + missing)]
  return (slice, from, rows, place) => {
    const { bytes, ends, starts, top } = slice
    let at = top
    for (let row = 0; row < rows; row++) {
      ends[place + row] = at
      at = nulls !== undefined && Values.isSet(nulls, from + row)
        ? copy(bytes, at, absent)
        : copy(bytes, number(bytes, at, numbers[from + row]!, print), beginning)
      starts[place + row] = at
    }
    slice.top = at
    return top - at
  }
}

/** The distinct ones of some elements, and the number of each row's among them: most rows share their time and their strike with others. */
const distinct = (elements: Elements, nulls: Nulls): readonly [ReadonlyArray<number>, Elements] => {
  const known = new Map<number, number>()
  const numbers = new Uint32Array(elements.length)
  for (let row = 0; row < elements.length; row++) {
    if (nulls !== undefined && Values.isSet(nulls, row)) continue
    const element = elements[row]!
    let at = known.get(element)
    if (at === undefined) known.set(element, at = known.size)
    numbers[row] = at
  }
  return [[...known.keys()], numbers]
}

/** The parts of a column's cells. */
const partsOf = (
  values: Values.Values,
  before: string,
  style: Style,
  times: Options["times"],
  shared: Writer
): ReadonlyArray<Part> => {
  const { around, missing, quote } = style
  const { column, digits, first, nulls, texts } = values
  const cells = (texts: ReadonlyArray<string>, numbers: Elements) =>
    textPart(shared, [...texts, missing].map((text) => before + text), numbers, nulls)
  switch (column.type) {
    case "text":
    case "category": {
      if (digits === undefined) return [cells(texts.map(quote), first)]
      const [strikes, numbers] = distinct(digits, nulls)
      const ends = strikes.map((strike) => String(100_000_000 + strike).slice(1) + around)
      return [cells(texts.map((text) => around + text), first), textPart(shared, [...ends, ""], numbers, nulls)]
    }
    case "boolean":
      return [cells(["false", "true"], first)]
    case "time": {
      const [seconds, numbers] = distinct(Values.exact(values, "time"), nulls)
      const print = (time: number): string =>
        times === "epoch" ? String(time) : around + NewYork.formatIso(time) + around
      return [cells(seconds.map(print), numbers)]
    }
    case "integer":
    case "decimal":
    case "number": {
      const numbers = column.type === "number" ? first : Values.exact(values, column.type)
      return [numberPart(numbers, nulls, before, style)]
    }
  }
}

/** The rows whose parts are placed, each part behind the other. */
const linesOf = ({ bytes, ends, starts }: Slice, rows: number, apart: number, length: number): Bytes => {
  const lines = new Uint8Array(length)
  let at = 0
  for (let row = 0; row < rows; row++) {
    for (let place = row; place < ends.length; place += apart) {
      const end = ends[place]!
      for (let from = starts[place]!; from < end; from++) lines[at++] = bytes[from]!
    }
  }
  return lines
}

/** Writes rows as lines. `line` has the places of the cells: what stands before the first, between them, and after the last. */
export const writing = (
  { times = "iso" }: Options,
  style: Style,
  line: (columns: ReadonlyArray<Columns.Column>) => {
    readonly head: string
    readonly before: ReadonlyArray<string>
    readonly end: string
  }
) =>
(columns: ReadonlyArray<Columns.Column>): Writing => {
  if (times !== "iso" && times !== "epoch") {
    throw invalid("times", times, { rule: "must be iso or epoch", example: "\"iso\"" })
  }
  const { before, end, head } = line(columns)
  let isFirst = true
  return {
    table: (table) => {
      const shared = new Writer(1024)
      const parts = Values.read(table, columns).flatMap((values, at) =>
        partsOf(values, before[at]!, style, times, shared)
      )
      parts.push(textPart(shared, [end], new Uint8Array(table.length), undefined))
      const apart = Math.min(table.length, mostAtOnce)
      const places = parts.length * apart
      const bytes = new Uint8Array(shared.length + apart * (longest * columns.length + 3 * before.join("").length))
      bytes.set(shared.written)
      const slice = { bytes, top: 0, starts: new Int32Array(places), ends: new Int32Array(places) }
      const pieces: Array<Bytes> = isFirst && head !== "" ? [encoded(head)] : []
      isFirst = false
      for (let from = 0; from < table.length; from += apart) {
        const rows = Math.min(table.length - from, apart)
        slice.top = bytes.length
        const length = parts.reduce((sum, part, at) => sum + part(slice, from, rows, at * apart), 0)
        pieces.push(linesOf(slice, rows, apart, length))
      }
      return pieces
    },
    end: () => []
  }
}
