/**
 * What endpoints have in common: columns, default fields, types of decoders, and constructors of similar queries. Each endpoint is one file that uses these
 * and adds what only it has.
 */
import * as Result from "effect/Result"
import type * as DataMode from "../account/DataMode.ts"
import type * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import { dictionary, number } from "../columns/ColumnKind.ts"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import type { ColumnTable } from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Construct from "../query/construct.ts"
import { type Endpoint, type General, type Page, smallReply, type UncachedMode } from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import * as Period from "../query/Period.ts"
import type { Query } from "../query/query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"

export type { Row } from "../columns/ColumnSpec.ts"

export type { Readers } from "../query/construct.ts"

type Column<Spec extends ColumnSpec> = keyof Spec & string

/** The fields that an endpoint gives; the others have defaults. */
type Own<Name extends string> = Pick<Endpoint, "name" | "path" | "maxRows"> & Partial<Endpoint<Name>>

/** The defaults: an endpoint of the public service about one stock, without cached data and with a small reply. */
const usual = {
  listPath: undefined,
  kind: "other",
  kindStated: true,
  stated: false,
  tokenless: false,
  demo: "stock",
  premium: false,
  cached: false,
  date: "none",
  prices: [],
  maxReplyBytes: smallReply
} as const satisfies Partial<Endpoint>

/** The columns of each endpoint. They are not fields of it, because an endpoint is data that can be cloned, and the kind of a column is not. */
const specs = /* @__PURE__ */ new WeakMap<Endpoint, ColumnSpec>()

/** The columns of an endpoint; undefined if its reply is not a table. */
export const specOf = (row: Endpoint): ColumnSpec | undefined => specs.get(row)

/** A stored query: the arguments of its constructor before the options, and as options its parameters as they were sent. */
export type Stored = { readonly subject: ReadonlyArray<unknown>; readonly options: Readonly<Record<string, unknown>> }

/** Makes the arguments of a constructor from a stored query, if its parameters differ from its options. */
export type Restore = (stored: Stored) => Result.Result<Stored, InvalidQuery>

/** Reads an option that is true or left out. */
export const onlyTrue: Parameter.Reader<true> = (name, input) =>
  input === true
    ? Result.succeed(input)
    : Parameter.refuse(name, input, { rule: "must be true or left out", example: "true" })

/** Makes an endpoint whose reply is a table. Its parameters have the names of the readers of its options. */
export const table = <const Spec extends ColumnSpec, const Given extends Own<Column<Spec>>>(
  spec: Spec,
  given: Given,
  readers: Parameter.Readers = {}
): Endpoint<Column<Spec>> & Given => {
  const row = { ...usual, columns: Object.keys(spec), parameters: Object.keys(readers), ...given }
  specs.set(row, spec)
  return row
}

/** Makes an endpoint whose reply is not a table. */
export const value = <const Given extends Own<never>>(
  given: Given,
  readers: Parameter.Readers = {}
): Endpoint<never> & Given => ({ ...usual, columns: [], parameters: Object.keys(readers), ...given })

/** What a constructor of queries returns, as a property so that editors say what that is, and not the name of a type. */
export interface Asked<out Data, out Mode extends DataMode.Input | undefined> {
  readonly result: Result.Result<Query<Data, DataMode.Of<Mode>>, InvalidQuery>
}

/** Decodes the body of a reply into a table. */
export interface Decode<Spec extends ColumnSpec> {
  <const Name extends Column<Spec> = Column<Spec>>(
    body: Uint8Array | string,
    options?: ColumnDecoder.DecodeOptions<Name>
  ): Result.Result<ColumnTable<Spec, Name>, DecodeError>
}

/** Creates a decoder for a reply that arrives in pieces. */
export interface Decoder<Spec extends ColumnSpec> {
  <const Name extends Column<Spec> = Column<Spec>>(
    options?: ColumnDecoder.DecodeOptions<Name>
  ): ColumnDecoder.ColumnDecoder<ColumnTable<Spec, Name>>
}

/** The constructor of queries about one ticker, whose reply is not a table. */
export interface ValueOfTicker<Data, Options> {
  <const Mode extends UncachedMode = undefined>(
    symbol: string,
    options?: General<Mode> & Options
  ): Asked<Data, Mode>["result"]
}

/** A query without its types: the exported constructors add them. */
type Made = Result.Result<Query<never, never>, InvalidQuery>

/** What follows from options that were read, such as parameters that differ from them. */
type Following<R extends Parameter.Readers> = (given: Construct.Given<R>) => Partial<Construct.Details>

/** Reads the options of a query, checks their range of days, and makes the query. */
export const made = <R extends Parameter.Readers>(
  row: Endpoint,
  readers: R,
  options: unknown,
  about: Construct.Details,
  details?: Following<R>
): Made =>
  Result.gen(function*() {
    const given = yield* Construct.read(row, readers, options)
    yield* Parameter.checkDays(given.own)
    const historical = isHistorical(row, given.own)
    return yield* Construct.make<never, never>(row, given, { historical, ...about, ...details?.(given) })
  })

/** Whether a query is about past days, for which nothing is cached: any day that is given to an endpoint whose `date` must be past. */
const isHistorical = (row: Endpoint, own: object): boolean => row.date === "past" && Period.isGiven(own)

/** Makes the constructor of queries about one ticker, which is in the path. */
export const ofTicker = <R extends Parameter.Readers>(row: Endpoint, readers: R, details?: Following<R>) => {
  const segment = row.path.includes("{symbol}") ? "symbol" : "underlyingSymbol"
  const parameter = segment === "symbol" ? segment : "underlying"
  return (symbol: string, options: object = {}): Made => {
    const about = { subject: symbol, segments: { [segment]: symbol }, tickers: [symbol] }
    return Result.flatMap(Parameter.ticker(parameter, symbol), () => made(row, readers, options, about, details))
  }
}

/** An endpoint that takes many tickers at once. */
type Listed = Endpoint & { readonly listPath: string }

/** Makes the constructor of queries about many tickers. */
export const ofTickers =
  <R extends Parameter.Readers>(row: Listed, readers: R, details?: Following<R>) =>
  (symbols: ReadonlyArray<string>, options: object = {}): Made =>
    Result.flatMap(
      Construct.tickersOf("symbols", symbols),
      (tickers) => made(row, readers, options, { subject: Construct.nameOf(tickers), tickers, list: true }, details)
    )

/** Makes the constructor of queries for candles. */
export const ofCandles =
  (row: Endpoint, readers: Parameter.Readers, read: Parameter.Reader<Parameter.Resolution>) =>
  (resolution: string, symbol: string, options: object = {}): Made =>
    Result.gen(function*() {
      yield* Parameter.ticker("symbol", symbol)
      const length = yield* read("resolution", resolution)
      return yield* made(row, readers, options, {
        subject: `${symbol} ${resolution}`,
        segments: { resolution, symbol },
        resolution: length,
        tickers: [symbol]
      })
    })

/** The query to an endpoint without mode and parameters. */
export const page = <Data>(row: Endpoint): Query<Data, undefined> =>
  Result.getOrThrow(Construct.make<Data, undefined>(row, { own: {}, general: {} }, { subject: "", tickers: [] }))

/** The readers of the options of endpoints that tell what happened on which days: one day, a range, or the last rows before a day. */
export const reports = { ...Parameter.anyDays, ...Parameter.page } satisfies Construct.Readers<Page & Period.DayOrRange>

// Columns that many tables have: a kind, and whether they may hold null.

/** A number that every row should have: null is a finding. */
export const quantity = { kind: number, null: "finding" } as const

/** A number that may be null. */
export const nullable = { kind: number, null: "nullable" } as const

/** A number that identifies its row: null is an error. */
export const identity = { kind: number, null: "identity" } as const

/** The ticker of a row. */
export const ticker = { kind: dictionary, null: "identity" } as const

/** A text that may be null. */
export const nullableText = { kind: dictionary, null: "nullable" } as const

/** What the candles of stocks and of funds have in common. */
export const candle = {
  /** The beginning of the candle in epoch seconds: midnight in New York for days and longer. */
  t: identity,
  /** The open, in dollars. */
  o: quantity,
  /** The high, in dollars. */
  h: quantity,
  /** The low, in dollars. */
  l: quantity,
  /** The close, in dollars. */
  c: quantity
} as const
