/** Stocks to look at. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Stock from "@effect-marketdata/sandbox/market/Stock"
import * as fc from "fast-check"

export const of = (symbol: string): Stock.Stock => Stock.all.find((stock) => stock.symbol === symbol)!

export const any = fc.constantFrom(...Stock.all)

export const day = (text: string): number => CalendarDate.toEpochDay(CalendarDate.parseUnsafe(text))
