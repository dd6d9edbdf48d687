/**
 * Option chains: the reply of the chain endpoint as validated columns (contract 2.1).
 *
 * Prices, sizes and greeks are `Float64Array`s, in which null is NaN; `isNull` says whether an element is null. In `side` 0 is a call and
 * 1 a put; in `inTheMoney` 0 is false and 1 true. Prices are in dollars, times in epoch seconds. `chain.at(i)` is a view of row i.
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
 * @see {@link ColumnTable} for what a table can do: filter, sort, select, encode
 * @see {@link OptionQuote} for single contracts
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type * as DataMode from "../account/DataMode.ts"
import { chainFindings, inSteps, prepare as prepareScan, whole } from "../chain/chainScan.ts"
import * as Chain from "../chain/columns.ts"
import * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Kernel from "../columns/Kernel.ts"
import * as Construct from "../query/construct.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import type * as Period from "../query/Period.ts"
import * as Rules from "../query/rules.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The vector of the `optionSymbol` column: the symbol of row i begins with `series[codes[i]]`, and its strike is `thousandths[i]`
 * thousandths of a dollar.
 *
 * `symbolAt` prints the symbol of a row, and `indexOf` finds the row of a symbol.
 *
 * @category models
 * @since 0.1.0
 */
export type { SymbolColumn } from "../chain/columns.ts"

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
 * One contract of a chain, as a view: an element is null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = Define.Row<Spec, Name>

/**
 * A chain with the columns that were asked for, each under its own name.
 *
 * @category models
 * @since 0.1.0
 */
export type OptionChain<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * Which expirations to return. Without any of these the public service returns only the next monthly one.
 *
 * - `expiration`: one day, or `"all"`
 * - `dte`: the expiration that is closest to this many days from now
 * - `from`, `to`: the expirations from one day to another
 * - `month` (1 to 12), `year`: those of a month, a year, or one month of one year
 *
 * @category models
 * @since 0.1.0
 */
export type Expirations =
  | { readonly expiration?: CalendarDate.Input | "all" | undefined }
    & Endpoint.Without<"dte" | "from" | "to" | "month" | "year">
  | { readonly dte?: number | undefined } & Endpoint.Without<"expiration" | "from" | "to" | "month" | "year">
  | Period.Between<CalendarDate.Input> & Endpoint.Without<"expiration" | "dte" | "month" | "year">
  | { readonly [Part in "month" | "year"]?: number | undefined }
    & Endpoint.Without<"expiration" | "dte" | "from" | "to">

/**
 * Which cycles to return: `true` keeps only the named cycles, `false` leaves them out. If several are given, all must be `true` or all
 * `false`.
 *
 * @category models
 * @since 0.1.0
 */
export type Cycles =
  | { readonly [Cycle in "weekly" | "monthly" | "quarterly"]?: true | undefined }
  | { readonly [Cycle in "weekly" | "monthly" | "quarterly"]?: false | undefined }

/**
 * A filter by number, such as that of strikes.
 *
 * @since 0.1.0
 */
export type { Numbers } from "../query/parameter.ts"

/**
 * The day and the strikes. Strikes are filtered by price or by delta, not by both. A past day has no greeks, so it cannot be combined
 * with `delta`.
 *
 * - `date`: the end-of-day chain of a past trading day in New York (clause 4.1-date); not in cached modes
 * - `strike`: strikes, in dollars
 * - `delta`: absolute deltas, from 0 to 1; calls and puts both come back
 *
 * @category models
 * @since 0.1.0
 */
export type Strikes =
  | { readonly date?: CalendarDate.Input | undefined; readonly strike?: Parameter.Numbers | undefined }
    & Endpoint.Without<"delta">
  | { readonly delta?: Parameter.Numbers | undefined } & Endpoint.Without<"date" | "strike">

/**
 * Filters of contracts. Prices are in dollars; bounds are included.
 *
 * - `side`: only calls or only puts
 * - `range`: only contracts in the money, or only those out of it
 * - `strikeLimit`: at most this many strikes on either side of the money, those closest to it
 * - `maxBidAskSpread`: the widest spread, in dollars
 * - `maxBidAskSpreadPct`: the widest spread, as a fraction of the underlying's price: 0.005 is half a percent
 * - `nonstandard`: `true` adds adjusted contracts
 * - `am`, `pm`: settled in the morning, or in the afternoon; for options on indexes only
 *
 * @category models
 * @since 0.1.0
 */
export interface Filters {
  readonly side?: OptionSymbol.Side | undefined
  readonly range?: "itm" | "otm" | "all" | undefined
  readonly strikeLimit?: number | undefined
  readonly minBid?: number | undefined
  readonly maxBid?: number | undefined
  readonly minAsk?: number | undefined
  readonly maxAsk?: number | undefined
  readonly maxBidAskSpread?: number | undefined
  readonly maxBidAskSpreadPct?: number | undefined
  readonly minOpenInterest?: number | undefined
  readonly minVolume?: number | undefined
  readonly nonstandard?: boolean | undefined
  readonly am?: boolean | undefined
  readonly pm?: boolean | undefined
}

/** Reads each filter; they are sent in this order. */
const readers = {
  date: Parameter.day,
  expiration: (name, input) => input === "all" ? Result.succeed("all") : Parameter.day(name, input),
  dte: /* @__PURE__ */ Parameter.whole({ min: 0 }),
  from: Parameter.day,
  to: Parameter.day,
  month: /* @__PURE__ */ Parameter.whole({ min: 1, max: 12 }),
  year: /* @__PURE__ */ Parameter.whole({ min: 2000, max: 2099 }),
  weekly: Parameter.yesOrNo,
  monthly: Parameter.yesOrNo,
  quarterly: Parameter.yesOrNo,
  side: /* @__PURE__ */ Parameter.choice(["call", "put"]),
  range: /* @__PURE__ */ Parameter.choice(["itm", "otm", "all"]),
  strike: /* @__PURE__ */ Parameter.numbers(Parameter.strike),
  delta: /* @__PURE__ */ Parameter.numbers(/* @__PURE__ */ Parameter.decimal(1)),
  strikeLimit: /* @__PURE__ */ Parameter.whole({ min: 1 }),
  minBid: /* @__PURE__ */ Parameter.decimal(),
  maxBid: /* @__PURE__ */ Parameter.decimal(),
  minAsk: /* @__PURE__ */ Parameter.decimal(),
  maxAsk: /* @__PURE__ */ Parameter.decimal(),
  maxBidAskSpread: /* @__PURE__ */ Parameter.decimal(),
  maxBidAskSpreadPct: /* @__PURE__ */ Parameter.decimal(),
  minOpenInterest: /* @__PURE__ */ Parameter.whole({ min: 0 }),
  minVolume: /* @__PURE__ */ Parameter.whole({ min: 0 }),
  nonstandard: Parameter.yesOrNo,
  am: Parameter.yesOrNo,
  pm: Parameter.yesOrNo,
  ...Parameter.page
} satisfies Define.Readers<Filters & Expirations & Cycles & Strikes & Endpoint.Page>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "optionChain",
  path: "/v1/options/chain/{underlyingSymbol}/",
  kind: "chain",
  stated: true,
  demo: "option",
  cached: true,
  date: "past",
  prices: ["ask", "bid", "mid", "last"],
  // Twenty times the largest chain that the contract knows, at twice the bytes that a contract takes in all columns.
  maxReplyBytes: 134_217_728,
  maxRows: 400_000
}, readers)

/**
 * The options of a query for a chain. All are optional.
 *
 * - `mode`: which data; if left out, the account's plan decides (clause 8.2-default)
 * - `limit`, `offset`: at most `limit` contracts, after the first `offset`; a limit bounds the price
 * - `columns`: only these columns; they type the answer
 * - `assume`: what the caller knows about the reply beforehand; it bounds the price
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.AnyMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Filters
  & Expirations
  & Cycles
  & Strikes
  & Endpoint.Page
  & Endpoint.NoneCached<Mode, "date">

type Names = keyof typeof readers

/** Cycles are all chosen, or all left out. */
const alike = <Name extends Names>(names: ReadonlyArray<Name>): Parameter.Together<Name> => (values) => {
  const [first, ...others] = names.filter((name) => values[name] !== undefined)
  const odd = others.find((name) => first !== undefined && values[name] !== values[first])
  return first === undefined || odd === undefined
    ? Result.void
    : Parameter.refuse(odd, values[odd], Rules.cycles(first, values[first] === true))
}

const together = /* @__PURE__ */ Parameter.together<Names>([
  /* @__PURE__ */ Parameter.exclusive(
    [["expiration"], ["dte"], ["from", "to"], ["month", "year"]],
    "one of expiration, dte, from and to, month and year"
  ),
  /* @__PURE__ */ Parameter.exclusive([["strike"], ["delta"]], "strike, or delta"),
  /* @__PURE__ */ Parameter.exclusive([["date"], ["from", "to"]], "date with month and year"),
  /* @__PURE__ */ Parameter.exclusive([["date"], ["delta"]], "date with strike: a past day has no greeks"),
  Parameter.daysInOrder,
  /* @__PURE__ */ Parameter.numbersInOrder("minBid", "maxBid"),
  /* @__PURE__ */ Parameter.numbersInOrder("minAsk", "maxAsk"),
  /* @__PURE__ */ alike(["weekly", "monthly", "quarterly"])
])

/** Refuses what cannot be said together, also where it comes from data that no type has seen. */
const checkTogether = (underlying: string, values: Parameter.Values<Names>): Result.Result<void, InvalidQuery> => {
  const checked = together(values)
  if (Result.isFailure(checked)) return checked
  const settlement = (["am", "pm"] as const).find((name) => values[name] !== undefined)
  return settlement === undefined || Expiration.indexUnderlyings.has(underlying.toUpperCase())
    ? Result.void
    : Parameter.refuse(settlement, values[settlement], Rules.settlement(underlying))
}

/**
 * Makes the query for the option chain of an underlying (clauses 4.1-path and 4.1-params). `Query.optionChain` is the same function.
 *
 * Fails with `InvalidQuery` for a symbol that is not a ticker, for cached data of a past day (clause 8.2-cached-unavailable), and for
 * filters that break their rule or exclude each other.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const puts = Query.optionChain("SPX", { dte: 30, side: "put", strike: { from: 6000, to: 6500 }, columns: ["strike", "bid"] })
 * Result.map(puts, Query.target)
 * // => Result.succeed("/v1/options/chain/SPX/?dte=30&side=put&strike=6000-6500&columns=strike,bid")
 *
 * const past = Query.optionChain("SPX", { date: "2026-11-19", minBid: 5, maxBid: 1 })
 * Result.isFailure(past) && past.failure.parameter // => "minBid"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = <
  const Name extends Column = Column,
  const Mode extends Endpoint.AnyMode = undefined
>(underlying: string, options: Options<Name, Mode> = {}): Define.Asked<OptionChain<Name>, Mode>["result"] =>
  Result.gen(function*() {
    yield* Parameter.ticker("underlying", underlying)
    const given = yield* Construct.read(row, readers, options)
    yield* checkTogether(underlying, given.own)
    return yield* Construct.make<OptionChain<Name>, DataMode.Of<Mode>>(row, given, {
      subject: underlying,
      segments: { underlyingSymbol: underlying },
      tickers: [underlying],
      historical: given.own.date !== undefined
    })
  })

/**
 * Decodes the body of a chain reply, given as bytes or text, and compares each row with its option symbol. `columns` names the columns
 * that were asked for, and types the chain.
 *
 * Fails with `DecodeError` for anything but JSON, columns of unequal length (clause 2.1-lengths), elements of a wrong type, a malformed
 * option symbol, and null in a column that identifies the row. Every other deviation is a finding of the chain; under `strict` it is an
 * error too.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = OptionChain.decode(`{"s":"ok","optionSymbol":["AAPL261218C00350000"]}`, { columns: ["optionSymbol"] })
 * Result.map(chain, ({ length }) => length) // => Result.succeed(1)
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <const Name extends Column = Column>(
  body: Uint8Array | string,
  options: ColumnDecoder.DecodeOptions<Name> = {}
): Result.Result<OptionChain<Name>, DecodeError> =>
  whole(compared<Name>(() => ColumnDecoder.decode(spec, body, options), options))

/**
 * Creates a decoder for a reply that arrives in pieces. It reads each piece as it comes, so that little work is left after the last one.
 * It gives the same results and errors as `decode`.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const decoder = OptionChain.decoder({ columns: ["strike"] })
 * for (const part of [`{"s":"ok","str`, `ike":[100]}`]) decoder.push(new TextEncoder().encode(part))
 * Result.map(decoder.end(), ({ strike }) => strike[0]) // => Result.succeed(100)
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <const Name extends Column = Column>(
  options: ColumnDecoder.DecodeOptions<Name> = {}
): ColumnDecoder.ColumnDecoder<OptionChain<Name>> => {
  const { end, push } = ColumnDecoder.make(spec, options)
  return { push, ...inSteps(compared<Name>(end, options)) }
}

/** Rows of one contract, in all columns and without a contradiction: enough of them to run all code that a large chain needs. */
const rehearsal = (): string => {
  const values: Readonly<Record<string, unknown>> = {
    optionSymbol: "AAPL261120C00001500",
    underlying: "AAPL",
    expiration: 1_795_208_400,
    side: "call",
    updated: 1_795_190_400,
    dte: 0,
    inTheMoney: false,
    intrinsicValue: 0
  }
  const columns = Object.keys(spec).map((name) => [name, Array.from({ length: 32 }, () => values[name] ?? 1.5)])
  return JSON.stringify({ s: "ok", ...Object.fromEntries(columns) })
}

/**
 * Warms up the decoder: compiles its WebAssembly, and decodes a small chain twice so that the engine compiles the code around it. Call it while
 * a program starts, or while its first request is on its way; the first chain is then decoded as fast as the later ones. It never fails,
 * and does less where WebAssembly is missing.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 *
 * await OptionChain.prepare() // When the program starts: the first chain is then decoded as fast as the next one
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const prepare = async (): Promise<void> => {
  await Promise.all([Kernel.prepare(), prepareScan()])
  const body = rehearsal()
  decode(body)
  // The second time the engine knows the types of the values, and compiles the hottest functions.
  decode(body)
}

/**
 * Decodes the body of a chain reply from a stream of bytes, while they arrive. Fails with `DecodeError` as `decode` does, and with the
 * errors of the stream.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const parts = Stream.make(`{"s":"ok","str`, `ike":[100]}`).pipe(Stream.encodeText)
 * const chain = await Effect.runPromise(OptionChain.fromStream(parts, { columns: ["strike"] }))
 * chain.strike[0] // => 100
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const fromStream = <E, R, const Name extends Column = Column>(
  stream: Stream.Stream<Uint8Array, E, R>,
  options?: ColumnDecoder.DecodeOptions<Name>
): Effect.Effect<OptionChain<Name>, E | DecodeError, R> => ColumnTable.fromStream(stream, () => decoder(options))

/** Makes a chain of its columns, with what is found by comparing them. Each `yield` ends a step, after which other work may run: see `inSteps`. */
const compared = function*<Name extends Column>(
  decode: () => Result.Result<ColumnDecoder.Decoded, DecodeError>,
  options: ColumnDecoder.DecodeOptions<Name>
): Generator<void, Result.Result<OptionChain<Name>, DecodeError>> {
  const decoded = decode()
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  yield
  const { kernel = Kernel.fastest, strict } = { ...options }
  const { success } = decoded
  const found = yield* chainFindings(success, kernel)
  const chain = ColumnTable.make<Spec, Name>(spec, { ...success, findings: [...success.findings, ...found] })
  return strict === true ? Result.map(ColumnDecoder.refuse(found), () => chain) : Result.succeed(chain)
}

/** The symbols of a chain; throws, as tables do, for a chain that was decoded without them. */
const symbolsOf = (self: Pick<OptionChain, "optionSymbol">): Chain.SymbolColumn => {
  const column = (self as Partial<OptionChain> | null | undefined)?.optionSymbol
  if (column !== undefined) return column
  throw new TypeError(
    "this is not a chain with the column optionSymbol: name that column where it is asked for and decoded"
  )
}

/**
 * Returns the option symbol of a row as text.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","optionSymbol":["AAPL261218C00350000"]}`, { columns: ["optionSymbol"] }))
 * OptionChain.symbolAt(chain, 0) // => "AAPL261218C00350000"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const symbolAt = (self: Pick<OptionChain, "optionSymbol">, index: number): string =>
  Chain.textAt(symbolsOf(self), index)

/**
 * Returns the row number of an option symbol, from 0, or -1 if the chain does not list it. If the chain lists it more than once, it is
 * the first row. The first call builds an index over the chain; later calls take a fraction of a microsecond.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","optionSymbol":["AAPL261120C00150000","AAPL261218C00150000","AAPL261120P00150000"]}`
 * const chain = Result.getOrThrow(OptionChain.decode(body, { columns: ["optionSymbol"] }))
 * OptionChain.indexOf(chain, "AAPL261120P00150000") // => 2
 * OptionChain.indexOf(chain, "AAPL261120P00155000") // => -1
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const indexOf = (self: Pick<OptionChain, "optionSymbol">, symbol: string | OptionSymbol.OptionSymbol): number =>
  Chain.indexOf(symbolsOf(self), typeof symbol === "string" ? symbol : OptionSymbol.format(symbol))

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
 * Groups the rows of a chain by the expiration in their symbols, the earliest first.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","optionSymbol":["AAPL261120C00150000","AAPL261218C00150000","AAPL261120P00150000"]}`
 * const chain = Result.getOrThrow(OptionChain.decode(body, { columns: ["optionSymbol"] }))
 * OptionChain.groupByExpiration(chain)[0] // => { expiration: { year: 2026, month: 11, day: 20 }, rows: new Uint32Array([0, 2]) }
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const groupByExpiration = (
  self: Pick<OptionChain, "length" | "optionSymbol">
): ReadonlyArray<ExpirationGroup> => {
  const { codes, series } = symbolsOf(self)
  const dayOf = series.map(({ expiration }) => CalendarDate.toEpochDay(expiration))
  const days = [...new Set(dayOf)].toSorted((a, b) => a - b)
  const groupOf = Uint32Array.from(dayOf, (day) => days.indexOf(day))
  const sizes = new Uint32Array(days.length)
  for (let row = 0; row < self.length; row++) sizes[groupOf[codes[row]!]!]!++
  const groups = days.map((day, at) => ({
    expiration: CalendarDate.fromEpochDay(day),
    rows: new Uint32Array(sizes[at]!)
  }))
  sizes.fill(0)
  for (let row = 0; row < self.length; row++) {
    const group = groupOf[codes[row]!]!
    groups[group]!.rows[sizes[group]!++] = row
  }
  return groups.filter(({ rows }) => rows.length > 0)
}

/**
 * Copies a whole chain into plain objects, one for each contract, all with the same keys in the same order. Use it for programs that need
 * objects: the columns are smaller and faster.
 *
 * `ColumnTable.toRows` does the same for a chain with some of the columns.
 *
 * @category conversions
 * @since 0.1.0
 */
export const toRows = (self: OptionChain): Array<Row> => ColumnTable.toRows(self)

const known = /* @__PURE__ */ Problem.guard("chain", "what OptionChain.decode returns", {})

/**
 * Returns the oldest and the newest `updated` of a chain, in epoch seconds (clause 2.1-updated). It is `undefined` if no row has one.
 *
 * @category getters
 * @since 0.1.0
 */
export const updatedSpan = (
  self: Partial<Pick<OptionChain, "updated">>
): { readonly oldest: number; readonly newest: number } | undefined => Reading.updatedSpan(known(self))

/**
 * The options of a stored query: a filter by number is stored as it is sent, and is read back.
 *
 * @internal
 */
export const restore: Define.Restore = ({ options, subject }) => {
  const { delta, strike } = options
  return Result.succeed({ options: { ...options, strike: readNumbers(strike), delta: readNumbers(delta) }, subject })
}

const readNumbers = (filter: unknown): unknown =>
  typeof filter === "string" ? Parameter.parseNumbers(filter) ?? filter : filter

/**
 * How replies are read.
 *
 * @internal
 */
export const reading = /* @__PURE__ */ Reading.table(spec, {
  belonging: { about: "underlying", each: false },
  decoder: (_, options) => decoder(options)
})
