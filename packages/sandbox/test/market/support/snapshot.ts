/** Chains to look at. */
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as ChainSnapshot from "@effect-marketdata/sandbox/market/ChainSnapshot"
import * as Listing from "@effect-marketdata/sandbox/market/Listing"
import * as QuoteTime from "@effect-marketdata/sandbox/market/QuoteTime"
import * as Underlying from "@effect-marketdata/sandbox/market/Underlying"
import * as fc from "fast-check"
import * as Arbitrary from "./arbitrary.ts"

export interface Snapshot {
  readonly seed: number
  readonly underlying: Underlying.Underlying
  readonly time: QuoteTime.QuoteTime
  readonly chain: OptionChain.OptionChain
}

export const of = (underlying: Underlying.Underlying, moment: number, seed = 1): Snapshot => {
  const time = QuoteTime.at(moment)!
  const chain = ChainSnapshot.make(seed, underlying, time, Listing.make(seed, underlying)(time.day))
  return { seed, underlying, time, chain }
}

export const ofSymbol = (symbol: string, moment: number, seed = 1): Snapshot =>
  of(Underlying.all.find((underlying) => underlying.symbol === symbol)!, moment, seed)

/** Any chain of any market at any time of two years. */
export const any: fc.Arbitrary<Snapshot> = fc.tuple(Arbitrary.underlying, Arbitrary.moment, Arbitrary.seed).map(
  ([underlying, moment, seed]) => of(underlying, moment, seed)
)
