import type * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Profile from "@effect-marketdata/core/Profile"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import type { Market } from "../market/Market.ts"
import * as QuoteTime from "../market/QuoteTime.ts"
import type { SandboxRequest } from "../wire/SandboxReply.ts"
import * as Cache from "./Cache.ts"

/**
 * What the asker of a query may see of the market (contract 8.2 to 8.4). Times are epoch seconds.
 *
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
  readonly standing: () => { readonly limit: number; readonly remaining: number }
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
