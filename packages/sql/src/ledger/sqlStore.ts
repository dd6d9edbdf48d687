import * as LedgerStore from "@effect-marketdata/client/LedgerStore"
import * as Ledger from "@effect-marketdata/core/Ledger"
import { LedgerUnavailable } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { DatabaseError, OtherKind, Unusable } from "../database/DatabaseError.ts"
import { detailOf, fromSql } from "../database/failed.ts"
import * as Transaction from "../database/transaction.ts"
import * as Followers from "./followers.ts"
import * as Leases from "./leases.ts"
import * as Table from "./ledgerTable.ts"
import * as Pruning from "./pruning.ts"

/**
 * Which ledger, for whom, and how it begins.
 *
 * - `lease`: how long a reservation outlives its process, in seconds
 * - `keep`: how long events are kept, in seconds
 * - `poll`: how often those who follow the ledger look for what other processes did, in milliseconds
 * - `history`: how many past events they see
 * - `open`: the ledger as the caller wants it, at a time in epoch seconds
 */
export interface Settings extends Leases.Owner {
  readonly lease: number
  readonly keep: number
  readonly poll: number
  readonly history: number
  readonly open: (now: number) => Ledger.Ledger
}

type Take<A> = (ledger: Ledger.Ledger, now: number, first?: LedgerStore.FirstSent) => LedgerStore.Step<A>

/** Which reservations a step closes first, because others left them behind, and under which key it may send. */
interface Besides {
  readonly leftBehind?: typeof Leases.expired
  readonly key?: string | undefined
}

const nothing: Take<void> = (ledger) => ({ value: undefined, ledger, events: [] })

/** One step after another. */
const both = <A>(
  before: LedgerStore.Step<unknown>,
  take: Take<A>,
  now: number,
  first?: LedgerStore.FirstSent
): LedgerStore.Step<A> => {
  const taken = take(before.ledger, now, first)
  return { ...taken, events: [...before.events, ...taken.events] }
}

const now = Effect.map(Clock.currentTimeMillis, (millis) => millis / 1000)

const kindOf = ({ follows, window }: Ledger.Ledger): string =>
  follows
    ? "a ledger that follows the service"
    : window === "none"
    ? "a ledger whose allowance is never renewed"
    : `a ledger whose allowance is renewed each ${window}`

/** By how many seconds a ledger may be ahead of the clock before the clock is right and the ledger was wrong. */
const mostAhead = 86_400

/** The ledger as this program has it: what was spent is everybody's, the allowance is its own. */
const present = (stored: Ledger.Ledger, allowance: number, now: number): Ledger.Ledger => {
  const ledger = stored.follows ? stored : { ...stored, allowance }
  if (!(ledger.now - now > mostAhead)) return ledger
  // What was spent while the clock was wrong still counts, in the window of the right time.
  const ends = ledger.ends === Infinity ? Infinity : Ledger.windowAt(ledger.window, now).end
  return { ...ledger, now, ends, standing: undefined }
}

/** Makes the row of a ledger where there is none, and refuses one of another kind. */
const open = (
  sql: SqlClient.SqlClient,
  settings: Settings,
  ledger: Ledger.Ledger
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function*() {
    yield* Table.insert(sql, settings, ledger)
    const stored = yield* Table.lock(sql, settings, undefined)
    const [found, asked] = [kindOf(stored.ledger), kindOf(ledger)]
    if (found === asked) return
    return yield* new DatabaseError({ reason: new OtherKind({ ledger: Table.nameOf(settings), found, asked }) })
  }).pipe(
    (opening) => Transaction.run(sql, opening),
    Effect.catchTags({
      SqlError: (error) => Effect.fail(fromSql(error)),
      LedgerUnavailable: ({ detail }) => Effect.fail(new DatabaseError({ reason: new Unusable({ detail }) }))
    })
  )

/** Keeps a ledger in a database for as long as a scope is open. */
export const make = (
  settings: Settings
): Effect.Effect<LedgerStore.LedgerStore, DatabaseError, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const opened = settings.open(yield* now)
    yield* open(sql, settings, opened)
    const followers = Followers.make(sql, settings, { latest: settings.history, poll: settings.poll })
    const turn = yield* Semaphore.make(1)
    /** The reservations of this process. */
    const held = new Set<number>()
    /** What could not be written, in the order in which it happened. */
    let later: ReadonlyArray<Take<unknown>> = []
    let last: Table.Stored | undefined

    /** Reads the ledger, closes what `leftBehind` finds, takes the step after all that waits, and writes, with nothing in between. */
    const inTransaction = <A>(
      take: Take<A>,
      { key, leftBehind = Leases.expired }: Besides,
      waiting: ReadonlyArray<Take<unknown>>
    ) =>
      Effect.gen(function*() {
        const stored = yield* Table.lock(sql, settings, last)
        const time = yield* now
        const ledger = present(stored.ledger, opened.allowance, time)
        const abandoned = leftBehind === Leases.expired && stored.firstOver > stored.databaseTime
          ? []
          : yield* leftBehind(sql, settings, stored.databaseTime)
        const closed = LedgerStore.abandon(ledger, time, abandoned)
        const caughtUp = waiting.reduce<LedgerStore.Step<unknown>>((before, take) => both(before, take, time), closed)
        const step = both(caughtUp, take, time, yield* Table.firstSent(sql, settings, key))
        const events = LedgerStore.events(step.ledger, step.events, stored.count + 1)
        const expires = stored.databaseTime + settings.lease
        const after = Arr.isReadonlyArrayNonEmpty(events)
          ? yield* Table.write(sql, settings, { ledger: step.ledger, events, expires }, abandoned)
          : stored
        return { value: step.value, events, after }
      })

    const transact = <A>(take: Take<A>, besides: Besides = {}): Effect.Effect<A, LedgerUnavailable> =>
      Effect.suspend(() => {
        const waiting = later
        return Effect.map(
          Transaction.locking(sql, inTransaction(take, besides, waiting)),
          ({ after, events, value }) => {
            later = later.slice(waiting.length)
            last = after
            for (const event of events) if (event._tag === "Reserved") held.add(event.reservation)
            for (const reservation of held) if (!after.ledger.reservations.has(reservation)) held.delete(reservation)
            if (events.length > 0) followers.wake()
            return value
          }
        )
      }).pipe(
        Effect.catchTag("SqlError", (error) => Effect.fail(new LedgerUnavailable({ detail: detailOf(error) })))
      )

    /** Steps of one process are taken in order; one that has begun is not given up half way. */
    const inTurn = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.uninterruptible(turn.withPermit(effect))

    const renewal = Leases.renew(sql, settings, settings.lease)
    // Leases are renewed at once, however many steps are waiting for their turn.
    const beat = Effect.gen(function*() {
      if (held.size > 0) yield* Transaction.run(sql, renewal)
      if (later.length > 0) yield* inTurn(transact(nothing))
    }).pipe(
      Effect.catch((error) => Effect.logDebug(`${Table.nameOf(settings)} could not renew its leases`, error.message))
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(beat, settings.lease * 1000 / 3)))
    yield* Effect.forkScoped(Pruning.forever(sql, settings, settings.keep))
    // Who leaves in order leaves nothing that others have to wait for: first what happened is written, and then the rest is given up.
    yield* Effect.addFinalizer(() =>
      held.size === 0 && later.length === 0
        ? Effect.void
        : Effect.ignore(inTurn(Effect.andThen(transact(nothing), transact(nothing, { leftBehind: Leases.heldBy }))))
    )

    return {
      take: (step, key) => inTurn(transact(step, { key })),
      record: (step, meanwhile) =>
        inTurn(Effect.catchCause(transact((ledger, now) => step(ledger, now, false)), (cause) => {
          later = [...later, (ledger, now) => step(ledger, now, true)]
          return Effect.as(
            Effect.logWarning(
              `${Table.nameOf(settings)} could not be written; what happened is written with its next step`,
              Cause.squash(cause)
            ),
            meanwhile
          )
        })),
      history: followers.history,
      readings: followers.readings
    }
  })
