/** The chain of an underlying: how its filters are read, and what they keep. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import * as ExpirationCycle from "../market/ExpirationCycle.ts"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as View from "../view/view.ts"

/** The chain of an underlying, and every filter of it (contract 4.1). */
export const read: View.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const underlying = segments["underlyingSymbol"]!
    const filters = yield* readFilters(parameters)
    const date = yield* Parameters.date(parameters)
    const query = yield* check(underlying, filters, date)
    yield* Parameters.checkPastDay(query, parameters.now)
    const selection = { ...filters, ...defaults(filters, profile) }
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          if (view.market.find(underlying) === undefined) return yield* Result.fail(Refusals.symbolNotFound)
          if (date !== undefined) {
            const chain = view.market.endOfDay(underlying, date)
            if (chain === undefined) return yield* Result.fail(Refusals.marketClosed)
            if (!view.isOver("options", date)) return yield* Result.fail(Refusals.noData)
            const kept = yield* Refusals.notEmpty(select(chain, selection, date))
            return View.table(View.ofPastDay(profile, OptionChain.spec, kept), [underlying])
          }
          const at = view.at("options", underlying)
          if (at === undefined) return yield* Result.fail(Refusals.noContent)
          const chain = view.market.chain(underlying, at)
          if (chain === undefined) return yield* Result.fail(Refusals.noData)
          const day = NewYork.dateOf(chain.updated[0] ?? at)
          // An expiration that is named is answered with its last quotes even if it is over.
          const isListed = typeof selection.expiration === "object"
            ? undefined
            : View.isListed(view, underlying, date)
          const kept = yield* Refusals.notEmpty(select(chain, { ...selection, isListed }, day))
          return View.table(kept, [underlying])
        })
    }
  })

/**
 * Checks the filters by core's constructor, which refuses combinations that exclude each other. Core allows one way to choose expirations; the service takes
 * several, and keeps what all of them choose, so each way is checked by itself.
 */
const check = (
  underlying: string,
  { dte, expiration, from, month, to, year, ...others }: Filters,
  date: CalendarDate.CalendarDate | undefined
): Result.Result<Query.Query, Refusals.Refusal> =>
  Result.gen(function*() {
    if (dte !== undefined && (from ?? to) !== undefined) return yield* Result.fail(Refusals.dteWithRange)
    const chain = (options: object) => Refusals.query<Query.Query>(Query.optionChain(underlying, options))
    for (const way of [{ expiration }, { dte }, { from, to }, { month, year }]) {
      if (Object.values(way).some((value) => value !== undefined)) yield* chain(way)
    }
    return yield* chain({ ...others, date })
  })

const flags = ["weekly", "monthly", "quarterly", "nonstandard", "am", "pm"] as const
const prices = ["minBid", "maxBid", "minAsk", "maxAsk", "maxBidAskSpread"] as const
const amounts = ["month", "year", "strikeLimit", ...prices, "minOpenInterest", "minVolume"] as const

const readFilters = (parameters: Parameters.Parameters) =>
  Result.gen(function*() {
    const expiration: CalendarDate.CalendarDate | "all" | undefined =
      Parameters.text(parameters, "expiration")?.toLowerCase() === "all"
        ? "all"
        : yield* Parameters.day(parameters, "expiration")
    const strike = yield* Parameters.numbers(parameters, "strike")
    const dte = yield* Parameters.number(parameters, "dte")
    const delta = yield* Parameters.numbers(parameters, "delta")
    return {
      expiration,
      // In the service an expiration silently overrides `dte`, and a strike `delta`.
      dte: expiration === undefined ? dte : undefined,
      delta: strike === undefined ? delta : undefined,
      strike,
      ...yield* Parameters.several(parameters, Parameters.day, ["from", "to"]),
      ...yield* Parameters.several(parameters, Parameters.number, amounts),
      ...yield* Parameters.several(parameters, Parameters.flag, flags),
      side: yield* Parameters.choice(parameters, "side", ["call", "put"]),
      range: yield* Parameters.choice(parameters, "range", ["itm", "otm", "all"]),
      maxBidAskSpreadPct: yield* Parameters.share(parameters, "maxBidAskSpreadPct")
    }
  })

type Filters = Result.Result.Success<ReturnType<typeof readFilters>>

/** What is kept of a chain. */
interface Selection extends Filters {
  /** Only the next monthly expiration, where no other filter chooses among them. */
  readonly nextMonthly?: boolean
  /** Which expirations are listed still; all where it is left out. */
  readonly isListed?: ((expiration: CalendarDate.CalendarDate) => boolean) | undefined
}

/** A chain without filters is whole by the contract; the public service gives the standard contracts of its next monthly expiration. */
const defaults = (filters: Filters, profile: Profile.Profile) => {
  if (Profile.get(profile, "unfilteredChain") === "all") return {}
  const { dte, expiration, from, month, monthly, quarterly, to, weekly, year } = filters
  const choosers = [dte, expiration, from, month, monthly, quarterly, to, weekly, year]
  return {
    nextMonthly: choosers.every((chooser) => chooser === undefined),
    nonstandard: filters.nonstandard ?? View.hasNonstandard(profile)
  }
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
