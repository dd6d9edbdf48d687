/** The programs of the machines, as the guide has them: a runner that may send, and a program that only asks. */
import { CreditLedger } from "@effect-marketdata/client/CreditLedger"
import type { IpGuard } from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import { Gateway, Runner } from "@effect-marketdata/cluster"
import { SqlIpGuard, SqlLedger, SqlReplyCache } from "@effect-marketdata/sql"
import type { DatabaseError } from "@effect-marketdata/sql/DatabaseError"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { MessageStorage, RunnerHealth, Runners, RunnerServer, Sharding, ShardingConfig } from "effect/cluster"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as HttpClient from "effect/http/HttpClient"
import { RpcSerialization, RpcServer } from "effect/rpc"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Calls from "../../src/runner/calls.ts"
import { connections } from "../../src/runner/sockets.ts"
import { Connections } from "../../src/wire/connections.ts"
import type { Database } from "./database.ts"
import type { Host } from "./network.ts"
import type { Sockets } from "./sockets.ts"

export const account = "main"

/** The caller that may have a budget. */
export const thrifty = "caller-1"

export const ledgerOptions = { account, allowance: 10_000 } as const

/** What a runner is made of, so that a test can put a mistake in the place of a part. */
export interface Parts {
  /** Whose clock is the database's: a server's own, or that of the one machine that a file is on. */
  readonly dialect: "pg" | "sqlite"
  readonly guard: (address: string, name: string) => Layer.Layer<IpGuard, DatabaseError, SqlClient>
  readonly ledger: (name: string) => Layer.Layer<CreditLedger, DatabaseError, SqlClient>
  /** What the thrifty caller may spend. */
  readonly budget: (allowance: number, name: string) => Layer.Layer<CreditLedger, DatabaseError, SqlClient>
  readonly client: typeof MarketData.layerNoDeps
}

export const parts: Parts = {
  dialect: "pg",
  guard: (address, askedBy) => SqlIpGuard.layer({ account, address, askedBy, lease: "5 seconds" }),
  ledger: (askedBy) => SqlLedger.layer({ ...ledgerOptions, askedBy }),
  budget: (allowance, askedBy) => SqlLedger.layer({ account, budget: thrifty, allowance, askedBy }),
  client: MarketData.layerNoDeps
}

/** What the machines share: besides the database the replies that are kept in it, if `shares`, and what `thrifty` may spend, if anything bounds that. */
export interface World {
  readonly database: Database
  readonly sockets: Sockets
  readonly shares: boolean
  readonly budget: number | undefined
}

const baseUrl = "https://service.test"

/** The replies that machines share, where they do. */
const replies = ({ shares }: World) => shares ? SqlReplyCache.layer({ account }) : Layer.empty

const port = 34_431

/** Few shards, because one account is in one of them; and half as many looks as usual, because they are most of the work. */
const settings = {
  shardsPerGroup: 4,
  refreshAssignmentsInterval: "1 second",
  entityMessagePollInterval: "1 second"
} as const

/** What runners and callers have of the cluster, as `NodeClusterSocket.layer` makes it. Nothing of a gateway is stored as a message. */
const clusterOf = (
  { database, sockets }: World,
  host: Host,
  config: Partial<ShardingConfig.ShardingConfig["Service"]>
) =>
  Layer.mergeAll(
    sockets.clients(host),
    MessageStorage.layerNoop,
    Layer.orDie(SqlRunnerStorage.layer).pipe(Layer.provide(database.layer(host, "sqlite")))
  ).pipe(
    Layer.provideMerge(ShardingConfig.layer({ ...config, ...settings })),
    Layer.provideMerge(RpcSerialization.layerSchemaBinary())
  )

/** What a program knows of its connections, by which calls go past the cluster's messages. */
const connected = (host: Host) => Layer.sync(Connections, () => connections({ name: host.name, proof: "" }))

export const runner = (
  world: World,
  { address, host, http, parts, token }: {
    readonly host: Host
    readonly address: string
    readonly http: HttpClient.HttpClient
    readonly token: string
    readonly parts: Parts
  }
) => {
  const database = world.database.layer(host, parts.dialect)
  const cluster = Layer.provideMerge(
    Layer.provide(Runner.layerStandby({ account, address }), database),
    clusterOf(world, host, {
      ...Runner.shardingConfig,
      runnerAddress: Option.some(RunnerAddress.make(host.name, port))
    })
  )
  const sharding = Layer.merge(RunnerServer.layer, Calls.layerServer).pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provide(Layer.provideMerge(RpcServer.layerProtocolSocketServer, world.sockets.server(host, port))),
    Layer.provide(Layer.provide(RunnerHealth.layerPing, Runners.layerRpc)),
    Layer.provideMerge(Calls.layer),
    Layer.provideMerge(connected(host)),
    Layer.provide(cluster)
  )
  const entity = Effect.map(
    world.budget === undefined ? Effect.succeedNone : Effect.asSome(Layer.build(parts.budget(world.budget, host.name))),
    (budget) => {
      const budgets = Option.isNone(budget) ? {} : { [thrifty]: Context.get(budget.value, CreditLedger) }
      return Gateway.layerEntity({ account, maxInFlight: 6, maxWaiting: 40, budgets })
    }
  )
  return Layer.unwrap(entity).pipe(
    Layer.provide(parts.client({ baseUrl, token: Redacted.make(token) })),
    Layer.provide([replies(world), parts.ledger(host.name), parts.guard(address, host.name)]),
    Layer.provideMerge(sharding),
    Layer.provide(database),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, http))
  )
}

export const caller = (world: World, host: Host, patience: number) =>
  Gateway.layer({ account, caller: host.name, patience, baseUrl }).pipe(
    Layer.provide(Layer.provide(replies(world), world.database.layer(host, "pg"))),
    Layer.provideMerge(Sharding.layer.pipe(
      Layer.provide(RunnerHealth.layerNoop),
      Layer.provideMerge(Calls.layer),
      Layer.provideMerge(connected(host)),
      Layer.provide(clusterOf(world, host, { ...Runner.shardingConfig, runnerAddress: Option.none() }))
    ))
  )
