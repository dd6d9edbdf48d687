/**
 * Decides which runners may have accounts, by the service's rule of addresses. Effect Cluster gives accounts to healthy runners, so a runner whose address may
 * not send now is reported as unhealthy: it is on standby, and gets its accounts back when its address is safe. If no runner may send, those that may send
 * first are healthy, so that a single runner keeps its accounts.
 */
import * as Problem from "@effect-marketdata/core/Problem"
import { DatabaseError, InvalidOption } from "@effect-marketdata/sql/DatabaseError"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import { PersistenceError } from "effect/cluster/ClusterError"
import type { RunnerAddress } from "effect/cluster/RunnerAddress"
import type { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The account of a runner, and the address of its requests. */
export interface Sender {
  readonly account: string
  readonly address: string
}

/** How long requests from an address may still be blocked, in seconds. */
const wait = ({ blocks, now, returns }: SqlIpGuard.Status, address: string | undefined): number =>
  [...blocks, ...returns].reduce(
    // The service counts in whole seconds, and in the last one it blocks too.
    (longest, { address: other, until }) =>
      other === address ? Math.max(longest, Math.floor(until) + 1 - now) : longest,
    0
  )

const checked = (address: unknown): Effect.Effect<string, DatabaseError> => {
  if (typeof address === "string" && /^[^\0]{1,100}$/.test(address)) return Effect.succeed(address)
  const rule = { rule: "must be a string of 1 to 100 characters, as for SqlIpGuard", example: "\"203.0.113.9\"" }
  const problem = Problem.format(`address ${Problem.shown(address)}`, rule)
  return Effect.fail(new DatabaseError({ reason: new InvalidOption({ problem }) }))
}

const taken =
  "no account can be taken over: another program has their locks. End it if it hangs; if it is of another " +
  "cluster, give each cluster a database of its own"

const nameOf = ({ host, port }: RunnerAddress): string => `${host}:${port}`

/** A storage of runners that knows from which address each of them sends: only those that may have accounts are healthy in it. */
export const make = Effect.fnUntraced(function*(
  storage: RunnerStorage["Service"],
  sender: Sender
): Effect.fn.Return<RunnerStorage["Service"], DatabaseError, SqlClient.SqlClient> {
  const { account, address } = sender ?? {} as Sender
  const own = yield* checked(address)
  // This also makes the tables.
  yield* SqlIpGuard.status({ account })
  const sql = yield* SqlClient.SqlClient

  /** Writes the address of this runner before the others see the runner. */
  const introduce = (runner: RunnerAddress) =>
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
    return (runner: RunnerAddress) => wait(status, addresses.get(nameOf(runner)))
  }).pipe(
    Effect.orElseSucceed(() => () => 0),
    Effect.provideService(SqlClient.SqlClient, sql)
  )

  /** How often in a row this runner was given none of the locks that it asked for, about once a second. */
  let vain = 0
  /** The runners that were on standby at the last look. */
  let standby: ReadonlySet<string> = new Set()
  const getRunners = Effect.gen(function*() {
    const runners = yield* storage.getRunners
    const waitOf = yield* waits
    const least = Math.min(...runners.map(([{ address }]) => waitOf(address)))
    const judged = runners.map(([runner, isHealthy]) => ({
      runner,
      isHealthy,
      isStandby: waitOf(runner.address) > least
    }))
    standby = new Set(judged.flatMap(({ isStandby, runner }) => isStandby ? [nameOf(runner.address)] : []))
    // Callers read the health from the storage.
    yield* Effect.forEach(
      judged.filter(({ isHealthy, isStandby }) => isHealthy && isStandby),
      ({ runner }) => storage.setRunnerHealth(runner.address, false),
      { discard: true }
    )
    return judged.map(({ isHealthy, isStandby, runner }) => [runner, isHealthy && !isStandby] as const)
  })
  return {
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
  }
})
