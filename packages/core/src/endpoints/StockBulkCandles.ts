/**
 * One daily candle of each of many stocks: one row a stock (contract 4.5).
 *
 * `t` is midnight in New York in epoch seconds; `o`, `h`, `l` and `c` are open, high, low and close in dollars, `v` is the volume.
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
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { dictionary, number } from "../columns/ColumnKind.ts"
import type { Row as RowOf } from "../columns/ColumnSpec.ts"
import * as ColumnDecoder from "../columns/ColumnDecoder.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"

const quantity = { kind: number, null: "finding" } as const

/**
 * The columns of a reply, in order. Their types are those that the public service shows.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  symbol: { kind: dictionary, null: "identity" },
  o: quantity,
  h: quantity,
  l: quantity,
  c: quantity,
  v: quantity,
  t: quantity
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = typeof spec

/**
 * The name of a column.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = keyof Spec

/**
 * One row: null where the reply held null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Name extends Column = Column> = RowOf<Spec, Name>

/**
 * A table over the columns that were asked for.
 *
 * @category models
 * @since 0.1.0
 */
export type StockBulkCandles<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

/**
 * Decodes the body of a reply, bytes or text. Fails with `DecodeError` where data would be wrong; `columns` says which columns were asked
 * for, and types the result.
 *
 * The public service leaves `symbol` out of the reply to a question about one stock: `only` names that stock, and fills the column.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <Name extends Column = Column>(
  body: Uint8Array | string,
  options: ColumnDecoder.DecodeOptions<Name> & { readonly only?: string | undefined } = {}
): Result.Result<StockBulkCandles<Name>, DecodeError> => {
  const { end, push } = decoder(options)
  push(typeof body === "string" ? new TextEncoder().encode(body) : body)
  return end()
}

/**
 * Creates a decoder for a reply that arrives in pieces; the same as `decode` otherwise.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <Name extends Column = Column>(
  options: ColumnDecoder.DecodeOptions<Name> & { readonly only?: string | undefined } = {}
): ColumnDecoder.ColumnDecoder<StockBulkCandles<Name>> => {
  const whole = ColumnTable.decoder<Spec, Name>(spec, options)
  const { only } = options
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
