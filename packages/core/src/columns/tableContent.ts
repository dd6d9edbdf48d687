import { memoize } from "effect/Function"
import * as Bitmap from "./bitmap.ts"
import type { ColumnKind, PackedVector } from "./ColumnKind.ts"
import { type ColumnSpec, known } from "./ColumnSpec.ts"
import * as Findings from "./Finding.ts"
import { narrowest } from "./internal/slab.ts"
import type * as Kernel from "./Kernel.ts"

/** What a table was made of. */
interface Made<Spec extends ColumnSpec> {
  readonly spec: Spec
  readonly content: Content
}

/** A constructor that returns the object it was given, so that a class which extends it adds its private field to that object. */
const Given = function(table: object) {
  return table
} as unknown as new (table: object) => object

/**
 * What a table was made of, in a private field of the table: no column can have its name, no copy takes it along, and no printer shows it. A
 * weak map would be slower, and keep what short-lived tables were made of until the next full collection.
 */
class Own extends Given {
  #made: Made<ColumnSpec> | undefined

  constructor(table: object, made: Made<ColumnSpec>) {
    super(table)
    this.#made = made
  }

  static of(table: object): Made<ColumnSpec> | undefined {
    return #made in table ? table.#made : undefined
  }

  static forget(table: object): void {
    if (#made in table) table.#made = undefined
  }
}

/** Changes with what `Made` and `Content` are, so that a version of this package only reads tables that it knows. */
const key: unique symbol = Symbol.for("@effect-marketdata/core/tableContent/1")

/** The class of all copies of this package in the process: a bundler makes several, and a hot reload another, while a client of before goes on. */
// oxlint-disable-next-line no-restricted-globals -- only the class is shared, and nothing of what a table holds
const Remembered = (globalThis as { [key]?: typeof Own })[key] ??= Own

/** Remembers what a table was made of; to be called before it is frozen. */
export const remember = (table: object, made: Made<ColumnSpec>): void => void new Remembered(table, made)

/** Forgets it: no function takes the table any longer. */
export const forget = (table: object): void => Remembered.forget(table)

/** Returns what a table was made of; undefined for anything else, and for a table that was released. */
export const find = (input: unknown): Made<ColumnSpec> | undefined =>
  typeof input === "object" && input !== null ? Remembered.of(input) : undefined

/** Returns whether a value is a table that functions take. */
export const isTable = (value: unknown): value is object => find(value) !== undefined

/** Returns what a table was made of. */
export const of = <Spec extends ColumnSpec>(table: object): Made<Spec> => {
  const made = find(table)
  if (made === undefined) {
    throw new TypeError(
      "this is not a table, or no longer one: use what decode and make return, within the scope that it belongs to"
    )
  }
  // Tables are made of their own spec.
  return made as Made<Spec>
}

/** The names of a spec's columns, and lists of some of them, the latest that were made: a program asks for the same ones again and again. */
interface Names {
  readonly all: ReadonlyArray<string>
  latest: ReadonlyArray<ReadonlyArray<string>>
}

/** How many lists are remembered of a spec. */
const mostLists = 8

const namesOf = /* @__PURE__ */ memoize((spec: ColumnSpec): Names => ({
  all: Object.freeze(Object.keys(known(spec))),
  latest: []
}))

/** Returns the names of the columns that are there, in the order of the spec. Tables with the same columns share their list. */
export const columnNames = <Name extends string>(spec: ColumnSpec, { vectors }: Content): ReadonlyArray<Name> => {
  const names = namesOf(spec)
  // Every column of the content is one of the spec: if their numbers are equal, all are there.
  const { length } = Object.keys(vectors)
  if (length === names.all.length) return names.all as ReadonlyArray<Name>
  const isThere = (name: string): boolean => Object.hasOwn(vectors, name)
  let present = names.latest.find((list) => list.length === length && list.every(isThere))
  if (present === undefined) {
    present = Object.freeze(names.all.filter(isThere))
    names.latest = [present, ...names.latest].slice(0, mostLists)
  }
  return present as ReadonlyArray<Name>
}

/** Returns the content of a table. */
export const contentOf = (table: object): Content => of(table).content

type Lane = PackedVector["lanes"][number]

/** Applies a change to every column of a table. */
const mapColumns = (
  spec: ColumnSpec,
  { nulls, vectors }: Content,
  length: number,
  lane: (lane: Lane) => Lane,
  bitmap: (bitmap: Bitmap.Bitmap) => Bitmap.Bitmap | undefined
): Content => {
  const changed: Record<string, unknown> = {}
  const changedNulls: Record<string, Bitmap.Bitmap> = {}
  for (const [name, vector] of Object.entries(vectors)) {
    const { kind } = spec[name]!
    const { lanes, legend } = kind.pack(vector)
    changed[name] = kind.of({ lanes: lanes.map(lane), legend })
    const own = Bitmap.of(nulls, name)
    const taken = own === undefined ? undefined : bitmap(own)
    if (taken !== undefined) changedNulls[name] = taken
  }
  return { length, vectors: changed, nulls: changedNulls, findings: [] }
}

/** The rows from one number to before another, over the same memory; bitmaps are copied, because a view can begin at a byte only. */
export const slice = (spec: ColumnSpec, content: Content, start: number, end: number): Content => {
  const rows = new Uint8Array(content.length).subarray(start, end)
  const isNull = (bitmap: Bitmap.Bitmap) => Bitmap.take(bitmap, Array.from(rows, (_, at) => rows.byteOffset + at))
  return mapColumns(spec, content, rows.length, (lane) => lane.subarray(start, end), isNull)
}

/** The rows of some numbers, copied. */
export const take = (spec: ColumnSpec, content: Content, rows: ArrayLike<number>): Content => {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!
    if (!(Number.isInteger(row) && row >= 0 && row < content.length)) {
      throw new RangeError(`there is no row ${row}: the table has ${content.length} rows, counted from 0`)
    }
  }
  const gather = (lane: Lane): Lane => {
    // A lane's constructor is that of its own type, which the library's types do not say.
    const taken = new (lane.constructor as new (length: number) => Lane)(rows.length)
    for (let at = 0; at < rows.length; at++) taken[at] = lane[rows[at]!]!
    return taken
  }
  return mapColumns(spec, content, rows.length, gather, (bitmap) => Bitmap.take(bitmap, rows))
}

/** Numbers that are ordered as the elements of a column are. */
export const ranks = (kind: ColumnKind, vector: unknown): ArrayLike<number> => {
  const { lanes: [first, second], legend } = kind.pack(vector)
  if (kind.storage._tag !== "Texts") return first!
  const order = legend.map((_, code) => code).toSorted((a, b) => legend[a]! < legend[b]! ? -1 : 1)
  const rankOf = new Float64Array(legend.length)
  for (const [rank, code] of order.entries()) rankOf[code] = rank
  // The digits that follow decide among texts that begin alike.
  const width = 10 ** kind.storage.digits
  return Float64Array.from(first!, (code, row) => rankOf[code]! * width + (second?.[row] ?? 0))
}

/** A table among those that are joined, and where its rows begin. */
interface Part {
  readonly at: number
  readonly table: Content
}

/** Joins tables, row after row. A table without a column has nulls in it. */
export const concat = (spec: ColumnSpec, tables: ReadonlyArray<Content>): Content => {
  let length = 0
  const parts = tables.map((table): Part => {
    const at = length
    length += table.length
    return { at, table }
  })
  const vectors: Record<string, unknown> = {}
  const nulls: Record<string, Bitmap.Bitmap> = {}
  for (const [name, { kind }] of Object.entries(known(spec))) {
    const having = parts.filter(({ table }) => Object.hasOwn(table.vectors, name))
    if (having.length === 0) continue
    const packed = having.map(({ at, table }) => ({ at, ...kind.pack(table.vectors[name]) }))
    vectors[name] = kind.of(concatPacked(kind, length, packed))
    const bitmap = concatNulls(length, parts, name)
    if (bitmap !== undefined) nulls[name] = bitmap
  }
  return { length, vectors, nulls, findings: Findings.merge(tables) }
}

type PackedPart = PackedVector & Pick<Part, "at">

const concatPacked = ({ storage }: ColumnKind, length: number, parts: ReadonlyArray<PackedPart>): PackedVector => {
  if (storage._tag !== "Texts") {
    const joined = storage._tag === "Numbers" ? new Float64Array(length).fill(NaN) : new Uint8Array(length)
    for (const { at, lanes } of parts) joined.set(lanes[0]!, at)
    return { lanes: [joined], legend: [] }
  }
  const legend = [...new Set(parts.flatMap((part) => part.legend))]
  const codeOf = new Map(legend.map((text, code) => [text, code]))
  const codes = new (narrowest(legend.length))(length)
  const numbers = new Int32Array(storage.digits === 0 ? 0 : length)
  for (const { at, lanes: [ownCodes, ownNumbers], legend } of parts) {
    const joinedCodes = legend.map((text) => codeOf.get(text)!)
    for (let row = 0; row < ownCodes!.length; row++) codes[at + row] = joinedCodes[ownCodes![row]!] ?? 0
    if (ownNumbers !== undefined) numbers.set(ownNumbers, at)
  }
  return { lanes: storage.digits === 0 ? [codes] : [codes, numbers], legend }
}

const concatNulls = (length: number, parts: ReadonlyArray<Part>, name: string): Bitmap.Bitmap | undefined => {
  let bitmap: Bitmap.Bitmap | undefined
  for (const { at, table } of parts) {
    const own = Bitmap.of(table.nulls, name)
    const isMissing = !Object.hasOwn(table.vectors, name)
    if (own === undefined && !isMissing) continue
    bitmap ??= Bitmap.make(length)
    for (let row = 0; row < table.length; row++) if (isMissing || Bitmap.has(own, row)) Bitmap.add(bitmap, at + row)
  }
  return bitmap
}

/** One column as plain data. */
export interface PackedColumn extends PackedVector {
  readonly nulls: Uint8Array<ArrayBuffer> | undefined
}

/** The columns of a table as plain data. */
export const pack = (spec: ColumnSpec, { nulls, vectors }: Content): Readonly<Record<string, PackedColumn>> =>
  Object.fromEntries(
    Object.entries(vectors).map(([name, vector]) => {
      const column: PackedColumn = { ...spec[name]!.kind.pack(vector), nulls: Bitmap.of(nulls, name) }
      return [name, column]
    })
  )

/** The buffers under packed columns, each once. */
export const buffers = (columns: Readonly<Record<string, PackedColumn>>): Array<ArrayBuffer> => [
  ...new Set(
    Object.values(columns).flatMap(({ lanes, nulls }) =>
      [...lanes, ...(nulls === undefined ? [] : [nulls])].map(({ buffer }) => buffer)
    )
  )
]

/** The vectors and bitmaps of packed columns. */
export const unpack = (
  spec: ColumnSpec,
  columns: Readonly<Record<string, PackedColumn>>
): Pick<Content, "vectors" | "nulls"> => {
  const vectors: Record<string, unknown> = {}
  const nulls: Record<string, Bitmap.Bitmap> = {}
  for (const [name, column] of Object.entries(columns)) {
    vectors[name] = spec[name]!.kind.of(column)
    if (column.nulls !== undefined) nulls[name] = column.nulls
  }
  return { vectors, nulls }
}

/**
 * What a table is made of: vectors of equal length, and a bitmap for each column that has a null.
 *
 * @category models
 * @since 0.1.0
 */
export interface Content {
  readonly length: number
  readonly vectors: Readonly<Record<string, unknown>>
  readonly nulls: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  readonly findings: ReadonlyArray<Findings.Finding>
}

/**
 * What a decoder returns: one vector for each column, a bitmap for each column with nulls, and the findings. All vectors and bitmaps lie
 * in `slabs`: one buffer, or several if they take more than 31 MiB.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decoded extends Content {
  readonly slabs: ReadonlyArray<ArrayBuffer>
}

/**
 * The options of a decoder.
 *
 * - `columns`: the columns that the reply should have; all by default. `"present"` takes those that are there, and reports the others as
 *   missing.
 * - `strict`: every finding is an error
 * - `scalars`: fields besides the columns; they are not findings, and are not read here
 * - `statusOptional`: whether the status `s` may be missing. The contract promises it for whole replies only, and the public service
 *   leaves it out if columns were asked for by name
 * - `maxRows`: the most rows that the reply may have; one row more is an error
 * - `kernel`: what runs the hot loops; by default the fastest that works here
 * - `recycled`: a buffer that is no longer needed, for the columns
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodeOptions<Name extends string = string> {
  readonly columns?: ReadonlyArray<Name> | "present" | undefined
  readonly strict?: boolean | undefined
  readonly scalars?: ReadonlyArray<string> | undefined
  readonly statusOptional?: boolean | undefined
  readonly maxRows?: number | undefined
  readonly kernel?: Kernel.Kernel | undefined
  readonly recycled?: ArrayBuffer | undefined
}
