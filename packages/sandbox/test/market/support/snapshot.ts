/** Chains to look at. */
import { CalendarDate, NewYork, type OptionChain } from "@effect-marketdata/core"
import { ChainSnapshot, Listing, QuoteTime, Underlying } from "@effect-marketdata/sandbox"
import { runs } from "../../../../core/test/support/depth.ts"
import * as SeededNoise from "../../../src/market/seededNoise.ts"

export type Snapshot = ReturnType<typeof of>

export const of = (underlying: Underlying.Underlying, moment: number, seed = 1) => {
  const time = QuoteTime.at(moment)!
  const chain = ChainSnapshot.make(seed, underlying, time, Listing.make(seed, underlying)(time.day))
  return { seed, underlying, time, chain }
}

export const ofSymbol = (symbol: string, moment: number, seed = 1): Snapshot =>
  of(Underlying.all.find((underlying) => underlying.symbol === symbol)!, moment, seed)

/** How many markets a law is held against. */
const seeds = runs(1000, 250)

/** The second trading day of all years of the market, and the last. */
const first = CalendarDate.toEpochDay({ year: QuoteTime.years.first, month: 1, day: 4 })
const last = CalendarDate.toEpochDay({ year: QuoteTime.years.last, month: 12, day: 31 })

/** A market of a seed: the seed chooses the underlying, the moment in any year, and one or two of the expirations. */
const ofSeed = (seed: number): Snapshot => {
  const draw = (what: number): number => SeededNoise.unit(SeededNoise.mix(SeededNoise.mix(seed, 22_718), what))
  const underlying = Underlying.all[seed % Underlying.all.length]!
  const day = CalendarDate.fromEpochDay(first + Math.floor((last - first) * draw(1)))
  // Two in three fall into the hours of trading.
  const second = draw(2) < 0.6 ? 34_200 + 23_400 * draw(3) : 86_400 * draw(3)
  const time = QuoteTime.at(NewYork.toEpochSeconds(day, Math.floor(second)))!
  const listed = Listing.make(seed, underlying)(time.day)
  const chosen = [draw(4), draw(5)].map((part) => Math.floor(part * listed.length))
  const chain = ChainSnapshot.make(seed, underlying, time, listed.filter((_, at) => chosen.includes(at)))
  return { seed, underlying, time, chain }
}

let made: ReadonlyArray<Snapshot> | undefined

/** Many markets, each with a few hundred contracts. */
export const many = (): ReadonlyArray<Snapshot> => made ??= Array.from({ length: seeds }, (_, seed) => ofSeed(seed))

/** Holds a law against every row of many markets. */
export const everyRow = (law: (snapshot: Snapshot, row: number) => void): void => {
  for (const snapshot of many()) {
    for (let row = 0; row < snapshot.chain.length; row++) law(snapshot, row)
  }
}

/** The calls and the puts seriesOf one root and expiration, strike by strike. */
export interface Series {
  readonly root: string
  readonly calls: ReadonlyArray<number>
  readonly puts: ReadonlyArray<number>
}

export const seriesOf = ({ length, optionSymbol: { codes, series } }: OptionChain.OptionChain) => {
  const found = new Map<string, Series & Record<"calls" | "puts", Array<number>>>()
  const rowsOf = series.map(({ expiration, root, side }) => {
    const key = `${root} ${CalendarDate.format(expiration)}`
    const both = found.get(key) ?? { root, calls: [], puts: [] }
    found.set(key, both)
    return side === "call" ? both.calls : both.puts
  })
  for (let row = 0; row < length; row++) rowsOf[codes[row]!]!.push(row)
  return [...found.values()]
}
