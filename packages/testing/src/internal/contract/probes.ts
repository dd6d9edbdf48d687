/** The requests of the suite: few, because each may cost credits, and each the cheapest that shows what it is for. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { column, type Seen } from "./exchange.ts"

/**
 * One request. `credits` is the most it may cost, whatever the service does with it as long as it keeps to its price table; `needs` names
 * the probes whose replies its target is made of. There is no target where these do not give one.
 */
export interface Probe {
  readonly credits: number
  readonly token: "sent" | "none" | "wrong"
  readonly needs?: ReadonlyArray<Name>
  readonly target: (seen: Seen<Name>) => string | undefined
}

export const names = [
  "chain",
  "cache",
  "stale",
  "hour",
  "miss",
  "cachedPast",
  "oneStrike",
  "oneStrikeLive",
  "past",
  "quote",
  "delayedQuote",
  "cachedQuote",
  "maxAgeLive",
  "otherMode",
  "noDate",
  "dateToday",
  "inPath",
  "badSymbol",
  "badExpiration",
  "badSide",
  "longStrike",
  "shortStrike",
  "decimalStrike",
  "legacy",
  "noSuchOption",
  "longLine",
  "lookup",
  "stockQuote",
  "prices",
  "cachedPrices",
  "bulkCandles",
  "candles",
  "noToken",
  "wrongToken",
  "demo",
  "noVersion"
] as const

export type Name = (typeof names)[number]

/** A contract of the chain whose quote is asked for: one that lives and has been traded. */
export const contractOf = (seen: Seen<Name>): OptionSymbol.OptionSymbol | undefined => {
  const body = seen.reply("chain")?.json
  const volume = column(body, "volume")
  const symbols = column(body, "optionSymbol").flatMap((text, row) => {
    const symbol = typeof text === "string" ? Result.getOrUndefined(OptionSymbol.parse(text)) : undefined
    return symbol !== undefined && Eastern.at(symbol.expiration, 16, 0) > seen.now && Number(volume[row]) > 0
      ? [symbol]
      : []
  })
  return symbols[0]
}

/** The past day that is asked about: five trading days ago. */
export const pastDay = ({ now }: Pick<Seen, "now">): CalendarDate.CalendarDate => {
  let day = Eastern.dateOf(now)
  for (let days = 0; days < 5; days++) {
    day = Option.getOrElse(TradingCalendar.previousTradingDay(TradingCalendar.NYSE, day), () => day)
  }
  return day
}

const today = ({ now }: Pick<Seen, "now">): string => CalendarDate.format(Eastern.dateOf(now))

const chain = (parameters: (seen: Seen<Name>) => string): Probe => ({
  credits: 1,
  token: "sent",
  target: (seen) => `/v1/options/chain/${seen.setting.underlying}/?${parameters(seen)}`
})

const quote = (parameters: (seen: Seen<Name>) => string): Probe => ({
  credits: 1,
  token: "sent",
  needs: ["chain"],
  target: (seen) => {
    const contract = contractOf(seen)
    return contract && `/v1/options/quotes/${OptionSymbol.format(contract)}/${parameters(seen)}`
  }
})

const sent = (target: (seen: Seen<Name>) => string, credits = 1): Probe => ({ credits, token: "sent", target })

const symbol = (end: string): Probe => sent(({ setting }) => `/v1/options/quotes/${setting.underlying}${end}/`)

/** A chain of one strike and expiration: a call and a put, and twice as many where there are adjusted contracts. */
const narrow = 4

const oneStrike = (seen: Seen<Name>, mode: string): string | undefined => {
  const contract = contractOf(seen)
  return contract &&
    `/v1/options/chain/${seen.setting.underlying}/?mode=${mode}&expiration=${
      CalendarDate.format(contract.expiration)
    }&strike=${contract.strike}`
}

/** The most contracts of a chain whose past is asked for: by the thousand it costs a few credits. */
const mostPast = 5000

/** Every probe; they are sent in the order of `names`. */
export const byName: Readonly<Record<Name, Probe>> = {
  chain: chain(() => "mode=cached"),
  cache: chain(() => "mode=cache"),
  stale: chain(() => "mode=stale"),
  hour: chain(() => "mode=cached&maxage=1h"),
  // Nothing cached is as young as that.
  miss: chain(({ now }) =>
    `mode=cached&maxage=${CalendarDate.format(CalendarDate.addDays(Eastern.dateOf(now), 1))}T12:00:00`
  ),
  cachedPast: chain((seen) => `mode=cached&date=${CalendarDate.format(pastDay(seen))}`),
  oneStrike: {
    credits: 1,
    token: "sent",
    needs: ["chain"],
    target: (seen) => oneStrike(seen, "cached")
  },
  oneStrikeLive: {
    credits: narrow,
    token: "sent",
    needs: ["oneStrike"],
    // A service that knows no such filter would send, and bill, the whole chain.
    target: (seen) => {
      const rows = column(seen.reply("oneStrike")?.json, "optionSymbol").length
      return rows > 0 && rows <= narrow ? oneStrike(seen, "live") : undefined
    }
  },
  past: {
    credits: 2 * mostPast / 1000,
    token: "sent",
    needs: ["chain"],
    target: (seen) =>
      column(seen.reply("chain")?.json, "optionSymbol").length <= mostPast
        ? `/v1/options/chain/${seen.setting.underlying}/?date=${CalendarDate.format(pastDay(seen))}`
        : undefined
  },
  quote: quote(() => ""),
  delayedQuote: quote(() => "?mode=delayed"),
  cachedQuote: quote(() => "?mode=cached"),
  maxAgeLive: quote(() => "?mode=live&maxage=1h"),
  otherMode: quote(() => "?mode=sideways"),
  noDate: quote(() => "?date=soon"),
  dateToday: quote((seen) => `?date=${today(seen)}`),
  inPath: {
    ...quote(() => ""),
    target: (seen) => {
      const contract = contractOf(seen)
      return contract && `/v1/options/quotes/${OptionSymbol.format(contract)}&mode=live/`
    }
  },
  badSymbol: symbol("26"),
  badExpiration: symbol("991318C00150000"),
  badSide: symbol("991218X00150000"),
  longStrike: symbol("991218C001500000"),
  shortStrike: symbol("991218C150000"),
  decimalStrike: symbol("991218C00150.00"),
  // A call of January, in the letters that symbols ended with until 2010.
  legacy: sent(() => "/v1/options/quotes/.IBMAT/"),
  noSuchOption: symbol("991218C99999999"),
  longLine: sent(({ setting }) => {
    const target = `/v1/options/quotes/${setting.underlying}991218C99999999/?pad=`
    return target.padEnd(target.length + HttpRequest.maxLineBytes + 1 - HttpRequest.lineBytes(target), "x")
  }),
  lookup: {
    ...quote(() => ""),
    target: (seen) => {
      const contract = contractOf(seen)
      if (contract === undefined) return
      const { expiration: { day, month, year }, side, strike } = contract
      const words = `${seen.setting.underlying} ${month}/${day}/${year} $${strike} ${side === "call" ? "Call" : "Put"}`
      return `/v1/options/lookup/${encodeURIComponent(words)}`
    }
  },
  stockQuote: sent(({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`),
  prices: sent(({ setting }) => `/v1/stocks/prices/?symbols=${setting.tickers.join(",")}`, 2),
  cachedPrices: sent(({ setting }) => `/v1/stocks/prices/?symbols=${setting.tickers.join(",")}&mode=cached`, 2),
  bulkCandles: sent(({ setting }) => `/v1/stocks/bulkcandles/D/?symbols=${setting.tickers.join(",")}`, 2),
  candles: sent((seen) => {
    const day = CalendarDate.format(pastDay(seen))
    return `/v1/stocks/candles/D/${seen.setting.tickers[0]}/?from=${day}&to=${day}`
  }),
  // Without a token there is no account that could be charged.
  noToken: {
    credits: 0,
    token: "none",
    target: ({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`
  },
  wrongToken: {
    credits: 0,
    token: "wrong",
    target: ({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`
  },
  demo: { credits: 0, token: "none", target: ({ setting }) => `/v1/stocks/quotes/${setting.demo}/` },
  noVersion: sent(({ setting }) => `/options/chain/${setting.underlying}/?mode=cached`)
}
