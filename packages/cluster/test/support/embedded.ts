/** A gateway, its runner and its callers in one process, under virtual time. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import { Effect, Layer } from "effect"
import { EntityId, Sharding, TestRunner } from "effect/cluster"

/** A runner that has its shards: it takes them without any time going by, but not at once. */
export const runner = Layer.effectDiscard(
  Effect.gen(function*() {
    const sharding = yield* Sharding.Sharding
    const shard = sharding.getShardId(EntityId.make("main"), "default")
    while (!sharding.hasShardId(shard)) yield* Effect.yieldNow
  })
).pipe(Layer.provideMerge(TestRunner.layer))

/** A client through a gateway over any client; what else that one brings stays there. */
export const through = <A, E, R>(
  client: Layer.Layer<A | MarketData.MarketData, E, R>,
  options: { readonly entity?: Gateway.EntityOptions; readonly caller?: Partial<Gateway.Options> } = {}
) =>
  Gateway.layer({ account: "main", caller: "one", ...options.caller }).pipe(
    Layer.provideMerge(Gateway.layerEntity(options.entity)),
    Layer.provideMerge(runner),
    // First of all, because it may set the time.
    Layer.provideMerge(client)
  )

/** What another caller's program asks with, in the same cluster. */
export const callerNamed = (caller: string) => Gateway.layer({ account: "main", caller })
