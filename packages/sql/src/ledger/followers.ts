/** The streams that follow a ledger. They see at once what this process writes, and what others write at their next poll. */
import { LedgerUnavailable } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { detailOf } from "../database/DatabaseError.ts"
import type { Owner } from "../database/options.ts"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"

/** How many events are read at once. */
const page = 500

/** How often a stream looks for what other processes did. */
const poll = "1 second"

const failed = (error: SqlError) => new LedgerUnavailable({ detail: detailOf(error) })

/** Follows a ledger, from a number of events before now on. */
export const make = (sql: SqlClient, { account, budget }: Owner, latest: number) => {
  let written: Deferred.Deferred<void> | undefined
  /** Tells all streams that something was written. */
  const wake = (): void => {
    const waiting = written
    written = undefined
    if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.void)
  }
  /** Looks until something is found. It begins to wait before it looks, so that it misses nothing that is written in between. */
  const awaited = <A, E>(look: Effect.Effect<A | undefined, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const next = written ??= Deferred.makeUnsafe()
      return Effect.flatMap(look, (found) =>
        found !== undefined
          ? Effect.succeed(found)
          : Effect.andThen(Effect.raceFirst(Deferred.await(next), Effect.sleep(poll)), awaited(look)))
    })
  const counted = sql<{ readonly events: unknown }>`SELECT events FROM marketdata_ledger
    WHERE account = ${account} AND budget = ${budget}`
  const count = Transaction.inTime(sql, counted).pipe(
    Effect.mapBoth({ onFailure: failed, onSuccess: ([row]) => Number(row?.events ?? 0) })
  )
  const after = (place: number) =>
    Transaction.inTime(
      sql,
      sql<EventRow.Row>`SELECT ${sql.literal(EventRow.columns)}
      FROM marketdata_event WHERE account = ${account} AND budget = ${budget} AND number > ${place}
      ORDER BY number LIMIT ${page}`
    ).pipe(
      Effect.mapError(failed),
      Effect.flatMap(Effect.forEach((row) =>
        Effect.mapError(
          EventRow.read(row),
          ({ message }) =>
            new LedgerUnavailable({ detail: `event ${String(row.number)} of the database cannot be read: ${message}` })
        )
      ))
    )
  return {
    wake,
    /** The latest events, and then all future ones. */
    history: Stream.fromPull(Effect.map(count, (count) => {
      let place = Math.max(0, count - latest)
      const look = Effect.suspend(() => after(place))
      return Effect.map(
        awaited(Effect.map(look, (events) => Arr.isReadonlyArrayNonEmpty(events) ? events : undefined)),
        (events) => {
          place = Arr.lastNonEmpty(events).number
          return events
        }
      )
    })),
    /** The result of `read`, at once and whenever something was written. */
    readings: <A, E>(read: Effect.Effect<A, E>) =>
      Stream.fromPull(Effect.sync(() => {
        let place = -1
        const look = Effect.map(count, (count) => {
          if (count === place) return undefined
          place = count
          return true
        })
        return Effect.map(Effect.andThen(awaited(look), read), Arr.of)
      }))
  }
}
