import { CreditLedger, IpGuard, MarketData } from "@effect-marketdata/client"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { Clock, Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import type { service } from "../../../client/test/support/scripted.ts"
import { type Database, soon } from "./databases.ts"

export type Service = CreditLedger.CreditLedger["Service"]

/** A ledger that somebody has open, with the database client that is under it. */
export type Opened = Effect.Success<ReturnType<typeof opened>>

const main: SqlLedger.BudgetOptions = { account: "main", allowance: 100 }

/** Opens a ledger with a client of its own, as another process does. */
export const opened = (database: Database, options: Partial<SqlLedger.BudgetOptions> = {}) =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const sql = Context.get(yield* Layer.buildWithScope(database.open, scope), SqlClient.SqlClient)
    const ledger = yield* SqlLedger.make({ ...main, ...options }).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(Scope.Scope, scope),
      Effect.orDie
    )
    return { ledger, sql, close: Scope.close(scope, Exit.void) }
  })

/** Opens a ledger whose process does nothing any more by itself: as if it were killed after its last step. */
export const mortal = (database: Database, options: Partial<SqlLedger.BudgetOptions> = {}) =>
  Effect.clockWith((clock) => {
    const stopped: Clock.Clock = Object.assign(Object.create(clock), { sleep: () => Effect.never })
    return Effect.provideService(opened(database, options), Clock.Clock, stopped)
  })

/** Lets leases that were written for the time of a test last for a minute from now on, also on a server. */
export const lasting = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () => Effect.orDie(sql`UPDATE marketdata_lease SET expires = EXTRACT(EPOCH FROM clock_timestamp()) + 60`)
  })

/** Lets seconds go by, for the leases in a database too: on a server they go by its own clock. */
export const elapse = ({ sql }: Pick<Opened, "sql">, seconds: number): Effect.Effect<void> =>
  Effect.andThen(
    sql.onDialectOrElse({
      sqlite: () => Effect.void,
      orElse: () => Effect.orDie(sql`UPDATE marketdata_lease SET expires = expires - ${seconds}`)
    }),
    TestClock.adjust(seconds * 1000)
  )

/**
 * Waits until its holder's timer has renewed a lease, so that it lasts for more than `seconds` from now. A busy server answers late: a holder
 * that was not yet asleep when time went by is woken by more of it.
 */
export const renewed = ({ sql }: Pick<Opened, "sql">, seconds: number): Effect.Effect<void> => {
  const isRenewed = sql<{
    renewed: boolean
  }>`SELECT MAX(expires) > EXTRACT(EPOCH FROM clock_timestamp()) + ${seconds} AS renewed FROM marketdata_lease`
  const waking = Effect.andThen(TestClock.adjust("1 second"), soon)
  return sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.asVoid(
        Effect.repeat(Effect.andThen(waking, Effect.orDie(isRenewed)), { until: ([row]) => row?.renewed === true })
      )
  })
}

/** Asks one request, and settles it as charged. */
export const spend = (ledger: Service, bound: number, credits: number, query?: Parameters<Service["reserve"]>[1]) =>
  Effect.gen(function*() {
    const reservation = yield* ledger.reserve(bound, query)
    yield* reservation.send(bound, 0)
    yield* reservation.charge({ credits }, 0)
    yield* reservation.settle
  })

/** Runs an effect by a clock that is ahead, by so many hours. */
export const ahead = (hours: number) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    const shifted: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + hours * 3_600_000),
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + hours * 3_600_000
    })
    return Effect.provideService(effect, Clock.Clock, shifted)
  })

/** What has happened in the ledgers of a database. */
export const historyOf = (sql: SqlClient.SqlClient) =>
  Effect.provideService(Stream.runCollect(SqlLedger.history()), SqlClient.SqlClient, sql)

/** A client that spends by a ledger. */
export const clientOver = (
  ledger: Service,
  http: ReturnType<typeof service>,
  guard: Layer.Layer<IpGuard.IpGuard> = IpGuard.layerMemory()
) =>
  MarketData.layerNoDeps().pipe(
    Layer.provide(Layer.succeed(CreditLedger.CreditLedger, ledger)),
    Layer.provide(guard),
    Layer.provide(http.layer)
  )
