/** What the options of one root and expiration share, and how it was found: time, forward, discount, exercise. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Expiration from "@effect-marketdata/core/Expiration"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import type { TradingCalendar } from "@effect-marketdata/core/TradingCalendar"
import * as Black from "../black/Black.ts"
import { deviation as deviationOf } from "../black/normalised.ts"
import * as American from "../exercise/american.ts"
import * as Expiry from "../expiration/Expiry.ts"
import { ranges } from "../reason/InvalidInput.ts"
import type { Reason } from "../reason/NoVolatility.ts"

/**
 * A chain as far as it is read: symbols, and prices in one form or another.
 *
 * @category models
 * @since 0.1.0
 */
export type Chain =
  & Pick<OptionChain.OptionChain, "length" | "optionSymbol">
  & Partial<Pick<OptionChain.OptionChain, "bid" | "ask" | "mid" | "underlyingPrice" | "updated" | "expiration">>

/** A chain with the prices by which its rows are valued. */
export type Priced = Chain & Required<Pick<Chain, "mid">>

/**
 * What the caller may say.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Partial<Readonly<Record<"at" | "rate" | "dividendYield", number | undefined>>> {
  readonly expires?: "exchange" | "reply" | undefined
  readonly exercise?: "american" | "european" | undefined
  readonly quotes?: boolean | undefined
  readonly calendar?: TradingCalendar | undefined
}

type Known = Readonly<Record<"expires" | "years" | "strikes" | "discount", number>>

/**
 * What is taken for granted of the options of one root and expiration.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumptions extends Known, Readonly<Record<"spot" | "forward" | "spread", number | undefined>> {
  readonly root: string
  readonly expiration: CalendarDate.CalendarDate
  readonly forwardFrom: "parity" | "rates" | "nothing"
  readonly discountFrom: "given" | "parity" | "chain" | "nothing"
  readonly exercise: "american" | "european"
  readonly method: "Black 1976" | typeof American.method
}

/** Rows of calls and of puts, each in the order of their strikes. */
export type Rows = Readonly<Record<OptionSymbol.Side, Array<number>>>

/** What `Black.shared` makes. It is written out, because the declarations of the package have nothing that is internal. */
type Shared = Readonly<Record<"forward" | "discount" | "years" | "spot" | "root" | "rate" | "dividendYield", number>>

/** The rows of one root and expiration, and what they share or why they have no volatility. */
export interface Group {
  readonly rows: Rows
  readonly assumptions: Assumptions
  readonly shared: Shared
  readonly reason: Reason | undefined
}

/** A strike with prices on both sides: the call's less the put's, and how far bid and ask of both are apart. */
export interface Pair extends Readonly<Record<"strike" | "difference" | "width", number>> {}

/** A strike with the price of its call. */
type Strike = Pair & { readonly call: number }

/**
 * The strikes nearest to the money with a bid and an ask on both sides, the bid above 0 and not above the ask. Where only the middle is known, each price
 * weighs the same.
 */
export const pairsOf = (chain: Priced, { call, put }: Rows): ReadonlyArray<Strike> => {
  const { ask, bid, mid, optionSymbol: { thousandths } } = chain
  const widthAt = (row: number): number =>
    bid === undefined || ask === undefined ? 0.1 : bid[row]! > 0 && ask[row]! >= bid[row]! ? ask[row]! - bid[row]! : NaN
  const [puts, distances] = [new Uint32Array(call.length), new Float64Array(call.length).fill(NaN)]
  for (let at = 0, next = 0; at < call.length && put.length > 0; at++) {
    const row = call[at]!
    while (next + 1 < put.length && thousandths[put[next]!]! < thousandths[row]!) next++
    const other = puts[at] = put[next]!
    const distance = Math.abs(mid[row]! - mid[other]!)
    const isPair = thousandths[other] === thousandths[row] && distance + widthAt(row) + widthAt(other) >= 0
    if (isPair) distances[at] = distance
  }
  const fortieth = distances.toSorted()[39] ?? NaN
  // With fewer than forty, all are near.
  const most = fortieth >= 0 ? fortieth : Infinity
  const pairs: Array<Strike> = []
  for (let at = 0; at < call.length && pairs.length < 40; at++) {
    if (!(distances[at]! <= most)) continue
    const [row, other] = [call[at]!, puts[at]!]
    const [price, strike] = [mid[row]!, thousandths[row]! / 1000]
    pairs.push({ strike, difference: price - mid[other]!, width: widthAt(row) + widthAt(other), call: price })
  }
  return pairs
}

/**
 * An expiration with as many strikes, as far away, tells a discount; of a nearer one it is lost in the width of the quotes. `alone` is far enough to be
 * taken for itself, where others tell more.
 */
const enough = { strikes: 8, years: 1 / 26, alone: 1 / 12 }

/** The rows of a chain by root and expiration, in the order in which these come. */
const grouped = ({ length, optionSymbol: { codes, series, thousandths } }: Chain) => {
  const groups = new Map<string, Rows & Pick<OptionSymbol.OptionSymbol, "root" | "expiration">>()
  const rowsOf = series.map(({ expiration, root, side }) => {
    const key = `${root} ${CalendarDate.format(expiration)}`
    groups.set(key, groups.get(key) ?? { root, expiration, call: [], put: [] })
    return groups.get(key)![side]
  })
  for (let row = 0; row < length; row++) rowsOf[codes[row]!]!.push(row)
  for (const rows of rowsOf) rows.sort((a, b) => thousandths[a]! - thousandths[b]!)
  return [...groups.values()].filter(({ call, put }) => call.length + put.length > 0)
}

/** Finds what the options of each root and expiration share. */
export const groupsOf = (chain: Priced, at: number, options: Options): ReadonlyArray<Group> => {
  const begun = grouped(chain).map(({ expiration, root, ...rows }) => {
    const expires = (options.expires === "reply" ? chain.expiration?.[rows.call[0] ?? rows.put[0]!] : undefined) ??
      Expiry.instant({ expiration, root }, options.calendar)
    const years = Expiry.yearsTo(expires, at)
    const isPriced = (row: number) => chain.underlyingPrice![row]! >= ranges.spot.least
    const spot = chain.underlyingPrice?.[rows.call.find(isPriced) ?? rows.put.find(isPriced) ?? -1]
    // Options on indexes are exercised on their last day only, with the one exception of OEX.
    const isAtLast = root !== "OEX" && Expiration.indexUnderlyings.has(Expiration.underlyingOf(root))
    const exercise = options.exercise ?? (isAtLast ? "european" : "american")
    const reason: Reason | undefined = /\d$/.test(root) ? "Adjusted" : years > 0 ? undefined : "Expired"
    const pairs = reason === undefined ? pairsOf(chain, rows) : []
    const isTelling = options.rate === undefined && pairs.length >= enough.strikes && years >= enough.years
    const [told] = (isTelling ? [parity(pairs, { years, spot, exercise })] : []).filter(({ discount }) => discount > 0)
    return { shared: { root, expiration, expires, years, spot, exercise }, rows, reason, pairs, told }
  })
  // The error of a rate is inverse to the time, so each rate is weighted by the square of its time.
  const rates = begun.flatMap(({ shared: { years }, told }) =>
    told === undefined ? [] : [[-Math.log(told.discount) / years, years * years] as const]
  )
  const middle = median(rates.map(([rate]) => rate), rates.map(([, weight]) => weight))
  const rate = options.rate ?? (rates.length === 0 ? undefined : middle)
  return begun.map(({ pairs, reason, rows, shared, told }): Group => {
    const { exercise, spot, years } = shared
    const own = years >= enough.alone ? told : undefined
    const discount = own?.discount ?? Math.exp(-(rate ?? 0) * Math.max(0, years))
    const isGiven = options.rate !== undefined && options.dividendYield !== undefined && spot !== undefined
    const found = isGiven
      ? { forward: spot * Math.exp((options.rate - options.dividendYield) * years), spread: undefined, strikes: 0 }
      : own ?? (pairs.length === 0 ? undefined : parity(pairs, shared, discount))
    const forward = found !== undefined && found.forward > 0 ? found.forward : undefined
    const assumptions: Assumptions = {
      ...shared,
      forward,
      forwardFrom: isGiven ? "rates" : forward === undefined ? "nothing" : "parity",
      spread: found?.spread,
      strikes: found?.strikes ?? 0,
      discount,
      discountFrom: options.rate !== undefined ? "given" : own ? "parity" : rate === undefined ? "nothing" : "chain",
      method: exercise === "american" ? American.method : "Black 1976"
    }
    const known = Black.shared(forward ?? NaN, discount, years, spot ?? discount * (forward ?? NaN))
    return { rows, assumptions, shared: known, reason: reason ?? (forward === undefined ? "NoForward" : undefined) }
  })
}

/**
 * Forward and discount by parity. Of American options call less put is worth that only without what early exercise is worth on either side, which depends on
 * forward and discount in turn: each round leaves a part of the error, a tenth where volatility is 30 %. The prices of puts that may be exercised at once
 * look as if the rate was negative, and at a negative rate exercise would be worth nothing: it is valued at a rate of 0 then.
 */
const parity = (
  pairs: ReadonlyArray<Strike>,
  { exercise, spot, years }: Pick<Assumptions, "exercise" | "spot" | "years">,
  discount?: number
) => {
  let found = estimate(pairs, discount)
  if (exercise === "european" || spot === undefined) return found
  const nearest = pairs.reduce((best, pair) => Math.abs(pair.difference) < Math.abs(best.difference) ? pair : best)
  for (let round = 0; round < 5; round++) {
    const { dividendYield, rate } = Black.shared(found.forward, Math.min(1, found.discount), years, spot)
    const deviation = deviationOf(true, found.forward, nearest.strike, nearest.call / found.discount)
    if (!(deviation > 0 && rate < 1 && Math.abs(dividendYield) < 1)) break
    const early = (strike: number): number => {
      const [terms, iv] = [{ spot, strike, years, rate, dividendYield }, deviation / Math.sqrt(years)]
      const of = (isCall: boolean) => American.value(isCall, terms, iv) - American.european(isCall, terms, iv)
      return of(true) - of(false)
    }
    const european = pairs.map(({ difference, ...pair }) => ({ ...pair, difference: difference - early(pair.strike) }))
    found = estimate(european, discount)
  }
  return found
}

/**
 * Estimates the forward price of an underlying, and the discount to one expiration, from pairs in the order of their strikes: a call less a put of the same
 * strike is worth `discount·(forward − strike)` (H. Stoll, "The relationship between put and call option prices", 1969), whatever the volatility is.
 *
 * Every strike tells a forward, and every two a discount. Taken is the median of each, weighted: where bid and ask are close, a price says more. So one
 * wrong quote moves nothing. With a discount only the forward is asked for, and one pair is enough. `spread` is how far from the forward half of the
 * strikes put it, by weight.
 */
export const estimate = (pairs: ReadonlyArray<Pair>, given?: number) => {
  const discount = given ?? slopeOf(pairs)
  const forwards = pairs.map(({ difference, strike }) => strike + difference / discount)
  const weights = pairs.map(({ width }) => weight(width))
  const forward = median(forwards, weights)
  const spread = median(forwards.map((value) => Math.abs(value - forward)), weights)
  return { forward, discount, spread, strikes: pairs.length }
}

/** A width of 0 counts as a cent. */
const weight = (width: number): number => 1 / Math.max(width, 0.01)

/** Estimates the value of a dollar of strike, from pairs of strikes, one of the lower half and one of the upper half. */
const slopeOf = (pairs: ReadonlyArray<Pair>): number => {
  const half = pairs.length >> 1
  const [lower, upper] = [pairs.slice(0, half), pairs.slice(pairs.length - half)]
  const distances = lower.map(({ strike }, at) => upper[at]!.strike - strike)
  const slopes = lower.map(({ difference }, at) => (difference - upper[at]!.difference) / distances[at]!)
  return median(slopes, lower.map(({ width }, at) => distances[at]! * weight(width + upper[at]!.width)))
}

/** The weighted median: the least value with at least half of the weight at or below it. An insertion sort is the fastest for so few values. */
export const median = (values: ReadonlyArray<number>, weights: ReadonlyArray<number>): number => {
  const order: Array<number> = []
  for (let from = 0; from < values.length; from++) {
    let at = from
    for (; at > 0 && values[order[at - 1]!]! > values[from]!; at--) order[at] = order[at - 1]!
    order[at] = from
  }
  let left = weights.reduce((sum, weight) => sum + weight, 0) / 2
  return values[order.find((at) => (left -= weights[at]!) <= 0) ?? -1] ?? NaN
}
