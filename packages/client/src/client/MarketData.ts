/**
 * The client: queries in, answers out. `run` asks any query: it reserves credits, sends, retries and settles. The functions for the
 * endpoints, such as `optionChain`, make a query and call `run`.
 *
 * @example
 * ```ts
 * import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Console from "effect/Console"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * const spx = MarketData.optionChain("SPX", {
 *   dte: 30,
 *   strikeLimit: 25,
 *   mode: DataMode.cachedOrLive({ maxAge: "5 minutes" })
 * }).pipe(
 *   Effect.tap(({ data }) => Console.log(data.length, data.bid[0]))
 * )
 *
 * const client = MarketData.layerConfig.pipe(
 *   Layer.provide([CreditLedger.layerMemory({ allowance: 10_000 }), FetchHttpClient.layer])
 * )
 *
 * await Effect.runPromise(spx.pipe(Effect.provide([client, CacheFallback.layerUpTo(500)])))
 * ```
 *
 * @see `Query` of core for the queries and their options
 * @see {@link CreditLedger} for a budget
 * @see {@link CacheFallback} for consent to live prices
 * @see {@link RetryPolicy} and {@link Policies} for how a call behaves
 * @see {@link ReplyCache} for replies that answer again
 * @see {@link ChainSizes} for sizes of chains that bound the next price
 * @see {@link MarketDataError} for what can go wrong
 * @see {@link MarketDataStream} for long queries, {@link QuoteResolver} for quotes of many callers
 * @since 0.1.0
 */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as TableMemory from "@effect-marketdata/core/TableMemory"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as CreditLedger from "../account/CreditLedger.ts"
import * as IpGuard from "../account/IpGuard.ts"
import { ReplyCache } from "../cache/ReplyCache.ts"
import * as Call from "../call/call.ts"
import { has, isFunction, isOneOf, problemOf } from "../config/checked.ts"
import * as MarketDataConfig from "../config/MarketDataConfig.ts"
import { MarketData } from "../endpoints/service.ts"
import { MarketDataError } from "../error/MarketDataError.ts"
import * as Pipeline from "../pipeline/pipeline.ts"
import { CacheFallback } from "../policy/CacheFallback.ts"
import { ChainSizes } from "../policy/ChainSizes.ts"
import * as Policies from "../policy/Policies.ts"
import * as RetryBudget from "../policy/RetryBudget.ts"
import * as RetryPolicy from "../policy/RetryPolicy.ts"
import * as Wire from "../sending/wire.ts"
import * as Observe from "../telemetry/observe.ts"

/**
 * The client, and what a query requires besides it.
 *
 * @category services
 * @since 0.1.0
 */
export { MarketData, type RequirementsOf } from "../endpoints/service.ts"

/**
 * What can go wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export type { Reasons } from "../endpoints/service.ts"

/**
 * Asks any query, and returns its answer.
 *
 * @category queries
 * @since 0.1.0
 */
export { run } from "../endpoints/service.ts"

/**
 * A function for each endpoint: options, stocks, funds, the market's days, the account and the service itself. `partial` accepts part of an answer,
 * `pooled` takes the memory of its table from a pool, and `whenCached` turns a cached miss into `None`.
 *
 * @since 0.1.0
 */
export * from "../endpoints/accessors.ts"

/**
 * What a client needs: an HTTP client, a ledger of credits and a guard of the address.
 *
 * @category models
 * @since 0.1.0
 */
export type Dependencies = HttpClient.HttpClient | CreditLedger.CreditLedger | IpGuard.IpGuard

/**
 * Makes a client from the HTTP client, the ledger and the guard in the context. A `RetryPolicy` in the context applies to all its calls; a
 * `RetryBudget` is shared with all other clients that get it. With a `ReplyCache` replies are kept, and with `ChainSizes` sizes of chains are
 * remembered. An invalid option does not fail here: each query of the client fails with `InvalidQuery`.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 *
 * export const client = MarketData.make({ maxInFlight: 10 })
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  given: MarketDataConfig.MarketDataConfig = {}
): Effect.fn.Return<MarketData["Service"], never, Dependencies> {
  const made = yield* Effect.context<never>()
  const services = checkServices(made)
  const wrong = problemOf(given) ?? services.problem
  // With an invalid option or service, each query of the client fails with its name.
  const options = wrong === undefined ? given : {}
  yield* Effect.sync(() => {
    TableMemory.useByDefault(Call.allocate)
    // The decoder is compiled in the background, so that the first chain does not wait for it; this cannot fail.
    void OptionChain.prepare()
  })
  const client = yield* HttpClient.HttpClient
  const watchable = Wire.watchable(options.transformClient?.(client) ?? client)
  const keeping = Context.getOrUndefined(made, ReplyCache)
  const resources = yield* Call.resourcesOf(options, made, watchable, keeping)
  const answer = (query: Query.Query) =>
    Result.match(Query.check(query), {
      onFailure: (reason) => Effect.fail(new MarketDataError({ query: "run", reason, trace: [] })),
      onSuccess: (query) =>
        // The caller's own context, without the span of the query: policies are read once for each context.
        Effect.withFiber((fiber) => {
          const reason = services.ofCall(fiber.context) ?? wrong
          if (reason !== undefined) {
            const error = new MarketDataError({ query: Query.format(query), reason, trace: [] })
            return Observe.query(fiber.context, query, Effect.fail(error), error)
          }
          const call = new Call.Call(resources, fiber.context)
          return Observe.query(fiber.context, query, Pipeline.run(call, query), call)
        })
    })
  // The pipeline can fail with every reason, and requires consent in one branch only; the type of `run` narrows both by the mode.
  return Call.readBy(MarketData.of({ run: answer as MarketData["Service"]["run"] }), resources.policiesOf)
})

/**
 * The client without defaults: the HTTP client, the ledger and the guard must all be provided.
 *
 * @example
 * ```ts
 * import * as IpGuard from "@effect-marketdata/client/IpGuard"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as RetryBudget from "@effect-marketdata/client/RetryBudget"
 * import * as Layer from "effect/Layer"
 *
 * // Provide the guard and, if you like, the budget of retries too.
 * export const client = MarketData.layerNoDeps().pipe(Layer.provide([IpGuard.layerMemory(), RetryBudget.layerMemory()]))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = (
  options?: MarketDataConfig.MarketDataConfig
): Layer.Layer<MarketData, never, Dependencies> => Layer.effect(MarketData, make(options))

/**
 * The client over an HTTP client and a ledger. The ledger says what it may spend, so the type requires one: provide
 * `CreditLedger.layerMemory({ allowance: 10_000 })`, or `CreditLedger.layerUnlimited`, which only counts. It uses the `IpGuard` that is
 * provided to it, or makes its own in memory.
 *
 * Merging the ledger with the client, as in `Layer.mergeAll(client, ledger)`, does not satisfy that requirement: the program does not compile.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layer().pipe(
 *   Layer.provide([CreditLedger.layerMemory({ allowance: 10_000, window: "day" }), FetchHttpClient.layer])
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options?: MarketDataConfig.MarketDataConfig
): Layer.Layer<MarketData, never, HttpClient.HttpClient | CreditLedger.CreditLedger> =>
  Layer.effect(MarketData, Effect.provideServiceEffect(make(options), IpGuard.IpGuard, guard))

/**
 * Like `layer`, with the options from the environment variables `MARKETDATA_…`, see `MarketDataConfig`; all of them may be missing. It fails with
 * `ConfigError` if one is invalid. It is one layer, which Effect builds once in an `Effect.provide` or `ManagedRuntime`, and for all that is provided
 * inside of it: `Layer.fresh(MarketData.layerConfig)` makes the client of another account.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layerConfig.pipe(
 *   Layer.provide([CreditLedger.layerMemory({ allowance: 1_000, window: "day" }), FetchHttpClient.layer])
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<
  MarketData,
  Config.ConfigError,
  HttpClient.HttpClient | CreditLedger.CreditLedger
> = Layer.unwrap(Effect.map(MarketDataConfig.fromEnvironment, layer))

/** The guard that was provided, or else one in memory. It is not a layer: Effect would build that once, and all clients of a program would share it. */
const guard = Call.provided(IpGuard.IpGuard, IpGuard.makeMemory())

// Whether the services and policies of a program have their form, and are provided where they have an effect.

type Keyed = { readonly key: string }

/** A service or a policy: its key in a context, its check, the rule in words, and a valid example. */
type Known = ReturnType<typeof policy>

/** The name of a service in messages. */
const nameOf = (key: string): string => key.replace("@effect-marketdata/client/", "").replace("/", ".")

/** A service, which is undefined or has these fields. */
const service = (of: Keyed, fields: Parameters<typeof has>[0], example: string): Known => {
  const rule = `must be a service with ${Object.keys(fields).join(" and ")}`
  return policy(of, (value) => value === undefined || has(fields)(value), rule, example)
}

/** A policy, by what it must be. */
const policy = ({ key }: Keyed, is: (value: unknown) => boolean, rule: string, example: string) =>
  ({ key, is, rule, example }) as const

/** The optional services that go under a client. */
const under: ReadonlyArray<Known> = [
  service(IpGuard.IpGuard, { admit: Effect.isEffect }, "IpGuard.layerMemory()"),
  service(ReplyCache, { isPossible: isFunction, answer: isFunction }, "ReplyCache.layerMemory({ maxBytes: 1e8 })"),
  service(ChainSizes, { find: isFunction, keep: isFunction }, "ChainSizes.layerMemory()"),
  service(RetryBudget.RetryBudget, { take: Effect.isEffect }, "RetryBudget.layerMemory()")
]

/** The ledger, which every client needs. */
const books = { reserve: isFunction, balance: Effect.isEffect }
const ledger = service(CreditLedger.CreditLedger, books, "CreditLedger.layerUnlimited")

/** A deadline may be 0: a gateway subtracts the time that a call has waited. */
const isDeadline = (value: unknown): boolean => value === undefined || value === 0 || isTime(value)

const isTime = (value: unknown): boolean => typeof value === "number" && value > 0

const ipRule = { whenHeld: isOneOf("fail", "wait"), heldBy: isOneOf("addressBlock", "any403") }

/** The services and policies that may be provided to a call. */
const atTheCall: ReadonlyArray<Known> = [
  service(RetryPolicy.RetryPolicy, { start: Effect.isEffect }, "RetryPolicy.layer({ attempts: 3 })"),
  service(RetryPolicy.RetryPolicy, { deadline: isDeadline }, "RetryPolicy.layer({ deadline: 10_000 })"),
  service(CacheFallback, { decide: isFunction }, "CacheFallback.layerUpTo(500)"),
  service(Call.Buffers, { take: isFunction, give: isFunction }, "BufferPool.make()"),
  service(CreditLedger.Budget, { reserve: isFunction }, "what CreditLedger.makeMemory({ allowance: 500 }) makes"),
  policy(Policies.Findings, isOneOf("keep", "strict"), `must be "keep" or "strict"`, `"strict"`),
  policy(Policies.RecordedFigures, isOneOf("possible", "any", "explained"), "must be a RecordedFigures", `"possible"`),
  // A timer treats anything else as 0 ms: each request would be cut off after it was sent, and may be charged.
  policy(Policies.AttemptTimeout, isTime, "must be above 0 ms", "60_000"),
  policy(Policies.IpRule, has(ipRule), "must say whenHeld and heldBy", `{ whenHeld: "fail", heldBy: "any403" }`),
  policy(Policies.Coalesce, isOneOf(true, false), "must be true or false", "true")
]

/** The refusal of the first service or policy that is there and has a wrong form. */
const ofWrongForm = (context: Context.Context<never>, all: ReadonlyArray<Known>): InvalidQuery | undefined => {
  for (const { example, is, key, rule } of all) {
    if (!context.mapUnsafe.has(key)) continue
    const value: unknown = context.mapUnsafe.get(key)
    if (!is(value)) return InvalidQuery.of(nameOf(key), value, { rule, example })
  }
  return undefined
}

/** Whether a program provided a service. */
const isProvided = ({ mapUnsafe }: Context.Context<never>, { key }: Known): boolean => {
  const service: unknown = mapUnsafe.get(key)
  return service !== undefined && !Call.own.has(service as object)
}

/**
 * Compares the services of a program with those of its client. An optional service that is provided beside the client, and not to it, would silently
 * have no effect. `problem` is what is wrong with those that a client is made with. `ofCall` checks those around a call: it refuses one that the client
 * was made without, and one of a wrong form.
 */
const checkServices = (made: Context.Context<never>) => {
  const missing = under.filter((known) => !isProvided(made, known))
  return {
    problem: ofWrongForm(made, [ledger, ...under, ...atTheCall]),
    ofCall: (caller: Context.Context<never>): InvalidQuery | undefined => {
      const beside = missing.find((known) => isProvided(caller, known))
      if (beside === undefined) return ofWrongForm(caller, atTheCall)
      const rule = "must be provided to the client, which does not see a service provided beside it"
      const example = `MarketData.layer().pipe(Layer.provide(${beside.example}))`
      return new InvalidQuery({ parameter: nameOf(beside.key), value: "of the program", rule, example })
    }
  }
}
