/**
 * The settings with which runners and callers of a gateway work together, for `NodeClusterSocket.layer` of `@effect/platform-node` over a
 * database. PostgreSQL serves many machines; SQLite serves the processes of one.
 *
 * With them another runner has the account 5 seconds after the one that had it was killed, and not 32 as with Effect's own. A runner says
 * every second that it lives, and who is silent for 4 seconds has lost its accounts.
 *
 * A return to an address within five minutes is what the service blocks, and Effect Cluster knows nothing of that: it gives accounts back to a runner
 * that comes back. So the runners write down from which address each of them sends (`layerStorage`), and one whose address may not send now
 * stands by: others have its accounts until its address is safe. If there is no other, it keeps them, and the guard, which keeps the rule in
 * the database (`SqlIpGuard` of the package `sql`), holds its calls or says so. Callers and runners must not use `runnerJoinDebounce`: while a join
 * is pending no runner takes accounts over, and after an outage of the database all joins are.
 *
 * @example
 * ```ts
 * import * as Gateway from "@effect-marketdata/cluster/Gateway"
 * import * as Runner from "@effect-marketdata/cluster/Runner"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * const database = Sqlite.layer({ filename: "cluster.db" })
 * const place = { host: "127.0.0.1", port: 34431 }
 *
 * export const runner = Gateway.layerEntity().pipe(
 *   Layer.provide(MarketData.layerConfig),
 *   Layer.provide(FetchHttpClient.layer),
 *   Layer.provide(NodeClusterSocket.layer(Runner.options(place))),
 *   Layer.provide(Runner.layerStorage({ account: "main", address: "203.0.113.9" })),
 *   Layer.provide(database)
 * )
 *
 * export const caller = Gateway.layer({ account: "main" }).pipe(
 *   Layer.provide(NodeClusterSocket.layer(Runner.callerOptions)),
 *   Layer.provide(database)
 * )
 * ```
 *
 * @see {@link Gateway} for what runners and callers do
 * @since 0.1.0
 */
import type { DatabaseError } from "@effect-marketdata/sql/DatabaseError"
import type * as Config from "effect/Config"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlMessageStorage from "effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Standby from "./standby.ts"

/**
 * How a runner and its callers keep in touch. All machines must have the same.
 *
 * @category constants
 * @since 0.1.0
 */
export const shardingConfig: Partial<ShardingConfig.ShardingConfig["Service"]> = {
  // Who is silent for this long has lost its accounts; a lock is held for as long, and renewed at each interval.
  shardLockExpiration: "4 seconds",
  shardLockRefreshInterval: "1 second",
  runnerHealthCheckInterval: "1 second",
  refreshAssignmentsInterval: "500 millis",
  entityMessagePollInterval: "500 millis",
  // What is under way may end before the runner does: Kubernetes kills after 30 seconds.
  entityTerminationTimeout: "25 seconds",
  // A caller in the process of the runner need not read what the runner wrote.
  simulateRemoteSerialization: false
}

/** More than the largest reply of the service as columns. */
const serializationMaxBufferSize = 256 * 1024 * 1024

/**
 * Where a runner is found.
 *
 * - `host`, `port`: where callers and other runners reach it; the port is 34431 by default
 * - `listen`: where it listens, if that is another host: `"0.0.0.0"` in a container
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly host: string
  readonly port?: number | undefined
  readonly listen?: string | undefined
}

/**
 * The options of `NodeClusterSocket.layer` for a machine that may send. What is kept in the database comes from `layerStorage`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const options = ({ host, listen, port = 34_431 }: Options) => ({
  storage: "byo",
  serializationMaxBufferSize,
  shardingConfig: {
    ...shardingConfig,
    runnerAddress: Option.some(RunnerAddress.make(host, port)),
    runnerListenAddress: Option.map(Option.fromUndefinedOr(listen), (host) => RunnerAddress.make(host, port))
  }
} as const)

/**
 * Which account, and the address from which this machine's requests come, as `SqlIpGuard.layer` is told.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sender extends Standby.Sender {}

/**
 * A storage of runners in which only those have accounts whose addresses may send now, or, if no address may, those that may first. `SqlIpGuard` of
 * the same account knows which may. It stands around any other storage; `layerStorage` is the usual one.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerStandby = (
  sender: Sender
): Layer.Layer<RunnerStorage, DatabaseError, RunnerStorage | SqlClient> =>
  Layer.effect(RunnerStorage, Effect.flatMap(RunnerStorage, (storage) => Standby.make(storage, sender)))

/**
 * What runners keep in the database: messages, and which of them have accounts, see `layerStandby`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerStorage = (
  sender: Sender
): Layer.Layer<MessageStorage | RunnerStorage, DatabaseError | Config.ConfigError, SqlClient> =>
  layerStandby(sender).pipe(
    Layer.provide(Layer.orDie(SqlRunnerStorage.layer)),
    Layer.merge(SqlMessageStorage.layer.pipe(Layer.provide(Digest.layerWebCrypto))),
    Layer.provide(ShardingConfig.layerFromEnv(shardingConfig))
  )

/**
 * The options of `NodeClusterSocket.layer` for a machine that only asks.
 *
 * @category constants
 * @since 0.1.0
 */
export const callerOptions = {
  clientOnly: true,
  storage: "sql",
  serializationMaxBufferSize,
  shardingConfig
} as const
