import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type { ColumnSpec } from "@effect-marketdata/core/columns/ColumnSpec"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as FundCandles from "@effect-marketdata/core/FundCandles"
import * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as StockBulkCandles from "@effect-marketdata/core/StockBulkCandles"
import * as StockCandles from "@effect-marketdata/core/StockCandles"
import * as StockEarnings from "@effect-marketdata/core/StockEarnings"
import * as StockNews from "@effect-marketdata/core/StockNews"
import * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Market from "../market/Market.ts"
import type { Marketplace } from "./marketplace.ts"

type Cell = string | number | boolean | null
const table = <Spec extends ColumnSpec>(spec: Spec, columns: Record<string, ReadonlyArray<Cell>>) =>
  Result.getOrThrow(
    ColumnTable.decode(spec, JSON.stringify({ s: "ok", ...columns }), { columns: Object.keys(columns) as never })
  )

export const over = (market: Market.Market): Marketplace => {
  const pick = (chain: OptionChain.OptionChain | undefined, wanted: ReadonlySet<string>) =>
    chain === undefined ? [] : OptionChain.toRows(chain).filter((row) => wanted.has(row.optionSymbol))
  const quotes = (symbols: ReadonlyArray<string>, chainOf: (u: string) => OptionChain.OptionChain | undefined) => {
    const rows = symbols.flatMap((symbol) => {
      const parsed = Result.getOrUndefined(OptionSymbol.parse(symbol))
      return parsed === undefined ? [] : pick(chainOf(Expiration.underlyingOf(parsed.root)), new Set([symbol]))
    })
    return table(
      OptionQuote.spec,
      Object.fromEntries(Object.keys(OptionQuote.spec).map((n) => [n, rows.map((r) => (r as never)[n])]))
    )
  }
  const isStock = (s: string) => market.underlyings.some((u) => u.symbol === s && u.kind !== "index")
  const priceAt = (s: string, at: number) => market.chain(s, at)!.underlyingPrice[0]!
  const updatedAt = (s: string, at: number) => market.chain(s, at)!.updated[0]!
  const sessions = (from: number, to: number) => {
    const days: Array<TradingCalendar.Session> = []
    for (let d = Eastern.epochDayOf(from); d <= Eastern.epochDayOf(to); d++) {
      const s = Option.getOrUndefined(TradingCalendar.session(TradingCalendar.NYSE, CalendarDate.fromEpochDay(d)))
      if (s) days.push(s)
    }
    return days
  }
  const starts = (resolution: string, from: number, to: number): ReadonlyArray<number> => {
    const m = /^(\d+)$/.exec(resolution)
    const h = /^(\d*)H$|^hourly$/i.exec(resolution)
    const step = m ? Number(m[1]) * 60 : h ? Number(h[1] || 1) * 3600 : 0
    const all = sessions(from, to).flatMap((s) =>
      step === 0
        ? [Eastern.midnight(s.date)]
        : Array.from({ length: Math.ceil((s.close - s.open) / step) }, (_, i) => s.open + i * step)
    )
    return all.filter((t) => t >= from && t <= to)
  }
  const flat = (s: string, ts: ReadonlyArray<number>) =>
    ts.map((t) => Math.round(100 * (100 + (t / 86400 % 7) + s.length)) / 100)
  return {
    ...market,
    optionQuotes: (symbols, at) => quotes(symbols, (u) => market.chain(u, at)),
    optionQuotesAtClose: (symbols, day) => quotes(symbols, (u) => market.endOfDay(u, day)),
    expirations: (symbol, at, strike) => {
      const chain = market.chain(symbol, at)
      if (chain === undefined) return undefined
      const days = new Set<number>()
      for (let i = 0; i < chain.length; i++) {
        if (strike === undefined || chain.strike[i] === strike) days.add(Eastern.epochDayOf(chain.expiration[i]!))
      }
      return [...days].toSorted((a, b) => a - b).map(CalendarDate.fromEpochDay)
    },
    strikes: (symbol, at, expiration) => {
      const chain = market.chain(symbol, at)
      if (chain === undefined) return undefined
      const by = new Map<number, Set<number>>()
      for (let i = 0; i < chain.length; i++) {
        const day = Eastern.epochDayOf(chain.expiration[i]!)
        if (expiration !== undefined && day !== CalendarDate.toEpochDay(expiration)) continue
        if (!by.has(day)) by.set(day, new Set())
        by.get(day)!.add(chain.strike[i]!)
      }
      return [...by].toSorted(([a], [b]) => a - b).map(([day, strikes]) => ({
        expiration: CalendarDate.fromEpochDay(day),
        strikes: [...strikes].toSorted((a, b) => a - b)
      }))
    },
    stockQuotes: (symbols, at) => {
      const known = symbols.filter(isStock)
      const last = known.map((s) => priceAt(s, at))
      const ones = known.map(() => 1)
      return table(StockQuotes.spec, {
        symbol: known,
        ask: last,
        askSize: ones,
        bid: last,
        bidSize: ones,
        mid: last,
        last,
        change: ones,
        changepct: ones,
        volume: ones,
        updated: known.map((s) => updatedAt(s, at)),
        "52weekHigh": last,
        "52weekLow": last,
        o: last,
        h: last,
        l: last,
        c: last
      })
    },
    stockPrices: (symbols, at) => {
      const known = symbols.filter(isStock)
      const ones = known.map(() => 1)
      return table(StockPrices.spec, {
        symbol: known,
        mid: known.map((s) => priceAt(s, at)),
        change: ones,
        changepct: ones,
        updated: known.map((s) => updatedAt(s, at))
      })
    },
    stockCandles: (symbol, { from, resolution, to }) => {
      if (!isStock(symbol)) return undefined
      const t = starts(resolution, from, to)
      const p = flat(symbol, t)
      return table(StockCandles.spec, { t, o: p, h: p, l: p, c: p, v: t.map(() => 5) })
    },
    bulkCandles: (symbols, day) => {
      const known = symbols === "all"
        ? market.underlyings.map((u) => u.symbol).filter(isStock)
        : symbols.filter(isStock)
      const p = known.map((s) => s.length + 0.5)
      return table(StockBulkCandles.spec, {
        symbol: known,
        o: p,
        h: p,
        l: p,
        c: p,
        v: p,
        t: known.map(() => Eastern.midnight(day))
      })
    },
    earnings: (symbol, { at, from, to }) => {
      if (!isStock(symbol)) return undefined
      const dates: Array<number> = []
      for (let t = Math.ceil(from / 7_776_000) * 7_776_000; t <= to; t += 7_776_000) dates.push(t)
      const nulls = dates.map((t) => t > at ? null : 1)
      return table(StockEarnings.spec, {
        symbol: dates.map(() => symbol),
        fiscalYear: dates.map((t) => Eastern.dateOf(t).year),
        fiscalQuarter: dates.map(() => 1),
        date: dates,
        reportDate: dates,
        reportTime: dates.map(() => "after market close"),
        currency: dates.map(() => "USD"),
        reportedEPS: nulls,
        estimatedEPS: dates.map(() => 1),
        surpriseEPS: nulls,
        surpriseEPSpct: nulls,
        updated: dates
      })
    },
    news: (symbol, { at, from, to }) => {
      if (!isStock(symbol)) return undefined
      const t: Array<number> = []
      for (let d = Math.ceil(from / 86_400) * 86_400; d <= Math.min(to, at); d += 86_400) t.push(d)
      return table(StockNews.spec, {
        symbol: t.map(() => symbol),
        headline: t.map((d) => `News of ${d}`),
        content: t.map(() => "…"),
        source: t.map(() => "https://example.com"),
        publicationDate: t
      })
    },
    marketStatus: ({ from, to }) => {
      const days: Array<number> = []
      for (let d = CalendarDate.toEpochDay(from); d <= CalendarDate.toEpochDay(to); d++) days.push(d)
      return table(MarketStatus.spec, {
        date: days.map((d) => Eastern.midnight(CalendarDate.fromEpochDay(d))),
        status: days.map((d) =>
          TradingCalendar.isTradingDay(TradingCalendar.NYSE, CalendarDate.fromEpochDay(d)) ? "open" : "closed"
        )
      })
    },
    fundCandles: (symbol, { from, resolution, to }) => {
      if (symbol !== "VFINX") return undefined
      const t = starts(resolution, from, to)
      const p = flat(symbol, t)
      return table(FundCandles.spec, { t, o: p, h: p, l: p, c: p })
    }
  }
}
