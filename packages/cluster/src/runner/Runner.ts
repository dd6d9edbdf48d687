/**
 * The settings with which runners and callers of a gateway work together, for `NodeClusterSocket.layer` of `@effect/platform-node` over a
 * database. PostgreSQL serves many machines; SQLite serves the processes of one.
 *
 * With them another runner has the account 5 seconds after the one that had it was killed, and not 32 as with Effect's own. A runner says
 * every second that it lives, and who is silent for 5 seconds has lost its accounts.
 *
 * A runner that comes back gets its accounts back from Effect Cluster, and a return to an address within five minutes is what the service
 * blocks. So one that joins waits for 6 minutes until it gets any. That is not enough by itself: whenever a runner leaves, all that wait
 * are let in at once. The rule of addresses is kept in the database (`SqlIpGuard` of the package `sql`), and a runner that may not send yet
 * waits or says so.
 *
 * **The wait has a price.** A caller that starts in those minutes does not know that a runner waits, and may ask it in vain: its calls are
 * answered when the wait is over. Where the service sees all runners under one address there is nothing to wait for: set
 * `runnerJoinDebounce: 0` in the `shardingConfig` of all runners and callers.
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
 *   Layer.provide(Runner.layerJoin(place)),
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
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import type { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Joining from "./joining.ts"

/**
 * How a runner and its callers keep in touch. All machines must have the same.
 *
 * @category constants
 * @since 0.1.0
 */
export const shardingConfig: Partial<ShardingConfig.ShardingConfig["Service"]> = {
  // Who is silent for this long has lost its accounts; a lock is held for as long, and renewed at each interval.
  shardLockExpiration: "5 seconds",
  shardLockRefreshInterval: "1 second",
  runnerHealthCheckInterval: "1 second",
  refreshAssignmentsInterval: "500 millis",
  entityMessagePollInterval: "500 millis",
  // More than the five minutes within which the service blocks a return.
  runnerJoinDebounce: "6 minutes",
  // What is under way may end before the runner does: Kubernetes kills after 30 seconds.
  entityTerminationTimeout: "25 seconds",
  // A caller in the process of the runner need not read what the runner wrote.
  simulateRemoteSerialization: false
}

const addressOf = ({ host, port = 34_431 }: Options) => RunnerAddress.make(host, port)

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
 * The options of `NodeClusterSocket.layer` for a machine that may send.
 *
 * @category constructors
 * @since 0.1.0
 */
export const options = ({ host, listen, port }: Options) => ({
  storage: "sql",
  serializationMaxBufferSize,
  shardingConfig: {
    ...shardingConfig,
    runnerAddress: Option.some(addressOf({ host, port })),
    runnerListenAddress: Option.map(Option.fromUndefinedOr(listen), (host) => addressOf({ host, port }))
  }
} as const)

/**
 * Waits until a runner may join: until the others have noticed that its last life is over and have taken its accounts, because nobody takes any while a
 * join is pending. That is 3 seconds, and up to 8 for a runner that was killed and is started again.
 *
 * @category getters
 * @since 0.1.0
 */
export const untilMayJoin = (options: Options): Effect.Effect<void, never, RunnerStorage> =>
  Joining.untilForgotten(addressOf(options))

/**
 * Waits until a runner may join, see `untilMayJoin`, before what it is provided to is built.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerJoin = (options: Options): Layer.Layer<never, never, SqlClient> =>
  Layer.effectDiscard(untilMayJoin(options)).pipe(
    Layer.provide(Layer.orDie(SqlRunnerStorage.layer)),
    Layer.provide(ShardingConfig.layer(shardingConfig))
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
