/** Tables as JSON: as the service prints them, and as lists of elements, one for each column; and back from these. */
import * as Result from "effect/Result"
import * as ForeignText from "../text/ForeignText.ts"
import * as Untyped from "../text/untyped.ts"
import * as Bitmap from "./bitmap.ts"
import * as ColumnDecoder from "./ColumnDecoder.ts"
import type { ColumnKind } from "./ColumnKind.ts"
import type { ColumnSpec } from "./ColumnSpec.ts"
import { type DecodeError, fail } from "./DecodeError.ts"
import type { Content } from "./tableContent.ts"

/** One element: null where the column has none. Numbers that JSON cannot write are named: minus zero is `"-0"`. */
export type Element = string | number | boolean | null

/** The elements of all columns, by name. */
export type Elements = Readonly<Record<string, ReadonlyArray<Element>>>

/** Copies a table into lists. */
export const of = (spec: ColumnSpec, names: ReadonlyArray<string>, { length, nulls, vectors }: Content): Elements =>
  Object.fromEntries(names.map((name) => {
    const { kind } = spec[name]!
    const [vector, bitmap] = [vectors[name], Bitmap.of(nulls, name)]
    return [name, Array.from({ length }, (_, row) => Bitmap.has(bitmap, row) ? null : element(kind.at(vector, row)))]
  }))

/** An element as JSON can hold it. Kinds of column hold texts, booleans and numbers. */
const element = (value: unknown): Element => {
  if (typeof value !== "number") return value as Element
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value)
}

/**
 * Reads lists into what a table is made of: all of these columns and no others, each of the same length. They are printed as the reply that they came
 * from, and decoded as one: what a column may hold is said in one place.
 */
export const read = (
  spec: ColumnSpec,
  names: ReadonlyArray<string>,
  length: number,
  elements: Readonly<Record<string, unknown>>
): Result.Result<Pick<Content, "vectors" | "nulls">, DecodeError> =>
  Result.gen(function*() {
    const unknown = Object.keys(elements).find((name) => !names.includes(name))
    if (unknown !== undefined) {
      return yield* fail("UnknownField", unknown, `one of the columns ${names.join(", ")}`, "another one")
    }
    const columns: Array<string> = []
    for (const name of names) {
      const list = Object.hasOwn(elements, name) ? Untyped.list(elements[name]) : undefined
      if (list === undefined) return yield* fail("MissingColumn", name, "a list of elements", "none")
      if (list.length !== length) {
        return yield* fail("LengthMismatch", name, `${length} elements`, String(list.length))
      }
      columns.push(`${JSON.stringify(name)}:${yield* printed(name, spec[name]!.kind, list)}`)
    }
    return names.length === 0
      ? { vectors: {}, nulls: {} }
      : yield* ColumnDecoder.decode(spec, `{${columns.join()}}`, { columns: names, statusOptional: true })
  })

/** A list as JSON, unless one of its members has no place in a list of JSON. */
const printed = (name: string, { expected, storage }: ColumnKind, list: ReadonlyArray<unknown>) => {
  const index = list.findIndex((value) => !isElement(value))
  if (index >= 0) {
    return fail("WrongValue", name, expected, ForeignText.line(Untyped.shown(list[index]), 80), index)
  }
  return Result.succeed(
    storage._tag === "Numbers" && list.some((value) => value === "-0" || Object.is(value, -0))
      ? JSON.stringify(list.map((value) => Object.is(value, -0) ? "-0" : value)).replaceAll(`"-0"`, "-0")
      : JSON.stringify(list)
  )
}

const isElement = (value: unknown): boolean =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)

/** Prints a table as one JSON object, a column a piece. */
export function* encode(spec: ColumnSpec, names: ReadonlyArray<string>, content: Content): Generator<string> {
  yield `{"s":"ok"`
  for (const name of names) {
    const elements = encodeElements(spec[name]!.kind, content.vectors[name], Bitmap.of(content.nulls, name))
    yield `,${JSON.stringify(name)}:${elements}`
  }
  yield "}"
}

const encodeElements = (kind: ColumnKind, vector: unknown, nulls: Bitmap.Bitmap | undefined): string => {
  const { lanes: [first, second], legend } = kind.pack(vector)
  const { storage } = kind
  const { length } = first!
  const isNull = (row: number): boolean => Bitmap.has(nulls, row)
  if (storage._tag === "Numbers") {
    // The engine prints a plain array of numbers as a whole, and what is not a number as null.
    const numbers: Array<number> = []
    numbers.length = length
    let runs = 0
    for (let row = 0, last = NaN; row < length; row++) {
      const number = isNull(row) ? NaN : first![row]!
      if (number !== last) runs++
      numbers[row] = last = number
    }
    // Of a number that it has just printed, it has the text.
    return runs * 16 < length && nulls === undefined ? `[${numbers.join()}]` : JSON.stringify(numbers)
  }
  const digits = storage._tag === "Texts" ? storage.digits : 0
  const values: ReadonlyArray<unknown> = storage._tag === "Choices" ? storage.values : legend
  // Before digits a text has no end.
  const texts = values.map((value) => JSON.stringify(value).slice(0, digits === 0 ? undefined : -1))
  const elements: Array<string> = []
  elements.length = length
  for (let row = 0; row < length; row++) {
    const text = texts[first![row]!]!
    elements[row] = isNull(row)
      ? "null"
      : digits === 0
      ? text
      : `${text}${String(second![row]).padStart(digits, "0")}"`
  }
  return `[${elements.join()}]`
}
