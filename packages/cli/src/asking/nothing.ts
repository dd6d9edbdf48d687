/** Why an answer may be empty: the filters that were given, and the commands that list what there is. The service says neither. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as Query from "@effect-marketdata/core/Query"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Result from "effect/Result"
import { flagOf } from "./flagNames.ts"

/** Options that leave nothing out of a reply. */
const isFilter = (name: string): boolean =>
  !["nonstandard", "extended", "adjustsplits", "adjustdividends"].includes(name)

/** Says of a day that it is no trading day, on which nothing can expire. */
const closed = ([name, text]: readonly [name: string, value: string]): ReadonlyArray<string> => {
  if (name !== "expiration" && name !== "date") return []
  const day = CalendarDate.parse(text)
  if (Result.isFailure(day) || TradingCalendar.isTradingDay(TradingCalendar.NYSE, day.success)) return []
  const before = TradingCalendar.previousTradingDay(TradingCalendar.NYSE, day.success)
  return [
    `${text} is no trading day${
      before._tag === "Some" ? `: the one before it is ${CalendarDate.format(before.value)}` : ""
    }`
  ]
}

/** What to look at where a query had no data; undefined where it names nothing that could have left them out. */
export const next = ({ kind, parameters, subject }: Query.Query): string | undefined => {
  const given = parameters.filter(([name]) => isFilter(name))
  const said = [
    ...given.flatMap(closed),
    ...(given.length === 0
      ? []
      : [
        `these left nothing, or the symbol is wrong: ${
          given.map(([name, value]) => `${flagOf(name)} ${value}`).join(" ")
        }`
      ]),
    ...(kind === "chain"
      ? [`see what there is with \`marketdata expirations ${subject}\` and \`marketdata strikes ${subject}\``]
      : [])
  ]
  return said.length === 0 ? undefined : said.join("; ")
}
