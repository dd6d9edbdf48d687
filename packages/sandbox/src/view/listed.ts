import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Profile from "@effect-marketdata/core/Profile"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Refusals from "../request/refusals.ts"
import type { View } from "./view.ts"

/** The moment whose listing is asked for: the newest that is known, or the close of a past day. */
export const moment = (
  view: View,
  date: CalendarDate.CalendarDate | undefined
): Result.Result<number, Refusals.Refusal> => {
  const known = view.known("options")
  if (date === undefined) return Result.succeed(known)
  return Option.match(TradingCalendar.session(TradingCalendar.NYSE, date), {
    onNone: () => Result.fail(Refusals.marketClosed),
    onSome: ({ close }) => close <= known ? Result.succeed(close) : Result.fail(Refusals.noData)
  })
}

/** What a listing says of when it was updated: the moment that it is of, or the midnight of a past day. */
export const updated = (
  { profile }: View,
  date: CalendarDate.CalendarDate | undefined,
  moment: number
): number => date !== undefined && Profile.get(profile, "pastListing") === "midnight" ? NewYork.midnight(date) : moment

/**
 * Which expirations of an underlying are listed still: now those that are not over by the clock, and all of a past day. Until the next session opens,
 * the newest quotes are those of a day on which an expiration was listed that is over since.
 */
export const isListed = (
  { now }: View,
  underlying: string,
  date: CalendarDate.CalendarDate | undefined
): (expiration: CalendarDate.CalendarDate) => boolean => {
  const isIndex = Expiration.indexUnderlyings.has(underlying)
  return (expiration) => date !== undefined || Expiration.closing(expiration, isIndex) > now
}

/** Whether contracts with adjusted roots are there where nobody says so: by the contract everything is, unless a filter leaves it out. */
export const hasNonstandard = (profile: Profile.Profile): boolean => Profile.get(profile, "unfilteredChain") === "all"
