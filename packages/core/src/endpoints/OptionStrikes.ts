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
import * as Document from "../columns/document.ts"
import * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import * as Strike from "../symbol/Strike.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

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

type Own = { readonly [Name in "expiration" | "date"]?: CalendarDate.Input | undefined }

const readers = { expiration: Parameter.day, date: Parameter.day } satisfies Define.Readers<Own>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.value({
  name: "optionStrikes",
  path: "/v1/options/strikes/{underlyingSymbol}/",
  demo: "option",
  date: "past",
  // The strikes of a chain of 200,000 contracts.
  maxRows: 65_536
}, readers)

/**
 * The options of a query for strikes.
 *
 * - `expiration`: only the strikes of this expiration
 * - `date`: the strikes that were listed on this past day
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Mode extends Endpoint.UncachedMode = undefined> = Endpoint.General<Mode> & Own

/**
 * Makes the query for the strikes of an underlying's options, by expiration. `Query.optionStrikes` is the same function. Fails with
 * `InvalidQuery` for a symbol that is not a ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.optionStrikes("AAPL", { expiration: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/options/strikes/AAPL/?expiration=2026-11-20")
 * ```
 *
 * @see {@link OptionExpirations} for the expirations alone
 * @category constructors
 * @since 0.1.0
 */
export const query: Define.ValueOfTicker<OptionStrikes, Own> = /* @__PURE__ */ Define.ofTicker(row, readers)

/**
 * Decodes the body of a reply, given as bytes or text: each field but `s` and `updated` is the list of strikes of one expiration. Fails
 * with `DecodeError` for a body that is not such a reply.
 *
 * @example
 * ```ts
 * import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
 * import * as Result from "effect/Result"
 *
 * const reply = OptionStrikes.decode(`{"s":"ok","updated":1795194000,"2026-12-18":[350,352.5]}`)
 * Result.isSuccess(reply) // => true
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Document.Decode<OptionStrikes> = (body) => Document.decode(decoder(), body)

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder: Document.Decoder<OptionStrikes> = (options) =>
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

/** @internal */
export const reading = /* @__PURE__ */ Reading.value(decoder)
