import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
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

/** Whether contracts with adjusted roots are there where nobody says so: by the contract everything is, unless a filter leaves it out. */
export const hasNonstandard = (profile: Profile.Profile): boolean => Profile.get(profile, "unfilteredChain") === "all"
