/**
 * Tables of columns. The service answers with parallel arrays, and a table keeps them so: a column is one typed array or dictionary, its
 * nulls are a bitmap, and a row is a view that reads the columns.
 *
 * Functions that return a table can be piped. `filterIndices` and `sortIndices` return row numbers in a `Uint32Array` instead, for `pick`
 * and `rows`: no row is copied until it is needed.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","strike":[150,155,160],"last":[1.25,null,0.5]}`
 * const table = Result.getOrThrow(ColumnTable.decode(OptionChain.spec, body, { columns: ["strike", "last"] }))
 * table.strike // => new Float64Array([150, 155, 160])
 * table.isNull("last", 1) // => true
 * table.at(1).last // => null
 * ColumnTable.sortIndices(table, "last") // => new Uint32Array([2, 0, 1])
 * const cheapest = table.pipe(
 *   ColumnTable.filter((row, { strike }) => strike[row]! > 150),
 *   ColumnTable.sortBy("last"),
 *   ColumnTable.take(1)
 * )
 * cheapest.strike // => new Float64Array([160])
 * ```
 *
 * @see {@link OptionChain} and {@link StockQuotes} for tables of the service
 * @see {@link ColumnDecoder} which reads the columns
 * @see {@link BufferPool} for decoding many tables in the same memory
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as ColumnDecoder from "./ColumnDecoder.ts"
import type { ColumnSpec } from "./ColumnSpec.ts"
import type { DecodeError } from "./DecodeError.ts"
import type { Finding } from "./Finding.ts"
import { checkColumn, type Has } from "./chosenRows.ts"
import { type ColumnTable, make, type TableMethods } from "./table.ts"
import * as TableJson from "./tableJson.ts"
import * as TableContent from "./tableContent.ts"

/**
 * What a table is.
 *
 * @since 0.1.0
 */
export { type ColumnTable, type Element, type Json, make, type TableMethods } from "./table.ts"

/**
 * What a table is made of: vectors of equal length, and a bitmap for each column that has a null.
 *
 * @since 0.1.0
 */
export type { Content } from "./tableContent.ts"

/**
 * Some of its rows, or all of them in another order.
 *
 * @since 0.1.0
 */
export {
  type Direction,
  filter,
  filterIndices,
  pick,
  rows,
  slice,
  sortBy,
  sortIndices,
  take,
  toRows
} from "./chosenRows.ts"

/**
 * Decodes a reply, given as bytes or text, by a column spec. Fails with `DecodeError` for a body that is not such a table.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * Result.map(ColumnTable.decode(OptionChain.spec, `{"s":"ok","bid":[1.5]}`, { columns: ["bid"] }), ({ bid }) => bid[0]) // => Result.succeed(1.5)
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string>(
  spec: Spec,
  body: Uint8Array | string,
  options?: ColumnDecoder.DecodeOptions<Name>
): Result.Result<ColumnTable<Spec, Name>, DecodeError> =>
  Result.map(ColumnDecoder.decode(spec, body, options), (decoded) => make<Spec, Name>(spec, decoded))

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string>(
  spec: Spec,
  options?: ColumnDecoder.DecodeOptions<Name>
): ColumnDecoder.ColumnDecoder<ColumnTable<Spec, Name>> => {
  const columns = ColumnDecoder.make(spec, options)
  return { ...columns, end: () => Result.map(columns.end(), (decoded) => make<Spec, Name>(spec, decoded)) }
}

/**
 * Runs a stream of bytes through a decoder, and returns what it read. It stops at the first byte that cannot be read, and fails with
 * `DecodeError`, or with an error of the stream.
 *
 * @category decoding
 * @since 0.1.0
 */
export const fromStream = <A, E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  decoder: () => ColumnDecoder.ColumnDecoder<A>
): Effect.Effect<A, E | DecodeError, R> =>
  Effect.suspend(() => {
    const { advance = () => false, end, push } = decoder()
    const finish: Effect.Effect<A, DecodeError> = Effect.suspend(() =>
      advance() ? Effect.andThen(Effect.yieldNow, finish) : Effect.fromResult(end())
    )
    return Effect.andThen(Stream.runForEachWhile(stream, (bytes) => Effect.sync(() => push(bytes))), finish)
  })

/**
 * Joins tables into one, in their order. The rows in findings are counted in the joined table (clause 8.1-batches).
 *
 * @category combinators
 * @since 0.1.0
 */
export const merge = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  tables: ReadonlyArray<TableMethods<Spec, Name>>
): ColumnTable<Spec, Name> => make(spec, TableContent.concat(spec, tables.map(TableContent.contentOf)))

/**
 * Returns the columns that a table was decoded by: the kind of each, and where null may stand. The table has all of them, or those that
 * `columnNames` lists. Throws `TypeError` for what is not a table.
 *
 * @see {@link pack} for what the columns hold
 * @category getters
 * @since 0.1.0
 */
export const specOf = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>
): Spec => TableContent.of<Spec>(self).spec
/**
 * Returns the table with only these columns, without copying. Throws `RangeError` for a column that it does not have.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as StockPrices from "@effect-marketdata/core/StockPrices"
 * import * as Result from "effect/Result"
 *
 * const prices = Result.getOrThrow(StockPrices.decode(`{"s":"ok","symbol":["AAPL"],"mid":[350.1],"change":[1],"changepct":[0.01],"updated":[1795194000]}`))
 * ColumnTable.select(prices, ["symbol", "mid"]).columnNames // => [ "symbol", "mid" ]
 * ```
 *
 * @see {@link encode} which prints some of the columns as it is
 * @category combinators
 * @since 0.1.0
 */
export const select: {
  <const Selected extends string>(
    columns: ReadonlyArray<Selected>
  ): <Spec extends ColumnSpec, Name extends keyof Spec & string>(
    self: TableMethods<Spec, Name> & Has<Name, Selected>
  ) => ColumnTable<Spec, Selected & Name>
  <Spec extends ColumnSpec, Name extends keyof Spec & string, Selected extends Name>(
    self: TableMethods<Spec, Name>,
    columns: ReadonlyArray<Selected>
  ): ColumnTable<Spec, Selected>
} = dual(
  2,
  <Spec extends ColumnSpec, Name extends keyof Spec & string, Selected extends Name>(
    self: TableMethods<Spec, Name>,
    columns: ReadonlyArray<Selected>
  ): ColumnTable<Spec, Selected> => {
    const { content, spec } = TableContent.of<Spec>(self)
    for (const name of columns) checkColumn(self, name)
    const vectors = Object.fromEntries(columns.map((name) => [name, content.vectors[name]]))
    return make(spec, { ...content, vectors })
  }
)

/**
 * Prints a table as the service does: one JSON object of parallel arrays, `s` first. It is the inverse of `decode`. It prints all
 * columns, or those that are named, in that order.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110],"bid":[1,2]}`, { columns: ["strike", "bid"] }))
 * ColumnTable.encode(chain, ["strike"]) // => "{\"s\":\"ok\",\"strike\":[100,110]}"
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>,
  columns?: ReadonlyArray<Name>
): string => [...encodeChunks(self, columns)].join("")

/**
 * Prints a table as `encode` does, in chunks of a column each, so that a reply can be sent while it is printed.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110]}`, { columns: ["strike"] }))
 * Array.from(ColumnTable.encodeChunks(chain)).join("") === ColumnTable.encode(chain) // => true
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const encodeChunks = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>,
  columns: ReadonlyArray<Name> = self.columnNames
): Generator<string> => {
  const { content, spec } = TableContent.of<Spec>(self)
  return TableJson.encode(spec, columns, content)
}

/**
 * A table as plain data that the structured clone algorithm can copy: for workers and stores.
 *
 * @category models
 * @since 0.1.0
 */
export interface Packed {
  readonly length: number
  readonly columns: Readonly<Record<string, TableContent.PackedColumn>>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Turns a table into plain data, without copying it. To move it to a worker, transfer its buffers as well:
 * `worker.postMessage(packed, ColumnTable.buffers(packed))`. A decoded table usually has only one buffer. The table itself is empty
 * afterwards.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[150,155]}`, { columns: ["strike"] }))
 * const packed = structuredClone(ColumnTable.pack(chain))
 * ColumnTable.unpack(OptionChain.spec, packed).length // => 2
 * ```
 *
 * @see {@link unpack} which makes a table of it again
 * @category conversions
 * @since 0.1.0
 */
export const pack = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>
): Packed => {
  const { content, spec } = TableContent.of<Spec>(self)
  return { length: content.length, columns: TableContent.pack(spec, content), findings: content.findings }
}

/**
 * Returns the buffers of packed columns, for `postMessage` to transfer.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100]}`, { columns: ["strike"] }))
 * const packed = ColumnTable.pack(chain)
 * // Handed over to a worker, not copied: postMessage(packed, buffers).
 * structuredClone(packed, { transfer: ColumnTable.buffers(packed) }).length // => 1
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const buffers = (packed: Packed): Array<ArrayBuffer> => TableContent.buffers(packed.columns)

/**
 * Makes a table of the plain data that `pack` returned.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100]}`, { columns: ["strike"] }))
 * // What a worker does with what it gets.
 * ColumnTable.unpack(OptionChain.spec, structuredClone(ColumnTable.pack(chain))).at(0).strike // => 100
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const unpack = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  packed: Packed
): ColumnTable<Spec, Name> => make(spec, { ...packed, ...TableContent.unpack(spec, packed.columns) })
