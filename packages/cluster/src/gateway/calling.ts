/**
 * The caller's side of a call: it writes the call, brings it to the runner of its account, and decides what to do about one that is not answered: to bring it
 * again, or to give it up with what it may have cost.
 */
import { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import * as Claim from "@effect-marketdata/client/Claim"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { ReplyCache } from "@effect-marketdata/client/ReplyCache"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import type { Answer } from "@effect-marketdata/core/Answer"
import * as Query from "@effect-marketdata/core/Query"
import { afterSending, GatewayUnavailable, InvalidQuery, type Reason } from "@effect-marketdata/core/Reason"
import * as Cause from "effect/Cause"
import type {
  AlreadyProcessingMessage,
  EntityNotAssignedToRunner,
  MailboxFull,
  PersistenceError
} from "effect/cluster/ClusterError"
import { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Socket from "effect/socket/Socket"
import { randomUUID } from "node:crypto"
import * as Answers from "../wire/answers.ts"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"
import * as Terms from "../wire/terms.ts"
import * as Options from "./options.ts"

/** The options of a client of a gateway, see `Gateway.Options`. */
export interface CallingOptions {
  readonly account: string
  readonly caller?: string | undefined
  readonly patience?: Duration.Input | undefined
  readonly baseUrl?: string | undefined
}

const settings = ({ account, caller, patience = "5 minutes" }: Partial<CallingOptions>, own: string) =>
  Result.all({
    account: Options.named("account", account),
    caller: Options.named("caller", caller ?? own),
    patience: Options.time("patience", patience)
  })

/** How long a call waits before it is sent again, perhaps to the runner that its account has moved to. */
const moving = "100 millis"

/** The largest call, in bytes of JSON, without what the cluster adds. */
const mostBytes = Protocol.largestCall - 4096

/** The JSON of frozen queries, which cannot have changed since they were first sent. */
const written = new WeakMap<Query.Query, string>()

/** Encodes a part of a call. */
const encoded = <A>(schema: Schema.Codec<A, string>, value: A, parameter: string, example: string) =>
  Effect.mapError(
    Schema.encodeEffect(schema)(value),
    ({ message }) => InvalidQuery.of(parameter, value, { rule: `cannot be sent: ${message}`, example })
  )

/** Writes a call; fails with `InvalidQuery` for what cannot be sent. */
const write = Effect.fnUntraced(function*(query: Query.Query, by: Connections.Identity, made: Context.Context<never>) {
  const places = [yield* Effect.context<CacheFallback>(), made] as const
  const claim = yield* Effect.fromResult(Claim.check(Terms.policyOf(places, Claim.Current)))
  const terms = yield* Terms.of(query, places)
  const call = {
    version: Protocol.version,
    call: randomUUID(),
    caller: by.name,
    ...by.proof === "" ? {} : { proof: by.proof },
    ...claim === undefined ? {} : { claim: { key: claim.key, run: claim.run } },
    query: written.get(query) ??
      (yield* encoded(Terms.QueryText, query, "query", "what a constructor of Query made")),
    terms: Object.keys(terms).length === 0
      ? "{}"
      : yield* encoded(Terms.TermsText, terms, "policies", "the defaults")
  }
  if (Object.isFrozen(query)) written.set(query, call.query)
  const bytes = Buffer.byteLength(JSON.stringify(call))
  if (bytes > mostBytes) {
    const rule = `must be at most ${mostBytes} bytes to be sent to the gateway, and is ${bytes}: ask in several calls`
    return yield* InvalidQuery.of("query", query.endpoint, { rule, example: "1000 symbols in each" })
  }
  return call
})

/** How the clients of gateways ask: a runner that is provided with one of them would ask itself. */
export const asking = new WeakSet<MarketData.MarketData["Service"]["run"]>()

/** The client that asks the gateway of an account. */
export const layer = (options: CallingOptions): Layer.Layer<MarketData.MarketData, never, Sharding> =>
  Layer.effect(
    MarketData.MarketData,
    Effect.gen(function*() {
      const gatewayOf = yield* Protocol.Gateway.client
      const { isShutdown } = yield* Sharding
      const made = yield* Effect.context<never>()
      const connections = Option.getOrUndefined(yield* Effect.serviceOption(Connections.Connections))
      const kept = yield* reading((options ?? {}).baseUrl)
      const own = connections?.name ?? Connections.ownName
      const checked = Result.map(settings(options ?? {}, own), (one) => ({ ...one, gateway: gatewayOf(one.account) }))

      const ask = Effect.fnUntraced(
        function*(query: Query.Query): Effect.fn.Return<Answer<unknown>, MarketDataError, CacheFallback> {
          const asError = (reason: Reason) => failed(query, reason)
          const { account, caller, gateway, patience } = yield* Effect.mapError(Effect.fromResult(checked), asError)
          const age = yield* stopwatch
          if (kept !== undefined) {
            // Waiting for a silent database counts against the patience, too.
            const found = yield* Effect.timeoutOption(kept(query), patience)
            if (Option.isSome(found) && Option.isSome(found.value)) return found.value.value
          }
          const by = { name: caller, proof: connections?.proofOf(caller) ?? "" }
          const call = yield* Effect.mapError(write(query, by, made), asError)
          const handed = connections?.handed
          const asked = { query, call, age, isShutdown, askRunner: askOf(account, gateway, connections) }
          return yield* Effect.timeoutOrElse(bring(asked, false), {
            duration: Math.max(0, patience - age()),
            orElse: () => {
              // If no call of this program was handed to a runner meanwhile, the cluster was still looking for one, and nothing was sent.
              const wasSent = connections === undefined || connections.handed !== handed
              return Effect.fail(asError(unavailable("Unreachable", `no answer came within ${patience} ms`, wasSent)))
            }
          })
        }
      )

      const run = ((query: Query.Query) =>
        Result.match(Query.check(query), {
          onFailure: (reason) => Effect.fail(new MarketDataError({ query: "run", reason, trace: [] })),
          onSuccess: ask
        })) as MarketData.MarketData["Service"]["run"]
      asking.add(run)
      return MarketData.MarketData.of({ run })
    })
  )

const failed = (query: Query.Query, reason: Reason) =>
  new MarketDataError({ query: Query.format(query), reason, trace: [] })

/** A call on its way, its age in milliseconds, and whether this program is stopping. */
interface Asked {
  readonly query: Query.Query
  readonly call: typeof Protocol.Call.Type
  readonly age: () => number
  readonly isShutdown: Effect.Effect<boolean>
  readonly askRunner: ReturnType<typeof askOf>
}

/** What was read of a runner's reply; fails if it is of another version. */
const understood = <A>({ query }: Asked, reply: Effect.Effect<A, Schema.SchemaError>) =>
  Effect.mapError(reply, ({ message }) => failed(query, unavailable("OtherVersion", message, true)))

/** Brings a call to its runner, again and again until it is answered. `wasSent` says whether a request of it may have been sent. */
const bring = (asked: Asked, wasSent: boolean): Effect.Effect<Answer<unknown>, MarketDataError> =>
  Effect.flatMap(asked.isShutdown, (isStopping) =>
    isStopping
      ? Effect.fail(failed(asked.query, stopping(wasSent)))
      : Effect.matchCauseEffect(asked.askRunner(asked.call), {
        onSuccess: (reply) => understood(asked, Answers.decode(asked.query, reply)),
        onFailure: (cause) => goOn(asked, next(cause, { wasSent, age: asked.age() }))
      }))

const goOn = (asked: Asked, next: Next): Effect.Effect<Answer<unknown>, MarketDataError> => {
  switch (next._tag) {
    case "Again":
      return Effect.delay(bring(asked, next.wasSent), moving)
    case "Fail":
      return Effect.flatMap(
        understood(asked, Answers.decodeError(asked.query, next.failure)),
        (error) => Effect.fail(next.wasSent ? doubted(error) : error)
      )
    case "GiveUp":
      return Effect.fail(failed(asked.query, next.reason))
    case "Die":
      return Effect.failCause(next.cause)
  }
}

type Asks = ReturnType<Effect.Success<typeof Protocol.Gateway.client>>

/** Asks the known runner of the account, in this program or behind a connection; if none is known, the cluster finds one. */
const askOf =
  (account: string, gateway: Asks, connections: Connections.Connections["Service"] | undefined) =>
  (call: typeof Protocol.Call.Type): Effect.Effect<typeof Protocol.Reply.Type, Unanswered> => {
    const [begin, bring] = [connections?.here.get(account), connections?.known.get(account)]
    if (begin === undefined && bring === undefined) return gateway.Ask(call)
    return Effect.useSpan(`${Protocol.Gateway.type}.client.Ask`, { kind: "client" }, (span) => {
      const trace = [span.traceId, span.spanId, span.sampled] as const
      return begin === undefined ? bring!(call, trace) : Connections.joined(begin(call, trace))
    })
  }

/** The error of a call that an earlier runner may have sent, which the runner that failed does not know. An incomplete answer says itself what it cost. */
const doubted = ({ query, reason, trace }: MarketDataError): MarketDataError =>
  new MarketDataError({ query, trace, reason: reason._tag === "Incomplete" ? reason : afterSending(reason) })

type Failure = typeof Protocol.Failed.Type
type Failed = Extract<Failure, { readonly _tag: "Failed" }>

/** The errors of a call to a gateway. */
type Unanswered = Failure | AlreadyProcessingMessage | EntityNotAssignedToRunner | MailboxFull | PersistenceError

/**
 * What to do. `wasSent` says whether a request of the call may have been sent.
 *
 * - `Again`: send the call to the runner that has the account now, even if it may have been sent: because of its claim it is sent once, or fails with
 *   `AlreadySent`
 * - `Fail`: the client of the runner has failed
 * - `GiveUp`: the gateway cannot be asked
 * - `Die`: the call ended with a defect
 */
type Next =
  | { readonly _tag: "Again"; readonly wasSent: boolean }
  | { readonly _tag: "Fail"; readonly failure: Failed; readonly wasSent: boolean }
  | { readonly _tag: "GiveUp"; readonly reason: GatewayUnavailable }
  | { readonly _tag: "Die"; readonly cause: Cause.Cause<never> }

const again = (wasSent: boolean): Next => ({ _tag: "Again", wasSent })

/** Makes the reason of a gateway that cannot be asked. */
const unavailable = (cause: GatewayUnavailable["cause"], detail: string, wasSent: boolean) =>
  new GatewayUnavailable({ cause, detail, wasSent })

/** The reason if the program of the caller is stopping. */
const stopping = (wasSent: boolean) => unavailable("Unreachable", "this program is stopping", wasSent)

/** Decides what to do about a call that failed with this cause. It may have been sent before, and has an age in milliseconds. */
export const next = (
  cause: Cause.Cause<Unanswered>,
  { age, wasSent }: { readonly age: number; readonly wasSent: boolean }
): Next => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure === undefined) {
    return Cause.hasInterruptsOnly(cause) || isBroken(cause)
      ? again(true)
      : { _tag: "Die", cause: cause as Cause.Cause<never> }
  }
  const tenure = "tenure" in failure ? failure.tenure : undefined
  // An earlier runner that was lost may have sent it.
  const isPerhapsSent = wasSent || tenure === undefined || tenure < age
  const giveUp = (why: GatewayUnavailable["cause"], detail: string, wasSent = isPerhapsSent): Next => ({
    _tag: "GiveUp",
    reason: unavailable(why, detail, wasSent)
  })
  switch (failure._tag) {
    case "Failed":
      return { _tag: "Fail", failure, wasSent: isPerhapsSent }
    case "Moved":
      return again(wasSent)
    // The runner has the call from before the connection was lost.
    case "AlreadyProcessingMessage":
      return again(true)
    case "Busy":
      return giveUp("Busy", `${failure.waiting} calls are waiting`)
    case "MailboxFull":
      return giveUp("Busy", "its mailbox is full")
    case "OtherVersion": {
      const versions = `its protocol is version ${failure.version}, and that of this program is ${Protocol.version}`
      return giveUp("OtherVersion", versions)
    }
    case "Unreadable":
      return giveUp("OtherVersion", failure.detail)
    case "PersistenceError":
      return giveUp("Unreachable", failure._tag, true)
    // The cluster looks for a runner until the program stops. A runner that was lost before may have sent the call.
    case "EntityNotAssignedToRunner":
      return { _tag: "GiveUp", reason: stopping(true) }
  }
}

/** Whether a connection broke while something was written to it, which the cluster's transport reports as a defect. */
const isBroken = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && Socket.isSocketError(reason.defect))

/** Starts a stopwatch of the monotonic clock, in milliseconds. */
export const stopwatch: Effect.Effect<() => number> = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const started = clock.monotonicTimeNanosUnsafe()
    return () => Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
  })
)

/** The token and the HTTP client of the client that reads kept replies: nothing can be sent with them. */
const nothing = Effect.die(new Error("who reads kept replies sends nothing"))

/**
 * Makes what finds a kept answer to a query on the terms at the call, in the `ReplyCache` of the context and as a runner's client with this base URL would;
 * undefined if there is no cache. The search appears in no metric and no trace.
 */
export const reading = Effect.fnUntraced(function*(baseUrl: string | undefined) {
  const cache = yield* Effect.serviceOption(ReplyCache)
  if (Option.isNone(cache)) return undefined
  const context = yield* Layer.build(
    MarketData.layerNoDeps({ token: nothing, ...baseUrl === undefined ? {} : { baseUrl } }).pipe(
      Layer.provide([
        CreditLedger.layerMemory({ allowance: 0, history: 1 }),
        IpGuard.layerMemory(),
        Layer.succeed(ReplyCache, cache.value),
        Layer.succeed(HttpClient.HttpClient, HttpClient.make(() => nothing))
      ])
    )
  )
  const metrics = new Map()
  return (query: Query.Query): Effect.Effect<Option.Option<Answer<unknown>>> =>
    MarketData.run(query).pipe(
      Effect.provideContext(context),
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 1 })),
      // Who consents to live data is asked once, and not here.
      Effect.provideService(CacheFallback, { decide: () => nothing }),
      Effect.withTracerEnabled(false),
      Effect.provideService(Metric.MetricRegistry, metrics),
      Effect.exit,
      Effect.map((exit) =>
        Exit.isSuccess(exit) && exit.value.provenance.source === "local" ? Option.some(exit.value) : Option.none()
      )
    )
})
