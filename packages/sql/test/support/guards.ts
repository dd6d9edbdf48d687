import type * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Database } from "./databases.ts"

/** A guard that a program has open, with its database client and its end. */
export type Guarded = Effect.Success<ReturnType<typeof guarded>>

/**
 * Opens a guard with a client of its own, as another program does. `close` ends it in order; after `kill` it does nothing any more by itself, as if it
 * were killed.
 */
export const guarded = (database: Database, options: Partial<SqlIpGuard.Options> = {}) =>
  Effect.clockWith((clock) =>
    Effect.gen(function*() {
      let isDead = false
      const mortal: Clock.Clock = Object.assign(Object.create(clock), {
        sleep: (duration: Parameters<Clock.Clock["sleep"]>[0]) =>
          Effect.andThen(clock.sleep(duration), Effect.suspend(() => isDead ? Effect.never : Effect.void))
      })
      const scope = yield* Scope.make()
      yield* Effect.addFinalizer(() => isDead ? Effect.void : Scope.close(scope, Exit.void))
      const sql = Context.get(yield* Layer.buildWithScope(database.open, scope), SqlClient.SqlClient)
      const guard = yield* SqlIpGuard.make({ account: "main", address: "A", ...options }).pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(Scope.Scope, scope),
        Effect.provideService(Clock.Clock, mortal),
        Effect.orDie
      )
      return { guard, sql, close: Scope.close(scope, Exit.void), kill: () => void (isDead = true) }
    })
  )

/** Asks to send, and fails the test where that is not allowed now. */
export const sent = ({ guard }: Guarded) =>
  Effect.flatMap(
    guard.admit,
    (admission) => admission._tag === "Send" ? Effect.succeed(admission) : Effect.die(new Error("held"))
  )

/** Asks to send, and leaves at once. */
export const sendOnce = (guarded: Guarded, ending: IpGuard.Ending = "answered") =>
  Effect.flatMap(sent(guarded), ({ leave }) => leave(ending))

/** Whether a program may send now, and if not, until when. */
export const answerOf = ({ guard }: Guarded) =>
  Effect.map(guard.admit, (admission) => admission._tag === "Send" ? "Send" : admission.until)
