/**
 * The client: questions in, answers out. One primitive, `run`, takes a question through everything that decides money; the endpoints
 * are accessors over it.
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
 * const spx = MarketData.optionChain("SPX", { mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }) }).pipe(
 *   Effect.tap(({ data }) => Console.log(data.length, data.bid[0]))
 * )
 *
 * await Effect.runPromise(spx.pipe(Effect.provide(MarketData.layerConfig.pipe(
 *   Layer.provide(CreditLedger.layerMemory({ allowance: 10_000 })),
 *   Layer.provide(FetchHttpClient.layer),
 *   Layer.merge(CacheFallback.layerUpTo(500))
 * ))))
 * ```
 *
 * @since 0.1.0
 */
import type * as Answer from "@effect-marketdata/core/Answer"
import * as Kernel from "@effect-marketdata/core/columns/Kernel"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import type * as OptionChainEndpoint from "@effect-marketdata/core/endpoints/OptionChainEndpoint"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import * as Retry from "@effect-marketdata/core/Retry"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import type { CacheFallback } from "./CacheFallback.ts"
import * as CreditLedger from "./CreditLedger.ts"
import * as EgressGuard from "./EgressGuard.ts"
import type * as Asking from "./internal/asking.ts"
import * as Pipeline from "./internal/pipeline.ts"
import * as MarketDataConfig from "./MarketDataConfig.ts"
import { MarketDataError } from "./MarketDataError.ts"

/**
 * What can go wrong with a question in this mode.
 *
 * @category errors
 * @since 0.1.0
 */
export type ErrorFor<Mode extends DataMode.DataMode | undefined> = MarketDataError<
  Reason.InvalidQuery | Reason.CreditBudgetExceeded | Reason.TransportFailure | Reason.ForMode<Mode>
>

/**
 * What a question in this mode requires besides the client: consent to pay, where it may fall back to live data.
 *
 * @category models
 * @since 0.1.0
 */
export type RequirementsOf<Mode extends DataMode.DataMode | undefined> = Mode extends DataMode.CachedOrLive
  ? CacheFallback
  : never

/**
 * The client.
 *
 * @category services
 * @since 0.1.0
 */
export class MarketData extends Context.Service<MarketData, {
  readonly run: <Data, Mode extends DataMode.DataMode | undefined>(
    query: Query.Query<Data, Mode>
  ) => Effect.Effect<Answer.Answer<Data>, ErrorFor<Mode>, RequirementsOf<Mode>>
}>()("@effect-marketdata/client/MarketData") {}

/**
 * Asks a question.
 *
 * Fails with a `MarketDataError` whose reasons are those that the question's mode can bring. The credits it may cost are reserved in
 * the `CreditLedger` before the first request, and settled by what was charged, also when the fiber is interrupted.
 *
 * @category questions
 * @since 0.1.0
 */
export const run = <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>
): Effect.Effect<Answer.Answer<Data>, ErrorFor<Mode>, MarketData | RequirementsOf<Mode>> =>
  Effect.flatMap(MarketData, (service) => service.run(query))

/**
 * Asks for the option chain of an underlying (contract 4.1).
 *
 * @category questions
 * @since 0.1.0
 */
export const optionChain = <
  const Name extends OptionChain.Column = OptionChain.Column,
  const Mode extends DataMode.DataMode | undefined = undefined
>(
  underlying: string,
  options?: OptionChainEndpoint.Options<Name, Mode>
): Effect.Effect<
  Answer.Answer<OptionChain.OptionChain<Name>>,
  ErrorFor<Mode>,
  MarketData | RequirementsOf<Mode>
> =>
  Effect.fromResult(Query.optionChain(underlying, options)).pipe(
    Effect.mapError((reason) => new MarketDataError({ query: `optionChain ${underlying}`, reason, trace: [] })),
    Effect.flatMap(run)
  )

/** The service takes no more requests of an account at once; more would be refused with status 429. */
const maxInFlight = 50

/**
 * What a client is made over: an HTTP client, a book of credits and a guard of the address.
 *
 * @category models
 * @since 0.1.0
 */
export type Dependencies = HttpClient.HttpClient | CreditLedger.CreditLedger | EgressGuard.EgressGuard

/**
 * Makes a client over the ambient HTTP client, book of credits and guard of the address.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  options: MarketDataConfig.MarketDataConfig = {}
): Effect.fn.Return<MarketData["Service"], never, Dependencies> {
  // The first reply shall not wait for the decoder's kernel; this takes no time from anybody, and cannot fail.
  yield* Effect.sync(() => void Kernel.prepare())
  const client = yield* HttpClient.HttpClient
  const parts: Asking.Parts = {
    client: options.transformClient?.(client) ?? client,
    ledger: yield* CreditLedger.CreditLedger,
    egress: yield* EgressGuard.EgressGuard,
    permits: yield* Semaphore.make(maxInFlight),
    retries: yield* Ref.make(Retry.makeBudget(options.retries ?? Retry.defaultAllowance)),
    maxSymbols: options.maxSymbols,
    baseUrl: options.baseUrl ?? MarketDataConfig.publicBaseUrl,
    token: options.token === undefined || Redacted.isRedacted(options.token)
      ? Effect.succeed(options.token)
      : options.token
  }
  const answer = Effect.fn("MarketData.run")(function*(query: Query.Query) {
    yield* Effect.annotateCurrentSpan({ endpoint: query.endpoint, subject: query.subject, mode: query.mode?._tag })
    return yield* Pipeline.run(parts, query)
  })
  // The pipeline knows all reasons and asks for consent in one branch only; which of them a mode can reach is said by the types.
  return MarketData.of({ run: answer as MarketData["Service"]["run"] })
})

/**
 * The client over an HTTP client, a book of credits and a guard of the address, all from outside.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = (
  options?: MarketDataConfig.MarketDataConfig
): Layer.Layer<MarketData, never, Dependencies> => Layer.effect(MarketData, make(options))

/** The guard that was provided, or else one in memory. */
const guard: Layer.Layer<EgressGuard.EgressGuard> = Layer.effect(
  EgressGuard.EgressGuard,
  Effect.flatMap(
    Effect.serviceOption(EgressGuard.EgressGuard),
    Option.match({ onNone: () => EgressGuard.makeMemory(), onSome: Effect.succeed })
  )
)

/** The book that was provided, or else one in memory that only counts: a budget from outside is never shadowed. */
const ledger: Layer.Layer<CreditLedger.CreditLedger> = Layer.effect(
  CreditLedger.CreditLedger,
  Effect.flatMap(
    Effect.serviceOption(CreditLedger.CreditLedger),
    Option.match({ onNone: () => CreditLedger.makeMemory(), onSome: Effect.succeed })
  )
)

/**
 * The client over an HTTP client. It uses the `CreditLedger` and the `EgressGuard` that are provided to it, and keeps either book in memory
 * where there is none; without an allowance the credits are only counted.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options?: MarketDataConfig.MarketDataConfig
): Layer.Layer<MarketData, never, HttpClient.HttpClient> => Layer.provide(layerNoDeps(options), [ledger, guard])

/**
 * The client as `MARKETDATA_TOKEN` and `MARKETDATA_BASE_URL` say; the public service by default. Like `layer` in everything else.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<MarketData, Config.ConfigError, HttpClient.HttpClient> = Layer.unwrap(
  Effect.map(MarketDataConfig.fromEnvironment, layer)
)
