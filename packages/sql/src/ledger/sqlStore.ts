/**
 * The ledger of credits in a database. Steps that come together are taken in one transaction; what could not be written is written with the next one. Its events
 * are streams, which also see what other processes write.
 */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import type { Fence } from "@effect-marketdata/client/IpGuard"
import * as LedgerStore from "@effect-marketdata/client/LedgerStore"
import * as Ledger from "@effect-marketdata/core/Ledger"
import { type GuardUnavailable, LedgerUnavailable } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Clocks from "../database/clocks.ts"
import { DatabaseError, detailOf, fromSql, OtherKind, unusable } from "../database/DatabaseError.ts"
import type { Owner } from "../database/options.ts"
import * as Transaction from "../database/transaction.ts"
import * as EventRow from "./eventRow.ts"
import * as Leases from "./leases.ts"
import * as LedgerState from "./ledgerState.ts"
import * as Table from "./ledgerTable.ts"

/**
 * Which ledger, for whom, and how it begins.
 *
 * - `lease`: how long a reservation outlives its process, in seconds
 * - `keep`: how long events are kept, in seconds
 * - `history`: how many past events a stream begins with
 * - `open`: the ledger as the caller wants it, at a time in epoch seconds
 */
export interface Settings extends Owner {
  readonly lease: number
  readonly keep: number
  readonly history: number
  readonly open: (now: number) => Ledger.Ledger
}

/** A step. It gets the first request under its claim, and the refusal of the guard, if there are any. */
type Take<A> = (
  ledger: Ledger.Ledger,
  now: number,
  first?: LedgerStore.FirstSent,
  refused?: GuardUnavailable
) => LedgerStore.Step<A>

/** A step that waits for its transaction, with the key of its claim and the fence of its guard. */
interface Waiting<A = unknown> {
  readonly take: Take<A>
  readonly key?: string | undefined
  readonly fence?: Fence | undefined
  readonly context: Context.Context<never>
  readonly done: Deferred.Deferred<A, LedgerUnavailable>
}

/** The most steps of one transaction, which then share one commit. */
const mostTogether = 250

/** A transaction begins after this many turns of the event loop without another step, and after `mostTurns` at the latest. */
const [quietTurns, mostTurns] = [3, 50]

/** A reservation, or the mark of a request, whose caller was refused though it may have been committed. */
type Doubtful = Extract<CreditLedger.Event, { readonly _tag: "Reserved" | "Sent" }>

const kindOf = ({ follows, window }: Ledger.Ledger): string =>
  follows
    ? "a ledger that follows the service"
    : window === "none"
    ? "a ledger whose allowance is never renewed"
    : `a ledger whose allowance is renewed each ${window}`

/** The ledger of this program: what was spent is shared, the allowance is its own. An unused ledger that was opened while the clock was ahead is opened again. */
const present = (
  sql: SqlClient.SqlClient,
  { count, ledger }: Table.Stored,
  opened: Ledger.Ledger,
  settings: Settings,
  now: number
) =>
  count === 0 && LedgerState.isBack(ledger, now)
    ? Effect.succeed(settings.open(now))
    : Table.inWindow(sql, settings, ledger.follows ? ledger : { ...ledger, allowance: opened.allowance }, now)

const unavailable = (error: SqlError | Clocks.ClocksApart | GuardUnavailable | LedgerUnavailable) =>
  error._tag === "LedgerUnavailable" ? error : new LedgerUnavailable({
    detail: error._tag === "SqlError" ? detailOf(error) : "detail" in error ? error.detail : error.message
  })

/** Makes the row of a ledger if it is missing, and refuses a ledger of another kind. */
const open = Effect.fnUntraced(
  function*(sql: SqlClient.SqlClient, settings: Settings, ledger: Ledger.Ledger) {
    yield* Table.insert(sql, settings, ledger)
    const stored = yield* Table.lock(sql, settings, undefined)
    const [found, asked] = [kindOf(stored.ledger), kindOf(ledger)]
    if (found === asked) return
    return yield* new DatabaseError({ reason: new OtherKind({ ledger: Table.nameOf(settings), found, asked }) })
  },
  (opening, sql) => Transaction.run(sql, opening),
  Effect.catchTags({
    SqlError: (error) => Effect.fail(fromSql(error)),
    LedgerUnavailable: ({ detail }) => Effect.fail(unusable(detail))
  })
)

/** Reads what the steps of a batch are told besides the ledger: the first requests under their claims, and why the guards of their fences refuse. Each fence is asked once; the client itself asks a guard in another database, after the mark. */
const tellings = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, owner: Owner, batch: ReadonlyArray<Waiting>) {
  const keys = new Set(batch.map(({ key }) => key).filter((key) => key !== undefined))
  const firsts = yield* Table.firstSent(sql, owner, keys)
  const refused = new Map<Fence, GuardUnavailable | undefined>()
  for (const { fence } of batch) {
    const asked = fence === undefined || refused.has(fence) ? undefined : fence.within(sql.transactionService)
    if (asked !== undefined) refused.set(fence!, yield* asked)
  }
  return { firsts, refused }
})

/** Takes the steps of a batch after another step, one by one: each finds the claims of those before it. */
const takeAll = (
  before: LedgerStore.Step<unknown>,
  batch: ReadonlyArray<Waiting>,
  now: number,
  { firsts, refused }: Effect.Success<ReturnType<typeof tellings>>
) => {
  let step = before
  const values: Array<unknown> = []
  for (const { fence, key, take } of batch) {
    const known = step.events.length
    const first = key === undefined ? undefined : firsts.get(key)
    step = LedgerStore.both(step, (ledger) => take(ledger, now, first, fence && refused.get(fence)))
    values.push(step.value)
    for (const event of step.events.slice(known)) {
      if (event._tag !== "Sent" || event.claim === undefined || firsts.has(event.claim.key)) continue
      firsts.set(event.claim.key, { run: event.claim.run, time: step.ledger.now })
    }
  }
  return { step, values }
}

/** How many events are read at once. */
const page = 500

/** How often a stream looks for what other processes did. */
const poll = "1 second"

/** The streams of a ledger, from a number of events before now on. They see at once what this process writes, and what others write at their next poll. */
const follow = (sql: SqlClient.SqlClient, { account, budget }: Owner, latest: number) => {
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
    Effect.mapBoth({ onFailure: unavailable, onSuccess: ([row]) => Number(row?.events ?? 0) })
  )
  const after = (place: number) =>
    Transaction.inTime(
      sql,
      sql<EventRow.Row>`SELECT ${sql.literal(EventRow.columns)}
      FROM marketdata_event WHERE account = ${account} AND budget = ${budget} AND number > ${place}
      ORDER BY number LIMIT ${page}`
    ).pipe(
      Effect.mapError(unavailable),
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

/** Keeps a ledger in a database for as long as a scope is open. */
export const make = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  settings: Settings
): Effect.fn.Return<LedgerStore.LedgerStore, DatabaseError, Scope.Scope> {
  const opened = settings.open(yield* Effect.mapError(Transaction.now(sql), fromSql))
  yield* open(sql, settings, opened)
  const clocks = Clocks.make(sql, settings)
  yield* Effect.addFinalizer(() => clocks.leave)
  yield* Effect.forkScoped(clocks.forever)
  const followers = follow(sql, settings, settings.history)
  const turn = yield* Semaphore.make(1)
  /** The reservations of this process. */
  const held = new Set<number>()
  /** Those of them that a server which took over has lost: another program may have made one under the same number. */
  const lost = new Set<number>()
  /** A step about a reservation finds none where that was lost. */
  const ofOwn = <A>(take: Take<A>, of: number | undefined): Take<A> => (ledger, ...told) =>
    of === undefined || !lost.has(of)
      ? take(ledger, ...told)
      : { ...take({ ...ledger, reservations: new Map() }, ...told), ledger, events: [] }
  /** The steps that could not be written, in the order in which they happened. */
  let later: ReadonlyArray<Take<unknown>> = []
  /** The steps that wait for a transaction, in order. */
  const queue: Array<Waiting> = []
  let isTaking = false
  /** What was reserved and marked in transactions whose commit was not confirmed. Their callers were refused, and have sent nothing. */
  const doubtful = new Map<string, Doubtful>()
  let last: Table.Stored | undefined

  /** Reads the ledger, closes the reservations that `leftBehind` finds, takes the waiting steps and then those of the batch, and writes the ledger. */
  const inTransaction = Effect.fnUntraced(function*(
    batch: ReadonlyArray<Waiting>,
    waiting: ReadonlyArray<Take<unknown>>,
    leftBehind: typeof Leases.expired
  ) {
    const stored = yield* Table.lock(sql, settings, last)
    yield* clocks.check
    const isOther = stored.isOther === true
    // Under the number of one that was not committed, or was lost, another program may have reserved since.
    const mine = isOther || doubtful.size > 0 ? yield* Leases.numbersOf(sql, settings) : new Set()
    for (const number of isOther ? held : []) if (!mine.has(number)) lost.add(number)
    const time = stored.databaseTime
    if (LedgerState.isBack(stored.ledger, time)) yield* Leases.shorten(sql, settings, time + settings.lease)
    // Whether a lease of another program has expired came with the lock: mostly none has, and nothing is read.
    const abandoned = leftBehind === Leases.expired && !stored.isOver ? [] : yield* leftBehind(sql, settings, time)
    const told = yield* tellings(sql, settings, batch)
    const unsent = [...doubtful.values()].filter(({ reservation }) => mine.has(reservation))
    const gone = [...unsent.filter(({ _tag }) => _tag === "Reserved"), ...abandoned]
    const ledger = yield* present(sql, stored, opened, settings, time)
    const closed = LedgerStore.abandon(ledger, time, gone, unsent.filter((event) => event._tag === "Sent"))
    const caughtUp = waiting.reduce((before, take) => LedgerStore.both(before, (ledger) => take(ledger, time)), closed)
    const { step, values } = takeAll(caughtUp, batch, time, told)
    const events = LedgerStore.events(step.ledger, step.events, stored.count + 1)
    if (!Arr.isReadonlyArrayNonEmpty(events)) return { values, events, after: stored }
    for (const event of events) {
      if (event._tag === "Reserved") doubtful.set(String(event.reservation), event)
      if (event._tag === "Sent") doubtful.set(`${event.reservation} ${event.request}`, event)
    }
    yield* clocks.tell
    const written = { ledger: step.ledger, events, expires: time + settings.lease }
    return { values, events, after: yield* Table.write(sql, settings, written, abandoned) }
  })

  const transact = (
    batch: ReadonlyArray<Waiting>,
    leftBehind = Leases.expired
  ): Effect.Effect<ReadonlyArray<unknown>, LedgerUnavailable> =>
    Effect.suspend(() => {
      const waiting = later
      return Effect.map(
        Transaction.locking(sql, "marketdata.ledger", inTransaction(batch, waiting, leftBehind)),
        ({ after, events, values }) => {
          later = later.slice(waiting.length)
          last = after
          doubtful.clear()
          for (const event of events) {
            if (event._tag === "Reserved") held.add(event.reservation)
            if (event._tag === "Settled") held.delete(event.reservation)
          }
          if (events.length > 0) followers.wake()
          return values
        }
      )
    }).pipe(Effect.mapError(unavailable))

  /** Takes the transactions of this process one after another; one that has begun is not interrupted. */
  const inTurn = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.uninterruptible(turn.withPermit(effect))

  /** Waits until no step has come for a few turns of the event loop, so that replies that arrive together are charged in one transaction. */
  const gather = (before: number, quiet: number, left: number): Effect.Effect<void> =>
    Effect.flatMap(Effect.yieldNow, () => {
      const still = queue.length === before ? quiet + 1 : 0
      return still === quietTurns || left === 0 || queue.length >= mostTogether
        ? Effect.void
        : gather(queue.length, still, left - 1)
    })

  /** Takes the steps of the queue in one transaction. */
  const takeBatch = Effect.flatMap(Effect.suspend(() => gather(queue.length, 0, mostTurns)), () => {
    const batch = queue.splice(0, mostTogether)
    return Effect.map(Effect.exit(transact(batch)), (exit) => {
      for (const [index, { done }] of batch.entries()) {
        Deferred.doneUnsafe(done, Exit.map(exit, (values) => values[index]))
      }
    })
  })

  /** Takes the queue, batch after batch, each in the context of its first caller. */
  const takeWaiting = (): void => {
    const first = queue[0]
    isTaking = first !== undefined
    if (first !== undefined) Effect.runForkWith(first.context)(inTurn(takeBatch)).addObserver(takeWaiting)
  }

  /** Takes a step, together with others that wait. Fails within a transaction of a client with one connection, which would wait for itself. */
  const together = <A>(step: Omit<Waiting<A>, "context" | "done">): Effect.Effect<A, LedgerUnavailable> =>
    Effect.uninterruptible(Effect.contextWith((context) => {
      if (Transaction.isWithin(sql, context)) return Effect.fail(unavailable(Transaction.within))
      const done = Deferred.makeUnsafe<A, LedgerUnavailable>()
      queue.push({ ...step, context, done } as Waiting<unknown> & Waiting<A>)
      if (!isTaking) takeWaiting()
      return Deferred.await(done)
    }))

  // Leases are renewed in transactions of their own, so that they do not wait behind steps.
  const renewal = Leases.renew(
    sql,
    settings,
    settings.lease,
    (renewing) => Transaction.run(sql, Effect.andThen(clocks.check, renewing))
  )
  const beat = Effect.gen(function*() {
    // Reservations that others closed because their leases had expired are no longer held.
    for (const reservation of held) {
      if (last?.ledger.reservations.has(reservation) !== true) held.delete(reservation)
    }
    if (held.size > 0) yield* renewal
    if (later.length > 0) yield* inTurn(transact([]))
  }).pipe(
    Effect.catch((error) => Effect.logDebug(`${Table.nameOf(settings)} could not renew its leases`, error.message))
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(beat, settings.lease * 1000 / 3)))
  yield* Effect.forkScoped(Table.prune(sql, settings, settings.keep, clocks.check))
  // A program that ends in order first writes the waiting steps, and then closes its reservations, so that others need not wait for their leases.
  const leave = Effect.gen(function*() {
    for (let before = Infinity; held.size > 0 && held.size < before;) {
      before = held.size
      yield* transact([], Leases.heldBy)
    }
  })
  yield* Effect.addFinalizer(() =>
    held.size === 0 && later.length === 0 ? Effect.void : Effect.ignore(inTurn(Effect.andThen(transact([]), leave)))
  )

  return {
    joins: true,
    take: (take, key, fence, of) => together({ take: ofOwn(take, of), key, fence }),
    record: (step, meanwhile, of) =>
      Effect.uninterruptible(
        Effect.catchCause(together({ take: ofOwn((ledger, now) => step(ledger, now, false), of) }), (cause) => {
          later = [...later, ofOwn((ledger, now) => step(ledger, now, true), of)]
          return Effect.as(
            Effect.logWarning(
              `${Table.nameOf(settings)} could not be written; what happened is written with its next step`,
              Cause.squash(cause)
            ),
            meanwhile
          )
        })
      ),
    history: followers.history,
    readings: followers.readings
  }
})
