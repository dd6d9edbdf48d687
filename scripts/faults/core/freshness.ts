import type { Fault } from "../fault.ts"

const file = "packages/core/src/account/Freshness.ts"

/** What the rules of freshness could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "8.4-stocks", file, find: "updated < sameDay ?", replace: "updated <= sameDay ?" },
  {
    clause: "8.4-options",
    file,
    find: "TradingCalendar.nextTradingDay(calendar, date), 9, 30)",
    replace: "TradingCalendar.nextTradingDay(calendar, date), 9, 31)"
  },
  {
    clause: "8.2-timeliness",
    file,
    find: `mode._tag === "Delayed" ? delay : 0`,
    replace: `mode._tag === "Live" ? delay : 0`
  }
]
