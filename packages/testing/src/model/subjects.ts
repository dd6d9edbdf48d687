import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as Query from "@effect-marketdata/core/Query"
import * as Market from "@effect-marketdata/sandbox/Market"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as LocalResponse from "../harness/service.ts"
import type { Subject } from "./playing.ts"
import * as Service from "./service.ts"
import { setting } from "./service.ts"
import type { ClientLayer, ServiceLayer } from "../harness/service.ts"

/** The market of all stories, which share it because it caches what it computes and has no other state. */
let market: Market.Market | undefined

/** Makes the service, and the clock of the whole story. */
const stage = (sandbox: ServiceLayer) =>
  Layer.build(
    Layer.provideMerge(
      Layer.unwrap(Effect.sync(() =>
        sandbox({ accounts: setting.accounts, cold: setting.cold, market: market ??= Market.make({ seed: 1 }) })
      )),
      Layer.orDie(SandboxClock.layer({ pace: "frozen", at: setting.at }))
    )
  )

const wait = (clock: SandboxClock.SandboxClock["Service"]) => (seconds: number) =>
  Effect.flatMap(clock.now, (now) => Effect.orDie(clock.set(now + seconds)))

/**
 * A service in this process as a subject: the sandbox, or something around it.
 */
export const ofService = (
  sandbox: ServiceLayer = Sandbox.layer
): Effect.Effect<Subject, never, Scope.Scope> =>
  Effect.map(stage(sandbox), (services): Subject => ({
    kind: "service",
    wait: wait(Context.get(services, SandboxClock.SandboxClock)),
    ask: Effect.fnUntraced(function*({ from, query, who }: Service.Ask) {
      const token = Service.tokenOf(who)
      const reply = yield* Context.get(services, Sandbox.Sandbox).handle({
        method: "GET",
        target: Query.target(query),
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        address: from
      })
      const credits = Number(reply.headers["x-api-ratelimit-consumed"] ?? 0)
      return { replies: [{ status: reply.status, credits, rows: rowsOf(SandboxReply.text(reply)) }] }
    }, Effect.provideContext(services))
  }))

/** How many rows the columns of a body have. */
const rowsOf = (body: string): number | undefined => {
  const parsed = Result.getOrUndefined(Result.try((): unknown => JSON.parse(body)))
  const columns = typeof parsed === "object" && parsed !== null ? Object.values(parsed).filter(Array.isArray) : []
  return columns[0]?.length
}

/**
 * What a client is made of: the client itself, ours by default; the ledger of each account and address, in memory by default; and the
 * service behind it, the sandbox by default.
 */
export interface ClientOptions {
  readonly client?: ClientLayer | undefined
  readonly ledger?: Effect.Effect<CreditLedger.CreditLedger["Service"], never, Scope.Scope> | undefined
  readonly sandbox?: ServiceLayer | undefined
}

/**
 * A client in this process as a subject, in front of a service: one for each account and address, with a ledger of its own.
 */
export const ofClient = Effect.fnUntraced(function*(
  options: ClientOptions = {}
): Effect.fn.Return<Subject, never, Scope.Scope> {
  const services = yield* stage(options.sandbox ?? Sandbox.layer)
  const programs = yield* Cache.make({
    capacity: Infinity,
    lookup: (caller: Caller) => programOf(services, options, caller)
  })
  return {
    kind: "client",
    wait: wait(Context.get(services, SandboxClock.SandboxClock)),
    ask: ({ from, query, who }) =>
      Effect.flatMap(Cache.get(programs, { from, who }), (program) => observe(program, query)).pipe(
        Effect.provideContext(services)
      )
  }
})

/** An account at an address. */
type Caller = Pick<Service.Ask, "from" | "who">

/** Makes the client of a caller, with its ledger, in front of the service. */
const programOf = Effect.fnUntraced(function*(
  services: Effect.Success<ReturnType<typeof stage>>,
  { client = MarketData.layerNoDeps, ledger: makeLedger = CreditLedger.makeUnlimited() }: ClientOptions,
  { from, who }: Caller
) {
  const service = Context.get(services, Sandbox.Sandbox)
  const token = Service.tokenOf(who)
  const ledger = yield* makeLedger
  const http = HttpClient.make((request, url) => {
    const sent = { method: request.method, target: url.pathname + url.search, headers: request.headers, address: from }
    return Effect.map(service.handle(sent), (reply) => LocalResponse.make(request, reply, () => {}))
  })
  const built = yield* Layer.fresh(client({
    baseUrl: "https://service.test",
    token: token === undefined ? undefined : Redacted.make(token)
  })).pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, http)),
    Layer.provide(Layer.succeed(CreditLedger.CreditLedger, ledger)),
    Layer.provide(IpGuard.layerMemory()),
    Layer.merge(CacheFallback.layerAlways),
    Layer.build
  )
  return { ledger, services: Context.merge(services, built) }
})

/** Runs a query with a client, and returns what its trace and its ledger say. */
const observe = Effect.fnUntraced(function*(
  { ledger, services }: Effect.Success<ReturnType<typeof programOf>>,
  query: Service.Ask["query"]
) {
  const { reason, rows, trace } = yield* MarketData.run(query).pipe(
    Effect.match({
      onSuccess: ({ data, trace }) => ({ trace, rows: lengthOf(data), reason: undefined }),
      onFailure: ({ reason, trace }) => ({ trace, rows: undefined, reason: reason._tag })
    }),
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ base: 0 })),
    // Blocks are provoked, and each would be a warning.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.provideContext(services)
  )
  const { charged, reserved, uncertain } = yield* Effect.orDie(ledger.balance)
  const replies = trace.map(({ charge, status, target }, at) => ({
    target,
    status: status ?? 0,
    credits: charge?.credits ?? 0,
    rows: at === trace.length - 1 ? rows : undefined
  }))
  return { replies, reason, balance: { charged, uncertain, reserved } }
})

const lengthOf = (data: unknown): number | undefined =>
  typeof data === "object" && data !== null && "length" in data && typeof data.length === "number"
    ? data.length
    : undefined
