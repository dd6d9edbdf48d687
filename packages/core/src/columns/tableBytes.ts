/**
 * Tables as bytes: a head of JSON, and behind it the columns, much as they are in memory. Most numbers have few places, and are written as
 * integers: half of the bytes go. Bytes are read with the checks of a reply, because nobody knows where they have been.
 */
import * as Result from "effect/Result"
import { type Code, DecodeError } from "./DecodeError.ts"
import type { PackedVector } from "./ColumnKind.ts"
import type { ColumnSpec } from "./ColumnSpec.ts"
import type { Content } from "./content.ts"
import * as Bitmap from "./bitmap.ts"
import * as Lanes from "./tableLanes.ts"
import { check } from "./tableCheck.ts"
import * as Untyped from "../text/untyped.ts"

/** What the head says of one column. */
interface ColumnHead {
  readonly name: string
  readonly lanes: ReadonlyArray<Lanes.Form>
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

const sizeOf = ({ type }: Lanes.Form, length: number): number => length * Lanes.types[type].BYTES_PER_ELEMENT

/** The form of a bitmap. */
const bits: Lanes.Form = { type: "u1", scale: 0 }

/** Writes the columns of a table. The names of the columns are in the order of the spec. */
export const write = (
  spec: ColumnSpec,
  names: ReadonlyArray<string>,
  { findings, length, nulls, vectors }: Content
): Uint8Array<ArrayBuffer> => {
  const columns: Array<ColumnHead> = []
  const parts: Array<readonly [lane: Lanes.Lane, form: Lanes.Form]> = []
  for (const name of names) {
    const { lanes, legend } = spec[name]!.kind.pack(vectors[name])
    const bitmap = Bitmap.of(nulls, name)
    const forms = lanes.map(Lanes.formOf)
    columns.push({ name, lanes: forms, legend, nulls: bitmap !== undefined })
    for (const [at, lane] of lanes.entries()) parts.push([lane, forms[at]!])
    if (bitmap !== undefined) parts.push([bitmap, bits])
  }
  const head = new TextEncoder().encode(JSON.stringify({ length, findings, columns }))
  const start = aligned(headAt + head.length)
  const size = parts.reduce((end, [lane, form]) => end + aligned(sizeOf(form, lane.length)), start)
  const bytes = new Uint8Array(size)
  new Uint32Array(bytes.buffer, 0, 2).set([mark, head.length])
  bytes.set(head, headAt)
  let at = start
  for (const [lane, form] of parts) {
    Lanes.write(lane, form, bytes.buffer, at)
    at += aligned(sizeOf(form, lane.length))
  }
  return bytes
}

/** What was read: the findings are anything still. */
export interface Read extends Pick<Content, "length" | "vectors" | "nulls"> {
  readonly findings: unknown
}

/** Reads bytes into what a table is made of: all of these columns and no others. It does not hold on to the bytes. */
export const read = (
  spec: ColumnSpec,
  names: ReadonlyArray<string>,
  bytes: Uint8Array
): Result.Result<Read, DecodeError> =>
  Result.gen(function*() {
    const { columns, findings, length, start } = yield* headOf(bytes, names)
    const vectors: Record<string, unknown> = {}
    const nulls: Record<string, Bitmap.Bitmap> = {}
    let at = start
    const take = (name: string, size: number): Result.Result<ArrayBuffer, DecodeError> => {
      const from = at
      at = aligned(from + size)
      return at > bytes.length
        ? refuse("UnexpectedEnd", name, `${length} elements`, "fewer bytes")
        : Result.succeed(copied(bytes, from, size))
    }
    for (const { lanes, legend, name, nulls: hasNulls } of columns) {
      const column = spec[name]!
      const taken: Array<readonly [Lanes.Form, ArrayBuffer]> = []
      for (const form of lanes) taken.push([form, yield* take(name, sizeOf(form, length))])
      const bitmap = hasNulls ? new Uint8Array(yield* take(name, (length + 7) >> 3)) : undefined
      const packed: PackedVector = { lanes: taken.map(([form, bytes]) => Lanes.read(form, bytes, bitmap)), legend }
      yield* check(name, column, length, packed, bitmap)
      vectors[name] = column.kind.of(packed)
      if (bitmap !== undefined) nulls[name] = bitmap
    }
    if (at !== bytes.length) return yield* refuse("TrailingData", undefined, `${at} bytes`, `${bytes.length}`)
    return { length, vectors, nulls, findings }
  })

/** Copies bytes into a buffer of their own. */
const copied = (bytes: Uint8Array, at: number, size: number): ArrayBuffer =>
  new Uint8Array(bytes.subarray(at, at + size)).buffer

const refuse = (code: Code, column: string | undefined, expected: string, received: string) =>
  Result.fail(new DecodeError({ code, column, index: undefined, offset: undefined, expected, received }))

/** A table of more rows would be larger than any memory. */
const mostRows = 0x7fff_ffff

interface Head {
  readonly length: number
  readonly findings: unknown
  readonly columns: ReadonlyArray<ColumnHead>
  /** Where the first column begins. */
  readonly start: number
}

const headOf = (bytes: Uint8Array, names: ReadonlyArray<string>): Result.Result<Head, DecodeError> => {
  const [first, size] = bytes.length < headAt ? [] : new Uint32Array(copied(bytes, 0, headAt))
  if (first !== mark || size === undefined || headAt + size > bytes.length) {
    return refuse("UnexpectedToken", undefined, "a table as bytes", "other bytes")
  }
  const head = Result.try(() => {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(headAt, headAt + size))
    return JSON.parse(text) as unknown
  })
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
  const [forms, texts] = [Untyped.list(lanes)?.map(formOf), Untyped.list(legend)]
  return typeof name === "string" && typeof nulls === "boolean" &&
      forms?.every((form) => form !== undefined) === true && texts?.every((text) => typeof text === "string") === true
    ? { name, nulls, lanes: forms, legend: texts }
    : undefined
}

const formOf = (input: unknown): Lanes.Form | undefined => {
  const { scale, type } = Untyped.fields(input, ["scale", "type"]) ?? {}
  return typeof type === "string" && Object.hasOwn(Lanes.types, type) &&
      (scale === 0 || typeof scale === "number" && Lanes.scales.includes(scale))
    ? { type: type as Lanes.TypeName, scale }
    : undefined
}
