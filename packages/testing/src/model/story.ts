import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as Result from "effect/Result"

/** Whose account is used. */
export type Who = "trader" | "broker" | "professional" | "trial" | "nobody" | "stranger"

/** Where from. */
export type Where = "home" | "office" | "abroad"

/** What is asked. */
export type Subject =
  | { readonly about: "chain"; readonly symbol: string; readonly date: CalendarDate.CalendarDate | undefined }
  | { readonly about: "prices"; readonly symbols: ReadonlyArray<string> }
  | { readonly about: "candles"; readonly symbol: string; readonly count: number }
  | { readonly about: "expirations"; readonly symbol: string }

/** A query, with everything that decides its answer. `maxAge` is in minutes. */
export interface Ask {
  readonly who: Who
  readonly from: Where
  readonly subject: Subject
  readonly mode: "live" | "delayed" | "cached" | "cachedOrLive" | undefined
  readonly maxAge: number | undefined
}

/** The mode that a query is asked in. */
const modeOf = ({ maxAge, mode }: Ask): DataMode.DataMode | undefined => {
  const options = maxAge === undefined ? {} : { maxAge: `${maxAge}min` } as const
  switch (mode) {
    case undefined:
      return undefined
    case "live":
      return DataMode.live
    case "delayed":
      return DataMode.delayed
    case "cached":
      return DataMode.cached(options)
    case "cachedOrLive":
      return DataMode.cachedOrLive(options)
  }
}

/** What is asked, as a query of core's. */
export const queryOf = (ask: Ask): Result.Result<Query.Query, InvalidQuery> => {
  const mode = modeOf(ask)
  const uncached = mode?._tag === "Live" || mode?._tag === "Delayed" ? mode : undefined
  const { subject } = ask
  switch (subject.about) {
    case "chain":
      return subject.date === undefined
        ? Query.optionChain(subject.symbol, { mode, strikeLimit: 4 })
        : Query.optionChain(subject.symbol, { date: subject.date, strikeLimit: 4 })
    case "prices":
      return Query.stockPrices(subject.symbols, { mode })
    case "candles":
      return Query.stockCandles<never, DataMode.Live | DataMode.Delayed | undefined>("D", subject.symbol, {
        countback: subject.count,
        mode: uncached
      })
    case "expirations":
      return Query.optionExpirations(subject.symbol, { mode: uncached })
  }
}

/** The symbols that a query is about. */
export const symbolsOf = (subject: Subject): ReadonlyArray<string> =>
  subject.about === "prices" ? subject.symbols : [subject.symbol]

const whatOf = (subject: Subject): string => {
  switch (subject.about) {
    case "chain":
      return `the chain of ${subject.symbol}${
        subject.date === undefined ? "" : ` on ${CalendarDate.format(subject.date)}`
      }`
    case "prices":
      return `the prices of ${subject.symbols.join(", ")}`
    case "candles":
      return `${subject.count} candles of ${subject.symbol}`
    case "expirations":
      return `the expirations of ${subject.symbol}`
  }
}

const howOf = ({ maxAge, mode }: Ask): string => {
  if (mode === undefined) return ""
  const age = maxAge === undefined ? "" : ` of the last ${maxAge} minutes`
  return mode === "cachedOrLive" ? `, cached${age} or else live` : `, ${mode}${age}`
}

/** A query in words. */
export const tell = (ask: Ask): string => `${ask.who} asks from ${ask.from} for ${whatOf(ask.subject)}${howOf(ask)}`

/** Time that passes, in words. */
export const tellTime = (seconds: number): string =>
  seconds % 60 === 0 ? `${seconds / 60} minutes pass` : `${seconds} seconds pass`
