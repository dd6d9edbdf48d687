/** Values to try the market with. */
import { CalendarDate, NewYork } from "@effect-marketdata/core"
import * as Underlying from "@effect-marketdata/sandbox/Underlying"
import * as fc from "fast-check"

export const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 })

export const underlying = fc.constantFrom(...Underlying.all)

const day = (text: string): number => CalendarDate.toEpochDay(CalendarDate.parseUnsafe(text))

/** Any day of two years, as days since 1970-01-01. */
export const dayOf2026And2027 = fc.integer({ min: day("2026-01-01"), max: day("2027-12-31") })

/** Any second of two years, mostly in the hours of trading. */
export const moment = fc.tuple(
  dayOf2026And2027,
  fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 34_200, max: 57_600 }) }, fc.integer({ min: 0, max: 86_399 }))
).map(([epochDay, second]) => NewYork.toEpochSeconds(CalendarDate.fromEpochDay(epochDay), second))
