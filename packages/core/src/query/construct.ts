import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import { nearest } from "../text/Problem.ts"
import type { Endpoint } from "./Endpoint.ts"
import { isSound, soundly } from "./made.ts"
import * as Parameter from "./parameter.ts"
import { check, type Query } from "./query.ts"
import * as Rules from "./rules.ts"

/**
 * The readers of the options that an endpoint has beside those of all; what is read is sent as the parameter of the same name. Options that a
 * type only rules out have none.
 */
export type Readers<Own> = {
  readonly [Name in keyof Own as [Own[Name]] extends [undefined] ? never : Exclude<Name, keyof General>]-?:
    Parameter.Reader<Parameter.Value>
}

/** The options of every endpoint, as they were read. */
interface General {
  readonly mode?: Parameter.ReadMode
  readonly columns?: ReadonlyArray<string>
  readonly assume?: Query["assume"]
}

/** The options of a query, as they were read: those of its endpoint, and those of every endpoint. */
export type Given<R extends Parameter.Readers> = { readonly own: Parameter.GivenOptions<R>; readonly general: General }

/** Reads the options of a query. All are checked, for untyped callers, and unknown ones are refused. */
export const read = <R extends Parameter.Readers>(
  row: Endpoint,
  readers: R,
  options: unknown
): Result.Result<Given<R>, InvalidQuery> =>
  Result.map(
    Parameter.readOptions<Parameter.Readers>("options", options, { ...readers, ...generalReaders(row) }),
    ({ assume, columns, mode, ...own }) => ({ own, general: { assume, columns, mode } }) as Given<R>
  )

const count = Parameter.whole({ min: 0 })

/** What a query may assume of its reply. */
export const assumptionReaders = {
  contracts: count,
  candles: count,
  symbols: count,
  credits: count,
  historical: Parameter.yesOrNo,
  kind: Parameter.choice(["chain", "quotes", "candles", "bulkCandles", "other", "free"])
} satisfies Parameter.ReadersOf<Query["assume"]>

/** Reads the assumptions about a reply. Messages name them as `assume.contracts`. */
export const readAssumptions = <R extends Parameter.Readers & Pick<typeof assumptionReaders, "kind">>(
  readers: R,
  row: Endpoint,
  input: unknown
): Result.Result<Parameter.GivenOptions<R>, InvalidQuery> =>
  Result.flatMap(
    Parameter.readOptions("assume", input, readers, "assume."),
    (given) =>
      row.kindStated && given.kind !== undefined && given.kind !== row.kind
        ? Parameter.refuse("assume.kind", given.kind, Rules.statedKind(row.kind, row.name))
        : Result.succeed(given)
  )

const generalReaders = (row: Endpoint) => ({
  mode: Parameter.dataMode,
  ...row.columns.length === 0 ? {} : { columns: columnsOf(row) },
  assume: (_: string, input: unknown) => readAssumptions(assumptionReaders, row, input)
})

/** The columns of an endpoint: at least one, and each once. */
const columnsOf = (row: Endpoint): Parameter.Reader<ReadonlyArray<string>> => {
  const column: Parameter.Reader = (name, input) => {
    const found = row.columns.find((column) => column === input)
    if (found !== undefined) return Result.succeed(found)
    const meant = typeof input === "string" ? nearest(input, row.columns) : undefined
    return Parameter.refuse(name, input, Rules.column(row.name, meant, row.columns))
  }
  const columns = Parameter.list(column, Rules.columns(row.columns))
  return (name, input) => Result.map(columns(name, input), (names) => [...new Set(names)])
}

/**
 * What the constructor of an endpoint adds to the options of a query.
 *
 * - `segments`: the path parameters by name
 * - `options`: the parameters, if they differ from the options; only those that the endpoint has are sent
 * - `resolution`: the length of a candle
 * - `columns`: the columns to ask for, if there are more than the options name
 * - `returns`: the columns of a reply if none were named; those of the endpoint by default
 * - `historical`: whether the query is about past days, for which nothing is cached
 */
export type Details =
  & Pick<Query, "subject" | "tickers">
  & Partial<Pick<Query, "segments" | "list" | "options" | "resolution" | "columns" | "returns" | "historical">>

/** Makes the query. */
export const make = <Data, Mode extends DataMode.DataMode | undefined>(
  row: Endpoint,
  given: Given<{}>,
  details: Details
): Result.Result<Query<Data, Mode>, InvalidQuery> => {
  const { assume = {}, mode: { maxAge, mode } = { maxAge: undefined, mode: undefined } } = given.general
  const { columns = given.general.columns, historical = false, list = false, options = given.own } = details
  const { resolution, segments = {}, subject, tickers } = details
  const cacheable = row.cached && !historical
  return Result.map(checkCache(mode, { cacheable, historical, endpoint: row }), () =>
    soundly({
      endpoint: row,
      kind: row.kindStated ? row.kind : assume.kind ?? row.kind,
      subject,
      path: Parameter.fill(list ? row.listPath! : row.path, segments),
      segments,
      tickers,
      list,
      options,
      ...resolution === undefined ? {} : { resolution },
      columns,
      returns: columns ?? details.returns ?? row.columns,
      historical,
      cacheable,
      // The mode has the type of the option: without the option, the type parameter is its default, undefined.
      mode: mode as Mode,
      maxAge,
      assume
    }))
}

/** Checks a query that may have been changed since it was made, or comes from untyped code. */
export const checkChanged = (query: Query): Result.Result<void, InvalidQuery> =>
  isSound(query) ? Result.void : Result.flatMap(check(query), ({ mode }) => Parameter.checkMode(mode))

/** Refuses cached data where there is none (clause 8.2-cached-unavailable). */
export const checkCache = (
  mode: DataMode.DataMode | undefined,
  query: { readonly cacheable: boolean; readonly historical: boolean; readonly endpoint: { readonly name: string } }
): Result.Result<void, InvalidQuery> => {
  if (query.cacheable || !DataMode.isCached(mode)) return Result.void
  const rule = query.historical ? Rules.cachedPastDay : Rules.cachedHere(query.endpoint.name)
  return Parameter.refuse("mode", "cached", rule)
}

/** Checks a list of tickers and removes repeated ones, whatever their case, in the order of their first mention. */
export const tickersOf = (parameter: string, symbols: unknown): Result.Result<ReadonlyArray<string>, InvalidQuery> => {
  const tickers = Parameter.list(Parameter.ticker, Rules.tickers)
  return Result.map(tickers(parameter, symbols), (tickers) => {
    const named = new Set(tickers.map((ticker) => ticker.toUpperCase()))
    return tickers.filter((ticker) => named.delete(ticker.toUpperCase()))
  })
}

/** The name of a list in messages: its first members, and the number of the others. */
export const nameOf = (tickers: ReadonlyArray<string>): string =>
  tickers.length <= 3 ? tickers.join(",") : `${tickers.slice(0, 2).join(",")} and ${tickers.length - 2} more`
