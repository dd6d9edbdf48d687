import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Account } from "../Accounts.ts"
import * as Billing from "../Billing.ts"
import * as Cache from "../Cache.ts"
import * as ChainRequest from "../ChainRequest.ts"
import * as Market from "../market/Market.ts"
import * as SeededNoise from "../market/SeededNoise.ts"
import * as Routes from "../Routes.ts"
import * as SandboxReply from "../SandboxReply.ts"

/** What requests change. */
export interface State {
  readonly cache: Cache.Cache
  readonly billing: Billing.Billing
}

type Reply = SandboxReply.SandboxReply
type Request = SandboxReply.SandboxRequest

/** Data that were found for a request, the price of which is still to be told. */
interface Found {
  readonly chain: OptionChain.OptionChain
  readonly query: Query.Query
  readonly status: 200 | 203
  readonly columns: ReadonlyArray<string> | undefined
  readonly cache: Cache.Cache
}

/**
 * The service as a function from state and request to reply and state. A request passes these doors in this order: the web server's
 * limit, route, token, allowance, parameters, plan, data; and then the till.
 */
export const make = (options: {
  readonly seed: number
  readonly accounts: ReadonlyArray<Account>
  readonly cold: ReadonlyArray<string>
}) => {
  const market = Market.make({ seed: options.seed })
  const initial: State = { cache: Cache.make(options.seed, options.cold), billing: Billing.empty }

  const answer = (state: State, request: Request, now: number): readonly [Reply, State] => {
    const bytes = HttpRequest.lineBytes(request.target)
    // The web server refuses before the service sees anything: no token is looked at, nothing is logged (clause 7.3-html-400).
    if (bytes > HttpRequest.maxLineBytes) {
      return [SandboxReply.requestLineTooLarge(bytes, HttpRequest.maxLineBytes), state]
    }
    const route = Routes.read(request.target)
    const account = Result.flatMap(route, (route) => authenticate(options.accounts, request, route))
    const found = Result.gen(function*() {
      if (request.method !== "GET") return yield* Result.fail(methodNotAllowed)
      const { parameters, segments } = yield* route
      const [version, resource, kind, underlying, ...rest] = segments
      if (
        version !== "v1" || resource !== "options" || kind !== "chain" || rest.length > 0 || underlying === undefined
      ) {
        return yield* Result.fail(SandboxReply.failure(404, "Not found."))
      }
      const { allowance, dataType, plan, token } = yield* account
      if (Billing.billed(state.billing, token, Billing.windowOf(now).opened) >= allowance) {
        return yield* Result.fail(SandboxReply.failure(429, "API credit limit reached for current window."))
      }
      return yield* serve(state.cache, { dataType, plan }, yield* ChainRequest.read(underlying, parameters), now)
    })
    const credits = Result.match(found, {
      onSuccess: ({ chain, query, status }) =>
        Credits.charged(query, { status, contracts: chain.length, reported: undefined }).credits,
      onFailure: () => 0
    })
    const reply = Result.match(found, { onSuccess: deliver, onFailure: (refusal) => refusal })
    const entry: Billing.Entry = {
      time: now,
      account: Result.getOrUndefined(account)?.token,
      target: request.target.replace(/([?&]token=)[^&]*/gi, "$1<redacted>"),
      status: reply.status,
      credits
    }
    const billing = Billing.record(state.billing, entry)
    const cache = Result.isSuccess(found) ? found.success.cache : state.cache
    const rates = Result.match(account, {
      onSuccess: (account) => rateHeaders(account, billing, credits, now),
      onFailure: () => ({})
    })
    const id = SeededNoise.mix(options.seed, billing.entries.length) >>> 0
    return [
      { ...reply, headers: { ...reply.headers, ...rates, "cf-ray": id.toString(16).padStart(8, "0") } },
      { cache, billing }
    ]
  }

  /** Finds the data that an account may see in the mode it asked for (contract 5.8, 7.2, 8.2, 8.3). */
  const serve = (
    cache: Cache.Cache,
    { dataType, plan }: Pick<Account, "dataType" | "plan">,
    request: ChainRequest.ChainRequest,
    now: number
  ): Result.Result<Found, Reply> =>
    Result.gen(function*() {
      const { columns, date, maxAge, underlying } = request
      if (request.mode?._tag === "Cached" && plan !== "paid") {
        return yield* Result.fail(SandboxReply.failure(402, "Cached data requires a paid plan."))
      }
      const mode = plan === "paid" ? request.mode ?? DataMode.live : DataMode.delayed
      const query = yield* Result.mapError(
        Query.optionChain(underlying, { mode, date }),
        (refusal) => SandboxReply.failure(400, refusal.message)
      )
      if (Result.isFailure(Query.checkDate(query, now))) {
        return yield* Result.fail(
          SandboxReply.failure(400, "Invalid date. The date parameter is used for historical queries only.")
        )
      }
      if (market.find(underlying) === undefined) {
        return yield* Result.fail(SandboxReply.failure(404, "Symbol not found.", "no_data"))
      }
      const filtered = (chain: OptionChain.OptionChain | undefined) => {
        if (chain === undefined) return Result.fail(noData)
        const { expiration, side } = request
        const rows = expiration === undefined && side === undefined ? chain : market.filter(chain, { expiration, side })
        return rows.length === 0 ? Result.fail(noData) : Result.succeed(rows)
      }
      if (date !== undefined) {
        const chain = market.endOfDay(underlying, date)
        if (chain === undefined) {
          return yield* Result.fail(SandboxReply.failure(404, "Market closed on this date.", "no_data"))
        }
        return { chain: yield* filtered(chain), query, status: 200, columns, cache }
      }
      const asOf = newest(dataType, now)
      if (mode._tag === "Cached") {
        const refreshed = Cache.refreshedAt(cache, underlying, now)
        if (refreshed === -Infinity || !MaxAge.accepts(maxAge, refreshed, now)) {
          return yield* Result.fail(SandboxReply.noContent)
        }
        return {
          chain: yield* filtered(market.chain(underlying, Math.min(asOf, refreshed))),
          query,
          status: 203,
          columns,
          cache
        }
      }
      const moment = mode._tag === "Delayed" ? Math.min(asOf, now - Freshness.delay) : asOf
      const chain = yield* filtered(market.chain(underlying, moment))
      const status = isFromCache(options.seed, underlying, now) ? 203 : 200
      return { chain, query, status, columns, cache: Cache.refresh(cache, underlying, now) }
    })

  return { initial, answer }
}

const methodNotAllowed: Reply = {
  ...SandboxReply.failure(405, "Method not allowed. Use GET."),
  headers: { "content-type": "application/json", allow: "GET" }
}

const noData: Reply = SandboxReply.json(404, `{"s":"no_data","nextTime":null,"prevTime":null}`)

/** Reads the token, from the header or by explicit choice from the query, and finds its account (contract 5). */
const authenticate = (
  accounts: ReadonlyArray<Account>,
  request: Request,
  { parameters }: Routes.Route
): Result.Result<Account, Reply> => {
  const header = request.headers["authorization"]
  const token = header === undefined ? parameters.get("token") : /^Bearer (\S+)$/.exec(header)?.[1]
  if (header === undefined && token === undefined) {
    return Result.fail(SandboxReply.failure(401, "Invalid token header. No credentials provided."))
  }
  const account = accounts.find((account) => account.token === token)
  return account === undefined ? Result.fail(SandboxReply.failure(401, "Invalid token.")) : Result.succeed(account)
}

/** The newest moment that an account may see: now, 15 minutes ago, or the close of the last session that is fully closed. */
const newest = (dataType: Account["dataType"], now: number): number => {
  if (dataType === "realTime") return now
  if (dataType === "delayed") return now - Freshness.delay
  let day = Option.some(Eastern.dateOf(now))
  for (let back = 0; back < 30 && Option.isSome(day); back++) {
    const session = TradingCalendar.session(TradingCalendar.NYSE, day.value)
    if (
      Option.isSome(session) &&
      Freshness.becomesHistoricalAt("options", session.value.close, TradingCalendar.NYSE) <= now
    ) {
      return session.value.close
    }
    day = Option.some(CalendarDate.addDays(day.value, -1))
  }
  return -Infinity
}

/** Fresh data come from the cache layer in two minutes out of five: the mode does not tell (clause 7.2-not-mapped). */
const isFromCache = (seed: number, underlying: string, now: number): boolean =>
  SeededNoise.unit(SeededNoise.mix(SeededNoise.mix(seed, SeededNoise.ofText(underlying)), Math.floor(now / 60))) < 0.4

const deliver = ({ chain, columns, status }: Found): Reply => {
  const asked = columns === undefined
    ? chain
    : ColumnTable.select(chain, chain.columnNames.filter((name) => columns.includes(name)))
  return SandboxReply.json(status, ColumnTable.encode(asked))
}

const rateHeaders = (
  { allowance, token }: Account,
  billing: Billing.Billing,
  consumed: number,
  now: number
): Readonly<Record<string, string>> => {
  const { opened, resets } = Billing.windowOf(now)
  return {
    "x-api-ratelimit-limit": String(allowance),
    "x-api-ratelimit-remaining": String(allowance - Billing.billed(billing, token, opened)),
    "x-api-ratelimit-reset": String(resets),
    "x-api-ratelimit-consumed": String(consumed)
  }
}
