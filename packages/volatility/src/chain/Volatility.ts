/**
 * Volatility and greeks of a chain, computed from its prices, for rows and days for which the service has none. They are new columns, and never
 * replace one of the service.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Volatility from "@effect-marketdata/volatility/Volatility"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","optionSymbol":["XSP261218C00650000","XSP261218P00650000","XSP261218P00600000"],
 *   "bid":[14.1,11.9,3.4],"ask":[14.3,12.1,3.3],"mid":[14.2,12,3.35],"underlyingPrice":[651,651,651],"updated":[1795208400,1795208400,1795208400]}`
 * const columns = ["optionSymbol", "bid", "ask", "mid", "underlyingPrice", "updated"] as const
 * const chain = Result.getOrThrow(OptionChain.decode(body, { columns }))
 * const { assumptions, table } = Result.getOrThrow(Volatility.columns(chain, { rate: 0.04 }))
 * table.at(0).ivComputed?.toFixed(4) // => "0.1823"
 * table.at(2).reason // => "Crossed"
 * assumptions[0]?.forward?.toFixed(2) // => "652.21"
 * ```
 *
 * @see {@link NoVolatility} for the reasons
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnKind from "@effect-marketdata/core/ColumnKind"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"
import * as Black from "../black/Black.ts"
import { deviation, logMoneyness } from "../black/normalised.ts"
import * as American from "../exercise/american.ts"
import { type InvalidInput, notOneOf, outOfRange, ranges, refuse } from "../reason/InvalidInput.ts"
import * as NoVolatility from "../reason/NoVolatility.ts"
import * as Assumed from "./assumptions.ts"

const computed = { kind: ColumnKind.number, null: "nullable" } as const

/**
 * The computed columns.
 *
 * @category constants
 * @since 0.1.0
 */
export const spec = {
  /** Implied volatility of a year by `mid`, as a fraction. */
  ivComputed: computed,
  /** The same by the bid: null where the bid is not above what exercising pays. */
  ivBidComputed: computed,
  /** The same by the ask. */
  ivAskComputed: computed,
  /** Dollars for each dollar that the underlying rises. */
  deltaComputed: computed,
  /** What delta changes for each dollar that the underlying rises. */
  gammaComputed: computed,
  /** Dollars a share for each calendar day that passes. */
  thetaComputed: computed,
  /** Dollars a share for each percentage point of volatility. */
  vegaComputed: computed,
  /** Dollars a share for each percentage point of the rate. */
  rhoComputed: computed,
  /** Why nothing was computed; null where it was. */
  reason: { kind: /* @__PURE__ */ ColumnKind.choices(NoVolatility.reasons), null: "nullable" }
} as const

/**
 * The type of `spec`.
 *
 * @category models
 * @since 0.1.0
 */
export type Spec = { readonly [Name in keyof typeof spec]: typeof spec[Name] }

/**
 * The columns that are read: the option symbols, and `mid`, or `bid` and `ask`. With `underlyingPrice` greeks are by it; without, by the discounted
 * forward. `updated` says when prices were taken.
 *
 * @since 0.1.0
 */
export type { Chain } from "./assumptions.ts"

/**
 * The options. All may be left out.
 *
 * - `at`: when the prices were taken, in epoch seconds; the newest `updated` of the chain by default
 * - `rate`, `dividendYield`: annual and continuous. Parity tells what is left out: the discount without a rate, the forward without both. Give the
 *   rate for stocks and ETFs: what early exercise is worth hangs on it, and their prices tell it badly
 * - `expires`: by the calendar of the exchange (`Expiry`), or as the column `expiration` of the reply says
 * - `exercise`: by default European for indexes, OEX excepted, and American for all others
 * - `quotes`: whether volatilities of bid and ask are computed too; true by default
 * - `calendar`: that of the exchange, by which `Expiry` tells when options are settled
 *
 * @since 0.1.0
 */
export type { Options } from "./assumptions.ts"

/**
 * What was taken for granted of the options of one root and expiration.
 *
 * - `expires`: when they are settled, in epoch seconds; `years` from `at` until then
 * - `forward`: by parity or by rates; undefined if neither could tell it. `spread` and `strikes` are those of `Forward`
 * - `discount`: by the given rate, by parity of these options, by parity of the others in the chain where these expire in a month or have few strikes,
 *   or 1 where nothing tells it
 *
 * @since 0.1.0
 */
export type { Assumptions } from "./assumptions.ts"

/**
 * What was computed: a table with a row for each row of the chain, the assumptions of each root and expiration, and the time that all is told for, in
 * epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Computed {
  readonly table: ColumnTable.ColumnTable<Spec>
  readonly assumptions: ReadonlyArray<Assumed.Assumptions>
  readonly at: number
}

/**
 * Computes volatility and greeks of each row. Fails with `InvalidInput` for a chain without symbols, prices or a time, and for an option that breaks its
 * rule. A row without a volatility has a reason.
 *
 * @category constructors
 * @since 0.1.0
 */
export const columns = (chain: Assumed.Chain, options: Assumed.Options = {}): Result.Result<Computed, InvalidInput> =>
  Result.map(compute(chain, options), ({ at, assumptions, table }) => ({ at, assumptions, table }))

/**
 * The volatilities of one root and expiration, annual fractions.
 *
 * - `atTheMoney`: where the strike is the forward
 * - `put25`, `call25`: where the delta is −0.25 and 0.25, by options out of the money; `skew` is the first less the second
 * - undefined where no two strikes stand around such a point
 *
 * @category models
 * @since 0.1.0
 */
export interface Slice extends Readonly<Record<"atTheMoney" | "put25" | "call25" | "skew", number | undefined>> {
  readonly assumptions: Assumed.Assumptions
}

/**
 * A sure gain that prices allow.
 *
 * - `Butterfly`: the option in the middle can be sold at its bid for more than the two around it cost at their asks: `gain` dollars a share, before costs
 * - `Calendar`: total variance at the money is less than that of the expiration before, in the same root: `gain` is by how much, as variance
 *
 * `strike` is the one in the middle; undefined for `Calendar`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arbitrage {
  readonly code: "Butterfly" | "Calendar"
  readonly assumptions: Assumed.Assumptions
  readonly side?: "call" | "put"
  readonly strike?: number
  readonly gain: number
}

/** A surface: its slices in the order of time, and all sure gains that were found. *
 * @category models
 * @since 0.1.0
 */
export interface Surface {
  readonly at: number
  readonly slices: ReadonlyArray<Slice>
  readonly findings: ReadonlyArray<Arbitrage>
}

/**
 * Returns the volatility surface of a chain: for each root and expiration the volatility at the money and the skew, and where prices allow arbitrage. It
 * smooths nothing: between two strikes it interpolates linearly. Fails as `columns` does.
 *
 * @category constructors
 * @since 0.1.0
 */
export const surface = (chain: Assumed.Chain, options: Assumed.Options = {}): Result.Result<Surface, InvalidInput> =>
  Result.map(compute(chain, options), surfaceOf)

/** Checks what types promise, for callers without them, and computes. */
const compute = (chain: Assumed.Chain, options: Assumed.Options) =>
  Result.gen(function*() {
    const mid = Result.getOrUndefined(Result.try(() => pricesOf(chain)))
    if (mid === undefined) return yield* refuse("chain", chain, { rule: "must have symbols and prices", example })
    const isObject = typeof options === "object" && options !== null
    if (!isObject) return yield* refuse("options", options, { rule: "must be an object", example: "{ rate: 0.04 }" })
    const { at = OptionChain.updatedSpan(chain)?.newest ?? NaN, dividendYield = 0, rate = 0 } = options
    // What is left out breaks no rule.
    const { calendar, exercise = "european", expires = "exchange" } = options
    const isCalendar = calendar === undefined || typeof (calendar as { day?: unknown } | null)?.day === "function"
    const aCalendar = { rule: "must be a trading calendar", example: "TradingCalendar.NYSE" }
    const wrong = outOfRange(ranges.at, at) ?? outOfRange(ranges.rate, rate) ??
      outOfRange(ranges.dividendYield, dividendYield) ??
      notOneOf("expires", expires, ["exchange", "reply"]) ?? notOneOf("exercise", exercise, ["american", "european"]) ??
      (isCalendar ? undefined : refuse("calendar", calendar, aCalendar))
    if (wrong !== undefined) return yield* wrong
    const priced = { ...chain, mid }
    const groups = Assumed.groupsOf(priced, at, options)
    const assumptions = groups.map(({ assumptions }) => assumptions)
    return { at, assumptions, chain: priced, groups, table: tableOf(priced, groups, options.quotes !== false) }
  })

const example = "columns: [\"optionSymbol\", \"bid\", \"ask\", \"mid\", \"underlyingPrice\", \"updated\"]"

/** The prices of the middle; undefined where there is neither a middle nor bid and ask. Throws for what is not a chain. */
const pricesOf = ({ ask, bid, length, mid, optionSymbol: { codes, series } }: Assumed.Chain) =>
  codes.length >= length && codes.every((code) => series[code] !== undefined) &&
    series.every(({ expiration, root, side }) =>
      root !== "" && CalendarDate.isCalendarDate(expiration) && (side === "call" || side === "put")
    )
    ? mid ?? (ask && bid?.map((bid, row) => (bid + ask[row]!) / 2))
    : undefined

/** The numbers that are computed. */
const greekNames = ["deltaComputed", "gammaComputed", "thetaComputed", "vegaComputed", "rhoComputed"] as const
const names = ["ivComputed", "ivBidComputed", "ivAskComputed", ...greekNames] as const

/** Computes a row for each row of a chain, and with `quotes` the volatilities of bid and ask. */
const tableOf = (chain: Assumed.Priced, groups: ReadonlyArray<Assumed.Group>, quotes: boolean) => {
  const { ask, bid, length, mid, optionSymbol: { thousandths } } = chain
  const empty = names.map((name) => [name, new Float64Array(length).fill(NaN)])
  const vectors: Readonly<Record<typeof names[number], Float64Array<ArrayBuffer>>> = Object.fromEntries(empty)
  const reason = new Uint8Array(length)
  const quoted = quotes ? [[bid, vectors.ivBidComputed], [ask, vectors.ivAskComputed]] as const : []
  const greeks = new Float64Array(greekNames.length)
  const ofGreeks = greekNames.map((name) => vectors[name])
  for (const { assumptions: { exercise }, reason: ofAll, rows, shared } of groups) {
    const { discount, forward, root } = shared
    const ivOf = (isCall: boolean, strike: number, price: number, log: number): number =>
      exercise === "american"
        ? American.impliedVolatility(isCall, { ...shared, strike }, price)
        : deviation(isCall, forward, strike, price / discount, log) / root
    for (const [isCall, ofSide] of [[true, rows.call], [false, rows.put]] as const) {
      for (const row of ofSide) {
        const strike = thousandths[row]! / 1000
        const price = mid[row]!
        const isCrossed = bid !== undefined && ask !== undefined && bid[row]! > ask[row]!
        const why = ofAll ?? (isCrossed ? "Crossed" : price > 0 && price < Infinity ? undefined : "NoPrice")
        const log = logMoneyness(forward, strike)
        const iv = why === undefined ? ivOf(isCall, strike, price, log) : NaN
        if (!(iv > 0)) {
          reason[row] = NoVolatility.reasons.indexOf(why ?? (iv === 0 ? "BelowIntrinsic" : "AboveBound"))
          continue
        }
        vectors.ivComputed[row] = iv
        if (exercise === "american" && American.mayExerciseEarly(isCall, shared)) {
          American.setGreeks(greeks, isCall, { ...shared, strike }, iv)
        } else Black.setGreeks(greeks, isCall, shared, log, price, iv * root)
        for (let greek = 0; greek < greeks.length; greek++) ofGreeks[greek]![row] = greeks[greek]!
        for (const [prices, into] of quoted) {
          if (prices !== undefined && prices[row]! > 0) into[row] = ivOf(isCall, strike, prices[row]!, log) || NaN
        }
      }
    }
  }
  // A row has all greeks, or has no volatility.
  const missing = bitsOf(vectors.ivComputed, true)
  const ofNumbers = names.map((name) => [name, name.startsWith("iv") ? bitsOf(vectors[name], true) : missing])
  const nulls = { ...Object.fromEntries(ofNumbers), reason: bitsOf(vectors.ivComputed, false) }
  return ColumnTable.make<Spec, keyof Spec>(spec, { length, vectors: { ...vectors, reason }, nulls, findings: [] })
}

/** A bit for each row, set where a number is missing, or where one is there. */
const bitsOf = (vector: Float64Array, missing: boolean): Uint8Array<ArrayBuffer> => {
  const bits = new Uint8Array((vector.length + 7) >> 3)
  for (let at = 0; at < vector.length; at++) if (Number.isNaN(vector[at]!) === missing) bits[at >> 3]! |= 1 << (at & 7)
  return bits
}

/** Computes the surface of groups whose volatilities are known. */
const surfaceOf = ({ at, chain, groups, table }: Result.Result.Success<ReturnType<typeof compute>>): Surface => {
  const { ask, bid, mid, optionSymbol: { thousandths } } = chain
  const { deltaComputed, ivComputed } = table
  // An option is bought at its ask and sold at its bid, or at the only price that is known.
  const [cost, gained] = [ask ?? mid, bid ?? mid]
  const strikeOf = (row: number) => thousandths[row]! / 1000
  const slices = groups.map(({ assumptions, assumptions: { forward = NaN }, rows }): Slice => {
    const points = (rows: ReadonlyArray<number>, valueOf: (row: number) => number) =>
      rows.filter((row) => ivComputed[row]! > 0).map((row) => [valueOf(row), ivComputed[row]!] as const)
    const puts = rows.put.filter((row) => strikeOf(row) < forward)
    const calls = rows.call.filter((row) => strikeOf(row) >= forward)
    const put25 = between(points(puts, (row) => deltaComputed[row]!), -0.25)
    const call25 = between(points(calls, (row) => deltaComputed[row]!), 0.25)
    const skew = put25 === undefined || call25 === undefined ? undefined : put25 - call25
    return { assumptions, atTheMoney: between(points([...puts, ...calls], strikeOf), forward), put25, call25, skew }
  }).toSorted((a, b) => a.assumptions.expires - b.assumptions.expires)
  const butterflies = groups.flatMap(({ assumptions, rows }) =>
    (["call", "put"] as const).flatMap((side) => {
      const sorted = rows[side]
      return sorted.slice(1, -1).flatMap((middle, at): ReadonlyArray<Arbitrage> => {
        const [low, high] = [sorted[at]!, sorted[at + 2]!]
        const share = (strikeOf(high) - strikeOf(middle)) / (strikeOf(high) - strikeOf(low))
        const gain = gained[middle]! - share * cost[low]! - (1 - share) * cost[high]!
        // An ask of 0 is not an offer. Prices are whole cents, so a smaller gain is a rounding error.
        const isGain = cost[low]! > 0 && cost[high]! > 0 && gain > 1e-9
        return isGain ? [{ code: "Butterfly", assumptions, side, strike: strikeOf(middle), gain }] : []
      })
    })
  )
  return { at, slices, findings: [...butterflies, ...calendars(slices)] }
}

const calendars = (slices: ReadonlyArray<Slice>): ReadonlyArray<Arbitrage> => {
  const before = new Map<string, number>()
  return slices.flatMap(({ assumptions, atTheMoney = NaN }): ReadonlyArray<Arbitrage> => {
    const most = before.get(assumptions.root) ?? 0
    const variance = atTheMoney * atTheMoney * assumptions.years
    if (variance > most) before.set(assumptions.root, variance)
    return variance < most ? [{ code: "Calendar", assumptions, gain: most - variance }] : []
  })
}

/** The value at a point, on the line between the two points around it. */
const between = (points: ReadonlyArray<readonly [at: number, value: number]>, at: number): number | undefined => {
  const right = points.findIndex(([x], index) => index > 0 && (x - at) * (points[index - 1]![0] - at) <= 0)
  const [left, other] = [points[right - 1], points[right]]
  if (left === undefined || other === undefined) return undefined
  return left[0] === at ? left[1] : left[1] + (other[1] - left[1]) * (at - left[0]) / (other[0] - left[0])
}
