/**
 * Laws of estimates against the bill of a service: what a query was said to cost at most, and what the service took for its reply.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as BillLaws from "@effect-marketdata/testing/BillLaws"
 * import * as Result from "effect/Result"
 *
 * // It forgets that a strike has a call and a put.
 * const [law] = BillLaws.of({
 *   ...BillLaws.core("contract"),
 *   most: (query) => Credits.bound(Credits.estimate(query)) / 2
 * })
 * Result.isFailure(Law.attempt(law!, { seed: 1 })) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Credits from "@effect-marketdata/core/Credits"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type { Resolution } from "@effect-marketdata/core/StockCandles"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Law from "../harness/Law.ts"
import { noon } from "../harness/MarketDataTest.ts"

/**
 * What says beforehand how much a query costs at most, `Infinity` where nothing bounds it, and what bills the reply to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bills {
  readonly name: string
  readonly most: (query: Query.Query) => number
  readonly billed: (query: Query.Query) => number
}

const optional = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.option(arbitrary, { nil: undefined })

const rarely = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** The underlyings that are asked about: about what they cost at noon, and how far apart their strikes are. */
const underlyings = [
  { symbol: "AAPL", price: 350, step: 5 },
  { symbol: "BRK.B", price: 510, step: 5 },
  { symbol: "F", price: 11, step: 0.5 },
  { symbol: "SPX", price: 6510, step: 5 }
] as const

const day = CalendarDate.parseUnsafe("2026-11-20")

/** A day at most this many days from that of noon. */
const near = (from: number, to: number): fc.Arbitrary<CalendarDate.CalendarDate> =>
  fc.integer({ min: from, max: to }).map((days) => CalendarDate.addDays(day, days))

const range = (from: number, to: number) =>
  fc.tuple(near(from, to), near(from, to)).map(([a, b]) =>
    CalendarDate.Order(a, b) > 0 ? { from: b, to: a } : { from: a, to: b }
  )

type Options = OptionChain.Options<OptionChain.Column, Endpoint.AnyMode>

const expirations: fc.Arbitrary<OptionChain.Expirations> = fc.oneof(
  fc.constant({}),
  fc.record({ dte: fc.nat({ max: 400 }) }),
  // Fridays, on which most options expire.
  fc.nat({ max: 8 }).map((weeks) => ({ expiration: CalendarDate.addDays(day, 7 * weeks) })),
  range(0, 60),
  fc.record({ year: fc.constantFrom(2026, 2027), month: optional(fc.integer({ min: 1, max: 12 })) })
)

/** Numbers on the grid of an underlying, about its price. */
const strikes = ({ price, step }: { readonly price: number; readonly step: number }) => {
  const middle = Math.round(price / step)
  const strike = fc.integer({ min: Math.max(1, middle - 30), max: middle + 30 }).map((steps) => steps * step)
  return fc.oneof(
    strike,
    fc.array(strike, { minLength: 1, maxLength: 5 }),
    fc.tuple(strike, strike).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
    strike.map((atMost) => ({ atMost }))
  )
}

/** Most queries have a bound, and are answered with something: filters that leave nothing are rare. */
const chain: fc.Arbitrary<Query.Query> = fc.constantFrom(...underlyings).chain((underlying) =>
  fc.record({
    expirations,
    date: rarely(near(-300, -1)),
    chosen: fc.oneof(
      fc.record({ strike: strikes(underlying) }),
      fc.record({ strikeLimit: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ strike: optional(strikes(underlying)), strikeLimit: optional(fc.integer({ min: 1, max: 12 })) })
    ),
    side: rarely(fc.constantFrom("call" as const, "put" as const)),
    range: rarely(fc.constantFrom("itm" as const, "otm" as const, "all" as const)),
    cycles: rarely(fc.constantFrom({ monthly: true }, { monthly: true, quarterly: true }, { weekly: true })),
    settled: underlying.symbol === "SPX"
      ? rarely(fc.record({ am: optional(fc.boolean()), pm: optional(fc.boolean()) }))
      : fc.constant(undefined),
    nonstandard: rarely(fc.boolean())
  }).map(({ chosen, cycles, date, expirations, settled, ...filters }) => {
    const day = "from" in expirations ? {} : { date }
    const options = { ...filters, ...chosen, ...settled, ...cycles, ...expirations, ...day } as Options
    return Result.getOrThrow(Query.optionChain(underlying.symbol, options))
  })
)

/** The sandbox works out each minute of each day: a few months of minutes are enough. */
const candles: fc.Arbitrary<Query.Query> = fc.oneof(
  fc.tuple(fc.constantFrom("5", "15", "45", "H", "4H"), range(-100, 0), optional(fc.boolean())).map((
    [resolution, days, extended]
  ) => Query.stockCandles(resolution as Resolution, "TSLA", { ...days, extended })),
  fc.tuple(fc.constantFrom("D", "3D", "W", "2W", "M", "5M", "Y"), range(-3000, 0)).map(([resolution, days]) =>
    Query.stockCandles(resolution as Resolution, "TSLA", days)
  ),
  fc.tuple(fc.constantFrom("D", "2W", "M", "3M"), range(-3000, 0)).map(([resolution, days]) =>
    Query.fundCandles(resolution as "D", "VFINX", days)
  ),
  fc.integer({ min: 1, max: 3000 }).map((countback) => Query.stockCandles("D", "MSFT", { countback })),
  fc.constant(Query.stockCandles("H", "MSFT"))
).map((made: Result.Result<Query.Query, unknown>) => Result.getOrThrow(made))

/**
 * The laws of what is billed.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = ({ billed, most, name }: Bills): ReadonlyArray<Law.Law> => {
  const isWithin = (query: Query.Query): boolean => {
    const credits = most(query)
    return credits === Infinity || billed(query) <= credits
  }
  return [
    Law.make({
      name: `a chain is billed no more than its filters let through${name}`,
      clauses: ["4.1-cost-live", "4.1-cost-historical", "1-credits"],
      arbitrary: chain,
      holds: isWithin
    }),
    Law.make({
      name: `candles are billed no more than fit between two days${name}`,
      clauses: ["8.2-cost-candles", "1-credits"],
      arbitrary: candles,
      holds: isWithin
    })
  ]
}

const token = "bill-laws"

const account = Accounts.make(
  token,
  Account.make({ plan: "paid", user: Account.nonProfessional("realTime") })
)

/** What the sandbox bills at noon. It is the same sandbox for every query, so that it need not work out its chains anew. */
const sandbox = (profile: Profile.Profile): Bills["billed"] => {
  const runtime = ManagedRuntime.make(
    Sandbox.layer({ profile, accounts: [account] }).pipe(
      Layer.provideMerge(SandboxClock.layer({ pace: "frozen", at: noon }))
    )
  )
  return (query) =>
    runtime.runSync(
      Effect.flatMap(Sandbox.Sandbox, ({ handle }) =>
        handle({
          method: "GET",
          target: Query.target(query),
          headers: { authorization: `Bearer ${token}` },
          address: "127.0.0.1"
        })).pipe(Effect.map(({ headers }) => Number(headers["x-api-ratelimit-consumed"])))
    )
}

/**
 * Core's estimates, and the bills of a sandbox, both by the same profile.
 *
 * @category pricing
 * @since 0.1.0
 */
export const core = (profile: Profile.Profile): Bills => ({
  name: profile === "contract" ? "" : `, by the profile ${profile}`,
  most: (query) => Credits.bound(Credits.estimate(query, { profile })),
  billed: sandbox(profile)
})

/**
 * The laws of core's estimates, against the sandbox.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...of(core("contract")), ...of(core("public"))]
