/**
 * Tables and the data of any query as bytes, for programs that send large tables to each other.
 *
 * A table is a head of JSON, and behind it the columns, much as they are in memory. Most numbers have few places, and are written as integers, in half
 * of the bytes. What is read is checked as a reply is, because bytes may come from anywhere. They are for programs of the same version, on
 * machines with the same order of bytes: to keep a table for years, use `Schemas.Table`.
 *
 * @example
 * ```ts
 * import * as Bytes from "@effect-marketdata/cluster/Bytes"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 * import * as Schema from "effect/Schema"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[150,155]}`, { columns: ["strike"] }))
 * const Strikes = Bytes.TableAsBytes(OptionChain.spec, ["strike"])
 * Schema.decodeSync(Strikes)(Schema.encodeSync(Strikes)(chain)).strike // => new Float64Array([150, 155])
 * ```
 *
 * @since 0.1.0
 */
import type { PackedVector } from "@effect-marketdata/core/ColumnKind"
import type { Column, ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Query from "@effect-marketdata/core/Query"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import { list, oneOf, parse, struct, text, where } from "./form.ts"

/**
 * Returns the schema of tables with these columns, or with all columns of the endpoint, as bytes. Writing and reading them is many times faster than
 * as JSON.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TableAsBytes = <const Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string>(
  spec: Spec,
  columns?: ReadonlyArray<Name>
): Schema.Codec<ColumnTable.ColumnTable<Spec, Name>, Uint8Array> => {
  const names = namesOf(spec, columns)
  return Schema.Uint8Array.pipe(
    Schema.decodeTo(Schema.toType(Schemas.Table<Spec, Name>(spec, columns)), {
      decode: SchemaGetter.transformEffect((bytes, options) =>
        read(spec, names, bytes).pipe(
          Result.map((packed) => ColumnTable.unpack<Spec, Name>(spec, packed)),
          Result.mapError(({ expected, path, received }) => {
            const message = `Expected ${expected}, got ${received}`
            return new SchemaIssue.Pointer(path, new SchemaIssue.InvalidValue({ message }, undefined, options))
          }),
          Effect.fromResult
        )
      ),
      encode: SchemaGetter.transform((table) => write(names, ColumnTable.pack(table)))
    })
  )
}

/** The columns of a table in the order of its endpoint. */
const namesOf = (spec: ColumnSpec, columns: ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  Object.keys(spec).filter((name) => columns === undefined || columns.includes(name))

/**
 * Returns the schema of the data that answer a query, as bytes: a table as `TableAsBytes` has it, anything else as its JSON.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DataAsBytes = <Data>(query: Query.Query<Data>): Schema.Codec<Data, Uint8Array> => {
  const spec = specOf(query)
  return spec === undefined
    ? jsonAsBytes(Schemas.DataOf(query))
    // The endpoint's constructor typed the query with what that endpoint answers.
    : TableAsBytes(spec, query.returns) as unknown as Schema.Codec<Data, Uint8Array>
}

/** The columns of what answers a query, undefined where that is not a table. */
const specOf = (query: Query.Query): ColumnSpec | undefined => query.format === "csv" ? undefined : Query.specOf(query)

/**
 * Encodes the data of a query as `DataAsBytes` does, without the checks of a schema, which take longer than the encoding for a small table.
 *
 * @category conversions
 * @since 0.1.0
 */
export const encode = <Data>(query: Query.Query<Data>, data: Data): Effect.Effect<Uint8Array, Schema.SchemaError> => {
  const spec = specOf(query)
  return spec === undefined
    ? Schema.encodeEffect(DataAsBytes(query))(data)
    : Effect.sync(() => write(namesOf(spec, query.returns), ColumnTable.pack(data as never)))
}

/**
 * Decodes the data of a query as `DataAsBytes` does; only if that fails, a schema is used, to say what is wrong.
 *
 * @category conversions
 * @since 0.1.0
 */
export const decode = <Data>(query: Query.Query<Data>, bytes: Uint8Array): Effect.Effect<Data, Schema.SchemaError> => {
  const spec = specOf(query)
  const packed = spec && read(spec, namesOf(spec, query.returns), bytes)
  return packed !== undefined && Result.isSuccess(packed)
    ? Effect.succeed(ColumnTable.unpack(spec!, packed.success) as Data)
    : Schema.decodeEffect(DataAsBytes(query))(bytes)
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

const jsonAsBytes = <A>(schema: Schema.Codec<A, Schema.Json>): Schema.Codec<A, Uint8Array> =>
  Schema.Uint8Array.pipe(
    Schema.decodeTo(Schema.fromJsonString(schema), {
      decode: SchemaGetter.transform((bytes) => decoder.decode(bytes)),
      encode: SchemaGetter.transform((text) => encoder.encode(text))
    })
  )

type Lane = PackedVector["lanes"][number]

type Packed = ColumnTable.Packed["columns"][string]

type Nulls = Packed["nulls"]

/** The types of lanes in bytes, by the names that the head has for them. */
const types = {
  f8: Float64Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array
} as const

const typeNames = Object.keys(types) as ReadonlyArray<keyof typeof types>

/** What whole numbers are divided by: cents, and the decimals that strikes and greeks have. */
const scales = [1, 100, 1000, 10_000, 1_000_000] as const

/** As what a lane is written. Its integers are divided by `scale`, which is 0 where the lane is as it is in memory. */
const form = struct({ type: oneOf(...typeNames), scale: oneOf(0, ...scales) })

type Form = ReturnType<typeof form>

const findings = Schema.decodeUnknownSync(Schema.Array(Schemas.Finding))

/** What stands before the columns. A table of more rows would be larger than any memory. */
const headForm = struct({
  length: where<number>((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0x7fff_ffff),
  findings,
  columns: list(struct({ name: text, lanes: list(form), legend: list(text), nulls: oneOf(true, false) }))
})

/**
 * How bytes of this form begin, in the order of the machine's own bytes: one that has them the other way round reads another number, and
 * refuses.
 */
const mark = 0x3144_544d

/** Where the head begins: behind the mark and its own length. */
const headAt = 8

/** Each lane begins at a multiple of eight bytes, where any typed array may begin. */
const aligned = (at: number): number => (at + 7) & ~7

const sizeOf = ({ type }: Form, length: number): number => length * types[type].BYTES_PER_ELEMENT

/** The form of a bitmap. */
const bits: Form = { type: "u1", scale: 0 }

const write = (names: ReadonlyArray<string>, { columns, findings, length }: ColumnTable.Packed) => {
  const parts: Array<Written> = []
  const heads = names.map((name) => {
    const { lanes, legend, nulls } = columns[name]!
    const own = lanes.map(written)
    parts.push(...own)
    if (nulls !== undefined) parts.push({ lane: nulls, form: bits })
    return { name, lanes: own.map(({ form }) => form), legend, nulls: nulls !== undefined }
  })
  const head = encoder.encode(JSON.stringify({ length, findings, columns: heads }))
  const start = aligned(headAt + head.length)
  const size = parts.reduce((end, { form, lane }) => end + aligned(sizeOf(form, lane.length)), start)
  const bytes = new Uint8Array(size)
  new Uint32Array(bytes.buffer, 0, 2).set([mark, head.length])
  bytes.set(head, headAt)
  let at = start
  for (const { form, lane } of parts) {
    new types[form.type](bytes.buffer, at, lane.length).set(lane)
    at += aligned(sizeOf(form, lane.length))
  }
  return bytes
}

/** A lane as it is written, in the type of its form or in a wider one of integers. */
interface Written {
  readonly lane: Lane
  readonly form: Form
}

/** Numbers are written as the smallest integers of which a division makes the very same numbers, where there are any. */
const written = (lane: Lane): Written => {
  if (!(lane instanceof Float64Array)) {
    return { lane, form: { type: typeNames.find((name) => lane instanceof types[name])!, scale: 0 } }
  }
  const integers = new Int32Array(lane.length)
  for (const scale of scales) {
    const bits = multiply(lane, scale, integers)
    if (bits === undefined) continue
    return { lane: integers, form: { type: bits < 0x80 ? "i1" : bits < 0x8000 ? "i2" : "i4", scale } }
  }
  return { lane, form: { type: "f8", scale: 0 } }
}

/** Makes the integers, and returns all bits that they have; undefined where a number is not one of them divided, as minus zero is not. */
const multiply = (numbers: Float64Array, scale: number, integers: Int32Array): number | undefined => {
  let bits = 0
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!
    const integer = Math.round(number * scale) | 0
    // What is not a number is null, and has a bit that says so.
    if (integer / scale !== number && number === number || integer === 0 && Object.is(number, -0)) return undefined
    integers[row] = integer
    bits |= integer ^ (integer >> 31)
  }
  return bits
}

/** Says what is wrong, and where in the table. */
const refuse = (expected: string, received: string, ...column: ReadonlyArray<PropertyKey>) =>
  Result.fail({ path: ["columns", ...column], expected, received })

type Read = Result.Result<ColumnTable.Packed, Result.Result.Failure<ReturnType<typeof refuse>>>

/** Reads bytes into a table of all of these columns and no others. It does not hold on to the bytes. */
const read = (spec: ColumnSpec, names: ReadonlyArray<string>, bytes: Uint8Array): Read => {
  const [first, size] = bytes.length < headAt ? [] : new Uint32Array(copied(bytes, 0, headAt))
  if (first !== mark || size === undefined || headAt + size > bytes.length) {
    return refuse("a table as bytes", "other bytes")
  }
  const head = parse(headForm, decoder.decode(bytes.subarray(headAt, headAt + size)))
  if (head === undefined) return refuse("the head of a table as JSON", "another text")
  const { columns: heads, findings, length } = head
  const other = names.find((name, at) => heads[at]?.name !== name)
  if (other !== undefined) return refuse(`the columns ${names.join(", ")}`, "others", other)
  if (heads.length !== names.length) return refuse(`the columns ${names.join(", ")}`, "more columns")
  const columns: Record<string, Packed> = {}
  let at = aligned(headAt + size)
  for (const { lanes: forms, legend, name, nulls: hasNulls } of heads) {
    const starts = [...forms.map((form) => sizeOf(form, length)), hasNulls ? (length + 7) >> 3 : 0].map((size) => {
      const start = at
      at = aligned(at + size)
      return start
    })
    if (at > bytes.length) return refuse(`${length} elements`, "fewer bytes", name)
    const nulls = hasNulls ? new Uint8Array(copied(bytes, starts.at(-1)!, (length + 7) >> 3)) : undefined
    const lanes = forms.map((form, lane) =>
      laneOf(form, bytes.subarray(starts[lane], starts[lane]! + sizeOf(form, length)), nulls)
    )
    columns[name] = { lanes, legend, nulls }
    const refused = check(name, spec[name]!, columns[name])
    if (refused !== undefined) return refused
  }
  if (at !== bytes.length) return refuse(`${at} bytes`, String(bytes.length))
  return Result.succeed({ length, columns, findings })
}

/** Copies bytes into a buffer of their own. */
const copied = (bytes: Uint8Array, at: number, size: number): ArrayBuffer =>
  new Uint8Array(bytes.subarray(at, at + size)).buffer

const isNull = (nulls: Nulls, row: number): boolean =>
  nulls !== undefined && (nulls[row >> 3]! & (1 << (row & 7))) !== 0

/** Reads a lane that was written in a form. What is null is not a number, or the first code. */
const laneOf = ({ scale, type }: Form, bytes: Uint8Array, nulls: Nulls): Lane => {
  const size = types[type].BYTES_PER_ELEMENT
  const { buffer, byteLength, byteOffset } = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes)
  const written = new types[type](buffer as ArrayBuffer, byteOffset, byteLength / size)
  // A form without a scale is that of a lane in memory; what other forms it could be, the check refuses.
  const lane = scale === 0 ? written.slice() as Lane : new Float64Array(written)
  if (scale > 1) { for (let row = 0; row < lane.length; row++) lane[row]! /= scale }
  const none = lane instanceof Float64Array ? NaN : 0
  if (nulls !== undefined) {
    for (let row = 0; row < lane.length; row++) if (isNull(nulls, row)) lane[row] = none
  }
  return lane
}

const codes = [Uint8Array, Uint16Array, Uint32Array]

/** Checks the lanes that a column has, and what is in them, by the storage of its kind; undefined if they are right. */
const check = (
  name: string,
  { kind: { expected, storage }, null: where }: Column,
  { lanes, legend, nulls }: Packed
) => {
  if (where === "identity" && nulls?.some((byte) => byte !== 0) === true) return refuse("a value", "null", name)
  const [first, second] = lanes
  const typed = storage._tag === "Texts"
    ? storage.digits === 0 ? [codes] : [codes, [Int32Array]]
    : [[storage._tag === "Numbers" ? Float64Array : Uint8Array]]
  const areTyped = typed.every((any, at) => any.some((type) => lanes[at] instanceof type))
  if (first === undefined || typed.length !== lanes.length || !areTyped) {
    return refuse("lanes of its kind", "others", name)
  }
  const most = storage._tag === "Texts" ? storage.most : 0
  if (legend.length > most) return refuse(`at most ${most} different texts`, String(legend.length), name)
  if (storage._tag === "Texts") {
    // A text of the legend is checked with any digits, because those of each row are.
    const text = legend.find((text) => storage.problem?.(text + "0".repeat(storage.digits)) !== undefined)
    if (text !== undefined) return refuse(expected, ForeignText.quote(text), name)
  }
  const wrong = storage._tag === "Numbers" ? wrongNumber(first as Float64Array, nulls) : wrongCode(
    first,
    second,
    nulls,
    storage._tag === "Choices" ? [storage.values.length, 0] : [legend.length, 10 ** storage.digits]
  )
  return wrong === undefined ? undefined : refuse(expected, String((second ?? first)[wrong]), name, wrong)
}

/** The first row that has neither a number nor null. */
const wrongNumber = (numbers: Float64Array, nulls: Nulls): number | undefined => {
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!
    if (!Number.isFinite(number) && !(Number.isNaN(number) && isNull(nulls, row))) return row
  }
  return undefined
}

/** The first row whose code or digits are unknown. */
const wrongCode = (codes: Lane, digits: Lane | undefined, nulls: Nulls, [values, most]: readonly [number, number]) => {
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!
    const holds = code < values || code === 0 && isNull(nulls, row)
    if (!holds || digits !== undefined && !(digits[row]! >= 0 && digits[row]! < most)) return row
  }
  return undefined
}
