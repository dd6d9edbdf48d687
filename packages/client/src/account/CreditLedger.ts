/**
 * The ledger of credits as a service: queries reserve their bound before they are sent, and settle by what happened. The rules are
 * those of core's `Ledger`; this module only keeps the ledger where many fibers can use it.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Effect from "effect/Effect"
 *
 * const left = Effect.gen(function*() {
 *   const ledger = yield* CreditLedger.CreditLedger
 *   return (yield* ledger.balance).available
 * }).pipe(Effect.provide(CreditLedger.layerMemory({ allowance: 10_000, window: "day" })))
 *
 * Effect.runSync(left) // => 10_000
 * ```
 *
 * @since 0.1.0
 */
import * as Account from "@effect-marketdata/core/Account"
import * as Ledger from "@effect-marketdata/core/Ledger"
import type * as Profile from "@effect-marketdata/core/Profile"
import type * as Query from "@effect-marketdata/core/Query"
import type { CreditBudgetExceeded, FallbackDeclined } from "@effect-marketdata/core/Reason"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { Charge, Event, Happening, OfReservation } from "./ledgerEvents.ts"
import * as History from "./ledgerHistory.ts"
import * as Steps from "./ledgerSteps.ts"
import * as MarketDataConfig from "../config/MarketDataConfig.ts"

/**
 * What a request was charged, and what happens in a ledger, as its history tells it.
 *
 * @category models
 * @since 0.1.0
 */
export {
  type Charge,
  type Charged,
  type Event,
  type Extended,
  type Lost,
  type Moment,
  type OfRequest,
  type OfReservation,
  type Overran,
  type Reconciled,
  type Refused,
  type Renewed,
  type Reserved,
  type Sent,
  type Settled
} from "./ledgerEvents.ts"

/**
 * What a query does with its reservation. All amounts are credits. Requests of one query that are in flight together have numbers of
 * their own. Every step is atomic, and none of them waits.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reservation {
  /** Marks a request as sent that may cost up to `bound`; makes room for it where an earlier one was lost, up to what was consented to. */
  readonly send: (bound: number, request: number) => Effect.Effect<void, CreditBudgetExceeded | FallbackDeclined>
  /**
   * Records what a request in flight was charged, and where the account stands by the service's figures. Gives the credits that are gone by
   * them and that no request of this ledger explains: see core's `Ledger.unexplained`.
   */
  readonly charge: (charge: Charge, request: number, figures?: Ledger.Figures) => Effect.Effect<number>
  /** Records that a request in flight may have been charged, and nobody can tell; where the account stands may be known all the same. */
  readonly lose: (request: number, figures?: Ledger.Figures) => Effect.Effect<void>
  /** Closes the reservation; the rest is free again. Closing it twice changes nothing. */
  readonly settle: Effect.Effect<void>
}

/**
 * Where a budget stands, in its present window. All amounts are credits; `allowance` and `available` are `Infinity` where no budget was set.
 *
 * - `charged`: what requests were charged; `uncertain`: what they may have been charged besides, at most, because a
 *   reply was lost or does not tell
 * - `lost`: requests that may have been charged, and had no bound
 * - `elsewhere`: what is gone by the service's figures, and not by this ledger
 * - `overdrawn`: by how much bounds were false; `overruns` has the latest of them
 * - `ends`: when the allowance is whole again, in epoch seconds; `Infinity` for never, or where that is not known
 * - `standing`: the latest of the service's figures, while they hold
 *
 * @category models
 * @since 0.1.0
 */
export interface Balance {
  readonly allowance: number
  readonly available: number
  readonly charged: number
  readonly uncertain: number
  readonly reserved: number
  readonly elsewhere: number
  readonly lost: number
  readonly overdrawn: number
  readonly overruns: ReadonlyArray<Ledger.Overrun>
  readonly ends: number
  readonly standing: Ledger.Standing | undefined
}

/**
 * The ledger.
 *
 * - `reserve`: sets aside what a query may cost; one atomic step that never waits. `query` is for the history only. `ceiling` is what was
 *   consented to for all of its requests together, with what they may have been charged
 * - `balance`: where the budget stands now
 * - `changes`: the balance now and after each change; a slow reader misses those in between, and never the last
 * - `history`: the latest events, and then all to come. Nobody waits for their readers, and they are kept once for all: a reader who is
 *   too slow misses the oldest, which shows in their numbers
 *
 * @category services
 * @since 0.1.0
 */
export class CreditLedger extends Context.Service<CreditLedger, {
  readonly reserve: (
    bound: number,
    query?: Query.Query,
    ceiling?: number
  ) => Effect.Effect<Reservation, CreditBudgetExceeded | FallbackDeclined>
  readonly balance: Effect.Effect<Balance>
  readonly changes: Stream.Stream<Balance>
  readonly history: Stream.Stream<Event>
}>()("@effect-marketdata/client/CreditLedger") {}

const balanceOf = (ledger: Ledger.Ledger): Balance => ({
  allowance: ledger.allowance,
  available: Ledger.available(ledger),
  charged: ledger.charged,
  uncertain: ledger.uncertain,
  reserved: Ledger.reserved(ledger),
  elsewhere: Ledger.elsewhere(ledger),
  lost: ledger.lost,
  overdrawn: ledger.overdrawn,
  overruns: ledger.overruns,
  ends: ledger.ends,
  standing: ledger.standing
})

/** How many events a history has that nobody chose the length of. */
const defaultHistory = 1000

/** Keeps a ledger in memory: each step reads it, writes it and tells what happened without anything between. */
const keep = (
  open: (now: number) => Ledger.Ledger,
  options: HistoryOptions | undefined
): Effect.Effect<CreditLedger["Service"]> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    let current = open(millis / 1000)
    const history = History.make<Event>(options?.history ?? defaultHistory)
    const tell = (happenings: ReadonlyArray<Happening>): void => {
      if (happenings.length === 0) return
      const moment = { time: current.now, available: Ledger.available(current) }
      const first = history.count() + 1
      history.append(happenings.map((happening, index) => ({ ...happening, ...moment, number: first + index })))
    }
    const take = <A, B, E = never>(
      step: (ledger: Ledger.Ledger) => Steps.Step<A>,
      give: (value: A) => Effect.Effect<B, E>
    ): Effect.Effect<B, E> =>
      Effect.clockWith((clock) => {
        const advanced = Steps.advance(current, clock.currentTimeMillisUnsafe() / 1000)
        const taken = step(advanced.ledger)
        current = taken.ledger
        tell([...advanced.events, ...taken.events])
        return give(taken.value)
      })
    const reservationOf = (of: OfReservation): Reservation => ({
      send: (bound, request) => take((ledger) => Steps.send(ledger, { ...of, request }, bound), Effect.fromResult),
      charge: (charge, request, figures) =>
        take((ledger) => Steps.charge(ledger, { ...of, request }, charge, figures), Effect.succeed),
      lose: (request, figures) => take((ledger) => Steps.lose(ledger, { ...of, request }, figures), Effect.succeed),
      settle: take((ledger) => Steps.settle(ledger, of), Effect.succeed)
    })
    const balance = take((ledger) => ({ value: balanceOf(ledger), ledger, events: [] }), Effect.succeed)
    return {
      reserve: (bound, query, ceiling) =>
        take(
          (ledger) => Steps.reserve(ledger, bound, query, ceiling),
          (reserved) =>
            Result.isSuccess(reserved)
              ? Effect.succeed(reservationOf({ reservation: reserved.success, query }))
              : Effect.fail(reserved.failure)
        ),
      balance,
      changes: history.readings(balance),
      history: history.values
    }
  })

/**
 * How many past events a ledger keeps: a positive integer, 1000 by default.
 *
 * @category models
 * @since 0.1.0
 */
export interface HistoryOptions {
  readonly history?: number | undefined
}

/**
 * A budget of credits for each window.
 *
 * - `allowance`: whole credits; a part of one does not count. What is not an amount, such as NaN, a negative number, or nothing at all from
 *   JavaScript, is an allowance of 0: whatever may cost something fails with `CreditBudgetExceeded`. A ledger without a limit is asked for by
 *   name: `layerUnlimited`
 * - `window`: when it is whole again: at 9:30 in New York (`"day"`), each minute, or never, which is the default
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryOptions extends HistoryOptions {
  readonly allowance: number
  readonly window?: Account.Window | undefined
}

/**
 * Keeps a ledger in memory with an allowance of credits.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (options: MemoryOptions): Effect.Effect<CreditLedger["Service"]> => {
  // Callers without types may leave any of it out, and must not be given a ledger without a limit for it.
  const { allowance = 0, window = "none" } = (options ?? {}) as Partial<MemoryOptions>
  return keep((now) => Ledger.makeRenewing({ credits: allowance, window, now }), options)
}

/**
 * Keeps a ledger in memory that counts, and refuses nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnlimited = (options?: HistoryOptions): Effect.Effect<CreditLedger["Service"]> =>
  keep(() => Ledger.make(), options)

/**
 * Keeps a ledger in memory whose allowance is the account's, as the service states it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollowing = (options?: FollowingOptions): Effect.Effect<CreditLedger["Service"]> =>
  keep((now) => Ledger.advance(Ledger.makeFollowing(options?.allowance), now), options)

/**
 * What to go by before the service has stated anything: an allowance of credits, or without one anything goes.
 *
 * @category models
 * @since 0.1.0
 */
export interface FollowingOptions extends HistoryOptions {
  readonly allowance?: number | undefined
}

/**
 * A ledger in memory with an allowance of credits for each window.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (options: MemoryOptions): Layer.Layer<CreditLedger> =>
  Layer.effect(CreditLedger, makeMemory(options))

/**
 * A ledger in memory that counts, and refuses nothing. Like any layer it is built once where it is provided twice: two accounts that
 * shall not share a ledger have `Layer.fresh(layerUnlimited)` each.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUnlimited: Layer.Layer<CreditLedger> = /* @__PURE__ */ Layer.effect(
  CreditLedger,
  /* @__PURE__ */ makeUnlimited()
)

/**
 * A ledger in memory with the allowance of an account: what was configured for it, else under the profile `public` what its plan gives. Where
 * there is neither, nothing limits what is spent, and the credits are only counted: the contract states no figure (clause 8.5-not-shown).
 *
 * @category layers
 * @since 0.1.0
 */
export const layerAccount = (account: Account.Account, profile?: Profile.Profile): Layer.Layer<CreditLedger> => {
  const allowance = Account.allowance(account, profile)
  return Layer.effect(
    CreditLedger,
    allowance === undefined ? makeUnlimited() : makeMemory({ allowance: allowance.credits, window: allowance.window })
  )
}

/**
 * A ledger in memory whose allowance is the account's: what the service's figures say is left, as each reply brings them and in whatever order.
 * Like the service it lets a query through as long as a credit is left, whatever the query may cost, and refuses what costs anything
 * after that. Before the first figure `allowance` is a budget; without one anything goes, also many queries at once.
 *
 * It keeps the account from being refused, and is not a budget: for both keep a budget with `layerMemory`, which goes by the figures too
 * where they leave less.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFromHeaders = (options?: FollowingOptions): Layer.Layer<CreditLedger> =>
  Layer.effect(CreditLedger, makeFollowing(options))

/**
 * A ledger in memory with the allowance that `MARKETDATA_ALLOWANCE` states in whole credits, whole again as `MARKETDATA_ALLOWANCE_WINDOW` says:
 * `day`, `minute`, or never. Fails where the first is missing: a budget that was meant is not left out in silence.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<CreditLedger, Config.ConfigError> = /* @__PURE__ */ Layer.effect(
  CreditLedger,
  /* @__PURE__ */ Effect.flatMap(
    MarketDataConfig.allowance,
    ({ credits, window }) => makeMemory({ allowance: credits, window })
  )
)
