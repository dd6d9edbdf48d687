/** Answers calls from the replies that machines share, without the sender: by a client with their cache, which has no credits and nothing to send with. */
import { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import { ReplyCache } from "@effect-marketdata/client/ReplyCache"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import type { Answer } from "@effect-marketdata/core/Answer"
import type * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"

/** Whatever would be sent ends here, as a token does that cannot be had. */
const nothing = Effect.die(new Error("who reads kept replies sends nothing"))

/** A kept answer to a query on the terms at the call, or none. Looking for it is nobody's query: it shows in no metric and no trace. */
export type Reading = (query: Query.Query) => Effect.Effect<Option.Option<Answer<unknown>>>

/** Makes what reads the `ReplyCache` in the context, undefined where there is none, as the clients of runners with this address of the service keep replies in it. */
export const make = Effect.fnUntraced(function*(baseUrl: string | undefined) {
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
  return (query: Query.Query): ReturnType<Reading> =>
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
