/** A client over a scripted service, and what its tests ask it and look at. */
import { CacheFallback, CreditLedger, IpGuard, MarketData } from "@effect-marketdata/client"
import type { MarketDataConfig } from "@effect-marketdata/client/MarketDataConfig"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import { Clock, Context, type Duration, Effect, Fiber, Layer, Redacted, type Scope, Tracer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { steps, type Test } from "../../../core/test/support/it.ts"
import type { replying } from "./scripted.ts"

type Http = ReturnType<typeof replying>

/** What the service under a client was asked so far. */
export class Requests extends Context.Service<Requests, Http["requests"]>()("test/Requests") {}

/** How many requests that are. */
export const sent = Effect.map(Requests, ({ length }) => length)

/** What they say behind their paths. */
export const targets = Effect.map(Requests, (requests) => requests.map(({ url }) => url.split("?")[1]))

/** How a client is made: `under` is what else is provided to it, `given` what stands beside it, for those who ask. */
interface ClientOptions extends MarketDataConfig {
  readonly allowance?: number | undefined
  readonly consent?: number | undefined
  readonly address?: Effect.Effect<string> | undefined
  readonly under?: Layer.Layer<never> | undefined
  readonly given?: Layer.Layer<never> | undefined
}

/** The client over a service, with a budget and consent to live data. */
export const clientOf = (
  { layer, requests }: { readonly layer: Http["layer"]; readonly requests?: Http["requests"] },
  { address, allowance, consent = 0, given = Layer.empty, under = Layer.empty, ...options }: ClientOptions = {}
) =>
  MarketData.layer({ baseUrl: "https://service.test", token: Redacted.make("a-token-for-tests"), ...options }).pipe(
    Layer.provide(under),
    Layer.provideMerge(
      allowance === undefined ? Layer.fresh(CreditLedger.layerUnlimited) : CreditLedger.layerMemory({ allowance })
    ),
    Layer.provide(IpGuard.layerMemory({ address })),
    Layer.provide(layer),
    Layer.merge([CacheFallback.layerUpTo(consent), Layer.succeed(Requests, requests ?? [])]),
    Layer.merge(given)
  )

type Steps = Test<Layer.Success<ReturnType<typeof clientOf>> | Scope.Scope, [Http]>

/** What a client does over a service that its steps are given. */
export function over(http: Http, test: Steps): Effect.Effect<unknown, unknown, Scope.Scope>
export function over(http: Http, options: ClientOptions, test: Steps): Effect.Effect<unknown, unknown, Scope.Scope>
export function over(http: Http, ...given: [Steps] | [ClientOptions, Steps]) {
  const [options, test] = given.length === 1 ? [undefined, given[0]] : given
  return Effect.provide(steps(test)(http), clientOf(http, options))
}

/** A client over the sandbox: `ledger` is where it counts, without a limit if none is given; without `consent` live data may cost anything. */
export const sandboxed = <Under = never>(
  { consent, ledger, sandbox = { seed: 1 }, under, ...config }: MarketDataConfig & {
    readonly consent?: number | undefined
    readonly ledger?: Layer.Layer<CreditLedger.CreditLedger> | undefined
    readonly sandbox?: Sandbox.Options | undefined
    readonly under?: Layer.Layer<Under> | undefined
  } = {}
) =>
  MarketData.layer({ baseUrl: "https://sandbox.test", token: Redacted.make("sandbox-paid"), ...config }).pipe(
    Layer.provideMerge(under ?? Layer.empty as Layer.Layer<Under>),
    Layer.provideMerge(ledger ?? Layer.fresh(CreditLedger.layerUnlimited)),
    Layer.provide(Sandbox.layerHttpClient),
    Layer.provideMerge(Sandbox.layer(sandbox)),
    Layer.merge(consent === undefined ? CacheFallback.layerAlways : CacheFallback.layerUpTo(consent))
  )

/** Lets a query run while the clock goes on, and gives what came of it. */
export const passing = Effect.fnUntraced(
  function*<A, E, R>(query: Effect.Effect<A, E, R>, time: Duration.Input = "10 minutes") {
    const fiber = yield* Effect.forkChild(query)
    yield* TestClock.adjust(time)
    return yield* Fiber.join(fiber)
  }
)

/** The same, with how long it took in milliseconds. */
export const timed = <A, E, R>(query: Effect.Effect<A, E, R>, most?: Duration.Input) =>
  Effect.flatMap(Clock.currentTimeMillis, (start) =>
    passing(
      Effect.flatMap(query, (value) => Effect.map(Clock.currentTimeMillis, (end) => ({ value, took: end - start }))),
      most
    ))

/** The clock, where the time of the system was set. */
export const setTo = (time: (millis: number) => number) =>
  Effect.map(Clock.Clock, (clock): Clock.Clock => {
    return { ...clock, currentTimeMillisUnsafe: () => time(clock.currentTimeMillisUnsafe()) }
  })

/** The same, set back by an hour. */
export const setBack = setTo((millis) => millis - 3_600_000)

/** What the budget stands at. */
export const balance = Effect.flatMap(CreditLedger.CreditLedger, (ledger) => ledger.balance)

/** A tracer that keeps its spans. */
export const tracerOf = (spans: Array<Tracer.NativeSpan>): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
