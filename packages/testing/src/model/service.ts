import { Account, CalendarDate, IpRule, Ledger, MaxAge, NewYork, Query, TradingCalendar } from "@effect-marketdata/core"
import { DataMode, Freshness } from "@effect-marketdata/core"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"

/** Whose account is used. */
export type Who = "trader" | "broker" | "professional" | "trial" | "nobody" | "stranger"

/** A query, and who asks it from where. */
export interface Ask {
  readonly who: Who
  readonly from: "home" | "office" | "abroad"
  readonly query: Query.Query
}

const member = (name: string, plan: Account.Plan, user: Account.User, credits: number) =>
  Accounts.make(`model-${name}`, Account.make({ plan, user, allowance: { credits, window: "day" } }))

/** The accounts. Few credits, so that they run out within a story. */
const members: Readonly<Record<Exclude<Who, "nobody" | "stranger">, Accounts.Account>> = {
  trader: member("trader", "paid", Account.nonProfessional("realTime"), 40),
  broker: member("broker", "paid", Account.nonProfessional("delayed"), 1000),
  professional: member("professional", "paid", Account.professional, 1000),
  trial: member("trial", "trial", Account.nonProfessional("realTime"), 1000)
}

/** The member of a name; undefined for `"nobody"` and `"stranger"`. */
const memberOf = (who: Who) => who === "nobody" || who === "stranger" ? undefined : members[who]

/** The token of a name, which for `"stranger"` belongs to no account; undefined for `"nobody"`. */
export const tokenOf = (who: Who): string | undefined => who === "stranger" ? "model-stranger" : memberOf(who)?.token

/** Symbols that are in the cache only after a request for fresh data. */
export const cold: ReadonlyArray<string> = ["F", "MSFT", "NVDA"]

/** A symbol that the service does not have. */
export const absent = "ZZZZ"

/** What is open without a token. */
export const demo = "AAPL"

/** When a symbol last entered the cache: certainly at one time, and possibly as late as another. */
interface Entry {
  readonly sure: number
  readonly possible: number
}

/** The service as the contract has it: time, accounts, addresses, credits and the cache. Times are epoch seconds. */
export interface State {
  readonly now: number
  readonly ipRules: ReadonlyMap<Who, IpRule.IpRule>
  readonly spent: ReadonlyMap<Who, { readonly opened: number; readonly credits: number }>
  readonly cached: ReadonlyMap<string, Entry>
}

/** Nothing has happened yet. */
export const at = (now: number): State => ({ now, ipRules: new Map(), spent: new Map(), cached: new Map() })

/** Lets time pass. */
export const wait = (self: State, seconds: number): State => ({ ...self, now: self.now + seconds })

/**
 * What came of a request: the status, what it cost, and how many rows it held where that is known. `target` is what a client asked for, and `updated` the
 * newest time of the rows in epoch seconds, where they are known.
 */
export interface Reply {
  readonly target?: string | undefined
  readonly status: number
  readonly credits: number
  readonly rows: number | undefined
  readonly updated?: number | undefined
}

/** What the contract says of a request: which statuses may come, and what a reply with a number of rows costs, at least and at most. */
export interface Expectation {
  readonly statuses: ReadonlyArray<number>
  readonly why: string
  readonly price: (rows: number | undefined) => readonly [least: number, most: number]
}

const free = () => [0, 0] as const

const refusal = (status: number, why: string): Expectation => ({ statuses: [status], why, price: free })

const notInPlan = refusal(402, "cached data are for paid plans (8.2-access)")

/** The refusal of a request before its data are looked up, by the checks in their order; undefined if it is admitted. */
const refusedAtOnce = (self: State, { from, query, who }: Ask): Expectation | undefined => {
  if (who === "stranger") return refusal(401, "nobody has this token (5.7-401)")
  const member = memberOf(who)
  if (member === undefined) {
    return query.tickers.every((symbol) => symbol === demo)
      ? undefined
      : refusal(401, "without a token only the demo is open (5.5-demo)")
  }
  const { verdict } = IpRule.judge(self.ipRules.get(who) ?? IpRule.empty, from, self.now)
  if (verdict._tag === "Blocked") {
    return refusal(403, "the account came back to an address within 5 minutes (5.6-single-ip)")
  }
  // The plan is checked before the credits, which would not help.
  if (DataMode.isCached(query.mode) && member.plan !== "paid") return notInPlan
  return spentBy(self, who) >= (member.allowance?.credits ?? Infinity)
    ? refusal(429, "the credits of the day are spent")
    : undefined
}

const windowOf = (now: number) => Ledger.windowAt("day", now).start

const spentBy = (self: State, who: Who): number => {
  const spent = self.spent.get(who)
  return spent?.opened === windowOf(self.now) ? spent.credits : 0
}

/** Says what the contract expects of a request. */
export const expect = (self: State, request: Ask): Expectation => {
  const refused = refusedAtOnce(self, request)
  if (refused !== undefined) return refused
  const { query, who } = request
  const isCached = DataMode.isCached(query.mode)
  if (isCached && memberOf(who) === undefined) return notInPlan
  const date = parameter(query, "date")
  if (date !== undefined && !TradingCalendar.isTradingDay(TradingCalendar.NYSE, CalendarDate.parseUnsafe(date))) {
    return refusal(404, "the market was closed on that day (4.1-date)")
  }
  const known = query.tickers.filter((symbol) => symbol !== absent)
  if (known.length === 0) {
    return { ...refusal(404, "there is no such symbol (7.1-404)"), statuses: isCached ? [404, 204] : [404] }
  }
  if (isCached) return fromCache(self, request, known)
  return { statuses: [200, 203], why: "there are data (7.2-success-set)", price: priceOf(request) }
}

const parameter = (query: Query.Query, name: string): string | undefined =>
  Query.parameters(query).find(([other]) => other === name)?.[1]

const fromCache = (self: State, { query: { maxAge, tickers } }: Ask, symbols: ReadonlyArray<string>) => {
  const price: Expectation["price"] = () => [1, 1]
  const hit: Expectation = { statuses: [203], why: "something cached is young enough (8.3-hit)", price }
  // The contract does not state the status for a list with unknown symbols if nothing of it is cached.
  const nothing = tickers.length > symbols.length ? [204, 404] : [204]
  const miss: Expectation = { statuses: nothing, why: "nothing cached is young enough (8.3-miss)", price: free }
  const isYoung = (entered: number) => entered !== -Infinity && MaxAge.accepts(maxAge, entered, self.now)
  const entries = symbols.map((symbol) => entryOf(self, symbol))
  return entries.some(({ sure }) => isYoung(sure))
    ? hit
    : entries.some(({ possible }) => isYoung(possible))
    ? { statuses: [203, ...nothing], why: "another account may have asked for it", price }
    : miss
}

/** The entry of a symbol; the age of symbols that everybody asks for is unknown. */
const entryOf = ({ cached, now }: State, symbol: string): Entry => {
  const entry = cached.get(symbol) ?? { sure: -Infinity, possible: -Infinity }
  return cold.includes(symbol) ? entry : { ...entry, possible: now }
}

const thousands = (rows: number): number => Math.max(1, Math.ceil(rows / 1000))

/** The tariff of contract 8.2 and 4.1, for replies that hold data. */
const priceOf = ({ query, who }: Ask): Expectation["price"] => {
  const member = memberOf(who)
  if (member === undefined) return free
  const isHistorical = Account.dataTypeOfUser(member.user) === "historical"
  return (rows) => {
    switch (query.kind) {
      case "chain": {
        const [least, most] = rows === undefined ? [1, Infinity] : [thousands(rows), rows]
        return query.historical ? [least, least] : isHistorical ? [least, most] : [most, most]
      }
      case "quotes":
      case "bulkCandles":
        return isHistorical ? [0, rows ?? Infinity] : [rows ?? 1, rows ?? Infinity]
      case "candles": {
        const credits = thousands(Number(parameter(query, "countback") ?? rows ?? 1))
        return [credits, credits]
      }
      case "other":
        return [1, 1]
      case "free":
        return [0, 0]
    }
  }
}

/** How a reply differs from what was expected; undefined if it does not. */
export const complaint = ({ price, statuses, why }: Expectation, { credits, rows, status }: Reply) => {
  if (!statuses.includes(status)) return `expected status ${statuses.join(" or ")}, since ${why}, and came ${status}`
  const [least, most] = status === 200 || status === 203 ? price(rows) : free()
  return credits >= least && credits <= most
    ? undefined
    : `expected a charge of ${least === most ? least : `${least} to ${most}`} credits for status ${status}` +
      `${rows === undefined ? "" : ` with ${rows} rows`}, and came ${credits}`
}

/** Without a token the demo is historical (5.5-demo). */
const visitor = Account.make({ plan: "free", user: Account.unknown })

/**
 * How the age of data differs from what the account may see (4.1-data-type-table, 8.2-timeliness): never newer, and no older until the session closes
 * in which stories begin. Cached data may be of any age.
 */
export const untimely = ({ now }: State, { query, who }: Ask, { updated }: Reply): string | undefined => {
  const served = Account.serve(memberOf(who) ?? visitor, query)
  if (updated === undefined || served._tag !== "Served" || served.dataType === "cached") return undefined
  const { dataType } = served
  const came = Freshness.classify({ kind: query.kind === "chain" ? "options" : "stocks", updated, now })
  const isTimely = came === (now < setting.at + 4 * 3600 ? dataType : Account.older(came, dataType))
  return isTimely ? undefined : `expected ${dataType} data, and came ${came} data of ${NewYork.format(updated)}`
}

/** The state of the service after a request and its reply. */
export const after = (self: State, request: Ask, { credits, status }: Reply): State => {
  const { from, who } = request
  const ipRules = memberOf(who) === undefined
    ? self.ipRules
    : new Map(self.ipRules).set(who, IpRule.judge(self.ipRules.get(who) ?? IpRule.empty, from, self.now).rule)
  const spent = new Map(self.spent).set(who, { opened: windowOf(self.now), credits: spentBy(self, who) + credits })
  return { ...self, ipRules, spent, cached: status === 200 || status === 203 ? refreshed(self, request) : self.cached }
}

/** The cache after an answer: entries are certain if it is fresh by all readings of the contract, else possible. */
const refreshed = (self: State, { query, who }: Ask): ReadonlyMap<string, Entry> => {
  if (DataMode.isCached(query.mode)) return self.cached
  const isSure = (who === "trader" || who === "broker") && !query.historical &&
    (query.kind === "quotes" || query.kind === "chain")
  const cached = new Map(self.cached)
  for (const symbol of query.tickers.filter((symbol) => symbol !== absent)) {
    const { possible, sure } = entryOf(self, symbol)
    cached.set(symbol, { sure: isSure ? self.now : sure, possible: Math.max(possible, self.now) })
  }
  return cached
}

/**
 * How a service has to be set up for the model: its accounts by their tokens, the symbols that are cached only after a request for fresh
 * data, and when stories begin, in epoch seconds.
 */
export const setting: {
  readonly accounts: ReadonlyArray<Accounts.Account>
  readonly cold: ReadonlyArray<string>
  readonly at: number
} = {
  accounts: Object.values(members),
  cold,
  at: NewYork.at(CalendarDate.parseUnsafe("2026-11-20"), 12, 0)
}
