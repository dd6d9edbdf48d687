/** Several runners of one account in one process, under virtual time: each has an address of its own and can be stopped, or cut off from what they share. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import { Gateway, Runner } from "@effect-marketdata/cluster"
import { SqlIpGuard, SqlLedger } from "@effect-marketdata/sql"
import { Clock, Context, Effect, Exit, Layer, Option, Redacted, Schema, Scope } from "effect"
import {
  ClusterError,
  MachineId,
  MessageStorage,
  type Runner as ClusterRunner,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerStorage,
  type ShardId,
  Sharding,
  ShardingConfig,
  Snowflake
} from "effect/cluster"
import type * as HttpClient from "effect/http/HttpClient"

const account = "main"

/** How long a row and a lock last without being renewed, in milliseconds. */
const lasting = 5000

/** What the runners share: who is there, and which of them has which lock. */
const shared = () => {
  const rows = new Map<string, { readonly runner: ClusterRunner.Runner; isHealthy: boolean; beat: number }>()
  const locks = new Map<string, { readonly owner: string; beat: number }>()
  const nameOf = ({ group, id }: ShardId.ShardId) => `${group}:${id}`
  const keyOf = ({ host }: RunnerAddress.RunnerAddress) => host
  const isFresh = (beat: number, now: number) => now - beat < lasting
  const owned = (owner: string, ids: Iterable<ShardId.ShardId>, now: number, takes: boolean) =>
    [...ids].filter((id) => {
      const lock = locks.get(nameOf(id))
      const isMine = lock?.owner === owner && isFresh(lock.beat, now)
      const isOver = lock === undefined || !isFresh(lock.beat, now)
      if (isMine || takes && isOver) locks.set(nameOf(id), { owner, beat: now })
      return isMine || takes && isOver
    })
  const beat = (owner: string, now: number) => {
    const row = rows.get(owner)
    if (row !== undefined) row.beat = now
  }
  const at = <A>(step: (now: number) => A) => Effect.map(Clock.currentTimeMillis, step)
  return RunnerStorage.RunnerStorage.of({
    getRunners: at((now) =>
      [...rows.values()].flatMap((row) => isFresh(row.beat, now) ? [[row.runner, row.isHealthy] as const] : [])
    ),
    register: (runner, isHealthy) =>
      at((now) => {
        rows.set(keyOf(runner.address), { runner, isHealthy, beat: now })
        return MachineId.make(rows.size)
      }),
    unregister: (address) => at(() => void rows.delete(keyOf(address))),
    setRunnerHealth: (address, isHealthy) =>
      at(() => {
        const row = rows.get(keyOf(address))
        if (row !== undefined) row.isHealthy = isHealthy
      }),
    acquire: (address, ids) => at((now) => owned(keyOf(address), ids, now, true)),
    refresh: (address, ids) =>
      at((now) => {
        beat(keyOf(address), now)
        return owned(keyOf(address), ids, now, false)
      }),
    release: (address, id) =>
      at(() => {
        if (locks.get(nameOf(id))?.owner === keyOf(address)) locks.delete(nameOf(id))
      }),
    releaseAll: (address) =>
      at(() => {
        for (const [id, { owner }] of locks) if (owner === keyOf(address)) locks.delete(id)
      })
  })
}

/** A runner: its callers ask in `context`, and what it sends reaches the service as its `address`. `cut` cuts it off from what the runners share, or mends that. */
export type Machine = Effect.Success<ReturnType<typeof start>>[number]

/**
 * Starts runners. `clientOf` says how the one at an address reaches the service. Without `standby` it is Effect Cluster as it is, and those that `hang` never
 * end when they are stopped: something between the gateway and the cluster waits.
 */
export const start = (
  addresses: ReadonlyArray<string>,
  clientOf: (address: string) => Layer.Layer<HttpClient.HttpClient>,
  { hang = false, standby = true }: { readonly hang?: boolean; readonly standby?: boolean } = {}
) =>
  Effect.gen(function*() {
    const storage = shared()
    const shardings = new Map<string, Sharding.Sharding["Service"]>()
    const machine = Effect.fnUntraced(function*(address: string) {
      let isCut = false
      const reach = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | ClusterError.PersistenceError> =>
        Effect.suspend((): Effect.Effect<A, E | ClusterError.PersistenceError> =>
          isCut ? Effect.fail(new ClusterError.PersistenceError({ cause: "cut off" })) : effect
        )
      const own = RunnerStorage.RunnerStorage.of({
        getRunners: reach(storage.getRunners),
        register: (...args) => reach(storage.register(...args)),
        unregister: (...args) => reach(storage.unregister(...args)),
        setRunnerHealth: (...args) => reach(storage.setRunnerHealth(...args)),
        acquire: (...args) => reach(storage.acquire(...args)),
        refresh: (...args) => reach(storage.refresh(...args)),
        release: (...args) => reach(storage.release(...args)),
        releaseAll: (...args) => reach(storage.releaseAll(...args))
      })
      const lost = (to: RunnerAddress.RunnerAddress) => new ClusterError.RunnerUnavailable({ address: to })
      const found = (to: RunnerAddress.RunnerAddress) =>
        Effect.fromOption(Option.fromUndefinedOr(shardings.get(to.host))).pipe(Effect.mapError(() => lost(to)))
      const runners = Layer.effect(
        Runners.Runners,
        Runners.make({
          codecFor: Schema.toCodecJson,
          ping: (to) => Effect.asVoid(found(to)),
          send: ({ address: to, message }) => Effect.flatMap(found(to), ({ send }) => send(message as never)),
          notify: () => Effect.void,
          onRunnerUnavailable: () => Effect.void
        })
      ).pipe(Layer.provide(Snowflake.layerGenerator))
      const health = Layer.effect(RunnerHealth.RunnerHealth, RunnerHealth.makePing)
      const cluster = Sharding.layer.pipe(
        Layer.provide(health),
        Layer.provideMerge(runners),
        Layer.provide([
          MessageStorage.layerNoop,
          standby
            ? Layer.provide(Runner.layerStandby({ account, address }), Layer.succeed(RunnerStorage.RunnerStorage, own))
            : Layer.succeed(RunnerStorage.RunnerStorage, own)
        ]),
        Layer.provide(ShardingConfig.layer({
          ...Runner.shardingConfig,
          shardsPerGroup: 1,
          runnerAddress: Option.some(RunnerAddress.make(address, 1))
        }))
      )
      const client = MarketData.layer({ baseUrl: "https://service.test", token: Redacted.make("a-token-for-tests") })
        .pipe(
          Layer.provideMerge(SqlIpGuard.layer({ account, address, lease: "5 seconds" })),
          Layer.provide(SqlLedger.layerUnlimited({ account, lease: "5 seconds" })),
          Layer.provide(clientOf(address))
        )
      const gateway = Gateway.layer({ account }).pipe(
        Layer.provideMerge(Layer.provide(Gateway.layerEntity({ account }), client)),
        Layer.provideMerge(Layer.effectDiscard(Effect.addFinalizer(() => hang ? Effect.never : Effect.void))),
        Layer.provideMerge(cluster)
      )
      const scope = yield* Scope.fork(yield* Effect.scope)
      const context = yield* Layer.buildWithScope(gateway, scope)
      shardings.set(address, Context.get(context, Sharding.Sharding))
      const stop = Effect.andThen(Scope.close(scope, Exit.void), Effect.sync(() => shardings.delete(address)))
      return { address, context, stop: Effect.asVoid(stop), cut: (is: boolean) => void (isCut = is) }
    })
    return yield* Effect.forEach(addresses, machine)
  })
