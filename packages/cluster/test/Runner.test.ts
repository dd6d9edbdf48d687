import type * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as Runner from "@effect-marketdata/cluster/Runner"
import { SqlIpGuard, Sqlite } from "@effect-marketdata/sql"
import { Context, Effect, Layer, Logger } from "effect"
import { Runner as ClusterRunner, RunnerAddress, RunnerStorage, ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"

const account = "main"

/** A request from an address, and how it ends. */
const send = Effect.fnUntraced(function*(address: string, ending: IpGuard.Ending = "answered") {
  const admission = yield* (yield* SqlIpGuard.make({ account, address })).admit
  assert(admission._tag === "Send")
  yield* TestClock.adjust("1 second")
  yield* admission.leave(ending)
}, Effect.scoped)

const built = <E, R>(layer: Layer.Layer<RunnerStorage.RunnerStorage, E, R>) =>
  Effect.map(Layer.build(Layer.fresh(layer)), Context.get(RunnerStorage.RunnerStorage))

/** What the runner on a machine keeps, whose requests come from an address. */
const storageOf = (address: string) => built(Runner.layerStorage({ account, address }))

/** What a caller reads, who has no part in it. */
const written = built(Layer.provide(SqlRunnerStorage.layer, ShardingConfig.layer(Runner.shardingConfig)))

const runner = (host: string) =>
  ClusterRunner.make({ address: RunnerAddress.make(host, 34_431), groups: ["default"], weight: 1 })

/** The hosts of those that may have accounts. */
const healthy = ({ getRunners }: RunnerStorage.RunnerStorage["Service"]) =>
  Effect.map(getRunners, (runners) => runners.flatMap(([{ address }, isHealthy]) => isHealthy ? [address.host] : []))

/** Two runners with an address each. */
const registered = Effect.gen(function*() {
  const [one, two] = [yield* storageOf("address one"), yield* storageOf("address two")]
  yield* one.register(runner("one"), true)
  yield* two.register(runner("two"), true)
  return { one, two }
})

const refused = <A, E extends { readonly message: string }, R>(layer: Layer.Layer<A, E, R>) =>
  Effect.map(Effect.flip(Layer.build(Layer.fresh(layer))), ({ message }) => message)

it.effect("[5.6-simultaneous] stands by, and has accounts again when a return is safe", function*() {
  const { one, two } = yield* registered
  const caller = yield* written
  yield* send("address one")
  for (const storage of [one, two]) assert.deepStrictEqual(yield* healthy(storage), ["one", "two"])
  yield* send("address two")
  // Each of them knows it, and writes it down for callers.
  assert.deepStrictEqual(yield* healthy(two), ["two"])
  assert.deepStrictEqual(yield* healthy(one), ["two"])
  assert.deepStrictEqual(yield* healthy(caller), ["two"])
  // It answers, and is not healthy for that.
  yield* two.setRunnerHealth(runner("one").address, true)
  assert.deepStrictEqual(yield* healthy(caller), ["two"])
  yield* TestClock.adjust("298 seconds")
  assert.deepStrictEqual(yield* healthy(two), ["two"])
  yield* TestClock.adjust("4 seconds")
  yield* healthy(two)
  yield* two.setRunnerHealth(runner("one").address, true)
  assert.deepStrictEqual(yield* healthy(caller), ["one", "two"])
  yield* send("address one")
}, Sqlite.layer({ filename: ":memory:" }))

it.effect("[5.6-simultaneous] keeps accounts if no other may send before it", function*() {
  const { one } = yield* registered
  for (const address of ["address one", "address two", "address three"]) yield* send(address)
  // The first one due is the same time away.
  assert.deepStrictEqual(yield* healthy(one), ["one", "two"])
  const three = yield* storageOf("address three")
  yield* three.register(runner("three"), true)
  assert.deepStrictEqual(yield* healthy(one), ["three"])
  yield* three.unregister(runner("three").address)
  yield* healthy(one)
  yield* one.setRunnerHealth(runner("one").address, true)
  assert.deepStrictEqual(yield* healthy(one), ["one"])
}, Sqlite.layer({ filename: ":memory:" }))

it.effect("stands by while its address is blocked, and has accounts again with another address", function*() {
  const { two } = yield* registered
  yield* send("address one", "blocked")
  assert.deepStrictEqual(yield* healthy(two), ["two"])
  yield* (yield* storageOf("address three")).register(runner("one"), true)
  assert.deepStrictEqual(yield* healthy(two), ["one", "two"])
  // Calls say what is wrong with a guard that cannot be read.
  yield* (yield* SqlClient)`UPDATE marketdata_shared SET text = ''`
  assert.deepStrictEqual(yield* healthy(two), ["one", "two"])
}, Sqlite.layer({ filename: ":memory:" }))

it.effect("says once that another program has the locks", function*() {
  const said: Array<unknown> = []
  let asked = 0
  const logger = Logger.layer([Logger.make(({ message }) => void said.push(message, asked))])
  // It is given some the fiftieth time.
  const storage = { ...(yield* written), acquire: () => Effect.sync(() => ++asked === 50 ? [1 as never] : []) }
  const standby = Runner.layerStandby({ account, address: "office" })
  const { acquire } = yield* built(Layer.provide(standby, Layer.succeed(RunnerStorage.RunnerStorage, storage)))
  yield* Effect.provide(Effect.repeat(acquire(runner("one").address, []), { times: 200 }), logger)
  assert.match(said.join(), /^no account can be taken over: another program has their locks\. [^,]*, give each /)
  assert.deepStrictEqual(said.slice(1), [110])
}, Sqlite.layer({ filename: ":memory:" }))

it.effect("a caller is told typed why its tables cannot be made", function*() {
  yield* (yield* SqlClient)`CREATE VIEW cluster_migrations AS SELECT 1 AS one`
  assert.match(yield* refused(Runner.layerCaller()), /^the database cannot be used: .*no such column/)
}, Sqlite.layer({ filename: ":memory:" }))

it.effect("is told typed what no address can be", function*() {
  const nowhere = yield* refused(Runner.layerStorage({ account } as never))
  assert.match(nowhere, /^address undefined must be a string of 1 to 100 characters/)
  assert.match(yield* refused(Runner.layerStorage({ account: "", address: "one" })), /^account "" must be a string/)
  for (const none of [null, { url: "postgres://c/d" }] as Array<never>) {
    assert.throws(() => Runner.postgres(none), /^url "<redacted>" must be a Redacted URL/)
  }
}, Sqlite.layer({ filename: ":memory:" }))
