/** The programs of the machines, as the guide has them: a runner that may send, and a program that only asks. */
import type { CreditLedger } from "@effect-marketdata/client/CreditLedger"
import type { IpGuard } from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import * as Runner from "@effect-marketdata/cluster/Runner"
import type { DatabaseError } from "@effect-marketdata/sql/DatabaseError"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as MessageStorage from "effect/cluster/MessageStorage"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as RunnerServer from "effect/cluster/RunnerServer"
import * as Runners from "effect/cluster/Runners"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as Option from "effect/Option"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Database } from "./database.ts"
import type { Host } from "./network.ts"
import type { Sockets } from "./sockets.ts"

export const account = "main"

export const ledgerOptions = { account, allowance: 10_000 } as const

/** What a runner is made of, so that a test can put a mistake in the place of a part. */
export interface Parts {
  /** Whose clock is the database's: a server's own, or that of the one machine that a file is on. */
  readonly dialect: "pg" | "sqlite"
  readonly guard: (address: string, name: string) => Layer.Layer<IpGuard, DatabaseError, SqlClient>
  readonly ledger: (name: string) => Layer.Layer<CreditLedger, DatabaseError, SqlClient>
  readonly client: typeof MarketData.layerNoDeps
}

export const parts: Parts = {
  dialect: "pg",
  guard: (address, askedBy) => SqlIpGuard.layer({ account, address, askedBy, lease: "5 seconds" }),
  ledger: (askedBy) => SqlLedger.layer({ ...ledgerOptions, askedBy }),
  client: MarketData.layerNoDeps
}

export interface World {
  readonly database: Database
  readonly sockets: Sockets
}

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
  const sharding = RunnerServer.layerWithClients.pipe(
    Layer.provide(Layer.provide(RpcServer.layerProtocolSocketServer, world.sockets.server(host, port))),
    Layer.provide(Layer.provide(RunnerHealth.layerPing, Runners.layerRpc)),
    Layer.provide(cluster)
  )
  return Gateway.layerEntity({ account, maxInFlight: 6, maxWaiting: 40 }).pipe(
    Layer.provide(parts.client({ baseUrl: "https://service.test", token: Redacted.make(token) })),
    Layer.provide([parts.ledger(host.name), parts.guard(address, host.name)]),
    Layer.provideMerge(sharding),
    Layer.provide(database),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, http))
  )
}

export const caller = (world: World, host: Host, patience: number) =>
  Gateway.layer({ account, caller: host.name, patience }).pipe(
    Layer.provideMerge(
      RunnerServer.layerClientOnly.pipe(Layer.provide(clusterOf(world, host, Runner.shardingConfig)))
    )
  )
