/**
 * One daily candle of each of many stocks: one row for each stock (contract 4.5).
 *
 * `t` is midnight in New York in epoch seconds; `o`, `h`, `l` and `c` are open, high, low and close in dollars; `v` is the volume in
 * shares.
 *
 * @example
 * ```ts
 * import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","symbol":["AAPL"],"o":[196.16],"h":[196.95],"l":[195.89],"c":[196.94],"v":[40714051],"t":[1703048400]}`
 * Result.getOrThrow(StockBulkCandles.decode(body)).at(0).symbol // => "AAPL"
 * ```
 *
 * @see {@link StockCandles} for many candles of one stock
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Document from "../columns/document.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import type * as Period from "../query/Period.ts"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

const { c, h, l, o } = Define.candle

/**
 * The columns of a reply, in order. Their types are those of the public service's examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  /** The ticker of the stock. */
  symbol: Define.ticker,
  o,
  h,
  l,
  c,
  /** The volume, in shares. */
  v: Define.quantity,
  /** The day, as midnight in New York in epoch seconds. */
  t: Define.quantity
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = { readonly [Name in keyof typeof spec]: typeof spec[Name] }

/**
 * The name of a column.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = { [Name in keyof Spec]: Name }[keyof Spec]

/**
 * One daily candle of one of many stocks, as a view: an element is null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = Define.Row<Spec, Name>

/**
 * A table with the columns that were asked for, each under its own name.
 *
 * @category models
 * @since 0.1.0
 */
export type StockBulkCandles<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "stockBulkCandles",
  path: "/v1/stocks/bulkcandles/D/",
  listPath: "/v1/stocks/bulkcandles/D/",
  parameters: ["snapshot", "date", "adjustsplits"],
  kind: "bulkCandles",
  stated: true,
  date: "any",
  // Several times as many as there are stocks.
  maxReplyBytes: 8_388_608,
  maxRows: 65_536
})

/**
 * The options of a query for bulk candles.
 *
 * - `date`: the day of the candles, which may be relative, see `Period.Relative`; the last session if left out
 * - `adjustsplits`: whether earlier prices are adjusted
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Name extends Column = Column, Mode extends Endpoint.UncachedMode = undefined>
  extends Endpoint.Columnar<Name, Mode>
{
  readonly date?: CalendarDate.Input | Period.Relative | undefined
  readonly adjustsplits?: boolean | undefined
}

/**
 * Makes the query for one daily candle of each of some stocks (clause 4.5-bulk-candles), or of the whole market with `"all"`.
 * `Query.stockBulkCandles` is the same function. Each ticker is sent once, in the order of its first mention. Fails with `InvalidQuery`
 * for a symbol that is not a ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.stockBulkCandles(["AAPL", "MSFT"], { date: "2026-11-19" }), Query.target)
 * // => Result.succeed("/v1/stocks/bulkcandles/D/?symbols=AAPL,MSFT&date=2026-11-19")
 * Result.map(Query.stockBulkCandles("all"), Query.target) // => Result.succeed("/v1/stocks/bulkcandles/D/?snapshot=true")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = <
  const Name extends Column = Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  symbols: ReadonlyArray<string> | "all",
  options: Options<Name, Mode> = {}
): Define.Asked<StockBulkCandles<Name>, Mode>["result"] =>
  symbols === "all" ? ofMarket(options) : ofStocks(symbols, options)

const readers = {
  date: /* @__PURE__ */ Parameter.orRelative(Parameter.day),
  adjustsplits: Parameter.yesOrNo
} satisfies Define.Readers<Options<Column, Endpoint.UncachedMode>>

const ofStocks = /* @__PURE__ */ Define.ofTickers(row, readers)

const ofMarket = (options: object) => {
  const about = { subject: "all", tickers: [] }
  return Define.made(row, readers, options, about, ({ own }) => ({ options: { ...own, snapshot: true } }))
}

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the
 * table. Fails with `DecodeError` for a body that is not such a table.
 *
 * The public service leaves `symbol` out if the query was about one stock. Name that stock in `only`, and it fills the column.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <const Name extends Column = Column>(
  body: Uint8Array | string,
  options: ColumnDecoder.DecodeOptions<Name> & { readonly only?: string | undefined } = {}
): Result.Result<StockBulkCandles<Name>, DecodeError> => Document.decode(decoder(options), body)

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <const Name extends Column = Column>(
  options: ColumnDecoder.DecodeOptions<Name> & { readonly only?: string | undefined } = {}
): ColumnDecoder.ColumnDecoder<StockBulkCandles<Name>> => {
  const whole = ColumnTable.decoder<Spec, Name>(spec, options)
  const { only } = { ...options }
  if (only === undefined) return whole
  // Whether the column is there is only known at the end: the few rows of one stock are read in both ways.
  const others = withoutSymbol<Name>(only, options)
  return {
    push: (bytes) => {
      others.push(bytes)
      return whole.push(bytes)
    },
    end: () => {
      const read = whole.end()
      return Result.isFailure(read) && isWithoutSymbol(read.failure) ? others.end() : read
    }
  }
}

const withoutSymbol = <Name extends Column>(
  only: string,
  options: ColumnDecoder.DecodeOptions<Name>
): ColumnDecoder.ColumnDecoder<StockBulkCandles<Name>> => {
  const { columns = Object.keys(spec) } = options
  const { symbol, ...others } = spec
  const asked = columns === "present" ? columns : columns.filter((name) => name !== "symbol")
  const { end, push } = ColumnDecoder.make(others, { ...options, columns: asked })
  return {
    push,
    end: () =>
      Result.map(end(), (decoded) => {
        const codes = new Uint8Array(decoded.length)
        const vectors = { ...decoded.vectors, symbol: symbol.kind.of({ lanes: [codes], legend: [only] }) }
        return ColumnTable.make<Spec, Name>(spec, { ...decoded, vectors })
      })
  }
}

const isWithoutSymbol = ({ code, column }: DecodeError): boolean => code === "MissingColumn" && column === "symbol"

/** @internal */
export const restore: Define.Restore = ({ options: { snapshot, ...options }, subject }) =>
  snapshot === undefined
    ? Result.succeed({ options, subject })
    // The whole market is asked for without symbols.
    : Result.map(
      Define.onlyTrue("snapshot", snapshot),
      () => ({ options, subject: subject.length === 0 ? ["all"] : subject })
    )

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec, {
  belonging: { about: "symbol", each: true },
  decoder: ({ tickers }, options) => decoder({ ...options, only: tickers.length === 1 ? tickers[0] : undefined })
})
