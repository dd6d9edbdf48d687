/**
 * The chain of an underlying at one moment: all columns of every listed contract, each following from the same price, volatility and
 * rates.
 *
 * - Options are valued by their `iv` as printed, four decimals, so that a program that recomputes a row finds its value between bid and ask.
 * - `vega` is dollars a percentage point of volatility, `theta` dollars a calendar day.
 * - `extrinsicValue` is the distance of `mid` from the intrinsic value, and never negative: a European option can be worth less than
 *   exercising it would pay.
 * - `last` is null for a contract that has never been traded, and no other column holds a null.
 *
 * @example
 * ```ts
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as ChainSnapshot from "@effect-marketdata/sandbox/ChainSnapshot"
 * import * as Listing from "@effect-marketdata/sandbox/Listing"
 * import * as QuoteTime from "@effect-marketdata/sandbox/QuoteTime"
 * import * as Underlying from "@effect-marketdata/sandbox/Underlying"
 *
 * const spx = Underlying.all[0]!
 * const time = QuoteTime.at(NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0))!
 * ChainSnapshot.make(1, spx, time, Listing.make(1, spx)(time.day)).length // => 22718
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type { Vectors } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Strike from "@effect-marketdata/core/Strike"
import * as ExpirationCycle from "./ExpirationCycle.ts"
import type { Expiration } from "./Listing.ts"
import * as Quotes from "./quotes.ts"
import type { QuoteTime } from "./QuoteTime.ts"
import * as SeededNoise from "./seededNoise.ts"
import * as Spot from "./Spot.ts"
import * as Trading from "./Trading.ts"
import type { Underlying } from "./Underlying.ts"

type Series = OptionChain.SymbolColumn["series"][number]

const sides = ["call", "put"] as const

const daysPerYear = 365
const secondsPerYear = daysPerYear * 86_400

/** In their last minute options are valued as if it had just begun: with no time left, greeks would be infinite. */
const leastSecondsLeft = 60

/**
 * Takes the chain of what is listed at a moment: the contracts in the order in which they are listed, calls before puts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  seed: number,
  underlying: Underlying,
  time: QuoteTime,
  listed: ReadonlyArray<Expiration>
): OptionChain.OptionChain => {
  const length = 2 * listed.reduce((total, { strikes }) => total + strikes.length, 0)
  const series: Array<Series> = []
  const vectors = allocate(underlying, series, length)
  const neverTraded = new Uint8Array((length + 7) >> 3)

  const { dividendYield, kind, rate, volatility } = underlying
  const spot = Spot.price(seed, underlying, time.day, time.progress)
  const spotBefore = Spot.close(seed, underlying, ExpirationCycle.daily.before(time.day))
  const smile = Quotes.smileAt(seed, underlying, time)
  vectors.underlyingPrice.fill(spot)

  let start = 0
  for (const { expiration, root, strikes } of listed) {
    const date = CalendarDate.fromEpochDay(expiration)
    const expires = NewYork.at(date, 16, kind === "index" ? 15 : 0)
    const days = expiration - time.day
    const years = Math.max(leastSecondsLeft, expires - time.moment) / secondsPerYear
    const logForward = Math.log(spot) + (rate - dividendYield) * years
    const deviation = volatility * Math.sqrt(Math.max(1, days) / daysPerYear)
    const ofSides = sides.map((side, sideCode) => {
      const prefix = OptionSymbol.format({ root, expiration: date, side, strike: 0 }).slice(0, -8)
      const code = series.push({ prefix, root, expiration: date, side }) - 1
      return { side, sideCode, code, seed: SeededNoise.named(seed, prefix) }
    })
    for (const [at, { firstTraded, remoteness, thousandths }] of strikes.entries()) {
      const strike = Strike.fromThousandths(thousandths)
      const iv = Quotes.round(smile(Math.log(strike) - logForward, years), 4)
      const model = { spot, strike, years, rate, dividendYield, volatility: iv }
      const distance = Math.log(strike / spotBefore) / deviation
      for (const of of ofSides) {
        const row = start + of.sideCode * strikes.length + at
        const { delta, gamma, theta, value, vega } = Quotes.value(kind, of.side, model)
        const intrinsic = Quotes.payment(of.side, spot, strike)
        const quote = Quotes.make(underlying, value, intrinsic)
        const mid = (quote.bid + quote.ask) / 200
        const contract = SeededNoise.mix(of.seed, thousandths)
        const trading = Trading.make(underlying, { contract, remoteness, distance, days, time }, quote)
        vectors.optionSymbol.codes[row] = of.code
        vectors.optionSymbol.thousandths[row] = thousandths
        vectors.expiration[row] = expires
        vectors.side[row] = of.sideCode
        vectors.strike[row] = strike
        vectors.firstTraded[row] = firstTraded
        vectors.dte[row] = days
        vectors.ask[row] = quote.ask / 100
        vectors.askSize[row] = trading.askSize
        vectors.bid[row] = quote.bid / 100
        vectors.bidSize[row] = trading.bidSize
        vectors.mid[row] = mid
        vectors.last[row] = trading.last / 100
        vectors.volume[row] = trading.volume
        vectors.openInterest[row] = trading.openInterest
        vectors.inTheMoney[row] = intrinsic > 0 ? 1 : 0
        vectors.intrinsicValue[row] = intrinsic
        vectors.extrinsicValue[row] = Quotes.round(Math.abs(mid - intrinsic), 3)
        vectors.updated[row] = Math.max(time.open, time.moment - trading.age)
        vectors.iv[row] = iv
        vectors.delta[row] = Quotes.round(delta, 4)
        vectors.gamma[row] = Quotes.round(gamma, 6)
        vectors.theta[row] = Quotes.round(theta, 4)
        vectors.vega[row] = Quotes.round(vega, 4)
        if (Number.isNaN(trading.last)) neverTraded[row >> 3]! |= 1 << (row & 7)
      }
    }
    start += sides.length * strikes.length
  }
  return ColumnTable.make(OptionChain.spec, { length, vectors, nulls: { last: neverTraded }, findings: [] })
}

const allocate = (
  { symbol }: Underlying,
  series: ReadonlyArray<Series>,
  length: number
): Vectors<OptionChain.Spec> => {
  const numbers = () => new Float64Array(length)
  return {
    optionSymbol: { codes: new Uint32Array(length), thousandths: new Int32Array(length), series },
    underlying: { codes: new Uint32Array(length), values: [symbol] },
    expiration: numbers(),
    side: new Uint8Array(length),
    strike: numbers(),
    firstTraded: numbers(),
    dte: numbers(),
    ask: numbers(),
    askSize: numbers(),
    bid: numbers(),
    bidSize: numbers(),
    mid: numbers(),
    last: numbers(),
    volume: numbers(),
    openInterest: numbers(),
    underlyingPrice: numbers(),
    inTheMoney: new Uint8Array(length),
    intrinsicValue: numbers(),
    extrinsicValue: numbers(),
    updated: numbers(),
    iv: numbers(),
    delta: numbers(),
    gamma: numbers(),
    theta: numbers(),
    vega: numbers()
  }
}
