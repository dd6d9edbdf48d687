/** The row of a ledger: read under a lock, and written with the events of a step and the leases that follow from them. */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import type * as LedgerStore from "@effect-marketdata/client/LedgerStore"
import type * as Ledger from "@effect-marketdata/core/Ledger"
import { LedgerUnavailable } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"
import * as State from "./ledgerState.ts"
import * as Leases from "./leases.ts"

/** A ledger as it was read: its text, what the text says, and the number of its last event. */
export interface Stored {
  readonly state: string
  readonly ledger: Ledger.Ledger
  readonly count: number
}

/** The name of a ledger in messages. */
export const nameOf = ({ account, budget }: Leases.Owner): string =>
  budget === "" ? `the ledger "${account}"` : `the ledger "${account}" / "${budget}"`

/** Makes the row of a ledger, unless somebody has made it before. */
export const insert = (
  sql: SqlClient,
  { account, budget }: Leases.Owner,
  ledger: Ledger.Ledger
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql`INSERT INTO marketdata_ledger ${
      sql.insert({ account, budget, state: State.encode(ledger), events: 0 })
    } ON CONFLICT DO NOTHING`
  )

/** A ledger under its lock, and when the first lease of another program is over, which may have been renewed since; by the database's time, in epoch seconds. */
export interface Locked extends Stored {
  readonly firstOver: number
  readonly databaseTime: number
}

/** Reads a ledger, and keeps everybody else from it until the transaction ends. What was read last need not be decoded again. */
export const lock = (
  sql: SqlClient,
  owner: Leases.Owner,
  last: Stored | undefined
): Effect.Effect<Locked, SqlError | LedgerUnavailable> =>
  Effect.flatMap(
    Transaction.lock<{ readonly state: string; readonly events: unknown; readonly first_over: number | null }>(sql, {
      columns:
        sql`state, events, (SELECT MIN(expires) FROM marketdata_lease l WHERE l.account = marketdata_ledger.account AND
        l.budget = marketdata_ledger.budget AND l.owner <> ${owner.owner}) AS first_over`,
      table: sql`marketdata_ledger`,
      where: sql`account = ${owner.account} AND budget = ${owner.budget}`
    }),
    (row) => {
      const unreadable = (why: string) =>
        new LedgerUnavailable({ detail: `${nameOf(owner)} cannot be read from the database: ${why}` })
      if (row === undefined) return Effect.fail(unreadable("it is no longer there"))
      const { events, state } = row
      const ledger = state === last?.state ? Result.succeed(last.ledger) : State.decode(state)
      return Result.match(ledger, {
        onFailure: (why) => Effect.fail(unreadable(why)),
        onSuccess: (ledger) =>
          Effect.succeed({
            state,
            ledger,
            count: Number(events),
            firstOver: row.first_over ?? Infinity,
            databaseTime: row.databaseTime
          })
      })
    }
  )

/** The request that was sent first under the key of a claim. Nobody sends another one while the ledger is locked. */
export const firstSent = (
  sql: SqlClient,
  { account, budget }: Leases.Owner,
  key: string | undefined
): Effect.Effect<LedgerStore.FirstSent | undefined, SqlError> =>
  key === undefined ? Effect.undefined : Effect.map(
    sql<LedgerStore.FirstSent>`SELECT run, time FROM marketdata_event
      WHERE account = ${account} AND budget = ${budget} AND claim = ${key} AND kind = 'Sent' ORDER BY number LIMIT 1`,
    ([row]) => row
  )

/** What a step made of a ledger, and how long the reservations in it hold without being renewed. */
export interface Written {
  readonly ledger: Ledger.Ledger
  readonly events: Arr.NonEmptyReadonlyArray<CreditLedger.Event>
  readonly expires: number
}

/** Writes what a step made of a ledger. Events of reservations that others left behind are theirs. */
export const write = Effect.fnUntraced(function*(
  sql: SqlClient,
  owner: Leases.Owner,
  { events, expires, ledger }: Written,
  abandoned: ReadonlyArray<Leases.Abandoned>
): Effect.fn.Return<Stored, SqlError> {
  const { account, budget } = owner
  const state = State.encode(ledger)
  const count = Arr.lastNonEmpty(events).number
  const theirs = new Map(abandoned.map(({ askedBy, reservation }) => [reservation, askedBy]))
  const askedBy = (event: CreditLedger.Event): string => {
    const whose = "reservation" in event ? theirs.get(event.reservation ?? 0) : undefined
    return whose ?? owner.askedBy
  }
  const row = (event: CreditLedger.Event): Record<string, unknown> => ({
    account,
    budget,
    asked_by: askedBy(event),
    ...EventRow.write(event)
  })
  yield* Transaction.together(
    sql,
    Arr.appendAll(Leases.follow(sql, owner, events, expires), [
      sql`INSERT INTO marketdata_event ${sql.insert(Arr.map(events, row))}`,
      sql`UPDATE marketdata_ledger SET state = ${state}, events = ${count}
      WHERE account = ${account} AND budget = ${budget}`
    ])
  )
  return { state, ledger, count }
})
