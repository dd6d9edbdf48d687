/** How an endpoint answers: what its reader may see of the market, what it is asked, and what it finds. */
import type * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Profile from "@effect-marketdata/core/Profile"
import type * as Query from "@effect-marketdata/core/Query"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as BlackScholes from "../market/BlackScholes.ts"
import type { Market } from "../market/Market.ts"
import * as QuoteTime from "../market/QuoteTime.ts"
import type { Parameters } from "../request/parameters.ts"
import type { Refusal } from "../request/refusals.ts"
import type { SandboxRequest } from "../wire/SandboxReply.ts"
import * as Cache from "./Cache.ts"

/**
 * What the asker of a query may see of the market (contract 8.2 to 8.4). Times are epoch seconds.
 *
 * - `balance`: how many credits its allowance has, and how many are left
 * - `newest`: the newest moment of options or of stocks that it is entitled to in the mode that it is served
 * - `at`: the moment that it is shown of a symbol, which in cached mode is no newer than the cache; undefined where nothing cached is
 *   young enough
 * - `known`: the newest moment of what has no price, such as a listing: now, and without a token the newest that is historical
 * - `isOver`: whether the end of a past day may be seen: with a historical entitlement only once its data count as historical
 */
export interface View {
  readonly market: Market
  readonly profile: Profile.Profile
  readonly now: number
  readonly account: Account.Account
  readonly balance: () => { readonly limit: number; readonly remaining: number }
  readonly request: SandboxRequest
  readonly newest: (kind: Freshness.Kind) => number
  readonly at: (kind: Freshness.Kind, symbol: string) => number | undefined
  readonly known: (kind: Freshness.Kind) => number
  readonly isOver: (kind: Freshness.Kind, day: CalendarDate.CalendarDate) => boolean
}

/** What decides how new the data of a reply may be. */
export interface Visibility {
  readonly now: number
  readonly profile: Profile.Profile
  readonly mode: DataMode.Parameter
  readonly dataType: Freshness.Freshness
}

/** The newest moment that may be seen. */
export const newest = ({ dataType, mode, now, profile }: Visibility, kind: Freshness.Kind): number => {
  if (mode === "eod") return Math.min(now, end(kind, lastClosed("stocks", profile, now)))
  if (dataType === "realTime") return now
  return dataType === "delayed" ? now - Freshness.delay : newestHistorical(kind, profile, now)
}

/**
 * Whether the end of a day may be seen: of a day before today, and with a historical entitlement of a session whose data count as
 * historical (clause 1-kinds).
 */
export const isOver = (
  { entitled, now, profile }: {
    readonly entitled: Freshness.Freshness
    readonly now: number
    readonly profile: Profile.Profile
  },
  kind: Freshness.Kind,
  day: CalendarDate.CalendarDate
): boolean =>
  entitled === "historical"
    ? NewYork.midnight(day) <= newestHistorical(kind, profile, now)
    : CalendarDate.toEpochDay(day) < NewYork.epochDayOf(now)

/** The moment of a symbol that is shown from the cache. */
export const cachedAt = (
  cache: Cache.Cache,
  symbol: string,
  maxAge: MaxAge.MaxAge | undefined,
  now: number
): number | undefined => {
  const refreshed = Cache.refreshedAt(cache, symbol, now)
  return refreshed !== -Infinity && MaxAge.accepts(maxAge, refreshed, now) ? refreshed : undefined
}

/** The newest moment of data that count as historical (clauses 8.4-stocks and 8.4-options). */
export const newestHistorical = (kind: Freshness.Kind, profile: Profile.Profile, now: number): number =>
  end(kind, lastClosed(kind, profile, now))

/** When the last quotes of a session are taken, of whatever options. */
const end = (kind: Freshness.Kind, session: TradingCalendar.Session | undefined): number =>
  session === undefined ? -Infinity : kind === "options" ? session.close + QuoteTime.indexOvertime : session.close

/** The last session whose data of a kind count as historical. */
const lastClosed = (kind: Freshness.Kind, profile: Profile.Profile, now: number) => {
  const late = Profile.get(profile, "historicalFrom")
  for (let back = 0; back < 30; back++) {
    const day = CalendarDate.addDays(NewYork.dateOf(now), -back)
    const session = Option.getOrUndefined(TradingCalendar.session(TradingCalendar.NYSE, day))
    if (session !== undefined && Freshness.becomesHistoricalAt(kind, session.close) + late <= now) return session
  }
  return undefined
}

/**
 * Whether an expiration is still listed: now if it is not over, on a past day always. The newest quotes may have an expiration that is over: until the next
 * session opens they are of the day before.
 */
export const isListed = (
  { now }: View,
  underlying: string,
  date: CalendarDate.CalendarDate | undefined
): (expiration: CalendarDate.CalendarDate) => boolean => {
  const isIndex = Expiration.indexUnderlyings.has(underlying)
  return (expiration) => date !== undefined || Expiration.closing(expiration, isIndex) > now
}

/** Whether contracts with adjusted roots are included by default: by the contract yes, on the public service no. */
export const hasNonstandard = (profile: Profile.Profile): boolean => Profile.get(profile, "unfilteredChain") === "all"

/** What a request asks of its endpoint: the path parameters by name, and the query parameters. */
export interface Asked {
  readonly segments: Readonly<Record<string, string>>
  readonly list: boolean
  readonly parameters: Parameters
  readonly profile: Profile.Profile
}

/** A request that core takes for a well-formed query, and how the market answers it. */
export interface Lookup {
  readonly query: Query.Query
  readonly answer: (view: View) => Result.Result<Found, Refusal>
}

/** How the requests of one endpoint are read. */
export type Reader = (asked: Asked) => Result.Result<Lookup, Refusal>

/**
 * What was found: rows in columns with fields beside them, or fields only. `symbols` are those of the market that the data are of; `bare` says that the reply
 * is a page of the public service's own, which has no `s`.
 */
export interface Found {
  readonly rows: Rows | undefined
  readonly bare: boolean
  readonly fields: Readonly<Record<string, unknown>>
  readonly symbols: ReadonlyArray<string>
}

/** A table of any endpoint. */
export interface Rows {
  readonly length: number
  readonly columnNames: ReadonlyArray<string>
  /** Reads one column, row by row; undefined where there is no such column. */
  readonly column: (name: string) => ((index: number) => unknown) | undefined
  readonly select: (names: ReadonlyArray<string>) => Rows
  readonly slice: (start: number, end: number) => Rows
  /** The table as core prints it, in parts or as one text. */
  readonly chunks: () => Iterable<string>
  readonly text: () => string
}

/** Columns that were printed before, by their tables: clients that poll get tables that the market has cached. */
const printed = new WeakMap<object, Map<string, string>>()

function* chunksOf<Spec extends ColumnSpec, Name extends keyof Spec & string>(
  table: ColumnTable.TableMethods<Spec, Name>,
  columnNames: ReadonlyArray<Name>
): Generator<string> {
  const texts = printed.get(table) ?? new Map<string, string>()
  printed.set(table, texts)
  // Without columns core prints the pieces around them; with one, that is the second piece.
  const [opening = "", closing = ""] = ColumnTable.encodeChunks(table, [])
  yield opening
  for (const name of columnNames) {
    const text = texts.get(name) ?? [...ColumnTable.encodeChunks(table, [name])][1]!
    texts.set(name, text)
    yield text
  }
  yield closing
}

/** Shows a table, or some of its columns, without its type. */
const rowsOf = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  table: ColumnTable.TableMethods<Spec, Name>,
  columnNames = table.columnNames
): Rows => ({
  length: table.length,
  columnNames,
  column: (name) => {
    const known = columnNames.find((own) => own === name)
    return known === undefined ? undefined : (index) => table.valueAt(known, index)
  },
  select: (names) => rowsOf(table, columnNames.filter((name) => names.includes(name))),
  slice: (start, end) => rowsOf(ColumnTable.slice(table, start, end), columnNames),
  chunks: () => ({ [Symbol.iterator]: () => chunksOf(table, columnNames) }),
  text: () => [...chunksOf(table, columnNames)].join("")
})

/** A table that was found, and what it is of. */
export const table = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  rows: ColumnTable.TableMethods<Spec, Name>,
  symbols: ReadonlyArray<string> = [],
  fields: Found["fields"] = {}
): Found => ({ rows: rowsOf(rows), bare: false, fields, symbols })

/** Fields that were found. */
export const fields = (fields: Found["fields"]): Found => ({ rows: undefined, bare: false, fields, symbols: [] })

/** The fields of a page of the public service's own. */
export const page = (fields: Found["fields"]): Found => ({ rows: undefined, bare: true, fields, symbols: [] })

/** The rows of a past day: as they are by the contract; the public service has no volatility and no greeks for past days. */
export const ofPastDay = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  profile: Profile.Profile,
  spec: Spec,
  rows: ColumnTable.ColumnTable<Spec, Name>
): ColumnTable.ColumnTable<Spec, Name> => {
  if (profile !== "public") return rows
  const packed = ColumnTable.pack(rows)
  const nulls = new Uint8Array((rows.length + 7) >> 3).fill(255)
  const lanes = [new Float64Array(rows.length).fill(NaN)]
  const columns = Object.fromEntries(["iv", ...BlackScholes.greeks].map((name) => [name, { lanes, legend: [], nulls }]))
  return ColumnTable.unpack(spec, { ...packed, columns: { ...packed.columns, ...columns } })
}
