/** Values to try the market with, and how laws of it are held against them. */
import { CalendarDate, NewYork } from "@effect-marketdata/core"
import * as Stocks from "@effect-marketdata/sandbox/Stock"
import * as Underlying from "@effect-marketdata/sandbox/Underlying"
import * as fc from "fast-check"
import { runs } from "../../../../core/test/support/depth.ts"

export const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 })

export const underlying = fc.constantFrom(...Underlying.all)

export const day = (text: string): number => CalendarDate.toEpochDay(CalendarDate.parseUnsafe(text))

/** Any day of two years, as days since 1970-01-01. */
export const dayOf2026And2027 = fc.integer({ min: day("2026-01-01"), max: day("2027-12-31") })

/** Any second of two years, mostly in the hours of trading. */
export const moment = fc.tuple(
  dayOf2026And2027,
  fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 34_200, max: 57_600 }) }, fc.integer({ min: 0, max: 86_399 }))
).map(([epochDay, second]) => NewYork.toEpochSeconds(CalendarDate.fromEpochDay(epochDay), second))

/**
 * Holds a law against the same values in every run: a failure is then one of the code. With `endOnFailure` it is shown as it was found. It is
 * tried so often at full depth where `numRuns` does not say it, and half as often by default.
 */
export const holds = <Values>(
  law: fc.IProperty<Values>,
  { numRuns = runs(100, 50), ...options }: { readonly numRuns?: number; readonly endOnFailure?: boolean } = {}
): void => fc.assert(law, { seed: 22_718, numRuns, ...options })

export type Stock = Stocks.Stock

export const stock = (symbol: string): Stock => Stocks.all.find((stock) => stock.symbol === symbol)!

export const anyStock = fc.constantFrom(...Stocks.all)
