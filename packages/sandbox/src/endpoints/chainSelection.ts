import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Arr from "effect/Array"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as ExpirationCycle from "../market/ExpirationCycle.ts"

/** The filters of a chain; without any all contracts are kept. */
export interface Selection extends OptionChain.Filters {
  readonly expiration?: CalendarDate.CalendarDate | "all" | undefined
  readonly dte?: number | undefined
  readonly from?: CalendarDate.CalendarDate | undefined
  readonly to?: CalendarDate.CalendarDate | undefined
  readonly month?: number | undefined
  readonly year?: number | undefined
  readonly weekly?: boolean | undefined
  readonly monthly?: boolean | undefined
  readonly quarterly?: boolean | undefined
  readonly strike?: OptionChain.Numbers | undefined
  readonly delta?: OptionChain.Numbers | undefined
  /** Only the next monthly expiration, where no other filter chooses among them. */
  readonly nextMonthly?: boolean | undefined
  /** Which expirations are listed still; all where it is left out. */
  readonly isListed?: ((expiration: CalendarDate.CalendarDate) => boolean) | undefined
}

type Chain = OptionChain.OptionChain
type Series = OptionChain.SymbolColumn["series"][number]

/** Rows of a chain by their numbers. */
type Rows = ReadonlyArray<number>

/**
 * Keeps the contracts that are selected, in their order. `day` is the day of the chain, from which days to expiration count. First whole
 * expirations are chosen, then contracts by what they are and by their quotes, then strikes, and at last those nearest the money.
 */
export const select = (chain: Chain, selection: Selection, day: CalendarDate.CalendarDate): Chain => {
  const { codes, series } = chain.optionSymbol
  const listed = series.map((of) => isOfKind(of, selection) && selection.isListed?.(of.expiration) !== false)
  const expirations = chosenExpirations(series.filter((_, at) => listed[at]), selection, day)
  const isKept = series.map((of, at) => listed[at] === true && expirations.has(CalendarDate.toEpochDay(of.expiration)))
  const isQuoted = quoteFilter(chain, selection)
  const rows: Array<number> = []
  for (let row = 0; row < chain.length; row++) if (isKept[codes[row]!] === true && isQuoted(row)) rows.push(row)
  const kept = nearMoney(chain, byDelta(chain, byStrike(chain, rows, selection), selection), selection)
  return kept.length === chain.length ? chain : ColumnTable.pick(chain, kept)
}

/** Whether contracts are of the side, the standard and the settlement asked for. */
const isOfKind = (of: Series, { am, nonstandard, pm, side }: Selection): boolean => {
  if (side !== undefined && of.side !== side) return false
  if (nonstandard === false && /\d$/.test(of.root)) return false
  // Of an index, the root of its own name settles in the morning.
  const isMorning = Expiration.indexUnderlyings.has(of.root)
  if (am === undefined && pm === undefined) return true
  if (am === true || pm === true) return isMorning ? am === true : pm === true
  return isMorning ? am !== false : pm !== false
}

const isOf = (cycle: ExpirationCycle.ExpirationCycle, day: number): boolean => cycle.onOrAfter(day) === day

const monthlies = ExpirationCycle.thirdFridays()
const quarterlies = ExpirationCycle.monthEnds([3, 6, 9, 12])

const cycleOf = (day: number): "monthly" | "quarterly" | "weekly" =>
  isOf(monthlies, day) ? "monthly" : isOf(quarterlies, day) ? "quarterly" : "weekly"

/** The expirations that are asked for, as days since 1970-01-01. */
const chosenExpirations = (series: ReadonlyArray<Series>, selection: Selection, day: CalendarDate.CalendarDate) => {
  const { dte, expiration, from, month, nextMonthly, to, year } = selection
  const today = CalendarDate.toEpochDay(day)
  const chosen = [...new Set(series.map((of) => CalendarDate.toEpochDay(of.expiration)))]
    .filter((at) => isOfCycle(at, selection))
    .filter((at) => {
      const date = CalendarDate.fromEpochDay(at)
      return (expiration === undefined || expiration === "all" || at === CalendarDate.toEpochDay(expiration)) &&
        (from === undefined || at >= CalendarDate.toEpochDay(from)) &&
        (to === undefined || at <= CalendarDate.toEpochDay(to)) &&
        (month === undefined || date.month === month) &&
        (year === undefined || date.year === year)
    })
    .toSorted((a, b) => a - b)
  if (dte !== undefined) {
    return new Set(nearest(chosen, (at) => at - today, dte))
  }
  if (nextMonthly === true) return new Set(chosen.filter((at) => cycleOf(at) === "monthly").slice(0, 1))
  return new Set(chosen)
}

const isOfCycle = (day: number, { monthly, quarterly, weekly }: Selection): boolean => {
  const own = { monthly, quarterly, weekly }[cycleOf(day)]
  const isAnyNamed = monthly === true || quarterly === true || weekly === true
  return isAnyNamed ? own === true : own !== false
}

/** The element whose number is nearest to `wanted`; none of an empty list. */
const nearest = <A>(all: ReadonlyArray<A>, numberOf: (one: A) => number, wanted: number): ReadonlyArray<A> => {
  const distance = (one: A) => Math.abs(numberOf(one) - wanted)
  const [first, ...rest] = all.filter((one) => !Number.isNaN(numberOf(one)))
  return first === undefined ? [] : [rest.reduce((best, one) => distance(one) < distance(best) ? one : best, first)]
}

/** Whether a row's quotes are within the bounds, inclusive. Null is outside of any bound. */
const quoteFilter = (chain: Chain, selection: Selection): (row: number) => boolean => {
  const { maxBidAskSpread: spread, maxBidAskSpreadPct: share, range } = selection
  const tests: Array<(row: number) => boolean> = []
  const atLeast = (column: Float64Array, bound: number | undefined) =>
    bound !== undefined && tests.push((row) => column[row]! >= bound)
  const atMost = (column: Float64Array, bound: number | undefined) =>
    bound !== undefined && tests.push((row) => column[row]! <= bound)
  atLeast(chain.bid, selection.minBid)
  atMost(chain.bid, selection.maxBid)
  atLeast(chain.ask, selection.minAsk)
  atMost(chain.ask, selection.maxAsk)
  atLeast(chain.openInterest, selection.minOpenInterest)
  atLeast(chain.volume, selection.minVolume)
  // A difference of two prices in cents is not always exact; a millionth is far below what prices can differ by.
  const spreadOf = (row: number) => chain.ask[row]! - chain.bid[row]! - 1e-6
  if (spread !== undefined) tests.push((row) => spreadOf(row) <= spread)
  if (share !== undefined) tests.push((row) => spreadOf(row) <= share * chain.underlyingPrice[row]!)
  if (range === "itm" || range === "otm") {
    const wanted = range === "itm" ? 1 : 0
    tests.push((row) => chain.inTheMoney[row] === wanted)
  }
  return (row) => tests.every((test) => test(row))
}

/** Whether a number is one of those asked for; a single one and a list are taken exactly. */
const isAmong = (numbers: OptionChain.Numbers, value: number): boolean => {
  if (typeof numbers === "number") return value === numbers
  if (isList(numbers)) return numbers.includes(value)
  if ("from" in numbers) return value >= numbers.from && value <= numbers.to
  if ("above" in numbers) return value > numbers.above
  if ("atLeast" in numbers) return value >= numbers.atLeast
  return "below" in numbers ? value < numbers.below : value <= numbers.atMost
}

const isList = (numbers: Exclude<OptionChain.Numbers, number>): numbers is ReadonlyArray<number> =>
  Array.isArray(numbers)

const byStrike = (chain: Chain, rows: Rows, { strike }: Selection): Rows =>
  strike === undefined ? rows : rows.filter((row) => isAmong(strike, chain.strike[row]!))

/** Selects by delta: a number, or each of a list, selects the nearest contract of each expiration and side; a range selects all within it. */
const byDelta = (chain: Chain, rows: Rows, { delta }: Selection): Rows => {
  if (delta === undefined) return rows
  const absolute = (row: number) => Math.abs(chain.delta[row]!)
  const wanted = typeof delta === "number" ? [delta] : isList(delta) ? delta : undefined
  if (wanted === undefined) return rows.filter((row) => isAmong(delta, absolute(row)))
  const kept = new Set(
    groups(rows, (row) => `${chain.expiration[row]} ${chain.side[row]}`).flatMap((group) =>
      wanted.flatMap((one) => nearest(group, absolute, one))
    )
  )
  return rows.filter((row) => kept.has(row))
}

const groups = (rows: Rows, keyOf: (row: number) => string): ReadonlyArray<Rows> =>
  Object.values(Arr.groupBy(rows, keyOf))

/** Selects the strikes nearest the money of each expiration: `strikeLimit` in all if a side was chosen, else as many on either side of the money. */
const nearMoney = (chain: Chain, rows: Rows, { side, strikeLimit }: Selection): Rows => {
  if (strikeLimit === undefined) return rows
  const distance = (row: number) => Math.abs(chain.strike[row]! - chain.underlyingPrice[row]!)
  const half = (row: number) =>
    side !== undefined ? "" : chain.strike[row]! > chain.underlyingPrice[row]! ? "above" : "below"
  const kept = new Set(
    groups(rows, (row) => `${chain.expiration[row]} ${half(row)}`).flatMap((group) => {
      const ordered = group.toSorted((a, b) => distance(a) - distance(b))
      const strikes = new Set([...new Set(ordered.map((row) => chain.strike[row]!))].slice(0, strikeLimit))
      return group.filter((row) => strikes.has(chain.strike[row]!))
    })
  )
  return rows.filter((row) => kept.has(row))
}
