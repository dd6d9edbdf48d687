import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import type { Endpoint } from "./Endpoint.ts"
import { soundly } from "./made.ts"
import type { Query } from "./query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Assumptions from "./assumptions.ts"
import * as Encoding from "./encoding.ts"
import * as Mode from "./mode.ts"
import * as Parameter from "./parameter.ts"
import { list, type Reader, refuse, type Texts } from "./parameter.ts"
import * as Rules from "./rules.ts"
import { nearest } from "../text/Problem.ts"

/**
 * The readers of the options that an endpoint has beside those of all; what is read becomes the parameter of the same name. Options that a
 * type only rules out have none.
 */
export type Readers<Own> = {
  readonly [Name in keyof Own as [Own[Name]] extends [undefined] ? never : Exclude<Name, keyof General>]-?: Reader
}

/** What every endpoint takes, read. */
interface General {
  readonly mode?: Mode.Read
  readonly columns?: ReadonlyArray<string>
  readonly assume?: Query["assume"]
}

/** The options of a query, read: its own as texts, and those that every endpoint has. */
export interface Given<Name extends string> {
  readonly texts: Texts<Name>
  readonly general: General
}

/** Reads the options of a query to an endpoint, which may have none of its own: every one is checked, for untyped callers too, and unknown ones are refused. */
export const read = <Name extends string>(
  row: Endpoint,
  readers: { readonly [N in Name]: Reader } | undefined,
  options: unknown
): Result.Result<Given<Name>, InvalidQuery> =>
  Result.map(
    Parameter.readOptions<Parameter.Readers>("options", options, { ...readers, ...generalReaders(row) }),
    (given) => {
      const { assume, columns, mode, ...texts } = given
      return { texts, general: { assume, columns, mode } } as Given<Name>
    }
  )

const generalReaders = (row: Endpoint) => ({
  mode: Mode.read,
  ...row.columns.length === 0 ? {} : { columns: columnsOf(row) },
  assume: (_: string, input: unknown) => Assumptions.readForQuery(row, input)
})

/** The columns of an endpoint: at least one, and each once. */
const columnsOf = (row: Endpoint): Reader<ReadonlyArray<string>> => {
  const columns = list(
    (name, input) =>
      row.columns.find((column) => column === input) === undefined
        ? refuse(
          name,
          input,
          Rules.column(row.name, typeof input === "string" ? nearest(input, row.columns) : undefined, row.columns)
        )
        : Result.succeed(input as string),
    Rules.columns(row.columns)
  )
  return (name, input) => Result.map(columns(name, input), (names) => [...new Set(names)])
}

/**
 * What an endpoint's constructor has found out about a query, beside what its options say.
 *
 * - `segments`: what stands in its path, by the names of the places
 * - `texts`: its parameters, where they are not its options; those that the row of the endpoint does not have are not sent
 * - `columns`: those to ask for, where they are not only the ones that the options name
 * - `returns`: the columns of a reply where none were asked for by name; the row's by default
 * - `historical`: whether it is about days that are over, for which nothing is cached
 */
export interface Details {
  readonly subject: string
  readonly segments?: Query["segments"]
  readonly tickers: ReadonlyArray<string>
  readonly list?: boolean
  readonly texts?: Texts<string>
  readonly columns?: ReadonlyArray<string> | undefined
  readonly returns?: ReadonlyArray<string>
  readonly historical?: boolean
}

/** Makes the query. */
export const make = <Data, Mode extends DataMode.DataMode | undefined>(
  row: Endpoint,
  given: Given<string>,
  details: Details
): Result.Result<Query<Data, Mode>, InvalidQuery> => {
  const { assume = {}, mode: { maxAge, mode } = { maxAge: undefined, mode: undefined } } = given.general
  const {
    columns = given.general.columns,
    historical = false,
    list = false,
    segments = {},
    subject,
    texts = given.texts,
    tickers
  } = details
  const cacheable = row.cached && !historical
  return Result.map(checkCache(mode, { cacheable, historical, endpoint: row }), () =>
    soundly({
      endpoint: row,
      kind: row.kindStated ? row.kind : assume.kind ?? row.kind,
      subject,
      path: Encoding.fill(list ? row.listPath! : row.path, segments),
      segments,
      tickers,
      list,
      parameters: row.parameters.flatMap((name) => {
        const text = texts[name]
        return text === undefined ? [] : [[name, text] as const]
      }),
      columns,
      returns: columns ?? details.returns ?? row.columns,
      historical,
      cacheable,
      // What was read has the type that was promised: leaving the mode out leaves out the type parameter, whose default is undefined.
      mode: mode as Mode,
      maxAge,
      assume
    }))
}

/** Refuses cached data where there is none (clause 8.2-cached-unavailable). */
export const checkCache = (
  mode: DataMode.DataMode | undefined,
  query: { readonly cacheable: boolean; readonly historical: boolean; readonly endpoint: { readonly name: string } }
): Result.Result<void, InvalidQuery> => {
  if (query.cacheable || !DataMode.isCached(mode)) return Result.succeed(undefined)
  return refuse("mode", "cached", query.historical ? Rules.cachedPastDay : Rules.cachedHere(query.endpoint.name))
}

/** A list of tickers: each once, in the order of their first mention, none of them malformed. */
export const tickersOf = (
  parameter: string,
  symbols: unknown
): Result.Result<ReadonlyArray<string>, InvalidQuery> => {
  const tickers = list(Encoding.ticker, Rules.tickers)
  return Result.map(tickers(parameter, symbols), (tickers) => [...new Set(tickers)])
}

/** How a list is called in messages: its first members, and the number of the others. */
export const nameOf = (tickers: ReadonlyArray<string>): string =>
  tickers.length <= 3 ? tickers.join(",") : `${tickers.slice(0, 2).join(",")} and ${tickers.length - 2} more`
