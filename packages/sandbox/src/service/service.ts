/** The service: lets a request in or refuses it, reads what it asks for, finds that, and prices, writes and records the reply. */
import * as Account from "@effect-marketdata/core/Account"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as Freshness from "@effect-marketdata/core/Freshness"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import type * as Accounts from "../account/Accounts.ts"
import * as Billing from "../account/Billing.ts"
import * as Listings from "../endpoints/listings.ts"
import * as OptionChain from "../endpoints/optionChain.ts"
import * as Periods from "../endpoints/periods.ts"
import * as Quotes from "../endpoints/quotes.ts"
import type { Market } from "../market/Market.ts"
import * as Memo from "../market/memo.ts"
import * as SeededNoise from "../market/seededNoise.ts"
import * as Admission from "../request/admission.ts"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as Routes from "../request/Routes.ts"
import * as Cache from "../view/Cache.ts"
import * as View from "../view/view.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"
import * as Rendering from "./rendering.ts"

type Request = SandboxReply.SandboxRequest
type Reply = SandboxReply.SandboxReply

/** What the service is made of. */
export interface Options {
  readonly market: Market
  readonly accounts: ReadonlyArray<Accounts.Account>
  readonly billing: Billing.Billing
  readonly assume: Credits.PriceOptions
  readonly cold: ReadonlyArray<string>
  readonly profile: Profile.Profile
  readonly demo: Query.Demo
  readonly maxLineBytes: number
  readonly mostInFlight: number
}

/** How the requests of each endpoint are read and answered. Paths and prices are in core's rows. */
const readers: { readonly [Name in Query.EndpointName]: View.Reader } = {
  optionChain: OptionChain.read,
  optionQuote: Quotes.ofOption,
  optionLookup: Listings.lookup,
  optionExpirations: Listings.expirations,
  optionStrikes: Listings.strikes,
  stockQuotes: Quotes.ofStocks,
  stockPrices: Quotes.prices,
  stockCandles: Periods.stockCandles,
  stockBulkCandles: Periods.bulkCandles,
  stockEarnings: Periods.stockEarnings,
  stockNews: Periods.stockNews,
  marketStatus: Periods.marketStatus,
  fundCandles: Periods.fundCandles,
  account: Listings.account,
  serviceStatus: Listings.serviceStatus,
  requestHeaders: Listings.requestHeaders
}

/** A request that was let in: where it leads, and whose it is. `leave` says that it is no longer in flight. */
export interface Visit {
  readonly request: SandboxReply.SandboxRequest
  readonly target: Routes.Target
  readonly route: Routes.Route
  readonly member: Admission.Member | undefined
  readonly leave: () => void
}

/** A reply with what it costs. */
interface Priced {
  readonly reply: Reply
  readonly credits: number
}

/** The last reply to a request that was read in this second, with the member and the state of the cache that it is for. */
interface LastReply {
  readonly member: Admission.Member | undefined
  readonly cache: Cache.Cache
  readonly priced: Priced
}

/** What a request asks for, once its parameters were read. */
interface Parsed extends View.Lookup {
  readonly output: Rendering.OutputOptions
  readonly last: { reply: LastReply | undefined }
}

/** The longest body that is kept to answer the same request again. */
const longestKept = 65_536

/** Requests that are read once: a client that polls asks the same many times a second. */
const requestsRemembered = 256

const same = (target: string): string => target

/**
 * Makes the service: what it is made of, its members, its cache, and the requests that it has read lately. It takes two steps. A request first
 * passes these checks, in this order: the web server's limit, the route, the token, the address, the modes of the plan, the number in
 * flight, the allowance. What is admitted is then answered: parameters, demo, plan, data, and at last the price. Every reply but the web
 * server's is recorded.
 */
export const make = (options: Options) => ({
  ...options,
  members: Admission.membersOf(options.accounts),
  cache: Cache.make(options.market.seed, options.cold),
  find: Memo.recent(requestsRemembered, same, find),
  redacted: Memo.recent(requestsRemembered, same, Routes.redact),
  read: Memo.recent(
    requestsRemembered,
    ({ request }: Visit, now: number) => `${now} ${request.target}`,
    (visit, now) => read(visit, options.profile, now)
  )
})

export type Service = ReturnType<typeof make>

/** The first step: lets a request in, or answers it with what is wrong. */
export const admit = (self: Service, request: Request, now: number): Result.Result<Visit, Reply> => {
  const bytes = HttpRequest.lineBytes(request.target) + request.method.length - "GET".length
  // The web server refuses before the service sees anything: no token is looked at, nothing is logged (clause 7.3-html-400).
  if (bytes > self.maxLineBytes) return Result.fail(SandboxReply.requestLineTooLarge(bytes, self.maxLineBytes))
  return Result.mapError(enter(self, request, now), (refusal) => record(self, request, refused(self, refusal), now))
}

/** The second step: answers a request that was let in. */
export const answer = (self: Service, visit: Visit, now: number): Reply =>
  record(self, visit.request, serve(self, visit, now), now)

/** Answers a defect of the sandbox with 500, at no cost. */
export const fail = (self: Service, request: Request, now: number): Reply =>
  record(self, request, refused(self, Refusals.defect), now)

const enter = (self: Service, request: Request, now: number): Result.Result<Visit, Refusals.Refusal> => {
  if (request.method !== "GET") return Result.fail(Refusals.methodNotAllowed)
  const place = self.find(request.target)
  if (Result.isFailure(place)) return Result.fail(place.failure)
  const { route, target } = place.success
  const known = Admission.authenticate(self.members, request, target, route)
  if (Result.isFailure(known)) return Result.fail(known.failure)
  const member = known.success
  if (member === undefined) return Result.succeed({ request, target, route, member, leave: () => {} })
  const refusal = Admission.comesFromOneAddress(member, request.address, now) ??
    Admission.isInPlan(member, target, route, self.profile) ??
    Admission.isNotCrowded(member, self.mostInFlight) ??
    Admission.hasCredits(route, balance(self, member, now)?.remaining)
  if (refusal !== undefined) return Result.fail(refusal)
  member.inFlight++
  return Result.succeed({ request, target, route, member, leave: () => void member.inFlight-- })
}

/** Where a request leads. */
const find = (text: string) => {
  const target = Routes.read(text)
  if (target._tag === "Malformed") return Result.fail(Refusals.badRequest(target.errmsg))
  const route = Routes.find(target)
  return route === undefined ? Result.fail(Refusals.noSuchPath) : Result.succeed({ route, target })
}

const read = (
  { route: { list, row, segments }, target }: Visit,
  profile: Profile.Profile,
  now: number
): Result.Result<Parsed, Refusals.Refusal> =>
  Result.gen(function*() {
    const parameters = { values: target.parameters, now }
    yield* Parameters.checkNoDate(row, parameters)
    // The pages outside the versions take none of these.
    const output = yield* Rendering.readOptions(Endpoint.isVersioned(row) ? parameters : Parameters.none, profile)
    const { answer, query } = yield* readers[row.name]({ segments, list, parameters, profile })
    return { answer, query: yield* Rendering.applyOptions(output, query), output, last: { reply: undefined } }
  })

const serve = (self: Service, visit: Visit, now: number): Priced => {
  const { member, target } = visit
  const asked = self.read(visit, now)
  if (Result.isFailure(asked)) return refused(self, asked.failure, target)
  const { last, query } = asked.success
  if (last.reply?.member === member && last.reply?.cache === self.cache) return last.reply.priced
  // Without a token the query decides; an invalid one is refused for that before.
  if (member === undefined && Query.needsToken(query, self.demo)) return refused(self, Refusals.noToken, target)
  const judged = Admission.judge(accountOf(visit), query, self.profile, now)
  if (Result.isFailure(judged)) return refused(self, judged.failure, target)
  const visibility = { ...judged.success, now, profile: self.profile }
  const found = asked.success.answer(viewOf(self, visit, asked.success, visibility))
  if (Result.isFailure(found)) return refused(self, found.failure, target)
  const priced = render(self, visit, asked.success, visibility, found.success)
  if (priced === undefined) return refused(self, Refusals.noData, target)
  const { body } = priced.reply
  // Not pages, which depend on the request and the balance, nor replies in parts, which hold a whole table.
  if (!found.success.bare && typeof body === "string" && body.length <= longestKept) {
    last.reply = { member, cache: self.cache, priced }
  }
  return priced
}

const accountOf = ({ member }: Visit): Account.Account => member?.account ?? Admission.nobody

/** What the asker may see of the market, in the mode that it is served. */
const viewOf = (self: Service, visit: Visit, { output }: Parsed, visibility: View.Visibility): View.View => {
  const { cache, market } = self
  const { member, request } = visit
  const { mode, now, profile } = visibility
  const account = accountOf(visit)
  const entitled = Account.dataType(account, profile)
  const newest = (kind: Freshness.Kind) => View.newest(visibility, kind)
  return {
    market,
    profile,
    now,
    account,
    balance: () => (member && balance(self, member, now)) ?? { limit: 0, remaining: 0 },
    request,
    newest,
    at: (kind, symbol) => {
      if (mode !== "cached") return newest(kind)
      const entered = View.cachedAt(cache, symbol, output.maxAge, now)
      return entered === undefined ? undefined : Math.min(newest(kind), entered)
    },
    // Without a token there is nothing but closed sessions (clause 5.5-demo).
    known: (kind) => member === undefined ? View.newestHistorical(kind, profile, now) : now,
    isOver: (kind, day) => View.isOver({ entitled, now, profile }, kind, day)
  }
}

/** Writes what was found, and prices it; undefined where no row is left of it. Fresh data enter the cache. */
const render = (
  self: Service,
  { member }: Visit,
  { output, query }: Parsed,
  visibility: View.Visibility,
  found: View.Found
): Priced | undefined => {
  const { assume, market } = self
  const { dataType, mode, now, profile } = visibility
  const isCached = mode === "cached"
  // Current data come from the cache layer in two minutes out of five: the mode does not tell (clause 7.2-not-mapped).
  const chance = SeededNoise.draw(SeededNoise.named(market.seed, query.subject), Math.floor(now / 60))
  const status = isCached || chance < 0.4 ? 203 : 200
  if (!isCached && dataType !== "historical") {
    // Only symbols of the market, so that invented ones do not make it grow.
    for (const symbol of found.symbols) self.cache = Cache.refresh(self.cache, symbol, now)
  }
  const rows = limited(found.rows, query, output)
  if (rows?.length === 0) return undefined
  const columns = query.columns ?? (found.rows === undefined ? undefined : query.returns)
  const shown = columns === undefined ? rows : rows?.select(columns)
  return {
    reply: Rendering.found(status, { ...found, rows: shown }, { endpoint: query.endpoint, output, profile }),
    credits: member === undefined ? 0 : price(query, visibility, { assume, rows, status })
  }
}

/** The rows that a limit leaves; candles have none. */
const limited = (rows: View.Rows | undefined, { kind }: Query.Query, { limit, offset }: Rendering.OutputOptions) =>
  rows === undefined || kind === "candles" || (limit === undefined && offset === 0)
    ? rows
    : rows.slice(offset, limit === undefined ? rows.length : offset + limit)

/** A refusal costs nothing; it is CSV where a target that can be read asks for that. */
const refused = ({ profile }: Service, refusal: Refusals.Refusal, target?: Routes.Target): Priced => {
  const format = target?.parameters.get("format") === "csv" ? "csv" : "json"
  return { reply: Rendering.refusal(refusal, { format, profile }), credits: 0 }
}

/** Records a reply for the member whose token the request has, and adds headers with its cost and the balance. */
const record = (self: Service, request: Request, { credits, reply }: Priced, now: number): Reply => {
  const { billing, market, members, profile } = self
  const sender = Admission.sender(members, request)
  const { status } = reply
  billing.record(
    { time: now, account: sender?.token, target: self.redacted(request.target), status, credits },
    sender && Account.allowance(sender.account, profile)?.window
  )
  const rates = sender !== undefined ? headersOf(self, sender, credits, now) : status < 300 ? nobodysHeaders : {}
  const id = SeededNoise.mix(market.seed, billing.requests()) >>> 0
  return { ...reply, headers: { ...reply.headers, ...rates, "cf-ray": id.toString(16).padStart(8, "0") } }
}

/** What the plan of an account gives it in its window, what is left of that, and until when; undefined where nothing limits it. */
const balance = ({ billing, profile }: Service, { account, token }: Admission.Member, now: number) => {
  const allowance = Account.allowance(account, profile)
  return allowance && billing.balance(token, allowance, now)
}

/** What the headers of a reply say about the credits of an account, and about what it may see. */
const headersOf = (self: Service, member: Admission.Member, consumed: number, now: number): Reply["headers"] => {
  const left = balance(self, member, now)
  return {
    ...(left && {
      "x-api-ratelimit-limit": String(left.limit),
      "x-api-ratelimit-remaining": String(left.remaining)
    }),
    ...(left && left.resets !== Infinity && { "x-api-ratelimit-reset": String(left.resets) }),
    "x-api-ratelimit-consumed": String(consumed),
    "x-options-data-permissions": Admission.permissionsOf(member.account, self.profile)[0]
  }
}

/**
 * What a reply costs by core's rules, from what it holds. What the contract does not price core prices by a named assumption: quotes of
 * past days at 1 for each 1000, historical data without a date at 1 for each contract; `assume` chooses otherwise where it can be chosen.
 */
export const price = (
  query: Query.Query,
  { dataType, mode, profile }: View.Visibility,
  { assume, rows, status }: {
    readonly assume: Credits.PriceOptions
    readonly rows: View.Rows | undefined
    readonly status: 200 | 203
  }
): number => {
  const served = DataMode.fromParameter(mode, "public")
  const length = rows?.length ?? 1
  const quoted = rows === undefined ? length : quotedOf(rows, query.endpoint.prices, assume.quoteData)
  const symbols = query.kind === "quotes" ? quoted : length
  const { credits, uncertain } = Credits.charged(
    served === undefined ? query : Query.withMode(query, served),
    { status, contracts: length, quoted, symbols, candles: length },
    { ...assume, profile, historical: dataType === "historical" }
  )
  return credits + uncertain
}

/** Counts the rows with quote data: any of their prices is there, or all are (clause 8.2-cost-quotes). */
const quotedOf = (rows: View.Rows, prices: ReadonlyArray<string>, rule: "any" | "all" = "any"): number => {
  const columns = prices.map((name) => rows.column(name)).filter((column) => column !== undefined)
  if (columns.length === 0) return rows.length
  return Credits.countWithQuotes(rows.length, columns.map((column) => (row) => column(row) !== null), rule)
}

/** The headers of a reply without a token: no credits, and none are needed. */
const nobodysHeaders: Reply["headers"] = {
  "x-api-ratelimit-limit": "0",
  "x-api-ratelimit-remaining": "0",
  "x-api-ratelimit-consumed": "0"
}
