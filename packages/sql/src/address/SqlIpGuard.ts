/**
 * The guard of the single-IP rule in a database: programs on many machines send for one account, and never from two addresses at once. The rules are those
 * of core's `IpRule`, as in memory.
 *
 * A program that sends holds a lease in the database, and renews it while it sends. During the lease it does not ask the database. Programs with
 * the same address send at the same time. A program with another address waits until the others have nothing in flight or their leases have expired
 * and, if it was used before, until the five minutes of the contract have passed.
 *
 * A program that cannot renew its lease stops sending before another may begin:
 *
 *     it sends for less than ¾ lease, counted from before its last renewal; others wait for a whole lease, counted from when the database wrote it
 *
 * So a machine that is cut off from the database fails with `GuardUnavailable` before another one sends. The times are those of the server, or of the one
 * machine that a SQLite file is on: the clocks of machines may differ.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // Each machine says its own address. Over PgClient.layer of @effect/sql-pg, it needs no more than that.
 * const guard = SqlIpGuard.layer({ account: "main", address: "203.0.113.9" })
 *
 * export const prices = MarketData.stockPrices(["AAPL"]).pipe(
 *   Effect.provide(MarketData.layer().pipe(Layer.provide(guard)))
 * )
 * ```
 *
 * @see `IpGuard` of the client for what a guard does
 * @see {@link SqlLedger} for the ledger in the same database
 * @since 0.1.0
 */
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as IpRule from "@effect-marketdata/core/IpRule"
import { GuardUnavailable } from "@effect-marketdata/core/Reason"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { type DatabaseError, detailOf, fromSql, unusable } from "../database/DatabaseError.ts"
import { migrated } from "../database/migrations.ts"
import * as Checked from "../database/options.ts"
import * as SharedRow from "../database/sharedRow.ts"
import * as State from "./addressState.ts"

/**
 * Which account, and who sends.
 *
 * - `account`: a name for the account
 * - `address`: the address that this machine's requests come from, or an effect that returns it, for machines whose address changes. It is required,
 *   because no default is right on every machine. Any name works that is the same for two programs if and only if the service sees them under one
 *   address, such as the name of the office
 * - `askedBy`: the name of the program; by default the host and the process id
 * - `lease`: how long a program that died keeps others from sending, from 1 second to 1 day; 10 seconds by default. A program renews it while it sends
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly account: string
  readonly address: string | Effect.Effect<string>
  readonly askedBy?: string | undefined
  readonly lease?: Duration.Input | undefined
}

/** How long a program that waits for others waits before it asks the database again, in milliseconds. */
const poll = 250

/**
 * How long a refusal is remembered without asking the database again, in milliseconds. It may end early: when other programs switch their address, the rule
 * forgets addresses that were left long before.
 */
const believed = 1000

/** A moment by two clocks: the wall clock may be set, and the monotonic clock may stop while the machine sleeps. */
type Moment = Readonly<ReturnType<typeof moment>>

const moment = (clock: Clock.Clock) => ({
  wall: clock.currentTimeMillisUnsafe(),
  gone: Number(clock.monotonicTimeNanosUnsafe()) / 1e6
})

const isWithin = (milliseconds: number, since: Moment, now: Moment): boolean =>
  now.wall >= since.wall && now.wall - since.wall < milliseconds && now.gone - since.gone < milliseconds

/** A refusal to send from an address, and for how long the database is not asked again. */
interface Hold {
  readonly address: string
  readonly until: number | undefined
  readonly milliseconds: number
  readonly since: Moment
}

const unavailable = (error: { readonly message: string }): GuardUnavailable =>
  new GuardUnavailable({ detail: isSqlError(error) ? detailOf(error) : error.message })

type Step<A> = (state: State.State, now: number) => { readonly value: A; readonly state: State.State }

/**
 * Opens a guard for as long as a scope is open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<IpGuard.IpGuard["Service"], DatabaseError, SqlClient.SqlClient | Scope.Scope> {
  const { account: named, address, askedBy, lease: given = "10 seconds" } = (options ?? {}) as Partial<Options>
  const account = yield* Checked.named("account", named)
  // The guard is asked uninterruptibly, but waiting for the address may be interrupted: nothing is admitted yet.
  const addressOf = Effect.isEffect(address)
    ? Effect.interruptible(address)
    : Effect.succeed(yield* Checked.named("address", address))
  const program = yield* Checked.program(askedBy)
  const lease = yield* Checked.lease(given)
  const sql = yield* migrated
  const place = { account, kind: "address" } as const
  yield* Effect.mapError(SharedRow.insert(sql, place, State.encode(State.empty)), fromSql)

  const turn = yield* Semaphore.make(1)
  let inFlight = 0
  /** The permission of the database to send from an address, and when it was asked for. */
  let session: { readonly address: string; readonly asked: Moment } | undefined
  /** What the database said last of the shared state. */
  let known = { suspect: false, switching: false }
  /** Whether the database has still to be told that a request was answered, and whether any was sent since the last renewal. */
  let [isAnswered, isBusy] = [false, false]
  /** The changes that could not be written, in the order in which they happened. */
  let later: ReadonlyArray<(state: State.State, now: number) => State.State> = []
  let held: Hold | undefined
  /** Why the database could not be asked the last time that it could not. */
  let failure: GuardUnavailable | undefined

  /** Writes the waiting changes, ends expired leases, and takes a step, in one transaction. The semaphore keeps others from adding changes meanwhile. */
  const change = <A>(step: Step<A>): Effect.Effect<A, GuardUnavailable> =>
    Effect.suspend(() => {
      const wasAnswered = isAnswered
      return SharedRow.change(sql, place, ({ now, text }) =>
        Effect.map(State.decode(text, now), (stored) => {
          const told = wasAnswered ? State.answered(stored, program.owner, now) : stored
          const caughtUp = later.reduce((state, write) => write(state, now), told)
          const { state, value } = step(State.expire(caughtUp, now), now)
          return { value: { state, value }, text: State.encode(state) }
        })).pipe(
          Effect.map(({ state, value }) => {
            later = []
            if (wasAnswered) isAnswered = false
            known = state
            if (!State.isSender(state, program.owner)) session = undefined
            return value
          }),
          Effect.mapError(unavailable)
        )
    })

  /** Writes a change now or, if that fails, with the next step. */
  const record = (write: (state: State.State, now: number) => State.State): Effect.Effect<void> =>
    turn.withPermit(Effect.suspend(() => {
      later = [...later, write]
      return Effect.ignore(change((state) => ({ state, value: undefined })))
    }))

  /** Whether the permission still holds: it ends after ¾ of the lease, and others wait for the whole lease. */
  const mayStillSend = (address: string, now: Moment): boolean =>
    session?.address === address && isWithin(lease * 750, session.asked, now)
  const over = new GuardUnavailable({
    detail: "the lease of this program was over before the request was sent, and another program may send"
  })
  let last: { readonly address: string; readonly fence: IpGuard.Fence } | undefined
  const fenceOf = (address: string): IpGuard.Fence => {
    if (last?.address === address) return last.fence
    const check = Effect.clockWith((clock) => mayStillSend(address, moment(clock)) ? Effect.void : Effect.fail(over))
    const asked = SharedRow.find(sql, place).pipe(
      Effect.map((found) => found ?? { now: 0, text: "" }),
      Effect.flatMap(({ now, text }) => Effect.map(State.decode(text, now), (state) => ({ state, now }))),
      Effect.map(({ now, state }) => State.holds(state, program.owner, address, now) ? undefined : over),
      Effect.mapError(unavailable)
    )
    last = {
      address,
      fence: { check, within: (database) => database === sql.transactionService ? asked : undefined }
    }
    return last.fence
  }

  const leave = (address: string, isTrial: boolean) => (ending: IpGuard.Ending): Effect.Effect<void> =>
    Effect.suspend(() => {
      inFlight--
      held = undefined
      if (ending !== "lost") isAnswered ||= known.switching
      if (ending === "blocked") {
        known = { ...known, suspect: true }
        return record((state, now) => State.blocked(state, program.owner, address, now))
      }
      return isTrial ? record((state) => State.tried(state, program.owner, ending === "answered")) : Effect.void
    })

  const send = (address: string, isTrial: boolean): IpGuard.Admission => {
    inFlight++
    isBusy = true
    return { _tag: "Send", leave: leave(address, isTrial), fence: fenceOf(address) }
  }

  const hold = (hold: Hold): IpGuard.Admission => {
    held = hold
    return { _tag: "Held", until: hold.until, over: Effect.sleep(hold.milliseconds) }
  }

  /** Answers without the database, within the lease and within a remembered refusal. */
  const atOnce = (address: string, now: Moment): IpGuard.Admission | undefined => {
    const maySend = !known.suspect && later.length === 0 && mayStillSend(address, now)
    if (maySend) return send(address, false)
    if (held?.address !== address || !isWithin(held.milliseconds, held.since, now)) return undefined
    const left = held.milliseconds - (now.gone - held.since.gone)
    return { _tag: "Held", until: held.until, over: Effect.sleep(Math.max(1, left)) }
  }

  const ask = (address: string, asked: Moment): Effect.Effect<IpGuard.Admission, GuardUnavailable> =>
    // While requests from the previous address are in flight, that address keeps the lease.
    session !== undefined && session.address !== address && inFlight > 0
      ? Effect.succeed({ _tag: "Held", until: undefined, over: Effect.sleep(poll) })
      : Effect.map(
        change((state, now) => {
          const { entrance, state: after } = State.enter(state, { ...program, address, lease, inFlight }, now)
          return { value: { entrance, now, wasSuspect: state.suspect }, state: after }
        }),
        ({ entrance, now, wasSuspect }) => {
          switch (entrance._tag) {
            case "Send":
              session = { address, asked }
              return send(address, wasSuspect)
            case "WaitUntilPast":
              // The second of that time must be over, too.
              return hold({
                address,
                until: entrance.time,
                milliseconds: Math.min(believed, Math.max(1, (Math.floor(entrance.time) + 1 - now) * 1000)),
                since: asked
              })
            default:
              return hold({ address, until: undefined, milliseconds: poll, since: asked })
          }
        }
      )

  const admit = Effect.flatMap(addressOf, (address) =>
    Effect.clockWith((clock) => {
      const known = atOnce(address, moment(clock))
      if (known !== undefined) return Effect.succeed(known)
      const before = failure
      return turn.withPermit(Effect.suspend(() => {
        const now = moment(clock)
        const known = atOnce(address, now)
        if (known !== undefined) return Effect.succeed(known)
        // Those who waited meanwhile would wait as long again, one after another.
        if (failure !== undefined && failure !== before) return Effect.fail(failure)
        return Effect.tapError(ask(address, now), (error) => Effect.sync(() => void (failure = error)))
      }))
    }))

  /** Renews the lease of a program that sends, and gives up that of one that does not. */
  const beat = Effect.clockWith((clock) =>
    turn.withPermit(Effect.suspend(() => {
      if (session === undefined && later.length === 0) return Effect.void
      const asked = moment(clock)
      const isIdle = inFlight === 0 && !isBusy
      isBusy = false
      // Nothing may be sent while the lease is given up.
      if (isIdle) session = undefined
      return Effect.map(
        change((state, now) => ({
          value: undefined,
          state: isIdle ? State.leave(state, program.owner, now) : State.renew(state, program.owner, now + lease)
        })),
        () => {
          if (session !== undefined) session = { ...session, asked }
        }
      )
    }))
  ).pipe(
    Effect.catch((error) => Effect.logDebug(`the guard of "${account}" could not renew its lease`, error.message))
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(beat, lease * 1000 / 3)))
  // A program that ends in order gives up its lease, so that others need not wait for it.
  yield* Effect.addFinalizer(() =>
    session === undefined && later.length === 0
      ? Effect.void
      : record((state, now) => State.leave(state, program.owner, now))
  )
  return { admit: Effect.uninterruptible(admit) }
})

/**
 * A guard in the database of the program.
 *
 * @example
 * ```ts
 * import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Layer from "effect/Layer"
 *
 * export const guard = SqlIpGuard.layer({ account: "main", address: "office" }).pipe(
 *   Layer.provide(Sqlite.layer({ filename: "credits.db" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<IpGuard.IpGuard, DatabaseError, SqlClient.SqlClient> =>
  Layer.effect(IpGuard.IpGuard, make(options))

/**
 * The shared state of the addresses of an account. Times are epoch seconds by the clock of the database.
 *
 * - `now`: when this was read
 * - `address`: the address that sends; undefined before the first request. `since` is when it last changed; undefined if it never did
 * - `senders`: the programs that may have requests in flight, each with the end of its lease
 * - `blocks`: the addresses that the service has blocked, each with the last moment of its block
 * - `returns`: the addresses that were used recently; a return to each is safe after its time
 *
 * @category models
 * @since 0.1.0
 */
export interface Status {
  readonly now: number
  readonly address: string | undefined
  readonly since: number | undefined
  readonly senders: ReadonlyArray<{
    readonly askedBy: string
    readonly address: string
    readonly since: number
    readonly until: number
  }>
  readonly blocks: ReadonlyArray<{ readonly address: string; readonly until: number }>
  readonly returns: ReadonlyArray<{ readonly address: string; readonly until: number }>
}

/**
 * Reads who sends for an account, since when, and until when addresses are blocked. It changes nothing, and is for people, health pages and metrics.
 *
 * @example
 * ```ts
 * import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function*() {
 *   const guard = yield* SqlIpGuard.make({ account: "main", address: "office", askedBy: "desk" })
 *   yield* guard.admit
 *   const { address, senders } = yield* SqlIpGuard.status({ account: "main" })
 *   return [address, senders.map(({ askedBy }) => askedBy)]
 * })
 *
 * await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" }))))
 * // => ["office", ["desk"]]
 * ```
 *
 * @category queries
 * @since 0.1.0
 */
export const status = Effect.fnUntraced(function*(
  options: { readonly account: string }
): Effect.fn.Return<Status, DatabaseError, SqlClient.SqlClient> {
  const account = yield* Checked.named("account", ((options ?? {}) as Partial<typeof options>).account)
  const sql = yield* migrated
  const found = yield* Effect.mapError(SharedRow.find(sql, { account, kind: "address" }), fromSql)
  const stored = found === undefined ? State.empty : yield* Effect.mapError(
    State.decode(found.text, found.now),
    ({ message }) => unusable(`the guard cannot be read: ${message}`)
  )
  const now = found?.now ?? (yield* Clock.currentTimeMillis) / 1000
  const { rule, senders } = State.expire(stored, now)
  const times = (of: ReadonlyMap<string, number>) =>
    Array.from(of, ([address, until]) => ({ address, until })).filter(({ until }) => until >= now)
  return {
    now,
    address: rule.address,
    since: Number.isFinite(rule.switchedAt) ? rule.switchedAt : undefined,
    senders: senders.map(({ address, askedBy, expires, since }) => ({ askedBy, address, since, until: expires })),
    blocks: times(rule.blocks),
    returns: times(new Map([...rule.left.keys()].map((address) => [address, IpRule.safeAfter(rule, address)])))
  }
})
