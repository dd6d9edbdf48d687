/**
 * The settings with which runners and callers of a gateway work together, for `NodeClusterSocket.layer` of `@effect/platform-node` over a
 * database. PostgreSQL serves many machines; SQLite serves the processes of one.
 *
 * With them another runner has the account 5 seconds after the one that had it was killed, and not 32 as with Effect's own. A runner says
 * every second that it lives, and who is silent for 5 seconds has lost its accounts.
 *
 * A runner that comes back gets its accounts back from Effect Cluster, and a return to an address within five minutes is what the service
 * blocks. So it waits before it joins until its address may be used again (`layerJoin`). A runner that was only cut off for a while gets its
 * accounts back without starting again: the guard, which keeps the rule in the database (`SqlIpGuard` of the package `sql`), then holds its calls
 * or says so. Callers and runners must not use `runnerJoinDebounce`: while a join is pending nobody takes accounts over, and after an outage of the
 * database all joins are.
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
 *   Layer.provide(Runner.layerJoin({ account: "main", address: "203.0.113.9" })),
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
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import type { ShardingConfig } from "effect/cluster/ShardingConfig"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * How a runner and its callers keep in touch. All machines must have the same.
 *
 * @category constants
 * @since 0.1.0
 */
export const shardingConfig: Partial<ShardingConfig["Service"]> = {
  // Who is silent for this long has lost its accounts; a lock is held for as long, and renewed at each interval.
  shardLockExpiration: "5 seconds",
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
 * The options of `NodeClusterSocket.layer` for a machine that may send.
 *
 * @category constructors
 * @since 0.1.0
 */
export const options = ({ host, listen, port = 34_431 }: Options) => ({
  storage: "sql",
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
export interface Sender {
  readonly account: string
  readonly address: string
}

/**
 * Waits until requests from an address cannot be blocked: at once, or if the address was left or blocked shortly before, for five minutes at most unless
 * others move meanwhile. A database that cannot be asked is nothing to wait for: the runner itself says so.
 *
 * @category getters
 * @since 0.1.0
 */
export const untilSafe = ({ account, address }: Sender): Effect.Effect<void, never, SqlClient> => {
  const left = Effect.map(SqlIpGuard.status({ account }), ({ blocks, now, returns }) =>
    [...blocks, ...returns].reduce(
      (longest, { address: other, until }) =>
        other === address ? Math.max(longest, Math.floor(until) + 1 - now) : longest,
      0
    ))
  return Effect.flatMap(
    Effect.orElseSucceed(left, () => 0),
    (seconds) =>
      seconds > 0 ? Effect.andThen(Effect.sleep(seconds * 1000), untilSafe({ account, address })) : Effect.void
  )
}

/**
 * Waits until a runner may join, see `untilSafe`, before what it is provided to is built. Other runners have its accounts meanwhile.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerJoin = (sender: Sender): Layer.Layer<never, never, SqlClient> =>
  Layer.effectDiscard(untilSafe(sender))

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
