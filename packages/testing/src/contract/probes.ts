/** The requests of the suite, and their replies as checks read them: few, because each may cost credits, and each the cheapest that shows what it is for. */
import { CalendarDate, HttpRequest, NewYork, OptionSymbol, TradingCalendar } from "@effect-marketdata/core"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/** What is asked about, and by whose reading it is judged. `isDemoNamed` is true where the caller says which ticker the demo's is. */
export interface Setting {
  readonly profile: Profile.Profile
  readonly underlying: string
  readonly tickers: readonly [string, string]
  readonly demo: string
  readonly isDemoNamed: boolean
}

/** What the service shows of the price of a request: a figure and where it stands, or nothing that can be relied on. */
export type Charge =
  | { readonly _tag: "Shown"; readonly credits: number; readonly by: string }
  | { readonly _tag: "NotShown"; readonly why: string }

/** The part of a reply that checks read. `request` describes its request: `GET /v1/stocks/quotes/F/ (without a token)`; `at` is the service's time when it came. */
export interface Exchange {
  readonly request: string
  readonly token: "sent" | "none" | "wrong"
  readonly at: number
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly json: unknown
  readonly charge: Charge
}

/**
 * What was seen so far: each reply by the name of its probe, and why it is missing otherwise. Times are the service's, in epoch seconds: `began` is that of its
 * first reply, and decides which option and which past day the whole run asks about; `now` is that of its last.
 */
export interface Seen<in Name extends string = string> {
  readonly setting: Setting
  readonly began: number
  readonly now: number
  readonly reply: (name: Name) => Exchange | undefined
  readonly missing: (name: Name) => string
}

export const isData = ({ status }: Pick<Exchange, "status">): boolean => status === 200 || status === 203

/**
 * The page of the web server for a request line that is too long: the contract says that it is HTML and states the limit; the public
 * service's words are known.
 */
export const isTooLong = ({ headers, status, text }: Pick<Exchange, "headers" | "status" | "text">): boolean =>
  status === 400 && headers["content-type"]?.trim().toLowerCase().startsWith("text/html") === true &&
  (/\b4094\b/.test(text) || text.includes("Request Line is too large"))

/** A field of a body that is an object. */
export const field = (body: unknown, name: string): unknown =>
  Predicate.hasProperty(body, name) ? body[name] : undefined

/** A field of a body that is an array, or else nothing. */
export const column = (body: unknown, name: string): ReadonlyArray<unknown> => {
  const value = field(body, name)
  return Array.isArray(value) ? value : []
}

/** How many contracts a chain has. */
export const rowsOf = ({ json }: Pick<Exchange, "json">): number => column(json, "optionSymbol").length

/** All names and texts of a body, wherever they are: the contract does not show the shape of every reply. */
export const textsOf = (body: unknown): ReadonlySet<string> => {
  const texts = new Set<string>()
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === "string") texts.add(value)
    if (typeof value !== "object" || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.add(name)
      left.push(inner)
    }
  }
  return texts
}

/** The input of a probe: the replies so far, the path of the base URL, and whether the service shows what its replies cost. */
export interface Known extends Seen<Name> {
  readonly basePath: string
  readonly showsCharges: boolean
}

/**
 * One request. `credits` is the most that it may cost by the price table; `creditsOf` computes it from earlier replies. `needs` are the probes from whose
 * replies its target is made; if there is none, `without` says why.
 */
export interface Probe {
  readonly credits: number
  readonly creditsOf?: (known: Known) => number
  readonly token: "sent" | "none" | "wrong"
  readonly needs?: ReadonlyArray<Name>
  readonly without?: string
  readonly target: (known: Known) => string | undefined
}

const chains = ["chain", "cache", "stale", "hour", "minutes", "miss", "moment", "cachedPast", "closedDay"] as const

const ofOne = ["narrow", "narrowLive", "narrowDelayed", "past", "quote", "delayedQuote", "cachedQuote"] as const

const others = ["stockQuote", "prices", "bulkCandles", "candles", "cachedCandles", "cachedBulkCandles"] as const

const refusals = ["otherMode", "noDate", "dateToday", "inPath"] as const

const symbols = ["badExpiration", "badSide", "longStrike", "shortStrike", "decimalStrike", "legacy"] as const

const callers = ["noToken", "chainWithoutToken", "wrongToken", "demo", "demoChain", "demoAndMore"] as const

const last = ["fullLine", "noVersion", "wholeDelayed", "wholeLive", "longLine", "badSymbol"] as const

/**
 * The probes in the order in which they are sent. Whole chains come last, because they take what the others leave of the budget. The long line comes before a
 * refusal: its own page shows no price, but the balance in the next reply does.
 */
export const names = [
  ...[...chains, ...ofOne, "maxAgeLive", "lookup", "cachedLookup", ...others] as const,
  ...[...refusals, ...symbols, "noSuchOption", ...callers, "demoWrongToken", ...last] as const
] as const

export type Name = (typeof names)[number]

/** The contract whose quote is asked for: the most traded one of the chain that does not expire during the run, for which an hour is enough. */
export const contractOf = (seen: Seen<Name>): OptionSymbol.OptionSymbol | undefined => {
  const body = seen.reply("chain")?.json
  const volume = column(body, "volume")
  let most = -Infinity
  let contract: OptionSymbol.OptionSymbol | undefined
  for (const [row, text] of column(body, "optionSymbol").entries()) {
    const traded = Number(volume[row] ?? 0)
    if (!(traded > most) || typeof text !== "string") continue
    const symbol = Result.getOrUndefined(OptionSymbol.parse(text))
    if (symbol === undefined || NewYork.at(symbol.expiration, 16, 0) <= seen.began + 3600) continue
    most = traded
    contract = symbol
  }
  return contract
}

/** The past day that is asked about: five trading days ago. */
export const pastDay = ({ began }: Pick<Seen, "began">): CalendarDate.CalendarDate => {
  let day = NewYork.dateOf(began)
  for (let days = 0; days < 5; days++) {
    day = Option.getOrElse(TradingCalendar.previousTradingDay(TradingCalendar.NYSE, day), () => day)
  }
  return day
}

/** The service's day, which may end before the request arrives: in its last minutes the next one, which is not past either. */
const today = ({ now }: Pick<Seen, "now">): string => CalendarDate.format(NewYork.dateOf(now + 300))

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

const lookup = (parameters = ""): Probe =>
  about(({ expiration: { day, month, year }, side, strike }, { setting }) => {
    const words = `${setting.underlying} ${month}/${day}/${year} $${strike} ${side === "call" ? "Call" : "Put"}`
    return `/v1/options/lookup/${encodeURIComponent(words)}${parameters}`
  })

const candles = (parameters = ""): Probe =>
  sent((known) => {
    const day = pastDay(known)
    // Several, because one candle costs a credit also where each is billed.
    const [from, to] = [CalendarDate.addDays(day, -7), day].map((day) => CalendarDate.format(day))
    return `/v1/stocks/candles/D/${known.setting.tickers[0]}/?from=${from}&to=${to}${parameters}`
  })

/** The root of option symbols, or its beginning: the ticker without a point. */
export const rootOf = (underlying: string): string => underlying.replaceAll(/[^A-Z]/g, "")

/** A target with a request line of a given length in bytes, for an option that does not exist. */
const line = (bytes: number, { setting }: Known): string => {
  const target = `/v1/options/quotes/${rootOf(setting.underlying)}991218C99999999/?pad=`
  return target.padEnd(target.length + bytes - HttpRequest.lineBytes(target), "x")
}

/** A quote of an invalid symbol, or of an option that does not exist. */
const symbol = (end: string): Probe => sent(({ setting }) => `/v1/options/quotes/${rootOf(setting.underlying)}${end}/`)

/** The chain of one strike and expiration. The contract knows no such filters: a service may refuse or ignore them. */
const narrow = (mode: string, needs: Name): Probe => ({
  ...about(({ expiration, strike }, { setting }) => {
    const day = CalendarDate.format(expiration)
    return `/v1/options/chain/${setting.underlying}/?mode=${mode}&expiration=${day}&strike=${strike}`
  }),
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

/** The same in a mode that bills each contract; only if the service applies the filters, because it would otherwise bill the whole chain. */
const narrowIn = (mode: string): Probe => {
  const probe = narrow(mode, "narrow")
  return {
    ...probe,
    credits: most,
    without: "the service does not filter chains by strike and expiration",
    target: (known) => isNarrow(known) ? probe.target(known) : undefined
  }
}

/** Room for contracts that are listed after the reply which tells the count. */
const room = 10

/**
 * The whole chain in a mode that bills each contract, for a service that ignores the filters. Its price follows from the cached chain and must fit into what is
 * left of the budget; it is not part of the price of a run. Not sent if the charge could not be seen.
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

/** The assumed contracts of the chain of a past day, which costs a credit for each thousand. */
const plannedPast = 5000

/** The most that the chain of a past day may cost: it may have had a thousand contracts more, and a part of a thousand may count as a whole. */
const creditsOfPast = (contracts: number): number => Math.ceil(contracts / 1000) + 1

/** Every probe. */
export const byName: Readonly<Record<Name, Probe>> = {
  chain: chain(() => "mode=cached"),
  cache: chain(() => "mode=cache"),
  stale: chain(() => "mode=stale"),
  hour: chain(() => "mode=cached&maxage=1h"),
  minutes: chain(() => "mode=cached&maxage=5min"),
  // An age that no cached chain has.
  miss: chain(({ now }) =>
    `mode=cached&maxage=${CalendarDate.format(CalendarDate.addDays(NewYork.dateOf(now), 1))}T12:00:00`
  ),
  // A moment that every cached chain is younger than.
  moment: chain((known) => `mode=cached&maxage=${CalendarDate.format(pastDay(known))}T12:00:00`),
  cachedPast: chain((known) => `mode=cached&date=${CalendarDate.format(pastDay(known))}`),
  // A Saturday, on which nothing is traded.
  closedDay: chain((known) => {
    const day = pastDay(known)
    return `date=${CalendarDate.format(CalendarDate.addDays(day, -1 - CalendarDate.dayOfWeek(day)))}`
  }),
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
  // A proxy may remove the path of the base URL: this line is too long without it, and the full one is as long as allowed with it.
  longLine: sent((known) => line(HttpRequest.maxLineBytes + 1, known)),
  fullLine: unpaid((known) => line(HttpRequest.maxLineBytes - known.basePath.length, known)),
  lookup: lookup(),
  cachedLookup: lookup("?mode=cached"),
  stockQuote: sent(({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`),
  prices: sent(({ setting }) => `/v1/stocks/prices/?symbols=${setting.tickers.join(",")}`, 2),
  bulkCandles: sent(({ setting }) => `/v1/stocks/bulkcandles/D/?symbols=${setting.tickers.join(",")}`, 2),
  cachedBulkCandles: sent(({ setting }) => `/v1/stocks/bulkcandles/D/?symbols=${setting.tickers[0]}&mode=cached`),
  candles: candles(),
  cachedCandles: candles("&mode=cached"),
  noToken: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`),
  chainWithoutToken: unpaid(({ setting }) => `/v1/options/chain/${setting.underlying}/`),
  wrongToken: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.tickers[0]}/`, "wrong"),
  demo: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.demo}/`),
  demoChain: unpaid(({ setting }) => `/v1/options/chain/${setting.demo}/`),
  demoAndMore: unpaid(({ setting }) => `/v1/stocks/prices/?symbols=${setting.demo},${setting.tickers[0]}`),
  demoWrongToken: unpaid(({ setting }) => `/v1/stocks/quotes/${setting.demo}/`, "wrong"),
  noVersion: sent(({ setting }) => `/options/chain/${setting.underlying}/?mode=cached`)
}
