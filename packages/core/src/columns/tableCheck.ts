/** What may be in a column that comes from elsewhere, by the storage of its kind. */
import * as Result from "effect/Result"
import { type Code, DecodeError } from "./DecodeError.ts"
import type { ColumnKind, PackedVector } from "./ColumnKind.ts"
import type { Column } from "./ColumnSpec.ts"
import * as Bitmap from "./bitmap.ts"
import * as ForeignText from "../text/ForeignText.ts"
import * as Untyped from "../text/untyped.ts"

const refuse = (code: Code, column: string, expected: string, received: string, index?: number) =>
  Result.fail(new DecodeError({ code, column, index, offset: undefined, expected, received }))

/** Checks the lanes that a column has, and what is in them. */
export const check = (
  name: string,
  { kind, null: where }: Column,
  length: number,
  packed: PackedVector,
  bitmap: Bitmap.Bitmap | undefined
): Result.Result<void, DecodeError> => {
  if (bitmap !== undefined && where === "identity" && bitmap.some((byte) => byte !== 0)) {
    return refuse("NullNotAllowed", name, `${kind.expected}, because it names what the row is about`, "null")
  }
  return Result.flatMap(checkLanes(name, kind, packed), () => checkElements(name, kind, length, packed, bitmap))
}

/** The types of the lanes of each storage. */
const numbers = [Float64Array]
const choices = [Uint8Array]
const codes = [Uint8Array, Uint16Array, Uint32Array]
const digits = [Int32Array]

const checkLanes = (
  name: string,
  { storage }: ColumnKind,
  { lanes, legend }: PackedVector
): Result.Result<void, DecodeError> => {
  const expected = storage._tag === "Numbers"
    ? [numbers]
    : storage._tag === "Choices"
    ? [choices]
    : storage.digits === 0
    ? [codes]
    : [codes, digits]
  if (
    expected.length !== lanes.length || expected.some((types, at) => !types.some((type) => lanes[at] instanceof type))
  ) {
    return refuse("WrongType", name, "lanes of its kind", "others")
  }
  const most = storage._tag === "Texts" ? storage.most : 0
  return legend.length > most
    ? refuse("TooManyTexts", name, `at most ${most} different texts`, `${legend.length}`)
    : Result.succeed(undefined)
}

const checkElements = (
  name: string,
  { expected, storage }: ColumnKind,
  length: number,
  { lanes: [first, second], legend }: PackedVector,
  bitmap: Bitmap.Bitmap | undefined
): Result.Result<void, DecodeError> => {
  const isNull = (row: number): boolean => bitmap !== undefined && Bitmap.has(bitmap, row)
  const wrong = (row: number, received: unknown) =>
    refuse("WrongValue", name, expected, ForeignText.line(Untyped.shown(received), 80), row)
  if (storage._tag === "Numbers") {
    // The difference of a finite number from itself is zero.
    for (let row = 0; row < length; row++) {
      const value = first![row]!
      if (value - value !== 0 && !(Number.isNaN(value) && isNull(row))) return wrong(row, value)
    }
    return Result.succeed(undefined)
  }
  if (storage._tag === "Texts") {
    // A legend is checked with any digits, because those of each row are.
    const { digits, problem } = storage
    for (const text of legend) {
      if (problem?.(text + "0".repeat(digits)) !== undefined) {
        return refuse("WrongValue", name, expected, ForeignText.quote(text))
      }
    }
    const most = 10 ** digits
    if (second !== undefined) {
      for (let row = 0; row < length; row++) {
        if (!(second[row]! >= 0 && second[row]! < most)) return wrong(row, second[row])
      }
    }
  }
  const values = storage._tag === "Texts" ? legend.length : storage.values.length
  for (let row = 0; row < length; row++) {
    if (first![row]! >= values && !(first![row] === 0 && isNull(row))) return wrong(row, first![row])
  }
  return Result.succeed(undefined)
}
