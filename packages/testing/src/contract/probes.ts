/** The requests of the suite: few, because each may cost credits, and each the cheapest that shows what it is for. */
import { CalendarDate, HttpRequest, NewYork, OptionSymbol, TradingCalendar } from "@effect-marketdata/core"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { column, rowsOf, type Seen, type Setting } from "./exchange.ts"

/** What is known when a request is made: what was seen, the path of the base URL, and whether the service shows what its replies cost. */
export interface Known extends Seen<Name> {
  readonly basePath: string
  readonly showsCharges: boolean
}

/**
 * One request. `credits` is the most it may cost, whatever the service does with it as long as it keeps to its price table; `creditsOf`
 * says it where that follows from earlier replies. `needs` names the probes whose replies its target is made of; there is no target where
 * these do not give one, and `without` says why.
 */
export interface Probe {
  readonly credits: number
  readonly creditsOf?: (known: Known) => number
  readonly token: "sent" | "none" | "wrong"
  readonly needs?: ReadonlyArray<Name>
  readonly without?: string
  readonly target: (known: Known) => string | undefined
}

/**
 * In the order in which they are sent. Whole chains come after what costs little, because they take what the others left of the budget. The
 * long line comes before a refusal of the service: its page says nothing of its price, and what is left after it does.
 */
export const names = [
  "chain",
  "cache",
  "stale",
  "hour",
  "minutes",
  "miss",
  "moment",
  "cachedPast",
  "narrow",
  "narrowLive",
  "narrowDelayed",
  "past",
  "quote",
  "delayedQuote",
  "cachedQuote",
  "maxAgeLive",
  "lookup",
  "stockQuote",
  "prices",
  "bulkCandles",
  "candles",
  "otherMode",
  "noDate",
  "dateToday",
  "inPath",
  "badExpiration",
  "badSide",
  "longStrike",
  "shortStrike",
  "decimalStrike",
  "legacy",
  "noSuchOption",
  "noToken",
  "chainWithoutToken",
  "wrongToken",
  "demo",
  "demoChain",
  "demoAndMore",
  "demoWrongToken",
  "fullLine",
  "noVersion",
  "wholeDelayed",
  "wholeLive",
  "longLine",
  "badSymbol"
] as const

export type Name = (typeof names)[number]

/** The contract of the chain whose quote is asked for: of those that still trade, the one that is traded most. */
export const contractOf = (seen: Seen<Name>): OptionSymbol.OptionSymbol | undefined => {
  const body = seen.reply("chain")?.json
  const volume = column(body, "volume")
  let most = -Infinity
  let contract: OptionSymbol.OptionSymbol | undefined
  for (const [row, text] of column(body, "optionSymbol").entries()) {
    const traded = Number(volume[row] ?? 0)
    if (!(traded > most) || typeof text !== "string") continue
    const symbol = Result.getOrUndefined(OptionSymbol.parse(text))
    if (symbol === undefined || NewYork.at(symbol.expiration, 16, 0) <= seen.now) continue
    most = traded
    contract = symbol
  }
  return contract
}

/** The past day that is asked about: five trading days ago. */
export const pastDay = ({ now }: Pick<Seen, "now">): CalendarDate.CalendarDate => {
  let day = NewYork.dateOf(now)
  for (let days = 0; days < 5; days++) {
    day = Option.getOrElse(TradingCalendar.previousTradingDay(TradingCalendar.NYSE, day), () => day)
  }
  return day
}

const today = ({ now }: Pick<Seen, "now">): string => CalendarDate.format(NewYork.dateOf(now))

const sent = (target: (known: Known) => string, credits = 1): Probe => ({ credits, token: "sent", target })

/** Without a token, or with a wrong one, there is no account that could be charged. */
const unpaid = (target: Probe["target"], token: "none" | "wrong" = "none"): Probe => ({ credits: 0, token, target })

const chain = (parameters: (known: Known) => string): Probe =>
  sent((known) => `/v1/options/chain/${known.setting.underlying}/?${parameters(known)}`)

/** A request about a contract of the chain. */
const about = (target: (contract: OptionSymbol.OptionSymbol, known: Known) => string): Probe => ({
  credits: 1,
  token: "sent",
  needs: ["chain"],
  without: "the cached chain names no contract that still trades",
  target: (known) => {
    const contract = contractOf(known)
    return contract && target(contract, known)
  }
})

const quote = (parameters: (known: Known) => string): Probe =>
  about((contract, known) => `/v1/options/quotes/${OptionSymbol.format(contract)}/${parameters(known)}`)

/** The root of option symbols, which holds no point as tickers do. */
const root = ({ underlying }: Setting): string => underlying.replaceAll(/[^A-Z]/g, "")

/** A target with a request line of a given length in bytes, for an option that does not exist. */
const line = (bytes: number, { setting }: Known): string => {
  const target = `/v1/options/quotes/${root(setting)}991218C99999999/?pad=`
  return target.padEnd(target.length + bytes - HttpRequest.lineBytes(target), "x")
}

/** A quote of an invalid symbol, or of an option that does not exist. */
const symbol = (end: string): Probe => sent(({ setting }) => `/v1/options/quotes/${root(setting)}${end}/`)

/** The chain of one strike and expiration. The contract knows no such filters: a service may refuse or ignore them. */
const narrow = (mode: string, needs: Name): Probe => ({
  ...about((contract, { setting }) =>
    `/v1/options/chain/${setting.underlying}/?mode=${mode}&expiration=${
      CalendarDate.format(contract.expiration)
    }&strike=${contract.strike}`
  ),
  needs: [needs]
})

/** The most contracts of one strike and expiration: a call and a put, and twice as many where there are adjusted contracts. */
const most = 4

const rowsOfChain = (seen: Seen<Name>, name: Name = "chain"): number => rowsOf(seen.reply(name) ?? { json: [] })

/** Whether the service takes the filters. */
const isNarrow = (seen: Seen<Name>): boolean => {
  const rows = rowsOfChain(seen, "narrow")
  return rows > 0 && rows <= most
}

/** The same in a mode that bills each contract: only where the filters are taken, or the whole chain would be sent and billed. */
const narrowIn = (mode: string): Probe => {
  const probe = narrow(mode, "narrow")
  return {
    ...probe,
    credits: most,
    without: "the service does not filter chains by strike and expiration",
    target: (known) => isNarrow(known) ? probe.target(known) : undefined
  }
}

/** Room for contracts that are listed between the reply which tells the count and the next. */
const room = 10

/**
 * The whole chain in a mode that bills each contract, where the filters are not taken. Its price follows from the cached chain, and takes
 * what is left of the budget: it is not part of what a run costs otherwise. It would show nothing where the charge cannot be seen.
 */
const wholeIn = (mode: string): Probe => ({
  credits: 0,
  creditsOf: (known) => rowsOfChain(known) + room,
  token: "sent",
  needs: ["narrow"],
  without: "the service does not filter chains by strike and expiration, and does not show what a whole one costs",
  target: (known) =>
    !isNarrow(known) && known.showsCharges && rowsOfChain(known) > 0
      ? `/v1/options/chain/${known.setting.underlying}/?mode=${mode}`
      : undefined
})

/** What the chain of a past day is planned with, in contracts; by the thousand it costs a few credits. */
const plannedPast = 5000

/** It may have been larger by a thousand than it is now, and a part of a thousand may count as a whole one. */
const creditsOfPast = (contracts: number): number => Math.ceil(contracts / 1000) + 1

/** Every probe. */
export const byName: Readonly<Record<Name, Probe>> = {
  chain: chain(() => "mode=cached"),
  cache: chain(() => "mode=cache"),
  stale: chain(() => "mode=stale"),
  hour: chain(() => "mode=cached&maxage=1h"),
  minutes: chain(() => "mode=cached&maxage=5min"),
  // Nothing cached is as young as that.
  miss: chain(({ now }) =>
    `mode=cached&maxage=${CalendarDate.format(CalendarDate.addDays(NewYork.dateOf(now), 1))}T12:00:00`
  ),
  // Whatever is cached is younger than that.
  moment: chain((known) => `mode=cached&maxage=${CalendarDate.format(pastDay(known))}T12:00:00`),
  cachedPast: chain((known) => `mode=cached&date=${CalendarDate.format(pastDay(known))}`),
  narrow: narrow("cached", "chain"),
  narrowLive: narrowIn("live"),
  narrowDelayed: narrowIn("delayed"),
  wholeLive: wholeIn("live"),
  wholeDelayed: wholeIn("delayed"),
  past: {
    credits: creditsOfPast(plannedPast),
    creditsOf: (known) => creditsOfPast(Math.max(plannedPast, rowsOfChain(known))),
    token: "sent",
    needs: ["chain"],
    without: "the cached chain does not show how many contracts the chain of a past day may have",
    target: (known) =>
      rowsOfChain(known) === 0
        ? undefined
        : `/v1/options/chain/${known.setting.underlying}/?date=${CalendarDate.format(pastDay(known))}`
  },
  quote: quote(() => ""),
  delayedQuote: quote(() => "?mode=delayed"),
  cachedQuote: quote(() => "?mode=cached"),
  maxAgeLive: quote(() => "?mode=live&maxage=1h"),
  otherMode: quote(() => "?mode=sideways"),
  noDate: quote(() => "?date=soon"),
  dateToday: quote((known) => `?date=${today(known)}`),
  inPath: about((contract) => `/v1/options/quotes/${OptionSymbol.format(contract)}&mode=live/`),
  badSymbol: symbol("26"),
  badExpiration: symbol("991318C00150000"),
  badSide: symbol("991218X00150000"),
  longStrike: symbol("991218C001500000"),
  shortStrike: symbol("991218C150000"),
  decimalStrike: symbol("991218C00150.00"),
  // A call of January, in the letters that symbols ended with until 2010.
  legacy: sent(() => "/v1/options/quotes/.IBMAT/"),
  noSuchOption: symbol("991218C99999999"),
  // What is between here and the service may take the path of the base URL away: too long is the line without it, and full the one with it.
  longLine: sent((known) => line(HttpRequest.maxLineBytes + 1, known)),
  fullLine: unpaid((known) => line(HttpRequest.maxLineBytes - known.basePath.length, known)),
  lookup: about(({ expiration: { day, month, year }, side, strike }, { setting }) => {
    const words = `${setting.underlying} ${month}/${day}/${year} $${strike} ${side === "call" ? "Call" : "Put"}`
    return `/v1/options/lookup/${encodeURIComponent(words)}`
  }),
  stockQuote: sent(({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`),
  prices: sent(({ setting }) => `/v1/stocks/prices/?symbols=${setting.tickers.join(",")}`, 2),
  bulkCandles: sent(({ setting }) => `/v1/stocks/bulkcandles/D/?symbols=${setting.tickers.join(",")}`, 2),
  candles: sent((known) => {
    const day = CalendarDate.format(pastDay(known))
    return `/v1/stocks/candles/D/${known.setting.tickers[0]}/?from=${day}&to=${day}`
  }),
  noToken: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`),
  chainWithoutToken: unpaid(({ setting }) => `/v1/options/chain/${setting.underlying}/`),
  wrongToken: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`, "wrong"),
  demo: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.demo}/`),
  demoChain: unpaid(({ setting }) => `/v1/options/chain/${setting.demo}/`),
  demoAndMore: unpaid(({ setting }) => `/v1/stocks/prices/?symbols=${setting.demo},${setting.tickers[0]}`),
  demoWrongToken: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.demo}/`, "wrong"),
  noVersion: sent(({ setting }) => `/options/chain/${setting.underlying}/?mode=cached`)
}
