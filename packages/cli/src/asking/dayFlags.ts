/** The flags that say which days and rows are asked for. */
import * as Flag from "effect/cli/Flag"
import { count, positive } from "./flags.ts"

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

/** A range of days, or the last rows before a day. */
export const rangeFlags = {
  from: text(
    "from",
    "DAY",
    "The first day, as YYYY-MM-DD, or a time in New York such as \"2026-11-20 09:30\", or \"5 days ago\""
  ),
  to: text("to", "DAY", "The last day, written in the same way"),
  countback: positive("countback", "10").pipe(
    Flag.withDescription("How many rows before --to, or before now; instead of --from"),
    Flag.optional
  )
}

/** One day, a range of days, or the last rows before a day. */
export const dayOrRangeFlags = {
  date: text("date", "DAY", "One day, as YYYY-MM-DD, today or yesterday; instead of a range"),
  ...rangeFlags
}

/** A past trading day. */
export const pastDayFlags = {
  date: text("date", "DAY", "As of a past day, as YYYY-MM-DD; as of now where it is left out")
}

/** Which of many rows come back. */
export const pageFlags = {
  limit: positive("limit", "10").pipe(Flag.withDescription("The most rows that come back"), Flag.optional),
  offset: count("offset", 0, "10").pipe(
    Flag.withMetavar("COUNT"),
    Flag.withDescription("How many rows to leave out first"),
    Flag.optional
  )
}
