/**
 * Tables as Arrow IPC, straight from the columns: columns of numbers, and the codes of texts in a table that is written as a whole, are not copied until
 * the bytes are joined. In a `file` the dictionaries stand before its end, so that any number of tables is written in the memory of one; a `stream` has
 * them before the tables that need them.
 *
 * The metadata of each column has its `unit`, its `meaning` and the `clause` of the contract that lists it.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Arrow from "@effect-marketdata/export/Arrow"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[150,155]}`, { columns: ["strike"] }))
 * const bytes = Result.getOrThrow(Arrow.encode(chain))
 * new TextDecoder().decode(bytes.subarray(0, 6)) // => "ARROW1"
 * ```
 *
 * @see {@link Export} for files and streams
 * @since 0.1.0
 */
// Projects that read the sources of this package find these types by it.
// oxlint-disable-next-line typescript/triple-slash-reference -- the types are of a package that has none
/// <reference path="./flechette.d.ts" />
import { EOS, MAGIC, MessageHeader, TimeUnit } from "@uwdata/flechette/src/constants.js"
import * as Type from "@uwdata/flechette/src/data-types.js"
import { Builder } from "@uwdata/flechette/src/encode/builder.js"
import { encodeDictionaryBatch } from "@uwdata/flechette/src/encode/dictionary-batch.js"
import { writeFooter } from "@uwdata/flechette/src/encode/footer.js"
import { type Block, writeMessage } from "@uwdata/flechette/src/encode/message.js"
import { encodeRecordBatch } from "@uwdata/flechette/src/encode/record-batch.js"
import { encodeSchema, type Field } from "@uwdata/flechette/src/encode/schema.js"
import type * as Result from "effect/Result"
import type * as Columns from "../columns/Columns.ts"
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
 * How Arrow is written: as a `file`, the default, which readers can access at random, or as a `stream`, which they read from its beginning.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Encoder.Options {
  readonly format?: "file" | "stream" | undefined
}

type OfEachType<A> = Readonly<Record<Columns.Type, A>>

type TypedArray = Int32Array<ArrayBuffer> | Values.Values["first"]

const bytesOf = (array: TypedArray): Encoder.Bytes => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const none: Encoder.Bytes = new Uint8Array(0)

/** Arrow has a bit for each row that holds an element, where a table has one for each that does not. */
const validity = (nulls: Encoder.Bytes | undefined): Encoder.Bytes =>
  nulls === undefined ? none : nulls.map((byte) => ~byte)

/** Texts behind each other, and where each begins and ends. */
const utf8 = (length: number, write: (writer: Encoder.Writer, row: number) => void): ReadonlyArray<Encoder.Bytes> => {
  const offsets = new Int32Array(length + 1)
  const writer = new Encoder.Writer(Math.max(64, length * 22))
  for (let row = 0; row < length; row++) {
    write(writer, row)
    offsets[row + 1] = writer.length
  }
  return [bytesOf(offsets), writer.written]
}

/** The texts of a column. The beginnings of option symbols are encoded once, and their digits are written behind them. */
const textsOf = ({ digits, first, length, nulls, texts }: Values.Values): ReadonlyArray<Encoder.Bytes> => {
  const beginnings = texts.map(Encoder.encoded)
  return utf8(length, (writer, row) => {
    if (nulls !== undefined && Values.isSet(nulls, row)) return
    writer.text(beginnings[first[row]!]!)
    if (digits !== undefined) writer.digits(digits[row]!, 8)
  })
}

const booleans = ({ first, length }: Values.Values): Encoder.Bytes => {
  const bits = new Uint8Array((length + 7) >> 3)
  for (let row = 0; row < length; row++) if (first[row] === 1) bits[row >> 3]! |= 1 << (row & 7)
  return bits
}

/** Whole numbers as 64 bits with a sign, the lowest 32 first. */
const seconds = (numbers: Float64Array): Encoder.Bytes => {
  const parts = new Int32Array(numbers.length * 2)
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row]!
    parts[row * 2] = value
    parts[row * 2 + 1] = Math.floor(value / 0x1_0000_0000)
  }
  return bytesOf(parts)
}

/** Thousandths as 128 bits with a sign, the lowest 32 first. */
const decimals = (numbers: Float64Array): Encoder.Bytes => {
  const parts = new Int32Array(numbers.length * 4)
  for (let row = 0; row < numbers.length; row++) {
    const value = Math.round(numbers[row]! * 1000)
    const sign = value < 0 ? -1 : 0
    parts[row * 4] = value
    parts[row * 4 + 1] = sign
    parts[row * 4 + 2] = sign
    parts[row * 4 + 3] = sign
  }
  return bytesOf(parts)
}

/** The buffers of a column of each type, without its validity. */
const buffersOf: OfEachType<(values: Values.Values, codes: TypedArray) => ReadonlyArray<Encoder.Bytes>> = {
  text: textsOf,
  category: (_, codes) => [bytesOf(codes)],
  boolean: (values) => [booleans(values)],
  time: (values) => [seconds(Values.exact(values, "time"))],
  integer: (values) => [bytesOf(new Int32Array(Values.exact(values, "integer")))],
  decimal: (values) => [decimals(Values.exact(values, "decimal"))],
  number: ({ first }) => [bytesOf(first)]
}

/** A batch as its head says it, and its buffers. */
type Body = ReturnType<typeof bodyOf>

/** A batch of columns that have the same length. */
const bodyOf = (
  columns: ReadonlyArray<
    { readonly length: number; readonly nullCount: number; readonly buffers: ReadonlyArray<Encoder.Bytes> }
  >
) => {
  const buffers = columns.flatMap(({ buffers }) => buffers)
  let offset = 0
  const regions = buffers.map(({ length }) => {
    const region = { offset, length }
    offset += (length + 7) & ~7
    return region
  })
  return { buffers, batch: { byteLength: offset, nodes: columns, regions, variadic: [] } }
}

/** Makes what holds the texts of a column, which grow from table to table, and how many of them were `written`: -1 before any. */
const dictionaryOf = (id: number) => ({ id, texts: Array<string>(), codeOf: new Map<string, number>(), written: -1 })

type Dictionary = ReturnType<typeof dictionaryOf>

/** Codes of the texts of all tables, for codes of those of one. */
const recoded = ({ codeOf, texts }: Dictionary, values: Values.Values): Int32Array<ArrayBuffer> => {
  const codes = values.texts.map((text) => {
    const known = codeOf.get(text) ?? texts.push(text) - 1
    codeOf.set(text, known)
    return known
  })
  return Int32Array.from(values.first, (code) => codes[code] ?? 0)
}

const indices = { 1: Type.uint8, 2: Type.uint16, 4: Type.uint32 } as const

/** The type of a column; a whole table has codes of its own width. */
const typeOf: OfEachType<(id: number, width: 1 | 2 | 4 | undefined) => Type.DataType> = {
  text: () => Type.utf8(),
  category: (id, width) =>
    Type.dictionary(Type.utf8(), width === undefined ? Type.int32() : indices[width](), false, id),
  boolean: () => Type.bool(),
  time: () => Type.timestamp(TimeUnit.SECOND, "America/New_York"),
  integer: () => Type.int32(),
  decimal: () => Type.decimal(9, 3),
  number: () => Type.float64()
}

const facts = ["unit", "meaning", "clause"] as const

const fieldOf = (column: Columns.Column, type: Type.DataType): Field => {
  const { name, nullable } = column
  const known = facts.flatMap((fact) => column[fact] === undefined ? [] : [[fact, column[fact]] as const])
  return { name, nullable, type, metadata: new Map(known) }
}

const writing =
  (isWhole: boolean) =>
  ({ format = "file", metadata }: Options) =>
  (columns: ReadonlyArray<Columns.Column>): Encoder.Writing => {
    if (format !== "file" && format !== "stream") {
      throw invalid("format", format, { rule: "must be file or stream", example: "\"file\"" })
    }
    let ready: Array<Encoder.Bytes> = []
    const builder = new Builder({ write: (bytes) => ready.push(bytes) })
    const dictionaries = columns.map((_, id) => dictionaryOf(id))
    const [dictionaryBlocks, recordBlocks]: [Array<Block>, Array<Block>] = [[], []]
    let schema: { readonly fields: ReadonlyArray<Field>; readonly metadata: ReadonlyMap<string, string> } | undefined
    const taken = (): ReadonlyArray<Encoder.Bytes> => {
      const bytes = ready
      ready = []
      return bytes
    }
    const writeBuffers = ({ buffers }: Body): void => {
      for (const buffer of buffers) builder.addBuffer(buffer)
    }
    const writeDictionary = (dictionary: Dictionary): void => {
      dictionary.written = dictionary.texts.length
      // A null has the code 0, which has to be there.
      const texts = dictionary.texts.length === 0 ? [""] : dictionary.texts
      const buffers = [none, ...utf8(texts.length, (writer, row) => writer.text(Encoder.encoded(texts[row]!)))]
      const body = bodyOf([{ length: texts.length, nullCount: 0, buffers }])
      const header = encodeDictionaryBatch(builder, { id: dictionary.id, isDelta: false, data: body.batch })
      writeMessage(builder, MessageHeader.DictionaryBatch, header, body.batch.byteLength, dictionaryBlocks)
      writeBuffers(body)
    }
    /** Writes those that have grown since they were written. */
    const writeDictionaries = (): void => {
      for (const [at, { type }] of columns.entries()) {
        const dictionary = dictionaries[at]!
        if (type === "category" && dictionary.texts.length > dictionary.written) writeDictionary(dictionary)
      }
    }
    const begin = (all: ReadonlyArray<Values.Values>): void => {
      schema = {
        fields: all.map(({ column, first }, id) =>
          fieldOf(column, typeOf[column.type](id, isWhole ? first.BYTES_PER_ELEMENT as 1 | 2 | 4 : undefined))
        ),
        metadata: new Map(Object.entries(metadata ?? {}))
      }
      if (format === "file") builder.addBuffer(MAGIC)
      writeMessage(builder, MessageHeader.Schema, encodeSchema(builder, schema), 0)
    }
    return {
      table: (table) => {
        const all = Values.read(table, columns)
        const body = bodyOf(all.map((values, at) => {
          const { column, first, length, nulls, texts } = values
          const dictionary = dictionaries[at]!
          if (isWhole && column.type === "category") { for (const text of texts) dictionary.texts.push(text) }
          const codes = isWhole || column.type !== "category" ? first : recoded(dictionary, values)
          return {
            length,
            nullCount: nulls === undefined ? 0 : Values.countSet(nulls, length),
            buffers: [validity(nulls), ...buffersOf[column.type](values, codes)]
          }
        }))
        if (schema === undefined) begin(all)
        if (format === "stream") writeDictionaries()
        const header = encodeRecordBatch(builder, body.batch)
        writeMessage(builder, MessageHeader.RecordBatch, header, body.batch.byteLength, recordBlocks)
        writeBuffers(body)
        return taken()
      },
      end: () => {
        if (format === "file") writeDictionaries()
        builder.addBuffer(EOS)
        if (format === "file") writeFooter(builder, schema!, dictionaryBlocks, recordBlocks)
        return taken()
      }
    }
  }

/**
 * Makes an encoder, which writes tables one after the other.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encoder = (options: Options = {}): Encoder.Encoder => Encoder.make(options, writing(false))

/**
 * Encodes a table. Fails with `ExportError` if the type of a column cannot represent an element exactly.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (table: Columns.Table, options: Options = {}): Result.Result<Encoder.Bytes, ExportError> =>
  Encoder.whole(Encoder.make(options, writing(true)), table)
