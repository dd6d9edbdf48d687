/** Stocks to look at. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Stocks from "@effect-marketdata/sandbox/Stock"
import * as fc from "fast-check"

export type Stock = Stocks.Stock

export const of = (symbol: string): Stock => Stocks.all.find((stock) => stock.symbol === symbol)!

export const any = fc.constantFrom(...Stocks.all)

export const day = (text: string): number => CalendarDate.toEpochDay(CalendarDate.parseUnsafe(text))
