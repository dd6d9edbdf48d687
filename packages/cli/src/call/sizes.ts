/**
 * Sizes of chains that commands have seen, which bound the price of the next chain. They are in the database of the ledger; if it cannot be read, no size is
 * known.
 */
import { ChainSizes } from "@effect-marketdata/client"
import { Credits, Plan, type Query } from "@effect-marketdata/core"
import { Context, Effect, FileSystem, Layer, Option } from "effect"
import type { Service } from "../settings/settings.ts"
import { type Call, queriesOf } from "./command.ts"
import * as Kept from "./kept.ts"

const open = Effect.fnUntraced(function*(service: Service, isReadOnly: boolean) {
  const found = yield* Kept.where("ledger", service)
  if (found.path === undefined) return Context.empty()
  const files = yield* FileSystem.FileSystem
  if (isReadOnly && !(yield* Effect.orElseSucceed(files.exists(found.path), () => false))) return Context.empty()
  const { layerSqlite } = yield* Effect.promise(() => import("@effect-marketdata/sql/SqlChainSizes"))
  // A broken database is reported where the ledger opens it. Here an unknown size only means that consent may be asked for.
  return yield* Kept.prepareLedger(found.path).pipe(
    Effect.andThen(Layer.build(layerSqlite({ filename: found.path }))),
    Effect.orElseSucceed(() => Context.empty())
  )
})

/** The sizes that were seen of a service; a client with this layer records those that it sees. With `isReadOnly` no database is created. */
export const layer = (service: Service, isReadOnly = false) =>
  Layer.effectContext(Effect.map(open(service, isReadOnly), (context): Context.Context<never> => context))

/** The most that queries may cost together. */
export const boundOf = (estimates: ReadonlyArray<Credits.Estimate>): number =>
  estimates.reduce((sum, estimate) => sum + Credits.bound(estimate), 0)

/** What is known of the size of a query's chain, as prices take it. */
export const seenOf = Effect.fnUntraced(function*(query: Query.Query, baseUrl: string) {
  const sizes = yield* Effect.serviceOption(ChainSizes.ChainSizes)
  if (Option.isNone(sizes)) return {}
  return { seen: yield* Effect.provideService(ChainSizes.seen(query, baseUrl), ChainSizes.ChainSizes, sizes.value) }
})

/** What the queries of a call cost, by the sizes of chains that were seen of a service. */
export const pricesOf = <Data>(call: Call<Data>, baseUrl: string) =>
  Effect.forEach(queriesOf(call), (query) =>
    Effect.map(
      seenOf(query, baseUrl),
      (seen) => Plan.capped(query, Credits.estimate(query, seen), call.fallbackUpTo)
    ))
