/**
 * The expirations that are listed for an underlying.
 *
 * @example
 * ```ts
 * import * as OptionExpirations from "@effect-marketdata/core/OptionExpirations"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","expirations":["2022-09-23","2022-09-30"],"updated":1663704000}`
 * Result.getOrThrow(OptionExpirations.decode(body)).expirations[1] // => { year: 2022, month: 9, day: 30 }
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Document from "../columns/document.ts"
import * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The expirations, in the order of the reply. `updated` is in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface OptionExpirations {
  readonly expirations: ReadonlyArray<CalendarDate.CalendarDate>
  readonly updated: number
}

type Own = {
  readonly strike?: number | undefined
  readonly date?: CalendarDate.Input | undefined
  readonly nonstandard?: boolean | undefined
}

const readers = {
  strike: Parameter.strike,
  date: Parameter.day,
  nonstandard: Parameter.yesOrNo
} satisfies Define.Readers<Own>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.value({
  name: "optionExpirations",
  path: "/v1/options/expirations/{underlyingSymbol}/",
  demo: "option",
  date: "past",
  maxRows: 65_536
}, readers)

/**
 * The options of a query for expirations.
 *
 * - `strike`: only expirations that list this strike, in dollars
 * - `date`: the expirations that were listed on this past day
 * - `nonstandard`: the expirations of adjusted contracts as well
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Mode extends Endpoint.UncachedMode = undefined> = Endpoint.General<Mode> & Own

/**
 * Makes the query for the expirations of an underlying's options. `Query.optionExpirations` is the same function. Fails with
 * `InvalidQuery` for a symbol that is not a ticker, and for an option that breaks its rule.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.optionExpirations("AAPL", { strike: 150 }), Query.target)
 * // => Result.succeed("/v1/options/expirations/AAPL/?strike=150")
 * ```
 *
 * @see {@link OptionStrikes} for the strikes of each expiration
 * @category constructors
 * @since 0.1.0
 */
export const query: Define.ValueOfTicker<OptionExpirations, Own> = /* @__PURE__ */ Define.ofTicker(row, readers)

/**
 * Decodes the body of a reply, given as bytes or text. Fails with `DecodeError` for a body that is not such a reply. A day may be written as `YYYY-MM-DD` or in epoch seconds.
 *
 * @example
 * ```ts
 * import * as OptionExpirations from "@effect-marketdata/core/OptionExpirations"
 * import * as Result from "effect/Result"
 *
 * const reply = OptionExpirations.decode(`{"s":"ok","expirations":["2026-12-18"],"updated":1795194000}`)
 * Result.isSuccess(reply) // => true
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Document.Decode<OptionExpirations> = (body) => Document.decode(decoder(), body)

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder: Document.Decoder<OptionExpirations> = (options) =>
  Document.decoder(
    { named: { expirations: Document.list("a day, as YYYY-MM-DD", day), updated: Document.number } },
    options,
    ({ named }) => Result.succeed(named)
  )

const day = (value: unknown): CalendarDate.CalendarDate | undefined => {
  if (typeof value === "number" && Number.isFinite(value)) return NewYork.dateOf(value)
  return typeof value === "string" ? Result.getOrUndefined(CalendarDate.parse(value)) : undefined
}

/** @internal */
export const reading = /* @__PURE__ */ Reading.value(decoder)
