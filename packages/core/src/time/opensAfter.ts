import * as Option from "effect/Option"
import * as CalendarDate from "./CalendarDate.ts"
import * as NewYork from "./NewYork.ts"
import * as TradingCalendar from "./TradingCalendar.ts"

/** The next opening of a session: 09:30 in New York on a trading day. Where the calendar knows none, nothing lasts. */
export const opensAfter = (now: number, calendar: TradingCalendar.TradingCalendar): number => {
  const today = NewYork.dateOf(now)
  const first = now < NewYork.at(today, 9, 30) ? today : CalendarDate.addDays(today, 1)
  return Option.match(TradingCalendar.tradingDayOnOrAfter(calendar, first), {
    onNone: () => now,
    onSome: (day) => NewYork.at(day, 9, 30)
  })
}
