import * as Result from "effect/Result"
import * as DataMode from "../DataMode.ts"
import type { AnyMode, Columnar, Endpoint } from "../endpoints/Endpoint.ts"
import * as MaxAge from "../MaxAge.ts"
import type { Assumptions, Query } from "../Query.ts"
import type { InvalidQuery } from "../Reason.ts"
import * as Encoding from "./encoding.ts"
import { type Parameter, refuse } from "./parameter.ts"

/**
 * What an endpoint's constructor has found out about a question.
 *
 * - `returns`: the columns of a reply where none were asked for by name; the row's by default
 * - `historical`: whether it is about days that are over, for which nothing is cached
 */
export interface Parts<Mode extends AnyMode> {
  readonly subject: string
  readonly path: string
  readonly tickers: ReadonlyArray<string>
  readonly list?: boolean
  readonly parameters: ReadonlyArray<Parameter>
  readonly historical?: boolean
  readonly returns?: ReadonlyArray<string>
  readonly options: Columnar<string, Mode>
}

/** Makes the question, after the checks that all endpoints share. */
export const make = <Data, Mode extends AnyMode>(
  row: Endpoint,
  parts: Parts<Mode>
): Result.Result<Query<Data, Mode>, InvalidQuery> =>
  Result.gen(function*() {
    const { options, path, subject, tickers } = parts
    const historical = parts.historical ?? false
    const cacheable = row.cached && !historical
    // Leaving the mode out leaves out the type parameter, whose default is undefined.
    const mode = options.mode as Mode
    yield* checkCache(mode, { cacheable, historical, subject })
    const maxAge = yield* maxAgeOf(mode)
    const columns = yield* columnsOf(row, options.columns)
    const assume = options.assume ?? {}
    yield* checkAssumptions(row, assume)
    return {
      endpoint: row.name,
      kind: row.kindStated ? row.kind : assume.kind ?? row.kind,
      subject,
      path,
      tickers,
      list: parts.list ?? false,
      parameters: parts.parameters,
      columns,
      returns: columns ?? parts.returns ?? row.columns,
      historical,
      cacheable,
      mode,
      maxAge,
      assume
    }
  })

/** Refuses cached data where there is none (clause 8.2-cached-unavailable). */
export const checkCache = (
  mode: AnyMode,
  query: { readonly cacheable: boolean; readonly historical: boolean; readonly subject: string }
): Result.Result<void, InvalidQuery> => {
  if (query.cacheable || !DataMode.isCached(mode)) return Result.succeed(undefined)
  return refuse(
    "mode",
    "cached",
    query.historical
      ? "there is no cached data of a past day: leave out the date, or the mode"
      : "there is no cached data at this endpoint: leave out the mode, or ask for live or delayed data"
  )
}

const maxAgeOf = (mode: AnyMode): Result.Result<MaxAge.MaxAge | undefined, InvalidQuery> => {
  if (mode?.maxAge === undefined) return Result.succeed(undefined)
  const age = MaxAge.parse(mode.maxAge)
  if (Result.isFailure(age)) return refuse("maxAge", age.failure.input, `it ${age.failure.rule}`)
  return DataMode.isCached(mode)
    ? Result.succeed(age.success)
    : refuse(
      "maxAge",
      MaxAge.format(age.success),
      "only cached data have a greatest age: leave it out, or ask for cached"
    )
}

/** The columns asked for, each once; undefined where none are named. */
const columnsOf = (
  row: Endpoint,
  columns: ReadonlyArray<string> | undefined
): Result.Result<ReadonlyArray<string> | undefined, InvalidQuery> => {
  if (columns === undefined) return Result.succeed(undefined)
  if (columns.length === 0) {
    return refuse("columns", "", "name at least one column, or leave columns out for all of them")
  }
  const unknown = columns.find((name) => !row.columns.includes(name))
  return unknown === undefined
    ? Result.succeed([...new Set(columns)])
    : refuse("columns", unknown, `the columns of this endpoint are ${row.columns.join(", ")}`)
}

const checkAssumptions = (row: Endpoint, assume: Assumptions): Result.Result<void, InvalidQuery> => {
  for (const name of ["contracts", "candles", "symbols", "credits"] as const) {
    const count = assume[name]
    if (count !== undefined && !(Number.isInteger(count) && count >= 0)) {
      return refuse(`assume.${name}`, String(count), "a count is a whole number, 0 or more")
    }
  }
  return row.kindStated && assume.kind !== undefined && assume.kind !== row.kind
    ? refuse("assume.kind", assume.kind, `the contract states the price rule of this endpoint: ${row.kind}`)
    : Result.succeed(undefined)
}

/** A list of tickers: each once, in the order of their first mention, none of them malformed. */
export const tickersOf = (
  parameter: string,
  symbols: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, InvalidQuery> =>
  Result.gen(function*() {
    const tickers = [...new Set(symbols)]
    if (tickers.length === 0) return yield* refuse(parameter, "", "name at least one ticker, such as SPY")
    for (const ticker of tickers) yield* Encoding.pathSegment(parameter, ticker)
    return tickers
  })

/** How a list is called in messages: its first members, and the number of the others. */
export const nameOf = (tickers: ReadonlyArray<string>): string =>
  tickers.length <= 3 ? tickers.join(",") : `${tickers.slice(0, 2).join(",")} and ${tickers.length - 2} more`
