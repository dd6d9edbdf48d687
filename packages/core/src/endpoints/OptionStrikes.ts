/**
 * The strikes that are listed for an underlying, expiration by expiration.
 *
 * @example
 * ```ts
 * import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","updated":1663704000,"2023-01-20":[30,32.5,35]}`
 * Result.getOrThrow(OptionStrikes.decode(body)).expirations[0]?.strikes // => [30, 32.5, 35]
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as CalendarDate from "../time/CalendarDate.ts"
import type { ColumnDecoder } from "../columns/ColumnDecoder.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Document from "../columns/document.ts"
import * as Strike from "../symbol/Strike.ts"

/**
 * The strikes of one expiration, in dollars.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listing {
  readonly expiration: CalendarDate.CalendarDate
  readonly strikes: ReadonlyArray<number>
}

/**
 * All listings, in the order of the reply. `updated` is in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface OptionStrikes {
  readonly expirations: ReadonlyArray<Listing>
  readonly updated: number
}

/**
 * Decodes the body of a reply, bytes or text; fails with `DecodeError`. Each field but `s` and `updated` is named for an expiration.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = (body: Uint8Array | string): Result.Result<OptionStrikes, DecodeError> =>
  Document.decode(decoder(), body)

/**
 * Creates a decoder for a reply that arrives in pieces; the same as `decode` otherwise.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder = (options: Document.Options = {}): ColumnDecoder<OptionStrikes> =>
  Document.decoder(
    {
      named: { updated: Document.number },
      others: {
        field: Document.list("a strike in dollars", strike),
        expectedName: "an expiration, as YYYY-MM-DD",
        isName: (name) => Result.isSuccess(CalendarDate.parse(name))
      }
    },
    options,
    ({ named: { updated }, others }) =>
      Result.succeed({
        expirations: Array.from(others, ([name, strikes]) => ({ expiration: CalendarDate.parseUnsafe(name), strikes })),
        updated
      })
  )

const strike = (value: unknown): number | undefined =>
  typeof value === "number" ? Result.getOrUndefined(Strike.parse(value)) : undefined
