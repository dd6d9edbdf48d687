/**
 * The answer to a lookup: the OCC symbol of the contract that was described (contract 4.3).
 *
 * @example
 * ```ts
 * import * as OptionLookup from "@effect-marketdata/core/OptionLookup"
 * import * as Result from "effect/Result"
 *
 * const found = Result.getOrThrow(OptionLookup.decode(`{"s":"ok","optionSymbol":"AAPL230728C00200000"}`))
 * found.contract.strike // => 200
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { ColumnDecoder } from "../columns/ColumnDecoder.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Document from "../columns/document.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"

/**
 * The contract that was found: its symbol as text, and taken apart.
 *
 * @category models
 * @since 0.1.0
 */
export interface OptionLookup {
  readonly optionSymbol: string
  readonly contract: OptionSymbol.OptionSymbol
}

/**
 * Decodes the body of a reply, bytes or text; fails with `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = (body: Uint8Array | string): Result.Result<OptionLookup, DecodeError> =>
  Document.decode(decoder(), body)

/**
 * Creates a decoder for a reply that arrives in pieces; the same as `decode` otherwise.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = (options: Document.Options = {}): ColumnDecoder<OptionLookup> =>
  Document.decoder({ named: { optionSymbol: Document.text } }, options, ({ named: { optionSymbol } }) => {
    const parsed = OptionSymbol.parse(optionSymbol)
    return Result.isSuccess(parsed)
      ? Result.succeed({ optionSymbol, contract: parsed.success })
      : Document.refuse("optionSymbol", `an option symbol (${parsed.failure.reason.message})`, optionSymbol)
  })
