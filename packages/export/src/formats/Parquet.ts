/**
 * Tables as Parquet, compressed with zstd where Node has it (from 22.15 on) or else with Snappy, with statistics of each column. Small tables are
 * collected into row groups of 65,536 rows or more, so that any number of tables is written in the memory of a few.
 *
 * The meanings of the columns are in the metadata of the file under `columns`, as JSON.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Parquet from "@effect-marketdata/export/Parquet"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[150,155]}`, { columns: ["strike"] }))
 * const bytes = Result.getOrThrow(Parquet.encode(chain))
 * new TextDecoder().decode(bytes.subarray(0, 4)) // => "PAR1"
 * ```
 *
 * @see {@link Export} for files
 * @see {@link Dataset} for a folder of days
 * @since 0.1.0
 */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as Result from "effect/Result"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import type * as Zlib from "node:zlib"
import * as Columns from "../columns/Columns.ts"
import * as Values from "../columns/values.ts"
import { type ExportError, invalid } from "../reason/ExportError.ts"
import * as Encoder from "./encoder.ts"

/**
 * What writes tables in this format one after the other, and the bytes that it makes.
 *
 * `push` takes a table, and returns what can be written of it and of those before; `end` returns the rest. The bytes may lie over the memory of the table:
 * write them before the table is released.
 *
 * @category models
 * @since 0.1.0
 */
export type { Bytes, Encoder } from "./encoder.ts"

/**
 * How Parquet is written. `compression` is `zstd` by default, or `snappy` where Node has no zstd.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Encoder.Options {
  readonly compression?: "zstd" | "snappy" | "none" | undefined
}

const { process }: { readonly process?: Partial<NodeJS.Process> } = globalThis

/** Node has zstd from 22.15 on. Asked for at run time, so that a bundle for browsers, which have none, needs no `node:zlib`. */
const { zstdCompressSync }: Partial<typeof Zlib> = process?.getBuiltinModule?.("node:zlib") ?? {}

const codecs = { zstd: "ZSTD", snappy: "SNAPPY", none: "UNCOMPRESSED" } as const

const codecOf = (compression: Options["compression"]) => {
  const asked = compression ?? (zstdCompressSync === undefined ? "snappy" : "zstd")
  if (!Object.hasOwn(codecs, asked)) {
    throw invalid("compression", asked, { rule: "must be zstd, snappy or none", example: "\"zstd\"" })
  }
  if (asked === "zstd" && zstdCompressSync === undefined) {
    throw invalid("compression", asked, { rule: "needs Node 22.15 or newer", example: "\"snappy\"" })
  }
  return codecs[asked]
}

/** How many rows a row group has at least, but for the last, and half of what it has at most. */
const rowsInGroup = 65_536

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number]

/** What a type is in Parquet. */
const elements: { readonly [T in Columns.Type]: Omit<SchemaElement, "name" | "repetition_type"> } = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  category: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  boolean: { type: "BOOLEAN" },
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" }
  },
  integer: { type: "INT32" },
  decimal: {
    type: "INT32",
    converted_type: "DECIMAL",
    scale: 3,
    precision: 9,
    logical_type: { type: "DECIMAL", scale: 3, precision: 9 }
  },
  number: { type: "DOUBLE" }
}

/** Milliseconds as the writer takes them; neighbours are often equal, and share one. */
const milliseconds = (): (seconds: number) => bigint => {
  let [last, made] = [NaN, 0n]
  return (seconds) => {
    if (seconds !== last) [last, made] = [seconds, BigInt(seconds) * 1000n]
    return made
  }
}

/** What the writer takes of a row, or typed arrays as they are. */
type Elements = ((row: number) => unknown) | ArrayLike<unknown>

const elementsOf: Readonly<Record<Columns.Type, (values: Values.Values) => Elements>> = {
  text: (values) => (row) => Values.textAt(values, row),
  category: (values) => (row) => Values.textAt(values, row),
  boolean: ({ first }) => (row) => first[row] === 1,
  time: (values) => {
    const [seconds, of] = [Values.exact(values, "time"), milliseconds()]
    return (row) => of(seconds[row]!)
  },
  integer: (values) => new Int32Array(Values.exact(values, "integer")),
  decimal: (values) => Values.exact(values, "decimal"),
  number: ({ first }) => first
}

/** The elements of a column, with its nulls. */
const dataOf = (values: Values.Values): Array<unknown> => {
  const { length, nulls } = values
  const elements = elementsOf[values.column.type](values)
  const at = typeof elements === "function" ? elements : (row: number) => elements[row]
  if (nulls === undefined && typeof elements !== "function") return elements as Array<unknown>
  const data: Array<unknown> = []
  for (let row = 0; row < length; row++) data.push(nulls !== undefined && Values.isSet(nulls, row) ? null : at(row))
  return data
}

/** The writer takes minus zero for zero where it looks for equal numbers. */
const hasMinusZero = (numbers: ArrayLike<number>): boolean => {
  for (let row = 0; row < numbers.length; row++) if (numbers[row] === 0 && Object.is(numbers[row], -0)) return true
  return false
}

const source = (values: Values.Values) => ({
  name: values.column.name,
  data: dataOf(values),
  ...values.column.type === "number" && hasMinusZero(values.first) ? { encoding: "PLAIN" as const } : {}
})

/** What the file says of itself: what it is told, and what the columns mean. */
const metadataOf = (columns: ReadonlyArray<Columns.Column>, metadata: Encoder.Options["metadata"]) => {
  const said = columns.map(({ clause, meaning, name, unit }) => [name, { unit, meaning, clause }] as const)
  return Object.entries({ ...metadata, columns: JSON.stringify(Object.fromEntries(said)) })
    .map(([key, value]) => ({ key, value }))
}

/** A buffer that is taken empty when it was written. */
class Buffer extends ByteWriter {
  taken(): ReadonlyArray<Encoder.Bytes> {
    const bytes = this.getBytes().slice()
    this.index = 0
    return [bytes]
  }
}

const join = (tables: ReadonlyArray<Columns.Table>): Columns.Table => {
  // A table that was held back may have been released since.
  for (const table of tables) Columns.of(table)
  const own = tables as ReadonlyArray<ColumnTable.TableMethods<ColumnSpec, string>>
  return own.length === 1 ? own[0]! : ColumnTable.merge(ColumnTable.specOf(own[0]!), own)
}

/** No rows, and then a list of no row groups, of which the writer does not say that it is one of structures: readers in Rust refuse the file. */
const withoutGroups = [0x16, 0, 0x19, 0]

/** Says of the list that it is one of structures; what stands before it are names and types of columns. */
const asStructures = (footer: Encoder.Bytes): Encoder.Bytes => {
  const at = footer.findIndex((_, from) => withoutGroups.every((byte, index) => footer[from + index] === byte))
  // Another version of the writer may say it by itself.
  if (at !== -1) footer[at + withoutGroups.length - 1] = 0x0c
  return footer
}

const writing = ({ compression, metadata }: Options) => (columns: ReadonlyArray<Columns.Column>): Encoder.Writing => {
  const writer = new Buffer(1 << 20)
  const parquet = new ParquetWriter({
    writer,
    schema: [
      { name: "root", num_children: columns.length },
      ...columns.map(({ name, nullable, type }): SchemaElement => ({
        name,
        repetition_type: nullable ? "OPTIONAL" : "REQUIRED",
        ...elements[type]
      }))
    ],
    codec: codecOf(compression),
    // Level 3 is the one that zstd itself takes.
    compressors: zstdCompressSync === undefined ? {} : { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: metadataOf(columns, metadata),
    createdBy: "effect-marketdata"
  })
  let waiting: Array<Columns.Table> = []
  let rows = 0
  const write = (): ReadonlyArray<Encoder.Bytes> => {
    if (rows > 0) {
      const columnData = Values.read(join(waiting), columns).map(source)
      void parquet.write({ columnData, rowGroupSize: rowsInGroup * 2 })
    }
    waiting = []
    rows = 0
    return writer.taken()
  }
  return {
    table: (table) => {
      waiting.push(table)
      rows += table.length
      return rows < rowsInGroup ? [] : write()
    },
    end: () => {
      const last = write()
      void parquet.finish()
      const footer = writer.taken()
      return [...last, ...parquet.row_groups.length === 0 ? footer.map(asStructures) : footer]
    }
  }
}

/**
 * Makes an encoder, which writes tables one after the other. It holds tables back until they make a row group: a table that is released before fails
 * with `ExportError`.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encoder = (options: Options = {}): Encoder.Encoder => Encoder.make(options, writing)

/**
 * Encodes a table. Fails with `ExportError` if the type of a column cannot represent an element exactly.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (table: Columns.Table, options: Options = {}): Result.Result<Encoder.Bytes, ExportError> =>
  Encoder.whole(encoder(options), table)
