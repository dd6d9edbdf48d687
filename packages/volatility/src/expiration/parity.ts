/**
 * The forward price of an underlying, and the discount to one expiration, as its options tell them: a call less a put of the same strike is worth
 * `discount·(forward − strike)` (H. Stoll, "The relationship between put and call option prices", 1969), whatever the volatility is.
 *
 * Every strike tells a forward, and every two a discount. Taken is the median of each, weighted: where bid and ask are close, a price says more. So one
 * wrong quote moves nothing.
 */

/** A strike with prices on both sides: the call's less the put's, and how far bid and ask of both are apart. */
export interface Pair extends Readonly<Record<"strike" | "difference" | "width", number>> {}

/**
 * What an expiration says of its underlying: the forward price, the discount, how far from that forward half of the strikes put it, by weight, and how
 * many strikes were asked.
 */
export interface Forward extends Readonly<Record<"forward" | "discount" | "spread" | "strikes", number>> {}

/** Estimates from pairs in the order of their strikes: the forty nearest to the money. With a discount only the forward is asked for, and one pair is enough. */
export const estimate = (pairs: ReadonlyArray<Pair>, given?: number): Forward => {
  const near = nearest(pairs, 40)
  const discount = given ?? slopeOf(near)
  const forwards = near.map(({ difference, strike }) => strike + difference / discount)
  const weights = near.map(({ width }) => weight(width))
  const forward = median(forwards, weights)
  const spread = median(forwards.map((value) => Math.abs(value - forward)), weights)
  return { forward, discount, spread, strikes: near.length }
}

/** The pairs nearest to the money, in the order in which they come: there call and put are worth the same. */
export const nearest = <P extends Pair>(pairs: ReadonlyArray<P>, count: number): ReadonlyArray<P> => {
  if (pairs.length <= count) return pairs
  const most = new Float64Array(pairs.map(({ difference }) => Math.abs(difference))).toSorted()[count - 1]!
  return pairs.filter(({ difference }) => Math.abs(difference) <= most).slice(0, count)
}

/** A width of 0 counts as a cent. */
const weight = (width: number): number => 1 / Math.max(width, 0.01)

/** Estimates the value of a dollar of strike, from pairs of strikes, one of the lower half and one of the upper half. */
const slopeOf = (near: ReadonlyArray<Pair>): number => {
  const half = near.length >> 1
  const [lower, upper] = [near.slice(0, half), near.slice(near.length - half)]
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
