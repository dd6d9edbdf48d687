/**
 * Tables as bytes: a head of JSON, and behind it the columns as they are in memory, so that half a million elements are copied and not printed.
 * Bytes are read with the same checks as a reply, because nobody knows where they have been.
 */
import * as Result from "effect/Result"
import { type Code, DecodeError } from "./DecodeError.ts"
import type { ColumnKind, PackedVector } from "./ColumnKind.ts"
import type { Column, ColumnSpec } from "./ColumnSpec.ts"
import type { Content } from "./content.ts"
import * as Bitmap from "./bitmap.ts"
import * as ForeignText from "../text/ForeignText.ts"
import * as Untyped from "../text/untyped.ts"

type Lane = PackedVector["lanes"][number]

/** The types of lanes, by the names that the head has for them. */
const laneTypes = { f8: Float64Array, i4: Int32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array } as const

type LaneName = keyof typeof laneTypes

const nameOf = (lane: Lane): LaneName =>
  lane instanceof Float64Array
    ? "f8"
    : lane instanceof Int32Array
    ? "i4"
    : lane instanceof Uint8Array
    ? "u1"
    : lane instanceof Uint16Array
    ? "u2"
    : "u4"

/** What the head says of one column. */
interface ColumnHead {
  readonly name: string
  readonly lanes: ReadonlyArray<LaneName>
  readonly legend: ReadonlyArray<string>
  readonly nulls: boolean
}

/**
 * How bytes of this form begin, in the order of the machine's own bytes: one that has them the other way round reads another number, and
 * refuses.
 */
const mark = 0x3144_544d

/** Where the head begins: behind the mark and its own length. */
const headAt = 8

/** Each lane begins at a multiple of eight bytes, where any typed array may begin. */
const aligned = (at: number): number => (at + 7) & ~7

/** Writes the columns of a table. The names of the columns are in the order of the spec. */
export const write = (
  spec: ColumnSpec,
  names: ReadonlyArray<string>,
  { findings, length, nulls, vectors }: Content
): Uint8Array<ArrayBuffer> => {
  const columns: Array<ColumnHead> = []
  const parts: Array<Lane> = []
  for (const name of names) {
    const { lanes, legend } = spec[name]!.kind.pack(vectors[name])
    const bitmap = Bitmap.of(nulls, name)
    columns.push({ name, lanes: lanes.map(nameOf), legend, nulls: bitmap !== undefined })
    parts.push(...lanes, ...bitmap === undefined ? [] : [bitmap])
  }
  const head = new TextEncoder().encode(JSON.stringify({ length, findings, columns }))
  const start = aligned(headAt + head.length)
  const bytes = new Uint8Array(parts.reduce((end, { byteLength }) => end + aligned(byteLength), start))
  new Uint32Array(bytes.buffer, 0, 2).set([mark, head.length])
  bytes.set(head, headAt)
  let at = start
  for (const { buffer, byteLength, byteOffset } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += aligned(byteLength)
  }
  return bytes
}

/** What was read: the findings are anything still. */
export interface Read extends Pick<Content, "length" | "vectors" | "nulls"> {
  readonly findings: unknown
}

/** Reads bytes into what a table is made of: all of these columns and no others. */
export const read = (
  spec: ColumnSpec,
  names: ReadonlyArray<string>,
  bytes: Uint8Array
): Result.Result<Read, DecodeError> =>
  Result.gen(function*() {
    // A copy of its own: typed arrays need to begin at a multiple of their size, and a table must not hold on to what else came with it.
    const { buffer } = new Uint8Array(bytes)
    const { columns, findings, length, start } = yield* headOf(buffer, names)
    const vectors: Record<string, unknown> = {}
    const nulls: Record<string, Bitmap.Bitmap> = {}
    let at = start
    /** The next elements of a type, as far as there are so many. */
    const take = <A>(
      type: new (buffer: ArrayBuffer, offset: number, length: number) => A,
      size: number,
      count: number
    ) => {
      const from = at
      at = aligned(from + size * count)
      return at > buffer.byteLength ? undefined : new type(buffer, from, count)
    }
    for (const { lanes, legend, name, nulls: hasNulls } of columns) {
      const column = spec[name]!
      const taken: Array<Lane> = []
      for (const lane of lanes) {
        const type = laneTypes[lane]
        const elements = take<Lane>(type, type.BYTES_PER_ELEMENT, length)
        if (elements === undefined) return yield* refuse("UnexpectedEnd", name, `${length} elements`, "fewer bytes")
        taken.push(elements)
      }
      const bitmap = hasNulls ? take(Uint8Array<ArrayBuffer>, 1, (length + 7) >> 3) : undefined
      if (hasNulls && bitmap === undefined) return yield* refuse("UnexpectedEnd", name, "a bitmap", "fewer bytes")
      const packed: PackedVector = { lanes: taken, legend }
      yield* check(name, column, length, packed, bitmap)
      vectors[name] = column.kind.of(packed)
      if (bitmap !== undefined) nulls[name] = bitmap
    }
    if (at !== buffer.byteLength) return yield* refuse("TrailingData", undefined, `${at} bytes`, `${buffer.byteLength}`)
    return { length, vectors, nulls, findings }
  })

const refuse = (code: Code, column: string | undefined, expected: string, received: string, index?: number) =>
  Result.fail(new DecodeError({ code, column, index, offset: undefined, expected, received }))

/** A table of more rows would be larger than any memory. */
const mostRows = 0x7fff_ffff

interface Head {
  readonly length: number
  readonly findings: unknown
  readonly columns: ReadonlyArray<ColumnHead>
  /** Where the first column begins. */
  readonly start: number
}

const headOf = (buffer: ArrayBuffer, names: ReadonlyArray<string>): Result.Result<Head, DecodeError> => {
  const [first, size] = buffer.byteLength < headAt ? [] : new Uint32Array(buffer, 0, 2)
  if (first !== mark || size === undefined || headAt + size > buffer.byteLength) {
    return refuse("UnexpectedToken", undefined, "a table as bytes", "other bytes")
  }
  const head = Result.try(() =>
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(buffer, headAt, size))) as unknown
  )
  const { columns, findings, length } =
    Untyped.fields(Result.getOrUndefined(head), ["columns", "findings", "length"]) ?? {}
  const list = Untyped.list(columns)
  if (list === undefined || !Number.isInteger(length) || !((length as number) >= 0 && (length as number) <= mostRows)) {
    return refuse("UnexpectedToken", undefined, "the head of a table as JSON", "another text")
  }
  const heads: Array<ColumnHead> = []
  for (const [number, name] of names.entries()) {
    const head = columnHead(list[number])
    if (head?.name !== name) {
      return refuse("MissingColumn", name, `the columns ${names.join(", ")}`, head === undefined ? "none" : "others")
    }
    heads.push(head)
  }
  if (list.length !== names.length) {
    return refuse("UnknownField", undefined, `the columns ${names.join(", ")}`, "more columns")
  }
  return Result.succeed({ length: length as number, findings, columns: heads, start: aligned(headAt + size) })
}

const columnHead = (input: unknown): ColumnHead | undefined => {
  const { lanes, legend, name, nulls } = Untyped.fields(input, ["lanes", "legend", "name", "nulls"]) ?? {}
  const [types, texts] = [Untyped.list(lanes), Untyped.list(legend)]
  return typeof name === "string" && typeof nulls === "boolean" &&
      types?.every((type): type is LaneName => typeof type === "string" && Object.hasOwn(laneTypes, type)) === true &&
      texts?.every((text) => typeof text === "string") === true
    ? { name, nulls, lanes: types, legend: texts }
    : undefined
}

/** Checks a column by the storage of its kind: the lanes that it has, and what may be in them. */
const check = (
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

const checkLanes = (
  name: string,
  { storage }: ColumnKind,
  { lanes, legend }: PackedVector
): Result.Result<void, DecodeError> => {
  const types = lanes.map(nameOf)
  const expected = storage._tag === "Numbers"
    ? ["f8"]
    : storage._tag === "Choices"
    ? ["u1"]
    : storage.digits === 0
    ? ["u"]
    : ["u", "i4"]
  const isOther = expected.length !== types.length || expected.some((type, at) => !types[at]!.startsWith(type))
  if (isOther) return refuse("WrongType", name, `lanes of ${expected.join(" and ")}`, types.join(" and ") || "none")
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
