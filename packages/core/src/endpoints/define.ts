/**
 * What endpoints have in common: the usual of a row, decoders, and the constructors of queries that are alike. An endpoint is one file over these; what
 * only it has stands there.
 */
import * as Result from "effect/Result"
import type * as DataMode from "../account/DataMode.ts"
import type * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import type { ColumnTable } from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Encoding from "../query/encoding.ts"
import { type AnyMode, type Endpoint, type General, type Page, smallReply } from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import * as Period from "../query/Period.ts"
import type { Query } from "../query/query.ts"
import * as Construct from "../query/construct.ts"
import type { InvalidQuery } from "../reason/Reason.ts"

type Column<Spec extends ColumnSpec> = keyof Spec & string

/** What an endpoint says of itself; the rest is as usual. */
type Own<Name extends string> =
  & Pick<Endpoint, "name" | "path" | "maxRows">
  & Partial<Endpoint<Name>>

/** The most common: about one stock, for one credit a thousand rows, documented by the public service, nothing cached, a small reply. */
const usual = {
  listPath: undefined,
  parameters: [],
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

/** The columns of each row, beside it: a row is data that can be cloned, and the kind of a column is not. */
const specs = /* @__PURE__ */ new WeakMap<Endpoint, ColumnSpec>()

/** The columns of a row that was made by `table`, and undefined for the row of an endpoint whose reply is not a table. */
export const specOf = (row: Endpoint): ColumnSpec | undefined => specs.get(row)

/** What was stored of a query: what its constructor takes before the options, and its parameters as they were sent, beside what every query takes. */
export interface Stored {
  readonly subject: ReadonlyArray<unknown>
  readonly options: Readonly<Record<string, unknown>>
}

/** Makes what a constructor takes of what was stored, where parameters are not options as they stand. */
export type Restore = (stored: Stored) => Result.Result<Stored, InvalidQuery>

/** Reads a parameter that is sent as true, or not at all. */
export const onlyTrue: Parameter.Reader<true> = (name, input) =>
  input === true
    ? Result.succeed(input)
    : Parameter.refuse(name, input, { rule: "must be true or left out", example: "true" })

/** The row of an endpoint whose reply is a table. */
export const table = <const Spec extends ColumnSpec, const Given extends Own<Column<Spec>>>(
  spec: Spec,
  given: Given
): Endpoint<Column<Spec>> & Given => {
  const row = { ...usual, columns: Object.keys(spec), ...given }
  specs.set(row, spec)
  return row
}

/** The row of an endpoint whose reply is not a table. */
export const value = <const Given extends Own<never>>(given: Given): Endpoint<never> & Given => ({
  ...usual,
  columns: [],
  ...given
})

/** Decodes the body of a reply into a table. */
export interface Decode<Spec extends ColumnSpec> {
  <Name extends Column<Spec> = Column<Spec>>(
    body: Uint8Array | string,
    options?: ColumnDecoder.DecodeOptions<Name>
  ): Result.Result<ColumnTable<Spec, Name>, DecodeError>
}

/** Creates a decoder for a reply that arrives in pieces. */
export interface Decoder<Spec extends ColumnSpec> {
  <Name extends Column<Spec> = Column<Spec>>(
    options?: ColumnDecoder.DecodeOptions<Name>
  ): ColumnDecoder.ColumnDecoder<ColumnTable<Spec, Name>>
}

/** The same for a value that is not a table. */
export interface ValueOfTicker<Data, Options, Modes extends AnyMode> {
  <const Mode extends Modes = Extract<undefined, Modes>>(
    symbol: string,
    options?: General<Mode> & Options
  ): Result.Result<Query<Data, DataMode.Of<Mode>>, InvalidQuery>
}

/** A query of any data in any mode, as far as values go: constructors say by their types which. */
type Made = Result.Result<Query<never, never>, InvalidQuery>

/** Readers of an endpoint's own options, and what its parameters are where they are not these options. */
interface Reading<R extends Parameter.Readers> {
  readonly readers: R
  readonly details?: (given: Construct.Given<R>) => Partial<Construct.Details>
}

/** Reads the options of a query about something, of which a range of days is in order, and makes it. */
export const made = <R extends Parameter.Readers>(
  row: Endpoint,
  { details, readers }: Reading<R>,
  options: unknown,
  about: Construct.Details
): Made =>
  Result.gen(function*() {
    const given = yield* Construct.read(row, readers, options)
    yield* Parameter.checkDays(given.own)
    const historical = isHistorical(row, given.own)
    return yield* Construct.make<never, never>(row, given, { historical, ...about, ...details?.(given) })
  })

/** Nothing is cached of days that are over: endpoints whose `date` is a past one are asked about such a day wherever one is named. */
const isHistorical = (row: Endpoint, own: object): boolean => row.date === "past" && Period.isGiven(own)

/** Makes the constructor of queries about one ticker, which stands in the path. */
export const ofTicker = <R extends Parameter.Readers>(
  row: Endpoint,
  reading: Reading<R>,
  parameter: "symbol" | "underlying" = "symbol"
) =>
(symbol: string, options: object = {}): Made =>
  Result.flatMap(Encoding.ticker(parameter, symbol), () =>
    made(row, reading, options, {
      subject: symbol,
      segments: { [parameter === "symbol" ? parameter : "underlyingSymbol"]: symbol },
      tickers: [symbol]
    }))

/** Makes the constructor of queries about many tickers, each of which is sent once, in the order of its first mention. */
export const ofTickers = <R extends Parameter.Readers>(
  row: Endpoint & { readonly listPath: string },
  reading: Reading<R>
) =>
(symbols: ReadonlyArray<string>, options: object = {}): Made =>
  Result.flatMap(
    Construct.tickersOf("symbols", symbols),
    (tickers) => made(row, reading, options, { subject: Construct.nameOf(tickers), tickers, list: true })
  )

/** Makes the constructor of queries for candles. */
export const ofCandles = (
  row: Endpoint,
  readers: Parameter.Readers,
  readResolution: Parameter.Reader<Parameter.Resolution>
) =>
(resolution: string, symbol: string, options: object = {}): Made =>
  Result.gen(function*() {
    yield* Encoding.ticker("symbol", symbol)
    const length = yield* readResolution("resolution", resolution)
    return yield* made(row, { readers }, options, {
      subject: `${symbol} ${resolution}`,
      segments: { resolution, symbol },
      resolution: length,
      tickers: [symbol]
    })
  })

/** The query to an endpoint that has nothing to choose: no mode, no parameters. */
export const page = (row: Endpoint): Query<never, undefined> =>
  Result.getOrThrow(
    Construct.make<never, undefined>(row, { own: {}, general: {} }, { subject: "", tickers: [] })
  )

/**
 * Of endpoints that tell what happened on which days: the readers of their options, for one day, a range, or the last rows before a day; and the names
 * of these, in the order they are sent.
 */
export const reports = {
  readers: { ...Parameter.anyDays, ...Parameter.page } satisfies Construct.Readers<Page & Period.DayOrRange>,
  parameters: ["date", "from", "to", "countback", "limit", "offset"]
} as const
