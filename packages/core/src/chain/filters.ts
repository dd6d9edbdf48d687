/** The filters of a chain: their options, which of them can be combined, and how they are written. */
import * as Result from "effect/Result"
import type * as Construct from "../query/construct.ts"
import type { Page, Without } from "../query/Endpoint.ts"
import * as Numbers from "../query/numbers.ts"
import * as Parameter from "../query/parameter.ts"
import type * as Period from "../query/Period.ts"
import * as Rules from "../query/rules.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Expiration from "../symbol/Expiration.ts"
import type { Side } from "../symbol/OptionSymbol.ts"
import * as Untyped from "../text/untyped.ts"
import type * as CalendarDate from "../time/CalendarDate.ts"

/**
 * Which expirations to return. Without any of these the public service returns only the next monthly one.
 *
 * - `expiration`: one day, or `"all"`
 * - `dte`: the expiration that is closest to this many days from now
 * - `from`, `to`: the expirations from one day to another
 * - `month` (1 to 12), `year`: those of a month, a year, or one month of one year
 *
 * @category models
 * @since 0.1.0
 */
export type Expirations =
  | { readonly expiration?: CalendarDate.Input | "all" | undefined } & Without<"dte" | "from" | "to" | "month" | "year">
  | { readonly dte?: number | undefined } & Without<"expiration" | "from" | "to" | "month" | "year">
  | Period.Between<CalendarDate.Input> & Without<"expiration" | "dte" | "month" | "year">
  | { readonly month?: number | undefined; readonly year?: number | undefined }
    & Without<
      "expiration" | "dte" | "from" | "to"
    >

/**
 * Which cycles to return: `true` keeps only the named cycles, `false` leaves them out. If several are given, all must be `true` or all
 * `false`.
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
 * The day and the strikes. Strikes are filtered by price or by delta, not by both. A past day has no greeks, so it cannot be combined
 * with `delta`.
 *
 * - `date`: the end-of-day chain of a past trading day in New York (clause 4.1-date); not in cached modes
 * - `strike`: strikes, in dollars
 * - `delta`: absolute deltas, from 0 to 1; calls and puts both come back
 *
 * @category models
 * @since 0.1.0
 */
export type Strikes =
  | {
    readonly date?: CalendarDate.Input | undefined
    readonly strike?: Numbers.Numbers | undefined
    readonly delta?: undefined
  }
  | { readonly date?: undefined; readonly strike?: undefined; readonly delta?: Numbers.Numbers | undefined }

/**
 * Filters of contracts. Prices are in dollars; bounds are included.
 *
 * - `side`: only calls or only puts
 * - `range`: only contracts in the money, or only those out of it
 * - `strikeLimit`: at most this many strikes on either side of the money, those closest to it
 * - `maxBidAskSpread`: the widest spread, in dollars
 * - `maxBidAskSpreadPct`: the widest spread, as a fraction of the underlying's price: 0.005 is half a percent
 * - `nonstandard`: `true` adds adjusted contracts
 * - `am`, `pm`: settled in the morning, or in the afternoon; for options on indexes only
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

/** All of them. */
export type Options = Page & Filters & Expirations & Cycles & Strikes

/** Reads a filter of which each number is read. */
const numbers = (one: Parameter.Reader<number>): Parameter.Reader<Numbers.Numbers> => {
  const several = Parameter.map(Parameter.list(one, Rules.numberList), Numbers.ofList)
  const bounds = { from: one, to: one, above: one, atLeast: one, below: one, atMost: one }
  return (name, filter) => {
    if (Untyped.list(filter) !== undefined) return several(name, filter)
    if (typeof filter !== "object" || filter === null) return one(name, filter)
    return Result.flatMap(Parameter.readOptions(name, filter, bounds, `${name}.`), (given) => {
      const { from, to } = given
      const isRange = from !== undefined && to !== undefined
      const isBound = from === undefined && to === undefined
      if (Object.keys(given).length !== (isRange ? 2 : isBound ? 1 : 0)) {
        return Parameter.refuse(name, filter, Rules.numberBounds)
      }
      return isRange && from > to
        ? Parameter.refuse(name, filter, Rules.numberRange(from, to))
        : Result.succeed(given as Numbers.Numbers)
    })
  }
}

/** Reads each of them; they are sent in this order. */
export const readers = {
  date: Parameter.day,
  expiration: (name, input) => input === "all" ? Result.succeed("all") : Parameter.day(name, input),
  dte: Parameter.whole({ min: 0 }),
  from: Parameter.day,
  to: Parameter.day,
  month: Parameter.whole({ min: 1, max: 12 }),
  year: Parameter.whole({ min: 2000, max: 2099 }),
  weekly: Parameter.yesOrNo,
  monthly: Parameter.yesOrNo,
  quarterly: Parameter.yesOrNo,
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
  nonstandard: Parameter.yesOrNo,
  am: Parameter.yesOrNo,
  pm: Parameter.yesOrNo,
  ...Parameter.page
} satisfies Construct.Readers<Options>

type Names = keyof typeof readers

/** Cycles are all chosen, or all left out. */
const alike = <Name extends Names>(names: ReadonlyArray<Name>): Parameter.Together<Name> => (values) => {
  const [first, ...others] = names.filter((name) => values[name] !== undefined)
  const odd = others.find((name) => first !== undefined && values[name] !== values[first])
  return first === undefined || odd === undefined
    ? Result.void
    : Parameter.refuse(odd, values[odd], Rules.cycles(first, values[first] === true))
}

const together = /* @__PURE__ */ Parameter.together<Names>([
  /* @__PURE__ */ Parameter.exclusive(
    [["expiration"], ["dte"], ["from", "to"], ["month", "year"]],
    "one of expiration, dte, from and to, month and year"
  ),
  /* @__PURE__ */ Parameter.exclusive([["strike"], ["delta"]], "strike, or delta"),
  /* @__PURE__ */ Parameter.exclusive([["date"], ["from", "to"]], "date with month and year"),
  /* @__PURE__ */ Parameter.exclusive([["date"], ["delta"]], "date with strike: a past day has no greeks"),
  Parameter.daysInOrder,
  /* @__PURE__ */ Parameter.numbersInOrder("minBid", "maxBid"),
  /* @__PURE__ */ Parameter.numbersInOrder("minAsk", "maxAsk"),
  /* @__PURE__ */ alike(["weekly", "monthly", "quarterly"])
])

/** Refuses what cannot be said together, also where it comes from data that no type has seen. */
export const checkTogether = (
  underlying: string,
  values: Parameter.Values<Names>
): Result.Result<void, InvalidQuery> => {
  const checked = together(values)
  if (Result.isFailure(checked)) return checked
  const settlement = (["am", "pm"] as const).find((name) => values[name] !== undefined)
  return settlement === undefined || Expiration.indexUnderlyings.has(underlying.toUpperCase())
    ? Result.void
    : Parameter.refuse(settlement, values[settlement], Rules.settlement(underlying))
}
