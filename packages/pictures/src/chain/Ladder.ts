/**
 * Ladders: the calls and puts of one root and expiration beside each other, strike by strike, and which of their quotes are reliable.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Ladder from "@effect-marketdata/pictures/Ladder"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","optionSymbol":["AAPL261218C00150000","AAPL261218P00150000","AAPL261218C00160000"],
 *   "bid":[4,3,0],"ask":[5,4,0.1],"underlyingPrice":[150.5,150.5,150.5],"updated":[1795208400,1795208400,1795208400]}`
 * const columns = ["optionSymbol", "bid", "ask", "underlyingPrice", "updated"] as const
 * const chain = Result.getOrThrow(OptionChain.decode(body, { columns }))
 *
 * const [ladder] = Result.getOrThrow(Ladder.make(chain))
 * ladder?.rungs // => [{ strike: 150, call: 0, put: 1 }, { strike: 160, call: 2, put: undefined }]
 * Ladder.mark(chain, 2, 1795208400) // => "no bid"
 * ladder && Ladder.straddle(chain, ladder, 150.5, 1795208400) // => { strike: 150, price: 8 }
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Freshness from "@effect-marketdata/core/Freshness"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Problem from "@effect-marketdata/core/Problem"
import type { InvalidInput } from "@effect-marketdata/volatility/InvalidInput"
import * as Result from "effect/Result"
import * as Checked from "../chart/checked.ts"

/**
 * A chain as far as it is read; all columns but the symbols may be missing.
 *
 * @category models
 * @since 0.1.0
 */
export type Chain = Pick<OptionChain.OptionChain, "length" | "optionSymbol"> & Quotes

/**
 * The columns of quotes: prices in dollars a share, times in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export type Quotes = Partial<Pick<OptionChain.OptionChain, "bid" | "ask" | "updated" | "underlyingPrice">>

/**
 * Calls and puts of one strike, in dollars: the rows that they have in the chain, undefined if the chain has no such row.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rung {
  readonly strike: number
  readonly call: number | undefined
  readonly put: number | undefined
}

/**
 * The strikes of one root and expiration, ascending. `day` is the expiration as days since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ladder {
  readonly root: string
  readonly expiration: CalendarDate.CalendarDate
  readonly day: number
  readonly rungs: ReadonlyArray<Rung>
}

/**
 * Makes the ladders of a chain: those of the nearest expiration first, and of those the one with the most strikes. Fails with `InvalidInput` for a chain
 * without symbols.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (chain: Chain): Result.Result<ReadonlyArray<Ladder>, InvalidInput> =>
  Result.mapError(Result.try(() => laddersOf(chain)), () => noChain(chain))

/**
 * What is wrong with what is not a chain.
 *
 * @internal
 */
export const noChain = (chain: unknown): InvalidInput =>
  Checked.wrong("chain", chain, {
    rule: "must be a chain with its symbols",
    example: "OptionChain.decode(body, { columns: [\"optionSymbol\", \"bid\", \"ask\", \"updated\"] })"
  })

/** Throws for what is not a chain. */
const laddersOf = ({ length, optionSymbol: { codes, series, thousandths } }: Chain): ReadonlyArray<Ladder> => {
  const keys = series.map(({ expiration, root }) => `${root} ${CalendarDate.format(expiration)}`)
  type Rows = { -readonly [Name in keyof Rung]: Rung[Name] }
  const ladders = new Map<string, Omit<Ladder, "day" | "rungs"> & { readonly byStrike: Map<number, Rows> }>()
  for (let index = 0; index < length; index++) {
    const code = codes[index]!
    const { expiration, root, side } = series[code]!
    const ladder = ladders.get(keys[code]!) ?? { root, expiration, byStrike: new Map<number, Rows>() }
    ladders.set(keys[code]!, ladder)
    const strike = thousandths[index]!
    const rung = ladder.byStrike.get(strike) ?? { strike: strike / 1000, call: undefined, put: undefined }
    rung[side] = index
    ladder.byStrike.set(strike, rung)
  }
  return Array.from(ladders.values(), ({ byStrike, expiration, root }) => ({
    root,
    expiration,
    day: CalendarDate.toEpochDay(expiration),
    rungs: [...byStrike.values()].toSorted((a, b) => a.strike - b.strike)
  })).toSorted((a, b) => a.day - b.day || b.rungs.length - a.rungs.length)
}

/**
 * Returns the price of the underlying in dollars, by the first row that tells it.
 *
 * @category getters
 * @since 0.1.0
 */
export const underlyingPrice = ({ underlyingPrice }: Quotes): number | undefined =>
  underlyingPrice?.find((price) => !Number.isNaN(price))

/** Nothing is near what is not a price. */
const known = (rungs: ReadonlyArray<Rung>, price: number): ReadonlyArray<Rung> => {
  Problem.expect(Number.isFinite(price), "price", price, "a number of dollars", "6800.5")
  return Problem.expect(Array.isArray(rungs), "rungs", rungs, "the rungs of a ladder", "ladder.rungs")
}

/**
 * Returns a number of strikes around a price, or around the middle where no price is known; all for `Infinity`. Throws `ValueError`
 * for anything else.
 *
 * @category getters
 * @since 0.1.0
 */
export const nearTheMoney = (
  rungs: ReadonlyArray<Rung>,
  price: number | undefined,
  count: number
): ReadonlyArray<Rung> => {
  const isCount = count === Infinity || Number.isSafeInteger(count) && count >= 0
  Problem.expect(isCount, "count", count, "a number of strikes", "5")
  const at = price === undefined ? -1 : known(rungs, price).findIndex((rung) => rung.strike >= price)
  const middle = at >= 0 ? at : price === undefined ? rungs.length >> 1 : rungs.length
  // With an odd number, the nearest strike is in the middle.
  const isBelow = price !== undefined && middle > 0 &&
    nearestTo(rungs.slice(middle - 1, middle + 1), price) === rungs[middle - 1]
  const below = Math.floor(count / 2) + (isBelow && count % 2 === 1 ? 1 : 0)
  const start = Math.max(0, Math.min(rungs.length - count, middle - below))
  return rungs.slice(start, start + count)
}

/**
 * Returns the rung whose strike is nearest to a price; undefined for a ladder without rungs. Throws `ValueError` for what is not a price.
 *
 * @category getters
 * @since 0.1.0
 */
export const nearestTo = (rungs: ReadonlyArray<Rung>, price: number): Rung | undefined =>
  known(rungs, price).toSorted((a, b) => Math.abs(a.strike - price) - Math.abs(b.strike - price))[0]

/**
 * What is wrong with a quote; an empty text if it is reliable.
 *
 * @category models
 * @since 0.1.0
 */
export type Mark = "" | "no bid" | "stale" | "crossed"

/**
 * Returns what is wrong with the quote of a row: that it has no bid, has its bid above its ask, or is older than the chain's newest, whose time is `newest`,
 * by more than 15 minutes.
 *
 * @category getters
 * @since 0.1.0
 */
export const mark = ({ ask, bid, updated }: Quotes, row: number, newest: number): Mark => {
  if (bid === undefined || !(bid[row]! > 0)) return "no bid"
  if (bid[row]! > (ask?.[row] ?? NaN)) return "crossed"
  return newest - (updated?.[row] ?? newest) > Freshness.delay ? "stale" : ""
}

/**
 * Returns whether options of a root deliver something else than 100 shares, so that their strikes say nothing of the underlying's price.
 *
 * @category getters
 * @since 0.1.0
 */
export const isAdjusted = (root: string): boolean => /\d$/.test(root)

/**
 * A call and a put of one strike, and what both cost, in dollars a share.
 *
 * @category models
 * @since 0.1.0
 */
export interface Straddle {
  readonly strike: number
  readonly price: number
}

/**
 * Returns the straddle at the money of a ladder, at the middle of its quotes: what the market expects the underlying to move. Undefined if a quote is not
 * reliable, for adjusted options, and if the strike is so far from `underlying` that more than half of the straddle's price is intrinsic value.
 * `newest` is the time of the chain's newest quote.
 *
 * @category getters
 * @since 0.1.0
 */
export const straddle = (
  quotes: Quotes,
  { root, rungs }: Pick<Ladder, "root" | "rungs">,
  underlying: number,
  newest: number
): Straddle | undefined => {
  const nearest = isAdjusted(root) ? undefined : nearestTo(rungs, underlying)
  if (nearest === undefined) return undefined
  const { call, put, strike } = nearest
  const middle = (row: number | undefined): number =>
    row === undefined || mark(quotes, row, newest) !== "" ? NaN : (quotes.bid![row]! + (quotes.ask?.[row] ?? NaN)) / 2
  const price = middle(call) + middle(put)
  return 2 * Math.abs(strike - underlying) <= price ? { strike, price } : undefined
}
