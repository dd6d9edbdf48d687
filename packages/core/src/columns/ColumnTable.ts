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
import { dual, memoize } from "effect/Function"
import { NodeInspectSymbol } from "effect/Inspectable"
import { type Pipeable, pipeArguments } from "effect/Pipeable"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Problem from "../text/Problem.ts"
import * as Bitmap from "./bitmap.ts"
import * as ColumnDecoder from "./ColumnDecoder.ts"
import type { ColumnSpec, Row, Vectors } from "./ColumnSpec.ts"
import type { DecodeError } from "./DecodeError.ts"
import type { Finding } from "./Finding.ts"
import * as TableContent from "./tableContent.ts"
import * as TableJson from "./tableJson.ts"

/**
 * The methods of every table. Rows count from 0.
 *
 * @category models
 * @since 0.1.0
 */
export interface TableMethods<Spec extends ColumnSpec, Name extends keyof Spec & string>
  extends Iterable<Row<Spec, Name>>, Pipeable
{
  /** The number of rows. */
  readonly length: number
  /** The names of the columns that this table has, in the order of the contract. */
  readonly columnNames: ReadonlyArray<Name>
  /** What was unusual in the reply. */
  readonly findings: ReadonlyArray<Finding>
  /** Returns whether the reply held null there (or had no such column): an element's own value cannot say it. */
  readonly isNull: (name: Name, index: number) => boolean
  /** Returns one element as a row would show it: null where the reply held null. */
  readonly valueAt: <N extends Name>(name: N, index: number) => Row<Spec, N>[N]
  /** Returns a view of one row. Throws `RangeError` where there is no such row. */
  readonly at: (index: number) => Row<Spec, Name>
  /** Copies the table into lists, one for each column: what `JSON.stringify` prints, and `Schemas.Table` reads. */
  readonly toJSON: () => Json<Name>
}

/**
 * One element of a column in JSON: null where the column has null. Minus zero is `"-0"`, because JSON has no minus zero.
 *
 * @category models
 * @since 0.1.0
 */
export type Element = TableJson.Element

/**
 * A table in JSON: each column as the list of its elements, and the findings of the reply.
 *
 * @category models
 * @since 0.1.0
 */
export interface Json<in Name extends string = string> {
  readonly length: number
  readonly columns: { readonly [N in Name]: ReadonlyArray<Element> }
  readonly findings: ReadonlyArray<Finding>
}

/**
 * A table: its methods, and each column as a property under its own name.
 *
 * @category models
 * @since 0.1.0
 */
export type ColumnTable<Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string> =
  & TableMethods<Spec, Name>
  & Vectors<Spec, Name>

const knownContent = /* @__PURE__ */ Problem.guard("content", "what ColumnDecoder.decode reads", { vectors: {} })

/**
 * Creates a table over vectors of equal length.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  content: TableContent.Content
): ColumnTable<Spec, Name> => {
  const columnNames = TableContent.columnNames<Name>(spec, knownContent(content))
  const isNull = (name: string, index: number): boolean => Bitmap.has(Bitmap.of(content.nulls, name), index)
  const valueAt = (name: Name, index: number): unknown =>
    isNull(name, index) ? null : spec[name]!.kind.at(content.vectors[name], index)
  const at = (index: number): Row<Spec, Name> => {
    if (!(Number.isInteger(index) && index >= 0 && index < content.length)) {
      throw new RangeError(`there is no row ${index}: the table has ${content.length} rows, counted from 0`)
    }
    const row: Row<Spec, Name> = Object.create(prototypeOf(columnNames))
    return Object.defineProperty(row, place, { value: { table, index } })
  }
  // One literal, because every reply makes one of these: two that are merged would cost more than a column.
  const table = {
    ...(content.vectors as Vectors<Spec, Name>),
    length: content.length,
    columnNames,
    findings: content.findings,
    isNull,
    valueAt: valueAt as TableMethods<Spec, Name>["valueAt"],
    at,
    toJSON,
    pipe,
    [Symbol.iterator]: iterate as () => Generator<Row<Spec, Name>>
  }
  TableContent.remember(table, { spec, content })
  return Object.freeze(table)
}

/** One function for all tables: V8 keeps what a generator function refers to, here a table, until it collects the whole heap. */
function* iterate(this: { readonly length: number; readonly at: (index: number) => unknown }): Generator<unknown> {
  for (let index = 0; index < this.length; index++) yield this.at(index)
}

function toJSON<Name extends string>(this: object): Json<Name> {
  const { content, spec } = TableContent.of(this)
  const columns = TableJson.of(spec, TableContent.columnNames(spec, content), content)
  return { length: content.length, columns: columns as Json<Name>["columns"], findings: content.findings }
}

function pipe(this: unknown): unknown {
  return pipeArguments(this, arguments)
}

const place = "~place"

/** A row knows its table and its number, in a property that nothing lists, copies or compares: Jest would compare that of a symbol. */
interface View {
  readonly [place]: { readonly table: TableMethods<ColumnSpec, string>; readonly index: number }
}

/** The prototype of rows, one for each list of column names: making one takes as long as making a hundred rows. */
const prototypeOf = /* @__PURE__ */ memoize((names: ReadonlyArray<string>): object =>
  Object.create(null, {
    ...Object.fromEntries(names.map((name) => [name, column(name)])),
    toJSON: { value: copy },
    toString: { value: print },
    [Symbol.iterator]: { value: entries },
    [NodeInspectSymbol]: { value: copy }
  })
)

const column = (name: string): PropertyDescriptor => ({
  enumerable: true,
  get(this: View): unknown {
    const { index, table } = this[place]
    return table.valueAt(name, index)
  }
})

/** Copies a row into a plain object, which is what `JSON.stringify` and Node's `console.log` print. The prototype of rows itself has no data. */
function copy(this: View & Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return place in this ? Object.fromEntries(this[place].table.columnNames.map((name) => [name, this[name]])) : {}
}

/** A row has no prototype with a `toString`: without this one a template throws, and so does Effect's `Formatter`. */
function print(this: View): string {
  return JSON.stringify(this)
}

/** `toEqual` of Vitest and Jest compares own fields, which a row does not have, and what is iterated: without this it takes any two rows for equal. */
function entries(this: View & Readonly<Record<string, unknown>>): Iterator<readonly [string, unknown]> {
  return Object.entries(copy.call(this)).values()
}

/**
 * What a table is made of: vectors of equal length, and a bitmap for each column that has a null.
 *
 * @since 0.1.0
 */
export type { Content } from "./tableContent.ts"

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
export const decode = <Spec extends ColumnSpec, const Name extends keyof Spec & string = keyof Spec & string>(
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
export const decoder = <Spec extends ColumnSpec, const Name extends keyof Spec & string = keyof Spec & string>(
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
): ColumnTable<Spec, Name> =>
  make(spec, TableContent.concat(spec, Problem.list("tables", tables).map(TableContent.contentOf)))

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
} = dual(2, (self: AnyTable, columns: ReadonlyArray<string>): AnyTable => {
  const { content, spec } = TableContent.of(self)
  for (const name of Problem.list("columns", columns)) checkColumn(self, name)
  const vectors = Object.fromEntries(columns.map((name) => [name, content.vectors[name]]))
  return make(spec, { ...content, vectors })
})

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
  columns?: ReadonlyArray<Name>
): Generator<string> => {
  const names = columns ?? (self as Partial<typeof self> | null | undefined)?.columnNames ?? []
  const { content, spec } = TableContent.of<Spec>(self)
  for (const name of Problem.list("columns", names)) checkColumn(self, name)
  return TableJson.encode(spec, names, content)
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
 * `worker.postMessage(packed, ColumnTable.buffers(packed))`. A decoded table usually has only one buffer. The columns of the
 * table itself are empty afterwards, also for others who hold it.
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

const known = /* @__PURE__ */ Problem.guard("packed table", "ColumnTable.pack(table)", { length: 0, columns: {} })

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
export const buffers = (packed: Packed): Array<ArrayBuffer> => TableContent.buffers(known(packed).columns)

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
): ColumnTable<Spec, Name> => make(spec, { ...packed, ...TableContent.unpack(spec, known(packed).columns) })

/** A table, whatever its columns. */
type AnyTable = Pick<TableMethods<ColumnSpec, string>, "length" | "columnNames" | "findings">

/** For `self: Table & Has<…>`: `unknown`, which asks for nothing more, if the table has the columns; else `never`, which no table is. */
type Has<Name, Asked> = [Asked] extends [Name] ? unknown : never

const checkColumn = (self: AnyTable, name: string): void => {
  if (!self.columnNames.includes(name)) {
    throw new RangeError(`"${name}" is not a column of this table. Expected one of ${self.columnNames.join(", ")}.`)
  }
}

/**
 * Returns the rows from `start`, included, to `end`, not included, as a table over the same memory. Negative numbers count from the end.
 * Findings stay with the whole table.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const candles = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.slice(candles, 1).length // => 2
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const slice: {
  (start: number, end?: number): <Self extends AnyTable>(self: Self) => Self
  <Self extends AnyTable>(self: Self, start: number, end?: number): Self
} = dual(
  (args) => typeof args[0] === "object",
  (self: AnyTable, start: number, end?: number): AnyTable => {
    const { content, spec } = TableContent.of(self)
    return make(spec, TableContent.slice(spec, content, start, end ?? content.length))
  }
)

/**
 * Returns the first `count` rows as a table over the same memory; all rows if there are fewer.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.take(chain, 2).strike[1] // => 110
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const take: {
  (count: number): <Self extends AnyTable>(self: Self) => Self
  <Self extends AnyTable>(self: Self, count: number): Self
} = dual(2, <Self extends AnyTable>(self: Self, count: number): Self => slice(self, 0, count > 0 ? count : 0))

/**
 * Returns the rows with these numbers, in this order, as a new table. Throws `RangeError` for a number without a row. Findings stay with
 * the whole table.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.pick(chain, [2, 0]).strike[0] // => 120
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const pick: {
  (indices: ArrayLike<number>): <Self extends AnyTable>(self: Self) => Self
  <Self extends AnyTable>(self: Self, indices: ArrayLike<number>): Self
} = dual(2, (self: AnyTable, indices: ArrayLike<number>): AnyTable => {
  const { content, spec } = TableContent.of(self)
  return make(spec, TableContent.take(spec, content, indices))
})

const knownRows = /* @__PURE__ */ Problem.guard("table", "what ColumnTable.decode returns", { length: 0 })

const knownPredicate = <F>(predicate: F): F =>
  Problem.expect(typeof predicate === "function", "predicate", predicate, "a function", "(index) => index < 10")

/**
 * Returns the rows for which the predicate is true, as a new table. The predicate gets a row number and the table, and reads the columns
 * that it needs.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.filter(chain, (row, { strike }) => strike[row]! > 105).length // => 2
 * ```
 *
 * @see {@link filterIndices} for the numbers of the rows alone
 * @category combinators
 * @since 0.1.0
 */
export const filter: {
  <Self extends AnyTable>(predicate: (index: number, self: NoInfer<Self>) => boolean): (self: Self) => Self
  <Self extends AnyTable>(self: Self, predicate: (index: number, self: Self) => boolean): Self
} = dual(2, <Self extends AnyTable>(self: Self, predicate: (index: number, self: Self) => boolean): Self => {
  const content = TableContent.contentOf(self)
  const test = knownPredicate(predicate)
  return pick(self, filterIndices(content, (index) => test(index, self)))
})

/**
 * Returns the numbers of the rows for which the predicate is true, without copying the rows.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 *
 * const bid = Float64Array.of(1, NaN, 2)
 * ColumnTable.filterIndices(bid, (row) => !Number.isNaN(bid[row])) // => new Uint32Array([0, 2])
 * ```
 *
 * @see {@link pick} which makes a table of them
 * @category getters
 * @since 0.1.0
 */
export const filterIndices = (
  self: { readonly length: number },
  predicate: (index: number) => boolean
): Uint32Array<ArrayBuffer> => {
  const indices = new Uint32Array(knownRows(self).length)
  knownPredicate(predicate)
  let count = 0
  for (let index = 0; index < self.length; index++) if (predicate(index)) indices[count++] = index
  return indices.slice(0, count)
}

/**
 * Returns all rows, sorted by a column, as a new table: nulls last, equal rows in their old order. Numbers are sorted by value, texts by
 * code unit, as `<` compares them, choices in the order of their list. Throws `RangeError` for a column that the table does not have.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110,120]}`, { columns: ["strike"] }))
 * ColumnTable.sortBy(chain, "strike", "descending").strike[0] // => 120
 * ```
 *
 * @see {@link sortIndices} for the numbers of the rows alone
 * @category combinators
 * @since 0.1.0
 */
export const sortBy: {
  <const Name extends string>(
    name: Name,
    direction?: Direction
  ): <Self extends AnyTable>(self: Self & Has<Self["columnNames"][number], Name>) => Self
  <Self extends AnyTable>(self: Self, name: Self["columnNames"][number], direction?: Direction): Self
} = dual(
  (args) => typeof args[0] === "object",
  <Self extends AnyTable>(self: Self, name: string, direction?: Direction): Self =>
    pick(self, sortIndices(self, name, direction))
)

/**
 * The order of a sorted column.
 *
 * @category models
 * @since 0.1.0
 */
export type Direction = "ascending" | "descending"

/**
 * Returns the numbers of all rows in the order of `sortBy`, without copying the rows.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[110,100,120]}`, { columns: ["strike"] }))
 * ColumnTable.sortIndices(chain, "strike") // => new Uint32Array([1, 0, 2])
 * ```
 *
 * @see {@link pick} which makes a table of them
 * @category getters
 * @since 0.1.0
 */
export const sortIndices = <Self extends AnyTable>(
  self: Self,
  name: Self["columnNames"][number],
  direction: Direction = "ascending"
): Uint32Array<ArrayBuffer> => {
  const { content, spec } = TableContent.of(self)
  checkColumn(self, name)
  const ranks = TableContent.ranks(spec[name]!.kind, content.vectors[name])
  const sign = direction === "ascending" ? 1 : -1
  const nulls = Bitmap.of(content.nulls, name)
  const isNull = (index: number): number => Bitmap.has(nulls, index) ? 1 : 0
  return Uint32Array.from({ length: self.length }, (_, index) => index).toSorted((a, b) =>
    isNull(a) - isNull(b) || sign * (ranks[a]! - ranks[b]!) || a - b
  )
}

/**
 * Iterates over the rows with these numbers as views, in this order; over all rows by default.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110]}`, { columns: ["strike"] }))
 * Array.from(ColumnTable.rows(chain), ({ strike }) => strike) // => [ 100, 110 ]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const rows = function*<Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>,
  indices?: ArrayLike<number>
): Generator<Row<Spec, Name>> {
  TableContent.of(self)
  if (indices === undefined) return yield* self
  for (let index = 0; index < indices.length; index++) yield self.at(indices[index]!)
}

/**
 * Copies the table into plain objects, one for each row, for programs that need objects. The columns are smaller and faster.
 *
 * @example
 * ```ts
 * import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100,110]}`, { columns: ["strike"] }))
 * ColumnTable.toRows(chain)[1]?.strike // => 110
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const toRows = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  self: TableMethods<Spec, Name>
): Array<Row<Spec, Name>> => {
  const { content, spec } = TableContent.of<Spec>(self)
  // All rows are copies of one object, so that they share one shape, and are filled a column at a time, which needs no look-up for a cell.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(self.columnNames.map((name) => [name, null]))
  const rows = Array.from({ length: self.length }, (): Record<string, unknown> => ({ ...empty }))
  for (const name of self.columnNames) {
    const { kind } = spec[name]!
    const [vector, bitmap] = [content.vectors[name], Bitmap.of(content.nulls, name)]
    for (let index = 0; index < rows.length; index++) {
      if (!Bitmap.has(bitmap, index)) rows[index]![name] = kind.at(vector, index)
    }
  }
  return rows as Array<Row<Spec, Name>>
}
