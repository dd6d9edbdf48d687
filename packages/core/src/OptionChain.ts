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
import * as Result from "effect/Result"
import { boolean, dictionary, literals, number } from "./columns/ColumnKind.ts"
import type { Row as RowOf } from "./columns/ColumnSpec.ts"
import { decodeColumns, type DecodeOptions, refuse } from "./columns/decodeColumns.ts"
import * as ColumnTable from "./ColumnTable.ts"
import type { DecodeError } from "./DecodeError.ts"
import { chainFindings } from "./internal/chainFindings.ts"
import { optionSymbolKind, type SymbolColumn as OptionSymbolColumn, textAt } from "./internal/optionSymbolColumn.ts"

/**
 * The vector of the `optionSymbol` column: row i is `series[codes[i]]` with a strike of `thousandths[i]` thousandths of a dollar.
 *
 * @category models
 * @since 0.1.0
 */
export type SymbolColumn = OptionSymbolColumn

const quantity = { kind: number, null: "finding" } as const

/**
 * The 25 columns of a chain, in the order of the contract (clauses 2.1-fields and 2.1-only-last-null).
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  optionSymbol: { kind: optionSymbolKind, null: "identity" },
  underlying: { kind: dictionary, null: "identity" },
  expiration: { kind: number, null: "identity" },
  side: { kind: literals(["call", "put"]), null: "identity" },
  strike: { kind: number, null: "identity" },
  firstTraded: quantity,
  dte: quantity,
  ask: quantity,
  askSize: quantity,
  bid: quantity,
  bidSize: quantity,
  mid: quantity,
  last: { kind: number, null: "nullable" },
  volume: quantity,
  openInterest: quantity,
  underlyingPrice: quantity,
  inTheMoney: { kind: boolean, null: "finding" },
  intrinsicValue: quantity,
  extrinsicValue: quantity,
  updated: quantity,
  iv: quantity,
  delta: quantity,
  gamma: quantity,
  theta: quantity,
  vega: quantity
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = typeof spec

/**
 * The name of a column of a chain.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = keyof Spec

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
  options: DecodeOptions<Name> = {}
): Result.Result<OptionChain<Name>, DecodeError> =>
  Result.gen(function*() {
    const decoded = yield* decodeColumns(spec, body, options)
    const compared = chainFindings(ColumnTable.make<Spec, Column>(spec, decoded))
    if (options.strict === true) yield* refuse(compared)
    return ColumnTable.make<Spec, Name>(spec, { ...decoded, findings: [...decoded.findings, ...compared] })
  })

/**
 * Reads a reply piece by piece.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decoder<Name extends Column> {
  /** Takes the next bytes; the caller may reuse the array afterwards. */
  readonly push: (bytes: Uint8Array) => void
  /** Says that there are no more bytes, and returns the chain. */
  readonly end: () => Result.Result<OptionChain<Name>, DecodeError>
}

/**
 * Creates a decoder for a reply that arrives in pieces.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = <Name extends Column = Column>(options?: DecodeOptions<Name>): Decoder<Name> => {
  const pieces: Array<Uint8Array> = []
  return {
    push: (bytes) => void pieces.push(bytes.slice()),
    end: () => {
      const body = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0))
      let offset = 0
      for (const piece of pieces) {
        body.set(piece, offset)
        offset += piece.length
      }
      return decode(body, options)
    }
  }
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
 * Returns the oldest and the newest `updated` of a chain in epoch seconds (clause 2.1-updated); `undefined` where no row has one.
 *
 * @category getters
 * @since 0.1.0
 */
export const updatedSpan = (
  self: Partial<Pick<OptionChain, "updated">>
): { readonly oldest: number; readonly newest: number } | undefined => {
  let oldest = Infinity
  let newest = -Infinity
  for (const updated of self.updated ?? []) {
    if (updated < oldest) oldest = updated
    if (updated > newest) newest = updated
  }
  return oldest <= newest ? { oldest, newest } : undefined
}
