/**
 * Runners and callers of a gateway on Node, over a database: how they find each other, who may connect, and which runner may have accounts. PostgreSQL
 * serves many machines; SQLite serves the processes of one.
 *
 * With this configuration another runner has the account 5 seconds after its runner was killed; with Effect's defaults it takes 32. A runner renews
 * its lease every second, and after 4 seconds without a renewal it has lost its accounts.
 *
 * The service blocks a return to an address within five minutes. Effect Cluster does not know that rule: it gives accounts back to a runner that
 * comes back. So runners record which address each of them sends from (`layerStorage`), and a runner whose address may not send now is on
 * standby: others have its accounts until its address is safe. If there is no other runner, it keeps them, and the guard (`SqlIpGuard` of the
 * package `sql`) delays or refuses its calls. Callers and runners must not set `runnerJoinDebounce`: no runner takes accounts over while a join
 * is pending, and after an outage of the database all joins are pending.
 *
 * @example
 * ```ts
 * import * as Gateway from "@effect-marketdata/cluster/Gateway"
 * import * as Runner from "@effect-marketdata/cluster/Runner"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * const database = Sqlite.layer({ filename: "cluster.db" })
 * const place = { host: "127.0.0.1", port: 34431 }
 *
 * export const runner = Gateway.layerEntity().pipe(
 *   Layer.provide(MarketData.layerConfig),
 *   Layer.provide(FetchHttpClient.layer),
 *   Layer.provide(Runner.layer(place)),
 *   Layer.provide(Runner.layerStorage({ account: "main", address: "203.0.113.9" })),
 *   Layer.provide(database)
 * )
 *
 * export const caller = Gateway.layer({ account: "main" }).pipe(
 *   Layer.provide(Runner.layerCaller()),
 *   Layer.provide(database)
 * )
 * ```
 *
 * @see {@link Gateway} for what runners and callers do
 * @since 0.1.0
 */
import * as Problem from "@effect-marketdata/core/Problem"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import { DatabaseError, InvalidOption } from "@effect-marketdata/sql/DatabaseError"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import * as Tables from "@effect-marketdata/sql/Tables"
import { PersistenceError } from "effect/cluster/ClusterError"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import type { Runner } from "effect/cluster/Runner"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as RunnerServer from "effect/cluster/RunnerServer"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlMessageStorage from "effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import type * as Config from "effect/Config"
import * as Digest from "effect/crypto/Digest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { SocketServerError } from "effect/socket/SocketServer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Net from "node:net"
import { named, refuse } from "../gateway/options.ts"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"
import * as Calls from "./calls.ts"
import * as Sockets from "./sockets.ts"

/**
 * The identities of connected programs, and the calls between them. A runner and a caller provide it to the gateway.
 *
 * @category services
 * @since 0.1.0
 */
export type { Connections } from "../wire/connections.ts"

/**
 * The sharding configuration of runners and callers. It must be the same on all machines.
 *
 * @category constants
 * @since 0.1.0
 */
export const shardingConfig: Partial<ShardingConfig.ShardingConfig["Service"]> = {
  shardsPerGroup: Protocol.shards,
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

const config = ShardingConfig.layerFromEnv(shardingConfig)

/** The layers of a cluster, apart from those of another one in the same program: Effect's are constants, and would be built once for both. */
const apart = <A, E, R, E2, R2>(cluster: Effect.Effect<Layer.Layer<A, E, R>, E2, R2>) =>
  Layer.effectContext(Effect.flatMap(cluster, (layers) => Layer.build(Layer.fresh(layers))))

/** The storages of runners and of messages in the database, which is asked first. By themselves they would die of one that cannot be used. */
const stored = (asked: Effect.Effect<unknown, DatabaseError, SqlClient.SqlClient>) => {
  const storages = Layer.merge(SqlRunnerStorage.layer, Layer.provide(SqlMessageStorage.layer, Digest.layerWebCrypto))
  return Layer.effectContext(Effect.andThen(asked, Tables.refail(Layer.build(storages)))).pipe(Layer.provide(config))
}

/**
 * The address of a runner, and who may connect to it.
 *
 * - `host`, `port`: where callers and other runners reach it; the port is 34431 by default
 * - `listen`: where it listens, if that is another host: `"0.0.0.0"` in a container
 * - `secret`: shared by all runners, 16 characters or more. To connect, a caller needs a `credential` that was made from it. Without a secret a runner
 *   listens on 127.0.0.1 only, whatever `listen` says, and logs that. It does not start beside a runner that has another secret
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly host: string
  readonly port?: number | undefined
  readonly listen?: string | undefined
  readonly secret?: Redacted.Redacted | undefined
}

const checkedSecret = (secret: unknown): Result.Result<Redacted.Redacted, InvalidQuery> => {
  const value = Redacted.isRedacted(secret) ? Redacted.value(secret) : undefined
  return typeof value === "string" && value.length >= 16
    ? Result.succeed(secret as Redacted.Redacted)
    : refuse("secret", Redacted.isRedacted(secret) ? "<redacted>" : typeof secret, {
      rule: "must be a Redacted string of 16 characters or more",
      example: "Redacted.make(process.env.GATEWAY_SECRET)"
    })
}

const isHost = (value: unknown) => typeof value === "string" && /^[^\s\p{C}]{1,255}$/u.test(value)

const checkedPlace = ({ host, listen = host, port = 34_431 }: Partial<Options>) => {
  const wrong = Object.entries({ host, listen }).find(([, value]) => !isHost(value))
  if (wrong !== undefined) {
    return refuse(...wrong, { rule: "must be the name or the address of a host", example: "\"10.0.0.7\"" })
  }
  return Number.isInteger(port) && port > 0 && port < 65_536
    ? Result.succeed({ host: host!, listen: listen!, port })
    : refuse("port", port, { rule: "must be an integer from 1 to 65535", example: "34431" })
}

/**
 * Makes the credential of a caller: all calls with it count as calls of that caller, whatever name they send. Make it where the secret is, and give it
 * to that caller only.
 *
 * @example
 * ```ts
 * import * as Runner from "@effect-marketdata/cluster/Runner"
 * import * as Redacted from "effect/Redacted"
 * import * as Result from "effect/Result"
 *
 * const secret = Redacted.make("a text that nobody guesses")
 * const credential = Result.getOrThrow(Runner.credential(secret, "desk"))
 * Redacted.value(credential).split(".")[0] // => "desk"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const credential = (secret: Redacted.Redacted, caller: string): Result.Result<Redacted.Redacted, InvalidQuery> =>
  Result.gen(function*() {
    const checked = yield* checkedSecret(secret)
    const name = yield* named("caller", caller)
    return Redacted.make(Connections.format({ name, proof: Connections.prove(checked, name) }))
  })

/**
 * The cluster services of a runner, which listens for callers and for other runners. `layerStorage` keeps their state in the database.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: Options
): Layer.Layer<
  Sharding.Sharding | Runners.Runners | Connections.Connections,
  InvalidQuery | SocketServerError | Config.ConfigError,
  MessageStorage | RunnerStorage
> =>
  apart(Effect.gen(function*() {
    const given: Partial<Options> = options ?? {}
    const { host, listen, port } = yield* Effect.fromResult(checkedPlace(given))
    const secret = given.secret === undefined ? undefined : yield* Effect.fromResult(checkedSecret(given.secret))
    if (secret === undefined) {
      yield* Effect.logInfo("this runner has no secret: it listens on 127.0.0.1, for programs of this machine only")
    }
    const open = new Map()
    const name = Connections.ownName
    const identity = { name, proof: secret === undefined ? "" : Connections.prove(secret, name) }
    const address = RunnerAddress.make(host, port)
    // Runners that do not let each other in would take the account from each other.
    const runners = yield* Effect.orElseSucceed((yield* RunnerStorage).getRunners, () => [])
    for (const [{ address: other }, isHealthy] of runners) {
      const isOther = isHealthy && !(other.host === host && other.port === port)
      if (!isOther || !(yield* Sockets.isRefused(other, identity))) continue
      const rule = { rule: `must be that of the runner at ${other.host}:${other.port}`, example: "one for all runners" }
      return yield* InvalidQuery.of("secret", secret && "<redacted>", rule)
    }
    return Layer.merge(RunnerServer.layer, Calls.layerServer).pipe(
      Layer.provide(Calls.layerForeign),
      Layer.provideMerge(Sharding.layer),
      Layer.provide(Layer.provide(RunnerHealth.layerPing, Runners.layerRpc)),
      Layer.provide(Sockets.server({ host: secret === undefined ? "127.0.0.1" : listen, port }, open)),
      Layer.provideMerge(Calls.layer),
      Layer.provide(Sockets.clients),
      Layer.provideMerge(Layer.succeed(Connections.Connections, Sockets.connections(identity, secret, open))),
      Layer.provide(ShardingConfig.layerFromEnv({ ...shardingConfig, runnerAddress: Option.some(address) }))
    )
  }))

/**
 * The cluster services of a program that only asks, or starts and removes jobs. If its runners have a secret, it needs a `credential`, which has the
 * caller's name. Each call makes the services of a cluster of its own: a program that asks two clusters provides each gateway with one of them.
 *
 * @example
 * ```ts
 * import * as Runner from "@effect-marketdata/cluster/Runner"
 * import * as Redacted from "effect/Redacted"
 *
 * export const caller = Runner.layerCaller({ credential: Redacted.make("what Runner.credential gave to this caller") })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerCaller = (
  options: { readonly credential?: Redacted.Redacted | undefined } = {}
): Layer.Layer<
  Sharding.Sharding | Runners.Runners | Connections.Connections | MessageStorage,
  InvalidQuery | Config.ConfigError | DatabaseError,
  SqlClient.SqlClient
> =>
  apart(Effect.gen(function*() {
    const { credential } = options ?? {}
    const identity = credential === undefined
      ? { name: Connections.ownName, proof: "" }
      : Connections.parse(Redacted.isRedacted(credential) ? Redacted.value(credential) : "")
    if (identity === undefined) {
      const rule = { rule: "must be what Runner.credential made, as it is", example: "Redacted.make(\"desk.qZk…\")" }
      return yield* InvalidQuery.of("credential", "<redacted>", rule)
    }
    return Sharding.layer.pipe(
      Layer.provide(RunnerHealth.layerNoop),
      Layer.provideMerge(Calls.layer),
      Layer.provide(Sockets.clients),
      Layer.provideMerge(Layer.succeed(Connections.Connections, Sockets.connections(identity))),
      Layer.provide(ShardingConfig.layerFromEnv({ ...shardingConfig, runnerAddress: Option.none() })),
      Layer.provideMerge(stored(Tables.now))
    )
  }))

/**
 * Which account, and the address that this machine's requests come from, as for `SqlIpGuard.layer`.
 *
 * - `whenSilent`: what happens when the database has been silent for 15 seconds, three leases: by default the process ends with exit code 1, so that a
 *   supervisor restarts it. Calls that wait for such a database would wait in vain, and another runner has the account
 *
 * @category models
 * @since 0.1.0
 */
export interface Sender {
  readonly account: string
  readonly address: string
  readonly whenSilent?: Effect.Effect<void> | undefined
}

/** Ends the process at once: without a database there is nothing that could still be written. */
const exit = Effect.sync(() => process.exit(1))

/**
 * The options of `PgClient.layer` of `@effect/sql-pg` for runners and callers: the URL, and connections that close when the server has been silent for
 * `silence`, 6 seconds by default, which is longer than a server waits for a lock. Otherwise a runner whose database moved to another host would wait
 * minutes for the old one. A statement that takes longer fails, so use another client for long reports.
 *
 * @category constructors
 * @since 0.1.0
 */
export const postgres = (
  options: { readonly url: Redacted.Redacted; readonly silence?: Duration.Input | undefined }
) => {
  const { silence = "6 seconds", url } = options ?? {}
  // A URL that was passed as it stands has a password, and must not be shown.
  const isHidden = Redacted.isRedacted(url)
  Problem.expect(isHidden, "url", "<redacted>", "a Redacted URL", "Redacted.make(process.env.DATABASE_URL)")
  return {
    url,
    stream: () => connect(new URL(Redacted.value(url)), Duration.toMillis(Duration.fromInputUnsafe(silence)))
  }
}

/**
 * A runner storage that gives accounts only to runners whose addresses may send now or, if no address may, to those that may send first, by the
 * `SqlIpGuard` of the same account. It wraps any other storage; `layerStorage` is the usual one.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerStandby = (
  sender: Sender
): Layer.Layer<RunnerStorage, DatabaseError, RunnerStorage | SqlClient.SqlClient> =>
  Layer.effect(RunnerStorage, Effect.flatMap(RunnerStorage, (storage) => withStandby(storage, sender)))

/**
 * The storage of runners in the database: messages, and which runner has which account, see `layerStandby`. It ends the process when the database is
 * silent, see `Sender`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerStorage = (
  sender: Sender
): Layer.Layer<MessageStorage | RunnerStorage, DatabaseError | Config.ConfigError, SqlClient.SqlClient> =>
  layerStandby(sender).pipe(
    Layer.provideMerge(stored(Tables.migrate)),
    Layer.merge(Layer.effectDiscard(Effect.forkScoped(Effect.gen(function*() {
      yield* silent(15)
      yield* Effect.logError("the database has said nothing for 15 seconds: this runner ends")
      yield* (sender ?? {}).whenSilent ?? exit
    }))))
  )

/** How long requests from an address may still be blocked, in seconds. */
const wait = ({ blocks, now, returns }: SqlIpGuard.Status, address: string | undefined): number => {
  const own = [...blocks, ...returns].filter((block) => block.address === address)
  // The service counts in whole seconds, and in the last one it blocks too.
  return Math.max(0, ...own.map(({ until }) => Math.floor(until) + 1 - now))
}

const checkedAddress = (address: unknown): Effect.Effect<string, DatabaseError> => {
  if (typeof address === "string" && /^[^\0]{1,100}$/.test(address)) return Effect.succeed(address)
  const rule = { rule: "must be a string of 1 to 100 characters, as for SqlIpGuard", example: "\"203.0.113.9\"" }
  const problem = Problem.format(`address ${Problem.shown(address)}`, rule)
  return Effect.fail(new DatabaseError({ reason: new InvalidOption({ problem }) }))
}

const taken =
  "no account can be taken over: another program has their locks. End it if it hangs; if it is of another " +
  "cluster, give each cluster a database of its own"

const nameOf = ({ host, port }: RunnerAddress.RunnerAddress): string => `${host}:${port}`

/**
 * A storage of runners that knows from which address each of them sends: only those that may send now are healthy in it. Effect Cluster gives accounts to
 * healthy runners, so one whose address may not send now is on standby, and gets its accounts back when its address is safe. If no runner may send, those
 * that may send first are healthy, so that a single runner keeps its accounts.
 */
const withStandby = Effect.fnUntraced(function*(storage: RunnerStorage["Service"], sender: Sender) {
  const { account, address } = sender ?? {} as Sender
  const own = yield* checkedAddress(address)
  // This also makes the tables.
  yield* SqlIpGuard.status({ account })
  const sql = yield* SqlClient.SqlClient

  /** Writes the address of this runner before the others see the runner. */
  const introduce = (runner: RunnerAddress.RunnerAddress) =>
    PersistenceError.refail(
      sql`INSERT INTO marketdata_runner ${
        sql.insert({ account, runner: nameOf(runner), address: own })
      } ON CONFLICT (account, runner) DO UPDATE SET address = excluded.address`
    )

  /** How long each runner has to wait. If the guard cannot be read, none waits: each call reports what is wrong. */
  const waits = Effect.gen(function*() {
    const status = yield* SqlIpGuard.status({ account })
    const rows = yield* sql<{ readonly runner: string; readonly address: string }>`
        SELECT runner, address FROM marketdata_runner WHERE account = ${account}`
    const addresses = new Map(rows.map(({ address, runner }) => [runner, address]))
    return (runner: RunnerAddress.RunnerAddress) => wait(status, addresses.get(nameOf(runner)))
  }).pipe(Effect.orElseSucceed(() => () => 0), Effect.provideService(SqlClient.SqlClient, sql))

  /** How often in a row this runner was given none of the locks that it asked for, about once a second. */
  let vain = 0
  /** The runners that were on standby at the last look. */
  let standby: ReadonlySet<string> = new Set()
  const getRunners = Effect.gen(function*() {
    const runners = yield* storage.getRunners
    const waitOf = yield* waits
    const least = Math.min(...runners.map(([{ address }]) => waitOf(address)))
    const isStandby = ({ address }: Runner) => waitOf(address) > least
    standby = new Set(runners.flatMap(([runner]) => isStandby(runner) ? [nameOf(runner.address)] : []))
    // Callers read the health from the storage.
    for (const [runner, isHealthy] of runners) {
      if (isHealthy && isStandby(runner)) yield* storage.setRunnerHealth(runner.address, false)
    }
    return runners.map(([runner, isHealthy]) => [runner, isHealthy && !isStandby(runner)] as const)
  })
  return RunnerStorage.of({
    ...storage,
    getRunners,
    register: (runner, isHealthy) => Effect.andThen(introduce(runner.address), storage.register(runner, isHealthy)),
    acquire: (runner, shards) =>
      Effect.tap(storage.acquire(runner, shards), ({ length }) => {
        vain = length === 0 ? vain + 1 : 0
        // A minute is longer than a runner takes to hand over, or to lose its locks once it is killed.
        return vain === 60 ? Effect.logWarning(taken) : Effect.void
      }),
    // A runner on standby answers pings, and the health check would make it healthy again.
    setRunnerHealth: (runner, isHealthy) =>
      isHealthy && standby.has(nameOf(runner)) ? Effect.void : storage.setRunnerHealth(runner, isHealthy)
  })
})

/**
 * Opens a connection that closes after a number of milliseconds of silence. If the host is gone and another one has its name, or packets are dropped, no error
 * arrives, and statements would wait for minutes. With this, they fail; an unused connection is just closed.
 */
const connect = (url: URL, milliseconds: number): Net.Socket => {
  const { hostname, searchParams } = url
  // As in PgClient, the query string takes precedence, and a host may be the folder of a socket.
  const host = searchParams.get("host") ?? decodeURIComponent(hostname).replace(/^\[|\]$/g, "")
  const port = Number(searchParams.get("port") ?? (url.port || 5432))
  const socket = host.startsWith("/")
    ? Net.connect(`${host}/.s.PGSQL.${port}`)
    : Net.connect({ host, port, noDelay: true })
  const end = () => socket.destroy(new Error(`the database said nothing for ${milliseconds} ms`))
  return socket.setTimeout(milliseconds, end)
}

/** Within how many seconds an answer of the database counts. */
const soon = 3

/**
 * Asks the database again and again, and returns after it has been silent for a number of seconds. An error counts as an answer, because then nothing waits;
 * a late answer does not, because it may be the error of a connection that was given up. Time in which this program was stopped counts as one silence.
 */
const silent = Effect.fnUntraced(function*(seconds: number) {
  const sql = yield* SqlClient.SqlClient
  for (let missed = 0; missed < seconds;) {
    // A wait for a database cannot always be interrupted, so it goes on in the background.
    const asked = yield* Effect.forkDetach(Effect.exit(sql`SELECT 1 AS one`))
    const isSilent = Option.isNone(yield* Effect.timeoutOption(Fiber.await(asked), Duration.seconds(soon)))
    missed = isSilent ? missed + soon : 0
    if (!isSilent) yield* Effect.sleep("1 second")
  }
})
