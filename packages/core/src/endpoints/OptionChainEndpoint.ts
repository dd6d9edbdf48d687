/**
 * The option chain endpoint (contract 4.1): its row, what can be asked of it, and the question's constructor.
 *
 * The contract names `date` and speaks of filters without showing them; the filters are the public service's.
 *
 * @example
 * ```ts
 * import * as OptionChainEndpoint from "@effect-marketdata/core/OptionChainEndpoint"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const puts = OptionChainEndpoint.make("SPX", { dte: 30, side: "put", delta: { from: 0.1, to: 0.3 } })
 * Result.map(puts, Query.target) // => Result.succeed("/v1/options/chain/SPX/?dte=30&side=put&delta=0.1-0.3")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as Encoding from "../query/encoding.ts"
import * as Named from "../query/named.ts"
import * as Parameter from "../query/parameter.ts"
import * as Question from "../query/question.ts"
import * as Untyped from "../text/untyped.ts"
import type * as OptionChain from "../chain/OptionChain.ts"
import type { Side } from "../symbol/OptionSymbol.ts"
import type { Query } from "../query/Query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import type * as Endpoint from "../query/Endpoint.ts"

/**
 * The names of the 25 columns of a reply, in the order of the contract (clause 2.1-fields).
 *
 * @category constants
 * @since 0.1.0
 */
export const columns = [
  "optionSymbol",
  "underlying",
  "expiration",
  "side",
  "strike",
  "firstTraded",
  "dte",
  "ask",
  "askSize",
  "bid",
  "bidSize",
  "mid",
  "last",
  "volume",
  "openInterest",
  "underlyingPrice",
  "inTheMoney",
  "intrinsicValue",
  "extrinsicValue",
  "updated",
  "iv",
  "delta",
  "gamma",
  "theta",
  "vega"
] as const satisfies ReadonlyArray<OptionChain.Column>

/**
 * The row of the endpoint.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = {
  name: "optionChain",
  path: "/v1/options/chain/{underlyingSymbol}/",
  listPath: undefined,
  parameters: [
    "date",
    "expiration",
    "dte",
    "from",
    "to",
    "month",
    "year",
    "weekly",
    "monthly",
    "quarterly",
    "side",
    "range",
    "strike",
    "delta",
    "strikeLimit",
    "minBid",
    "maxBid",
    "minAsk",
    "maxAsk",
    "maxBidAskSpread",
    "maxBidAskSpreadPct",
    "minOpenInterest",
    "minVolume",
    "nonstandard",
    "am",
    "pm",
    "limit",
    "offset"
  ],
  kind: "chain",
  kindStated: true,
  stated: true,
  tokenless: false,
  demo: "option",
  cached: true,
  date: "past",
  columns,
  prices: ["ask", "bid", "mid", "last"],
  // Twenty times the largest chain that the contract knows, at twice the bytes that a contract takes in all columns.
  maxReplyBytes: 134_217_728,
  maxRows: 400_000
} as const satisfies Endpoint.Endpoint<OptionChain.Column>

/**
 * Which numbers a filter keeps: one, a few, those between two (both included), or those on one side of one.
 *
 * @category models
 * @since 0.1.0
 */
export type Numbers =
  | number
  | ReadonlyArray<number>
  | { readonly from: number; readonly to: number }
  | { readonly above: number }
  | { readonly atLeast: number }
  | { readonly below: number }
  | { readonly atMost: number }

/**
 * Which expirations to return. Without any of these the public service returns the next monthly one only.
 *
 * - `expiration`: one, or `"all"`
 * - `dte`: the one that is closest to so many days away
 * - `from`, `to`: those between two days
 * - `month` (1 to 12), `year`: those of a month, a year, or one month of one year
 *
 * @category models
 * @since 0.1.0
 */
export type Expirations =
  | {
    readonly expiration?: CalendarDate.Input | "all" | undefined
    readonly dte?: undefined
    readonly from?: undefined
    readonly to?: undefined
    readonly month?: undefined
    readonly year?: undefined
  }
  | {
    readonly expiration?: undefined
    readonly dte: number
    readonly from?: undefined
    readonly to?: undefined
    readonly month?: undefined
    readonly year?: undefined
  }
  | {
    readonly expiration?: undefined
    readonly dte?: undefined
    readonly from?: CalendarDate.Input | undefined
    readonly to?: CalendarDate.Input | undefined
    readonly month?: undefined
    readonly year?: undefined
    readonly date?: undefined
  }
  | {
    readonly expiration?: undefined
    readonly dte?: undefined
    readonly from?: undefined
    readonly to?: undefined
    readonly month?: number | undefined
    readonly year?: number | undefined
  }

/**
 * Which cycles to return: `true` keeps only those that are named, `false` leaves them out. They are all true or all false.
 *
 * @category models
 * @since 0.1.0
 */
export type Cycles =
  | { readonly weekly?: true | undefined; readonly monthly?: true | undefined; readonly quarterly?: true | undefined }
  | {
    readonly weekly?: false | undefined
    readonly monthly?: false | undefined
    readonly quarterly?: false | undefined
  }

/**
 * The day and the strikes. A past day has no greeks, so there `delta` cannot choose; and strikes are chosen by price or by delta.
 *
 * - `date`: the end-of-day chain of a past trading day, New York (clause 4.1-date); not with cached modes
 * - `strike`: by price, in dollars
 * - `delta`: by absolute delta, from 0 to 1; both sides come back
 *
 * @category models
 * @since 0.1.0
 */
export type Strikes =
  | {
    readonly date?: CalendarDate.Input | undefined
    readonly strike?: Numbers | undefined
    readonly delta?: undefined
  }
  | { readonly date?: undefined; readonly strike?: undefined; readonly delta: Numbers }

/**
 * What a contract must be to come back. Prices are in dollars; bounds are included.
 *
 * - `side`: calls or puts only
 * - `range`: in or out of the money only
 * - `strikeLimit`: at most so many strikes, those nearest the money
 * - `maxBidAskSpread`: in dollars
 * - `maxBidAskSpreadPct`: as a fraction of the underlying's price: 0.005 is half a percent
 * - `nonstandard`: adjusted contracts as well
 * - `am`, `pm`: settled in the morning, in the afternoon; options on indexes only
 *
 * @category models
 * @since 0.1.0
 */
export interface Filters {
  readonly side?: Side | undefined
  readonly range?: "itm" | "otm" | "all" | undefined
  readonly strikeLimit?: number | undefined
  readonly minBid?: number | undefined
  readonly maxBid?: number | undefined
  readonly minAsk?: number | undefined
  readonly maxAsk?: number | undefined
  readonly maxBidAskSpread?: number | undefined
  readonly maxBidAskSpreadPct?: number | undefined
  readonly minOpenInterest?: number | undefined
  readonly minVolume?: number | undefined
  readonly nonstandard?: boolean | undefined
  readonly am?: boolean | undefined
  readonly pm?: boolean | undefined
}

/**
 * What can be asked of the chain endpoint. Everything is optional.
 *
 * - `mode`: which data; by the account's plan where it is left out (clause 8.2-default)
 * - `limit`, `offset`: which of the contracts, where there are many; a limit bounds the price
 * - `columns`: only these columns, which also types the result
 * - `assume`: what the caller knows about the reply beforehand; it bounds the price
 *
 * @category models
 * @since 0.1.0
 */
export type Options<Name extends OptionChain.Column, Mode extends Endpoint.AnyMode> =
  & Endpoint.Columnar<Name, Mode>
  & Endpoint.Page
  & Filters
  & Expirations
  & Cycles
  & Strikes
  & Endpoint.NoneCached<Mode, "date">

/**
 * Asks for the option chain of an underlying (clauses 4.1-path and 4.1-params). Fails with `InvalidQuery` for a symbol that is no
 * ticker, for cached data of a past day (clause 8.2-cached-unavailable), and for filters that break their rule or exclude each other.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const Name extends OptionChain.Column = OptionChain.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  underlying: string,
  options: Options<Name, Mode> = {}
): Result.Result<Query<OptionChain.OptionChain<Name>, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const segment = yield* Encoding.pathSegment("underlying", underlying)
    const given = yield* Question.read(row, readers, options)
    yield* checkTogether(underlying, given.texts)
    return yield* Question.make<OptionChain.OptionChain<Name>, Mode>(row, given, {
      subject: underlying,
      path: Encoding.fill(row.path, { underlyingSymbol: segment }),
      tickers: [underlying],
      historical: given.texts.date !== undefined
    })
  })

/** Writes a filter as the service reads it: `400`, `400,405`, `400-410`, `>400`, `>=400`, `<400` or `<=400`. */
const numbers = (one: Parameter.Reader): Parameter.Reader => (name, filter) => {
  if (Untyped.list(filter) !== undefined) return several(one)(name, filter)
  if (typeof filter !== "object" || filter === null) return one(name, filter)
  const bounds = { from: one, to: one, above: one, atLeast: one, below: one, atMost: one }
  return Result.flatMap(Named.read(name, filter, bounds, `${name}.`), ({ from, to, ...others }) => {
    const given = Object.entries(others)
    if (from !== undefined && to !== undefined && given.length === 0) {
      return Number(from) > Number(to)
        ? Parameter.refuse(name, `${from}-${to}`, "a range goes from the smaller number to the greater")
        : Result.succeed(`${from}-${to}`)
    }
    const [bound] = given
    return bound === undefined || given.length > 1 || from !== undefined || to !== undefined
      ? Parameter.refuse(name, filter, "write from and to, or one of above, atLeast, below and atMost")
      : Result.succeed(signs[bound[0]]! + bound[1])
  })
}

const several = (one: Parameter.Reader): Parameter.Reader =>
  Parameter.map(Parameter.list(one, "name at least one number"), (texts) => texts.join(","))

const signs: Readonly<Record<string, string>> = { above: ">", atLeast: ">=", below: "<", atMost: "<=" }

const readers = {
  date: Parameter.day,
  expiration: (name, input) => input === "all" ? Result.succeed("all") : Parameter.day(name, input),
  dte: Parameter.whole({ min: 0 }),
  from: Parameter.day,
  to: Parameter.day,
  month: Parameter.whole({ min: 1, max: 12 }),
  year: Parameter.whole({ min: 2000, max: 2099 }),
  weekly: Parameter.flag,
  monthly: Parameter.flag,
  quarterly: Parameter.flag,
  side: Parameter.choice(["call", "put"]),
  range: Parameter.choice(["itm", "otm", "all"]),
  strike: numbers(Parameter.strike),
  delta: numbers(Parameter.decimal(1)),
  strikeLimit: Parameter.whole({ min: 1 }),
  minBid: Parameter.decimal(),
  maxBid: Parameter.decimal(),
  minAsk: Parameter.decimal(),
  maxAsk: Parameter.decimal(),
  maxBidAskSpread: Parameter.decimal(),
  maxBidAskSpreadPct: Parameter.decimal(),
  minOpenInterest: Parameter.whole({ min: 0 }),
  minVolume: Parameter.whole({ min: 0 }),
  nonstandard: Parameter.flag,
  am: Parameter.flag,
  pm: Parameter.flag,
  ...Parameter.page
} satisfies Question.Readers<Options<OptionChain.Column, Endpoint.AnyMode>>

/** Refuses what cannot be said together, also where it comes from data that no type has seen. */
const checkTogether = (
  underlying: string,
  texts: Parameter.Texts<keyof typeof readers>
): Result.Result<void, InvalidQuery> =>
  Result.gen(function*() {
    yield* Parameter.exclusive(
      texts,
      [["expiration"], ["dte"], ["from", "to"], ["month", "year"]],
      "expirations are chosen by expiration, by dte, by from and to, or by month and year: leave out all but one"
    )
    yield* Parameter.exclusive(
      texts,
      [["strike"], ["delta"]],
      "strikes are chosen by strike or by delta: leave one out"
    )
    yield* Parameter.exclusive(
      texts,
      [["date"], ["from", "to"]],
      "a past day takes no range of expirations: use month and year"
    )
    yield* Parameter.exclusive(
      texts,
      [["date"], ["delta"]],
      "a past day has no greeks: choose by strike, or leave date out"
    )
    yield* Parameter.daysInOrder(texts)
    yield* Parameter.numbersInOrder(texts, "minBid", "maxBid")
    yield* Parameter.numbersInOrder(texts, "minAsk", "maxAsk")
    const cycles = (["weekly", "monthly", "quarterly"] as const).filter((name) => texts[name] !== undefined)
    const odd = cycles.find((name) => texts[name] !== texts[cycles[0]!])
    if (odd !== undefined) {
      return yield* Parameter.refuse(odd, texts[odd], "weekly, monthly and quarterly are all true or all false")
    }
    const settlement = (["am", "pm"] as const).find((name) => texts[name] !== undefined)
    if (settlement !== undefined && !Expiration.indexUnderlyings.has(underlying.toUpperCase())) {
      return yield* Parameter.refuse(
        settlement,
        texts[settlement],
        `only options on indexes are settled in the morning or the afternoon, and ${underlying} is none that is known`
      )
    }
  })
