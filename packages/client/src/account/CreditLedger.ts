/**
 * The ledger of credits as a service. A query reserves its bound before it is sent, and settles by what it was charged. The rules are
 * those of core's `Ledger`; this module shares one ledger between many fibers.
 *
 * Choose a layer: `layerMemory` for a budget, `layerFromHeaders` to follow what the service says is left, `layerUnlimited` to count only.
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
 * @see {@link Ledger} of core for the rules
 * @see {@link LedgerStore} for keeping a ledger elsewhere than in memory
 * @see {@link MarketData} which uses the ledger that is provided
 * @see {@link CacheFallback} for consent to the price of live data
 * @since 0.1.0
 */
import * as Account from "@effect-marketdata/core/Account"
import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Problem from "@effect-marketdata/core/Problem"
import type * as Profile from "@effect-marketdata/core/Profile"
import type * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { isFunction, optionsOf } from "../config/checked.ts"
import * as MarketDataConfig from "../config/MarketDataConfig.ts"
import * as Claim from "../policy/Claim.ts"
import { reference } from "../policy/Policies.ts"
import type { Fence } from "./IpGuard.ts"
import type * as Events from "./ledgerEvents.ts"
import * as Steps from "./ledgerSteps.ts"
import { type LedgerStore, makeMemory as makeMemoryStore } from "./LedgerStore.ts"

/**
 * The charge of a request, why it cannot be sent, and the events in a ledger's history.
 *
 * @since 0.1.0
 */
export type * from "./ledgerEvents.ts"

/**
 * The reservation of a query. All amounts are credits. Requests of one query that are in flight together need different numbers. Every
 * step is atomic, and in memory none of them waits. A step of a ledger in a database waits for the database; `send` fails with
 * `LedgerUnavailable` if the request cannot be written down before it is sent, and the other steps are written later.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reservation {
  /**
   * Marks a request that may cost up to `bound` credits as sent. If an earlier one was lost, the reservation grows, up to the caller's ceiling. Fails
   * with `CreditBudgetExceeded` or `FallbackDeclined` if it cannot grow, with `AlreadySent` if another run of the same claim was sent, with
   * `LedgerUnavailable` if the database cannot be written, and with `GuardUnavailable` if the `fence` of the guard no longer lets the request be sent.
   */
  readonly send: (bound: number, request: number, fence?: Fence) => Effect.Effect<void, Events.SendFailure>
  /**
   * Records what a request in flight was charged, and the service's figures of the account. Returns the credits that are gone according to these
   * figures, and that no request of this ledger explains: see core's `Ledger.unexplained`. `isLast` says that the query sends no more requests: then the step
   * also closes the reservation.
   */
  readonly charge: (
    charge: Events.Charge,
    request: number,
    figures?: Ledger.Figures,
    isLast?: boolean
  ) => Effect.Effect<number>
  /** Records that a request in flight was lost: whether it was charged is unknown. The service's figures of the account may still be known. */
  readonly markLost: (request: number, figures?: Ledger.Figures) => Effect.Effect<void>
  /** Closes the reservation; the rest is free again. Closing it twice changes nothing. */
  readonly settle: Effect.Effect<void>
}

/**
 * The balance of a ledger in its current window. All amounts are credits; `allowance` and `available` are `Infinity` without a budget.
 *
 * - `charged`: what requests were charged
 * - `uncertain`: what they may have been charged in addition, at most, because a reply was lost or does not show it
 * - `lost`: the number of requests that may have been charged and had no bound
 * - `elsewhere`: what is gone according to the service's figures, and was not recorded by this ledger
 * - `overdrawn`: by how much requests exceeded their bounds; `overruns` lists the latest of them
 * - `ends`: when the allowance is full again, in epoch seconds; `Infinity` if never or unknown
 * - `standing`: the service's latest figures, while they hold
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
 * - `reserve`: reserves what a query may cost, in one atomic step. `query` is for the history only. `ceiling` is the
 *   most that the caller consented to for all requests of the query together, lost ones included. The reservation takes the claim from the
 *   context, see `Claim`. `requests` is how many requests the query is cut into: with one, a ledger in a database makes the reservation in the
 *   same step as the first `send`, which then fails in its place
 * - `balance`: the balance now
 * - `changes`: the balance now and after each change. A slow reader may miss some in between, but never the last
 * - `history`: the latest events, and then all future ones. The ledger never waits for readers: one who is too slow misses the oldest
 *   events, which shows as a gap in their numbers
 *
 * A ledger in memory never fails with `LedgerUnavailable`.
 *
 * @category services
 * @since 0.1.0
 */
export class CreditLedger extends Context.Service<CreditLedger, {
  readonly reserve: (bound: number, query?: Query.Query, ceiling?: number, requests?: number) => Effect.Effect<
    Reservation,
    Reason.CreditBudgetExceeded | Reason.FallbackDeclined | Reason.LedgerUnavailable | Reason.AlreadySent
  >
  readonly balance: Effect.Effect<Balance, Reason.LedgerUnavailable>
  readonly changes: Stream.Stream<Balance, Reason.LedgerUnavailable>
  readonly history: Stream.Stream<Events.Event, Reason.LedgerUnavailable>
}>()("@effect-marketdata/client/CreditLedger") {}

/**
 * A second ledger for the calls that it is provided to. Each of their requests, retries included, must fit into it and into the client's ledger, and
 * counts in both. A call that does not fit fails with `CreditBudgetExceeded`, and nothing is sent. The default is `undefined`: no second ledger.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 *
 * // This report may spend at most 500 credits of the program's budget.
 * export const report = Effect.flatMap(CreditLedger.makeMemory({ allowance: 500 }), (budget) =>
 *   Effect.provideService(MarketData.stockPrices(["AAPL", "MSFT"]), CreditLedger.Budget, budget))
 * ```
 *
 * @category references
 * @since 0.1.0
 */
export const Budget = /* @__PURE__ */ reference<CreditLedger["Service"] | undefined>(
  "CreditLedger/Budget",
  () => undefined
)

const known = /* @__PURE__ */ Problem.guard("ledger", "what CreditLedger.makeMemory(…) makes", { reserve: isFunction })

const ofStore = { take: isFunction, record: isFunction, readings: isFunction }
const knownStore = /* @__PURE__ */ Problem.guard("ledger store", "{ take, record, history, readings }", ofStore)

const balanceOf = (ledger: Ledger.Ledger): Balance => {
  const { allowance, charged, ends, lost, overdrawn, overruns, standing, uncertain } = ledger
  const [available, reserved, elsewhere] = [Ledger.available(ledger), Ledger.reserved(ledger), Ledger.elsewhere(ledger)]
  return { allowance, available, charged, uncertain, reserved, elsewhere, lost, overdrawn, overruns, ends, standing }
}

/**
 * Combines two ledgers: a query must fit into both, and each step is taken in both. `balance`, `changes` and `history` are those of the first.
 * A query that the second refuses is not sent, and costs nothing in the first. Throws `ValueError` for what is not a ledger.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Effect from "effect/Effect"
 *
 * const left = Effect.gen(function*() {
 *   const desk = yield* CreditLedger.makeMemory({ allowance: 100 })
 *   const house = yield* CreditLedger.makeMemory({ allowance: 1000 })
 *   yield* CreditLedger.both(desk, house).reserve(40)
 *   return [(yield* desk.balance).available, (yield* house.balance).available]
 * })
 * await Effect.runPromise(left) // => [60, 960]
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const both = (first: CreditLedger["Service"], second: CreditLedger["Service"]): CreditLedger["Service"] => {
  known(second)
  return { ...known(first), reserve: (...of) => reserveBoth(first, second, of) }
}

/** Reserves in both ledgers, in neither if one of them refuses. */
const reserveBoth = Effect.fnUntraced(function*(
  first: CreditLedger["Service"],
  second: CreditLedger["Service"],
  of: Parameters<CreditLedger["Service"]["reserve"]>
) {
  const one = yield* first.reserve(...of)
  const two = yield* Effect.onError(second.reserve(...of), () => one.settle)
  return {
    // The fence is asked in the last step before the request is sent.
    send: (bound, request, fence) => {
      const marked = one.send(bound, request)
      const sent = Effect.onError(two.send(bound, request, fence), () => one.charge({ credits: 0 }, request))
      return Effect.andThen(marked, sent)
    },
    // Though one of them dies, the other has recorded it.
    charge: (...charge) => Effect.ensuring(two.charge(...charge), one.charge(...charge)),
    markLost: (...lost) => Effect.ensuring(two.markLost(...lost), one.markLost(...lost)),
    settle: Effect.ensuring(two.settle, one.settle)
  } satisfies Reservation
})

/**
 * A ledger that a budget caps, if there is one: reservations count against both. The budget gets neither the claim nor the service's figures, which belong
 * to the account.
 *
 * @internal
 */
export const capped = (ledger: CreditLedger["Service"], budget: CreditLedger["Service"] | undefined) =>
  budget === undefined ? ledger : both({
    ...budget,
    reserve: (...of) =>
      budget.reserve(...of).pipe(
        Effect.provideService(Claim.Current, undefined),
        Effect.map((own): Reservation => ({
          ...own,
          charge: (charge, request, _, isLast) => own.charge(charge, request, undefined, isLast),
          markLost: (request) => own.markLost(request)
        }))
      )
  }, ledger)

/**
 * Makes a ledger over a store. Throws `ValueError` for what is not a store.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (store: LedgerStore): CreditLedger["Service"] => {
  const balance = knownStore(store).take(Steps.timed((ledger) => ({ value: balanceOf(ledger), ledger, events: [] })))
  return {
    reserve: (bound, query, ceiling, requests) =>
      Effect.withFiber((fiber) => {
        const claim = fiber.getRef(Claim.Current)
        const purpose = claim === undefined ? { query } : { query, claim }
        const asked = { bound, ceiling, purpose }
        if (store.joins === true && requests === 1) return Effect.succeed(reservationOf(store, asked, undefined))
        const step = Steps.timed((ledger, first: Steps.FirstSent | undefined) => Steps.reserve(ledger, asked, first))
        const made = (number: number) => reservationOf(store, asked, number)
        return Effect.flatMap(store.take(step, claim?.key), (reserved) =>
          Effect.mapEager(Effect.fromResult(reserved), made))
      }),
    balance,
    changes: store.readings(balance),
    history: store.history
  }
}

type Recording<A> = (ledger: Ledger.Ledger, of: Events.OfReservation, isAgain: boolean) => Steps.Step<A>

/** The reservation of this number. Without a number it is not made yet: the step that marks its first request makes it. */
const reservationOf = ({ record, take }: LedgerStore, asked: Steps.Asked, number: number | undefined): Reservation => {
  const { purpose } = asked
  const key = purpose.claim?.key
  let of: Events.OfReservation | undefined = number === undefined ? undefined : { reservation: number, ...purpose }
  let isSettled = false
  /** Records what happened to the reservation; nothing can have happened to one that was not made. Whether it was is seen at the call. */
  const recorded = <A>(step: Recording<A>, meanwhile: A) => {
    if (of === undefined) return Effect.succeed(meanwhile)
    const known = of
    return record(Steps.timed((ledger, isAgain) => step(ledger, known, isAgain)), meanwhile, known.reservation)
  }
  return {
    send: (bound, request, fence) =>
      Effect.suspend(() => {
        const known = of
        if (known !== undefined) {
          const send = Steps.timed(Steps.send({ ...known, request }, bound))
          return Effect.flatMap(take(send, key, fence, known.reservation), Effect.fromResult)
        }
        const begin = Steps.timed(Steps.begin(asked, request, bound))
        return Effect.flatMap(take(begin, key, fence), ({ reservation, sent }) => {
          if (reservation !== undefined) of = { reservation, ...purpose }
          return Effect.fromResult(sent)
        })
      }),
    charge: (charge, request, figures, isLast = false) =>
      Effect.suspend(() => {
        isSettled ||= isLast
        return recorded((ledger, of, isAgain) => {
          const ofRequest = { ...of, request }
          // If the charge was written before, its request is closed.
          const charged = isAgain && !Steps.isOpen(ledger, ofRequest)
            ? { value: 0, ledger, events: [] }
            : Steps.charge(ledger, ofRequest, charge, figures)
          if (!isLast) return charged
          return { ...Steps.both(charged, (ledger) => Steps.settle(ledger, of)), value: charged.value }
        }, 0)
      }),
    markLost: (request, figures) =>
      Effect.suspend(() => recorded((ledger, of) => Steps.markLost(ledger, { ...of, request }, figures), undefined)),
    settle: Effect.suspend(() => isSettled ? Effect.void : recorded(Steps.settle, undefined))
  }
}

/** Makes a ledger in memory. */
const makeInMemory = (open: (now: number) => Ledger.Ledger, options: HistoryOptions | undefined) =>
  Effect.map(makeMemoryStore(open, optionsOf(options, "{ allowance: 1000 }")?.history), make)

/**
 * The options of a ledger. `history` is how many past events it keeps: a positive integer, 1000 by default.
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
 * - `allowance`: whole credits; a part of one does not count. Anything that is not an amount, such as NaN, a negative number or a missing
 *   value in JavaScript, is an allowance of 0, and every query that may cost something fails with `CreditBudgetExceeded`. For a ledger
 *   without a limit use `layerUnlimited`
 * - `window`: when it is full again: every day at 9:30 in New York (`"day"`), every minute, or never, which is the default
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryOptions extends HistoryOptions {
  readonly allowance: number
  readonly window?: Account.Window | undefined
}

/**
 * Makes a ledger in memory with an allowance of credits.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Effect from "effect/Effect"
 *
 * const available = Effect.gen(function*() {
 *   const ledger = yield* CreditLedger.makeMemory({ allowance: 100 })
 *   yield* ledger.reserve(40)
 *   return (yield* ledger.balance).available
 * })
 * await Effect.runPromise(available) // => 60
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (options: MemoryOptions): Effect.Effect<CreditLedger["Service"]> => {
  // Callers without types may leave any of it out, and must not be given a ledger without a limit for it.
  const { allowance = 0, window = "none" } = (options ?? {}) as Partial<MemoryOptions>
  return makeInMemory((now) => Ledger.makeRenewing({ credits: allowance, window, now }), options)
}

const makeAllowed = ({ credits, window }: Account.Allowance) => makeMemory({ allowance: credits, window })

/**
 * Makes a ledger in memory that only counts, and refuses nothing.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Effect from "effect/Effect"
 *
 * const left = Effect.flatMap(CreditLedger.makeUnlimited(), ({ balance }) => balance)
 * ;(await Effect.runPromise(left)).available // => Infinity
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnlimited = (options?: HistoryOptions): Effect.Effect<CreditLedger["Service"]> =>
  makeInMemory(() => Ledger.make(), options)

/**
 * Makes the ledger of `layerFromHeaders`: in memory, with the allowance that the service's replies say is left.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Effect from "effect/Effect"
 *
 * const { charged } = await Effect.runPromise(Effect.flatMap(CreditLedger.makeFollowing(), ({ balance }) => balance))
 * charged // => 0
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollowing = (options?: FollowingOptions): Effect.Effect<CreditLedger["Service"]> =>
  makeInMemory((now) => Ledger.advance(Ledger.makeFollowing(options?.allowance), now), options)

/**
 * The options of a ledger that follows the service. `allowance` is a budget until the first figure of the service; without it nothing is
 * refused until then.
 *
 * @category models
 * @since 0.1.0
 */
export interface FollowingOptions extends HistoryOptions {
  readonly allowance?: number | undefined
}

/**
 * A ledger in memory with an allowance of credits for each window. A query that does not fit into it fails with `CreditBudgetExceeded`,
 * and nothing is sent.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 *
 * export const capped = MarketData.stockPrices(["AAPL"]).pipe(
 *   Effect.provide(MarketData.layer()),
 *   Effect.provide(CreditLedger.layerMemory({ allowance: 1000, window: "day" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (options: MemoryOptions): Layer.Layer<CreditLedger> =>
  Layer.effect(CreditLedger, makeMemory(options))

/**
 * A ledger in memory that only counts, and refuses nothing. Effect builds a layer once in an `Effect.provide` or `ManagedRuntime`, and for all that is
 * provided inside of it: use `Layer.fresh(layerUnlimited)` for each of two accounts, so that they do not share a ledger.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.flatMap(CreditLedger.CreditLedger, ({ balance }) => balance).pipe(Effect.map(({ available }) => available))
 * await Effect.runPromise(Effect.provide(program, CreditLedger.layerUnlimited)) // => Infinity
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerUnlimited: Layer.Layer<CreditLedger> = /* @__PURE__ */ Layer.effect(
  CreditLedger,
  /* @__PURE__ */ makeUnlimited()
)

/**
 * A ledger in memory with the allowance of an account: the configured one, or else, under the profile `public`, that of its plan. Without
 * either the ledger only counts, because the contract states no allowance (clause 8.5-not-shown).
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as Account from "@effect-marketdata/core/Account"
 * import * as Effect from "effect/Effect"
 *
 * const account = Account.fromPublicPlan("Free Forever", Account.nonProfessional("realTime"))
 * const available = Effect.gen(function*() {
 *   const ledger = yield* CreditLedger.CreditLedger
 *   return (yield* ledger.balance).available
 * })
 * Effect.runSync(Effect.provide(available, CreditLedger.layerAccount(account, "public"))) // => 100
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerAccount = (account: Account.Account, profile?: Profile.Profile): Layer.Layer<CreditLedger> => {
  // Callers without types may give no account, and must not be given a ledger without a limit for it.
  const allowance = account ? Account.allowance(account, profile) : { credits: 0, window: "none" as const }
  return Layer.effect(CreditLedger, allowance === undefined ? makeUnlimited() : makeAllowed(allowance))
}

/**
 * A ledger in memory that follows the service: its allowance is what the figures in the replies say is left, in whatever order the
 * replies come. Like the service it lets a query through as long as one credit is left, whatever the query costs, and then refuses every
 * query that costs something. Before the first figure `allowance` is a budget; without it nothing is refused until then.
 *
 * It avoids requests that the service would refuse, but it is not a budget. For a budget use `layerMemory`, which also obeys the figures
 * when they leave less.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Layer from "effect/Layer"
 *
 * // At most 100 credits until the first reply tells what the account has left.
 * export const client = MarketData.layerConfig.pipe(Layer.provide(CreditLedger.layerFromHeaders({ allowance: 100 })))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFromHeaders = (options?: FollowingOptions): Layer.Layer<CreditLedger> =>
  Layer.effect(CreditLedger, makeFollowing(options))

/**
 * A ledger in memory with the allowance in the variable `MARKETDATA_ALLOWANCE`, in whole credits. `MARKETDATA_ALLOWANCE_WINDOW` says when
 * it is full again: `day`, `minute` or `none`, the default. Fails with `ConfigError` if `MARKETDATA_ALLOWANCE` is missing or invalid, so
 * that a forgotten budget is not an unlimited one.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as ConfigProvider from "effect/ConfigProvider"
 * import * as Effect from "effect/Effect"
 *
 * const environment = ConfigProvider.fromEnvRecord({ MARKETDATA_ALLOWANCE: "5000", MARKETDATA_ALLOWANCE_WINDOW: "day" })
 * const available = Effect.gen(function*() {
 *   const ledger = yield* CreditLedger.CreditLedger
 *   return (yield* ledger.balance).available
 * }).pipe(
 *   Effect.provide(CreditLedger.layerConfig),
 *   Effect.provide(ConfigProvider.layer(environment))
 * )
 * await Effect.runPromise(available) // => 5000
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<CreditLedger, Config.ConfigError> = /* @__PURE__ */ Layer.effect(
  CreditLedger,
  /* @__PURE__ */ Effect.flatMap(MarketDataConfig.allowance, makeAllowed)
)
