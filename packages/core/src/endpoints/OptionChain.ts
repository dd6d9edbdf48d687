/**
 * Option chains: the reply of the chain endpoint as validated columns (contract 2.1).
 *
 * Prices, sizes and greeks are `Float64Array`s, with NaN where the reply held null; `isNull` tells null from anything else.
 * `side` holds 0 for calls and 1 for puts, `inTheMoney` 0 and 1. Times are epoch seconds. Rows are views: `chain.at(i)`.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","optionSymbol":["AAPL261120C00150000"],"strike":[155],"bid":[1.2]}`
 * const chain = Result.getOrThrow(OptionChain.decode(body, { columns: ["optionSymbol", "strike", "bid"] }))
 * chain.bid[0] // => 1.2
 * chain.at(0).optionSymbol // => "AAPL261120C00150000"
 * chain.findings[0]?.code // => "StrikeMismatch"
 * ```
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type * as DataMode from "../account/DataMode.ts"
import * as Chain from "../chain/columns.ts"
import * as Filters from "../chain/filters.ts"
import { chainFindings } from "../chain/chainFindings.ts"
import { type SymbolColumn as OptionSymbolColumn, textAt } from "../chain/optionSymbolColumn.ts"
import * as SymbolIndex from "../chain/symbolIndex.ts"
import { prepare as prepareScan } from "../chain/wasmChainScan.ts"
import * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as InSteps from "../columns/inSteps.ts"
import * as Kernel from "../columns/Kernel.ts"
import * as UpdatedSpan from "../columns/updatedSpan.ts"
import * as Encoding from "../query/encoding.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import type { Query } from "../query/query.ts"
import * as Construct from "../query/construct.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The vector of the `optionSymbol` column: row i is `series[codes[i]]` with a strike of `thousandths[i]` thousandths of a dollar.
 *
 * @category models
 * @since 0.1.0
 */
export type SymbolColumn = OptionSymbolColumn

/**
 * The columns of a chain, in the order of the contract (clauses 2.1-fields and 2.1-only-last-null).
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = Chain.spec

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = { readonly [Name in keyof typeof spec]: typeof spec[Name] }

/**
 * The name of a column of a chain.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = { [Name in keyof Spec]: Name }[keyof Spec]

/**
 * One contract: null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = RowOf<Spec, Name>

/**
 * A chain over the columns that were asked for.
 *
 * @category models
 * @since 0.1.0
 */
export type OptionChain<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "optionChain",
  path: "/v1/options/chain/{underlyingSymbol}/",
  parameters: [
    "date",
    "expiration",
    "dte",
    "from",
    "to",
    "month",
    "year",
    "weekly",
    "monthly",
    "quarterly",
    "side",
    "range",
    "strike",
    "delta",
    "strikeLimit",
    "minBid",
    "maxBid",
    "minAsk",
    "maxAsk",
    "maxBidAskSpread",
    "maxBidAskSpreadPct",
    "minOpenInterest",
    "minVolume",
    "nonstandard",
    "am",
    "pm",
    "limit",
    "offset"
  ],
  kind: "chain",
  stated: true,
  demo: "option",
  cached: true,
  date: "past",
  prices: ["ask", "bid", "mid", "last"],
  // Twenty times the largest chain that the contract knows, at twice the bytes that a contract takes in all columns.
  maxReplyBytes: 134_217_728,
  maxRows: 400_000
})

/**
 * Which numbers a filter keeps, which expirations, cycles and strikes to return, and what a contract must be besides.
 *
 * @category models
 * @since 0.1.0
 */
export type { Cycles, Expirations, Filters, Numbers, Strikes } from "../chain/filters.ts"

/**
 * What can be asked of the chain endpoint. Everything is optional.
 *
 * - `mode`: which data; by the account's plan where it is left out (clause 8.2-default)
 * - `limit`, `offset`: which of the contracts, where there are many; a limit bounds the price
 * - `columns`: only these columns, which also types the result
 * - `assume`: what the caller knows about the reply beforehand; it bounds the price
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.AnyMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Filters.Options
  & Endpoint.NoneCached<Mode, "date">

/**
 * Asks for the option chain of an underlying (clauses 4.1-path and 4.1-params). Fails with `InvalidQuery` for a symbol that is no
 * ticker, for cached data of a past day (clause 8.2-cached-unavailable), and for filters that break their rule or exclude each other.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = <
  const Name extends Column = Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  underlying: string,
  options: Options<Name, Mode> = {}
): Result.Result<Query<OptionChain<Name>, DataMode.Of<Mode>>, InvalidQuery> =>
  Result.gen(function*() {
    yield* Encoding.ticker("underlying", underlying)
    const given = yield* Construct.read(row, Filters.readers, options)
    yield* Filters.checkTogether(underlying, given.texts)
    return yield* Construct.make<OptionChain<Name>, DataMode.Of<Mode>>(row, given, {
      subject: underlying,
      segments: { underlyingSymbol: underlying },
      tickers: [underlying],
      historical: given.texts.date !== undefined
    })
  })

/**
 * Decodes the body of a chain reply, bytes or text, and compares each row with its option symbol.
 *
 * Fails with `DecodeError` where data would be wrong: no JSON, columns of unequal length (clause 2.1-lengths), elements of a
 * wrong type, a malformed option symbol, null in a column that identifies the row. Every other deviation is a finding; with
 * `strict` it is an error as well. `columns` says which columns were asked for, and types the result.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Name extends Column = Column>(
  body: Uint8Array | string,
  options: ColumnDecoder.DecodeOptions<Name> = {}
): Result.Result<OptionChain<Name>, DecodeError> =>
  InSteps.whole(compared<Name>(() => ColumnDecoder.decode(spec, body, options), options))

/**
 * Creates a decoder for a reply that arrives in pieces: it reads each as it comes, so that little is left to do after the last.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <Name extends Column = Column>(
  options: ColumnDecoder.DecodeOptions<Name> = {}
): ColumnDecoder.ColumnDecoder<OptionChain<Name>> => {
  const { end, push } = ColumnDecoder.make(spec, options)
  return { push, ...InSteps.of(compared<Name>(end, options)) }
}

/** One contract in all columns: those that are no numbers are named here. */
const rehearsal = (): string => {
  const texts: Readonly<Record<string, unknown>> = {
    optionSymbol: "AAPL261120C00150000",
    underlying: "AAPL",
    side: "call",
    inTheMoney: true
  }
  return JSON.stringify({
    s: "ok",
    ...Object.fromEntries(Object.keys(spec).map((name) => [name, [texts[name] ?? 1.5]]))
  })
}

/**
 * Does beforehand what the first chain of a process would wait for: compiles what is WebAssembly, and decodes one contract, because an engine
 * compiles what runs for the first time. A program calls it while it starts, or while its first request is on its way. Never fails: without
 * WebAssembly there is less to prepare.
 *
 * @category decoding
 * @since 0.1.0
 */
export const prepare = async (): Promise<void> => {
  await Promise.all([Kernel.prepare(), prepareScan()])
  decode(rehearsal())
}

/**
 * Decodes the body of a chain reply from a stream of bytes, while they arrive.
 *
 * @category decoding
 * @since 0.1.0
 */
export const fromStream = <E, R, Name extends Column = Column>(
  stream: Stream.Stream<Uint8Array, E, R>,
  options?: ColumnDecoder.DecodeOptions<Name>
): Effect.Effect<OptionChain<Name>, E | DecodeError, R> => ColumnTable.fromStream(stream, () => decoder(options))

/** Makes a chain of its columns, with what is found by comparing them. */
const compared = function*<Name extends Column>(
  decode: () => Result.Result<ColumnDecoder.Decoded, DecodeError>,
  { kernel = Kernel.fastest, strict }: ColumnDecoder.DecodeOptions<Name>
): Generator<void, Result.Result<OptionChain<Name>, DecodeError>> {
  const decoded = decode()
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  yield
  const { success } = decoded
  const found = yield* chainFindings(success, kernel)
  const chain = ColumnTable.make<Spec, Name>(spec, { ...success, findings: [...success.findings, ...found] })
  return strict === true ? Result.map(ColumnDecoder.refuse(found), () => chain) : Result.succeed(chain)
}

/**
 * Returns the option symbol of a row as text.
 *
 * @category getters
 * @since 0.1.0
 */
export const symbolAt = (self: Pick<OptionChain, "optionSymbol">, index: number): string =>
  textAt(self.optionSymbol, index)

/**
 * Returns the row of an option symbol, or -1 where the chain does not list it. The first call builds an index over the chain; each takes a
 * fraction of a microsecond after that. Of equal symbols it is the first.
 *
 * @category getters
 * @since 0.1.0
 */
export const indexOf = (self: Pick<OptionChain, "optionSymbol">, symbol: string | OptionSymbol.OptionSymbol): number =>
  SymbolIndex.find(self.optionSymbol, typeof symbol === "string" ? symbol : OptionSymbol.format(symbol))

/**
 * The contracts of one expiration, by their row numbers in the order of the chain.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpirationGroup {
  readonly expiration: CalendarDate.CalendarDate
  readonly rows: Uint32Array<ArrayBuffer>
}

/**
 * Groups the rows of a chain by the expiration that their symbols name, the earliest first.
 *
 * @category combinators
 * @since 0.1.0
 */
export const groupByExpiration = (
  self: Pick<OptionChain, "length" | "optionSymbol">
): ReadonlyArray<ExpirationGroup> => {
  const { codes, series } = self.optionSymbol
  const dayOf = series.map(({ expiration }) => CalendarDate.toEpochDay(expiration))
  const days = [...new Set(dayOf)].toSorted((a, b) => a - b)
  const groupOf = Uint32Array.from(dayOf, (day) => days.indexOf(day))
  const sizes = new Uint32Array(days.length)
  for (let row = 0; row < self.length; row++) sizes[groupOf[codes[row]!]!]!++
  const groups = days.map((day, group) => ({
    expiration: CalendarDate.fromEpochDay(day),
    rows: new Uint32Array(sizes[group]!)
  }))
  sizes.fill(0)
  for (let row = 0; row < self.length; row++) {
    const group = groupOf[codes[row]!]!
    groups[group]!.rows[sizes[group]!++] = row
  }
  return groups.filter(({ rows }) => rows.length > 0)
}

/**
 * Copies a whole chain into objects, one a contract, all of one shape. `ColumnTable.toRows` does the same for part of the columns; the columns
 * themselves are smaller and faster than either.
 *
 * @category conversions
 * @since 0.1.0
 */
export const toRows = (self: OptionChain): Array<Row> => ColumnTable.toRows(self)

/**
 * Returns the oldest and the newest `updated` of a chain in epoch seconds (clause 2.1-updated); `undefined` where no row has one.
 *
 * @category getters
 * @since 0.1.0
 */
export const updatedSpan = (self: Partial<Pick<OptionChain, "updated">>): UpdatedSpan.UpdatedSpan | undefined =>
  UpdatedSpan.of(self)

/**
 * How a reply is read.
 *
 * @internal
 */
export const reading = /* @__PURE__ */ Reading.table(spec, {
  belonging: { about: "underlying", each: false },
  decoder: (_, options) => decoder(options)
})
