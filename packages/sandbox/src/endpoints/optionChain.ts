import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as ChainSelection from "./chainSelection.ts"
import * as Parameters from "../request/parameters.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"
import * as View from "../view/view.ts"

/** The chain of an underlying, and every filter of it (contract 4.1). */
export const read: Found.Reader = ({ parameters, profile, segments }) =>
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
            const kept = yield* Refusals.notEmpty(ChainSelection.select(chain, selection, date))
            const table = profile === "public" ? Found.withoutGreeks(OptionChain.spec, kept) : kept
            return Found.table(table, [underlying])
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
          const kept = yield* Refusals.notEmpty(ChainSelection.select(chain, { ...selection, isListed }, day))
          return Found.table(kept, [underlying])
        })
    }
  })

/**
 * Checks the filters by core's constructor, which refuses combinations that exclude each other. Core allows one way to choose expirations; the service takes
 * several, and keeps what all of them choose, so each way is checked by itself.
 */
const check = (
  underlying: string,
  { dte, expiration, from, month, to, year, ...others }: ChainSelection.Selection,
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

/** A chain without filters is whole by the contract; the public service gives the standard contracts of its next monthly expiration. */
const defaults = (filters: ChainSelection.Selection, profile: Profile.Profile): ChainSelection.Selection => {
  if (Profile.get(profile, "unfilteredChain") === "all") return {}
  const { dte, expiration, from, month, monthly, quarterly, to, weekly, year } = filters
  const choosers = [dte, expiration, from, month, monthly, quarterly, to, weekly, year]
  return {
    nextMonthly: choosers.every((chooser) => chooser === undefined),
    nonstandard: filters.nonstandard ?? View.hasNonstandard(profile)
  }
}
