/**
 * The quotes of one option: one row for now or for a past day, or one row for each day of a range (contract 4.2).
 *
 * The contract lists no columns for it; they are those of a chain. Past days have no greeks, and an option without a quote has no prices,
 * so most columns may hold null. Prices are in dollars, times in epoch seconds.
 *
 * @example
 * ```ts
 * import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","optionSymbol":["AAPL261120C00150000"],"bid":[1.2],"delta":[null]}`
 * const quotes = Result.getOrThrow(OptionQuote.decode(body, { columns: ["optionSymbol", "bid", "delta"] }))
 * quotes.at(0).bid // => 1.2
 * quotes.at(0).delta // => null
 * ```
 *
 * @see {@link OptionChain} for all contracts of an underlying
 * @since 0.1.0
 */
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Chain from "../chain/columns.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import type * as Period from "../query/Period.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/** The columns that a row has even if the contract has no quote. */
const certain = [
  "underlying",
  "expiration",
  "side",
  "strike",
  "firstTraded",
  "dte",
  "underlyingPrice",
  "inTheMoney",
  "intrinsicValue",
  "extrinsicValue",
  "updated"
] as const satisfies ReadonlyArray<keyof Chain.Spec>

type NullOf<Name extends keyof Chain.Spec> = Name extends "optionSymbol" ? "identity"
  : Name extends typeof certain[number] ? "finding"
  : "nullable"

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = {
  readonly [Name in keyof Chain.Spec]: { readonly kind: Chain.Spec[Name]["kind"]; readonly null: NullOf<Name> }
}

const nullOf = (name: string) =>
  name === "optionSymbol" ? "identity" : certain.some((one) => one === name) ? "finding" : "nullable"

/**
 * The columns of a reply, in order: those of a chain, but more of them may hold null. Their types are those of the public service's
 * examples.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec: Spec = /* @__PURE__ */ Record.map(
  Chain.spec,
  ({ kind }, name) => ({ kind, null: nullOf(name) })
) as unknown as Spec

/**
 * The name of a column.
 *
 * @category models
 * @since 0.1.0
 */
export type Column = { [Name in keyof Spec]: Name }[keyof Spec]

/**
 * One quote of an option, as a view: an element is null where the reply held null.
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
export type OptionQuote<Name extends Column = Column> = ColumnTable.ColumnTable<Spec, Name>

const readers = { date: Parameter.day, ...Parameter.days, ...Parameter.page } satisfies Define.Readers<
  Options<Column, Endpoint.AnyMode>
>

/**
 * The row of the endpoint. Its columns are those of a chain.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.table(spec, {
  name: "optionQuote",
  path: "/v1/options/quotes/{optionSymbol}/",
  kind: "quotes",
  stated: true,
  demo: "option",
  cached: true,
  date: "past",
  prices: ["ask", "bid", "mid", "last"],
  // One row, or one a trading day: an option is listed for a few years.
  maxReplyBytes: 2_097_152,
  maxRows: 4096
}, readers)

/**
 * The options of a query for a quote. Without `date`, `from` and `to` it is the current quote.
 *
 * - `date`: the quote of this past day in New York (clause 4.2-quote)
 * - `from`, `to`: one quote for each day from `from` to the day before `to`
 *
 * Past days cannot be asked for in a cached mode.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends Column = Column, Mode extends Endpoint.AnyMode = undefined> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & (Period.Day<CalendarDate.Input> | Period.Between<CalendarDate.Input>)
  & Endpoint.NoneCached<Mode, "date" | "from" | "to">

/**
 * Makes the query for the quotes of one option, named by its OCC symbol as text or as data. `Query.optionQuote` is the same function.
 *
 * Fails with `InvalidQuery` for an invalid symbol, and for cached data of past days (clause 8.2-cached-unavailable).
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.optionQuote("AAPL261120C00150000", { from: "2026-11-02", to: "2026-11-20" }), Query.target)
 * // => Result.succeed("/v1/options/quotes/AAPL261120C00150000/?from=2026-11-02&to=2026-11-20")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = <
  const Name extends Column = Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  symbol: string | OptionSymbol.OptionSymbol,
  options: Options<Name, Mode> = {}
): Define.Asked<OptionQuote<Name>, Mode>["result"] =>
  Result.flatMap(parse("optionSymbol", symbol), (parsed) => {
    const text = OptionSymbol.format(parsed)
    return Define.made(row, readers, options, {
      subject: text,
      segments: { optionSymbol: text },
      tickers: [Expiration.underlyingOf(parsed.root)]
    })
  })

const parse = /* @__PURE__ */ Parameter.parsedBy((symbol: string | OptionSymbol.OptionSymbol) =>
  typeof symbol === "object" && symbol !== null ? OptionSymbol.make(symbol) : OptionSymbol.parse(symbol)
)

/**
 * Decodes the body of a reply, given as bytes or text, into a table. `columns` names the columns that were asked for, and types the table.
 * Fails with `DecodeError` for a body that is not such a table.
 *
 * @example
 * ```ts
 * import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
 * import * as Result from "effect/Result"
 *
 * const quote = OptionQuote.decode(`{"s":"ok","optionSymbol":["AAPL261218C00350000"],"bid":[1.5]}`, { columns: ["optionSymbol", "bid"] })
 * Result.map(quote, ({ bid }) => bid[0]) // => Result.succeed(1.5)
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Define.Decode<Spec> = (body, options) => ColumnTable.decode(spec, body, options)

/** @internal */
export const reading = /* @__PURE__ */ Reading.table(spec, { belonging: { about: "optionSymbol", each: false } })
