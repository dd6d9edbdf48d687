/** Tables as lists of elements, one for each column, as JSON has them; and back, checked as a reply is. */
import * as Result from "effect/Result"
import { type Code, DecodeError } from "./DecodeError.ts"
import type { Codes, ColumnKind, PackedVector, Texts } from "./ColumnKind.ts"
import type { Column, ColumnSpec } from "./ColumnSpec.ts"
import type { Content } from "./content.ts"
import * as Bitmap from "./bitmap.ts"
import { narrowest } from "./internal/slab.ts"
import * as ForeignText from "../text/ForeignText.ts"
import * as Untyped from "../text/untyped.ts"

/** One element: null where the column has none. Numbers that JSON cannot write are named: minus zero is `"-0"`. */
export type Element = string | number | boolean | null

/** The elements of all columns, by name. */
export type Elements = Readonly<Record<string, ReadonlyArray<Element>>>

/** Copies a table into lists. */
export const of = (spec: ColumnSpec, names: ReadonlyArray<string>, { length, nulls, vectors }: Content): Elements =>
  Object.fromEntries(names.map((name) => {
    const { kind } = spec[name]!
    const [vector, bitmap] = [vectors[name], Bitmap.of(nulls, name)]
    return [
      name,
      Array.from(
        { length },
        (_, row) => bitmap !== undefined && Bitmap.has(bitmap, row) ? null : element(kind.at(vector, row))
      )
    ]
  }))

/** An element as JSON can hold it. Kinds of column hold texts, booleans and numbers. */
const element = (value: unknown): Element => {
  if (typeof value !== "number") return value as Element
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value)
}

/** Reads lists into what a table is made of: all of these columns and no others, each of the same length. */
export const read = (
  spec: ColumnSpec,
  names: ReadonlyArray<string>,
  length: number,
  elements: Readonly<Record<string, unknown>>
): Result.Result<Pick<Content, "vectors" | "nulls">, DecodeError> =>
  Result.gen(function*() {
    const unknown = Object.keys(elements).find((name) => !names.includes(name))
    if (unknown !== undefined) {
      return yield* refuse("UnknownField", unknown, undefined, `one of the columns ${names.join(", ")}`, "another one")
    }
    const vectors: Record<string, unknown> = {}
    const nulls: Record<string, Bitmap.Bitmap> = {}
    for (const name of names) {
      const list = Object.hasOwn(elements, name) ? Untyped.list(elements[name]) : undefined
      if (list === undefined) return yield* refuse("MissingColumn", name, undefined, "a list of elements", "none")
      if (list.length !== length) {
        return yield* refuse("LengthMismatch", name, undefined, `${length} elements`, String(list.length))
      }
      const column = spec[name]!
      const bitmap = yield* nullsOf(name, column, list)
      if (bitmap !== undefined) nulls[name] = bitmap
      vectors[name] = column.kind.of(yield* packed(name, column.kind, list))
    }
    return { vectors, nulls }
  })

const refuse = (code: Code, column: string, index: number | undefined, expected: string, received: string) =>
  Result.fail(new DecodeError({ code, column, index, offset: undefined, expected, received }))

const nullsOf = (
  name: string,
  column: Column,
  list: ReadonlyArray<unknown>
): Result.Result<Bitmap.Bitmap | undefined, DecodeError> => {
  let bitmap: Bitmap.Bitmap | undefined
  for (let row = 0; row < list.length; row++) {
    if (list[row] !== null) continue
    if (column.null === "identity") {
      return refuse(
        "NullNotAllowed",
        name,
        row,
        `${column.kind.expected}, because it names what the row is about`,
        "null"
      )
    }
    Bitmap.add(bitmap ??= Bitmap.make(list.length), row)
  }
  return Result.succeed(bitmap)
}

const packed = (
  name: string,
  kind: ColumnKind,
  list: ReadonlyArray<unknown>
): Result.Result<PackedVector, DecodeError> => {
  const { storage } = kind
  if (storage._tag === "Texts") return textsOf(name, storage, kind.expected, list)
  const isNumber = storage._tag === "Numbers"
  const lane = isNumber ? new Float64Array(list.length) : new Uint8Array(list.length)
  const code = isNumber ? numberOf : (value: unknown) => storage.values.indexOf(value as string | boolean)
  for (let row = 0; row < list.length; row++) {
    const value = list[row]
    const held = value === null ? isNumber ? NaN : 0 : code(value)
    if (held === undefined || held < 0 && !isNumber) return refuse("WrongValue", name, row, kind.expected, shown(value))
    lane[row] = held
  }
  return Result.succeed({ lanes: [lane], legend: [] })
}

const numberOf = (value: unknown): number | undefined =>
  Number.isFinite(value) ? value as number : value === "-0" ? -0 : undefined

/** Texts that begin alike share a text of the legend; where the kind says so, their last eight digits are a number beside it. */
const textsOf = (
  name: string,
  { digits, most, problem }: Texts,
  expected: string,
  list: ReadonlyArray<unknown>
): Result.Result<PackedVector, DecodeError> => {
  const codeOf = new Map<string, number>()
  const codes = new Uint32Array(list.length)
  const numbers = new Int32Array(digits === 0 ? 0 : list.length)
  for (let row = 0; row < list.length; row++) {
    const text = list[row]
    if (text === null) continue
    const wrong = typeof text === "string" ? problem?.(text) : ""
    if (typeof text !== "string" || wrong !== undefined) {
      return refuse("WrongValue", name, row, wrong ? `${expected} (${wrong})` : expected, shown(text))
    }
    const prefix = digits === 0 ? text : text.slice(0, -digits)
    let code = codeOf.get(prefix)
    if (code === undefined) {
      if (codeOf.size === most) {
        return refuse("TooManyTexts", name, row, `at most ${most} different texts`, "another one")
      }
      codeOf.set(prefix, code = codeOf.size)
    }
    codes[row] = code
    if (digits > 0) numbers[row] = Number(text.slice(-digits))
  }
  const narrow: Codes = new (narrowest(codeOf.size))(list.length)
  narrow.set(codes)
  return Result.succeed({ lanes: digits === 0 ? [narrow] : [narrow, numbers], legend: [...codeOf.keys()] })
}

const shown = (value: unknown): string =>
  typeof value === "string" ? ForeignText.quote(value) : ForeignText.line(Untyped.shown(value), 80)
