/** What the options of chains are drawn of, whatever they are drawn for. */
import { CalendarDate, type Endpoint, type OptionChain, Query } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"

/** What an arbitrary draws. */
export type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never

export const optional = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.option(arbitrary, { nil: undefined })

/** Left out most of the time: filters that leave nothing show nothing. */
export const rarely = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Two values in order, as the ends of a range. */
export const pair = <A>(value: fc.Arbitrary<A>, isAfter: (a: A, b: A) => boolean): fc.Arbitrary<readonly [A, A]> =>
  fc.tuple(value, value).map(([a, b]) => isAfter(a, b) ? [b, a] : [a, b])

/** Two days in order. */
export const days = (day: fc.Arbitrary<CalendarDate.CalendarDate>) =>
  pair(day, (a, b) => CalendarDate.Order(a, b) > 0).map(([from, to]) => ({ from, to }))

/** Filters by one number, by a list of at most `most`, by a range, and by these bounds. */
export const numbers = (
  number: fc.Arbitrary<number>,
  most: number,
  bounds: ReadonlyArray<"above" | "atLeast" | "below" | "atMost">
): fc.Arbitrary<OptionChain.Numbers> =>
  fc.oneof(
    number,
    fc.array(number, { minLength: 1, maxLength: most }),
    pair(number, (a, b) => a > b).map(([from, to]) => ({ from, to })),
    // One bound is a filter.
    ...bounds.map((bound) => number.map((number) => ({ [bound]: number }) as OptionChain.Numbers))
  )

/** What is asked about: about what it costs at noon, how far apart its strikes are, and whether it is an index. */
export interface Underlying {
  readonly symbol: string
  readonly price: number
  readonly step: number
  readonly isIndex: boolean
}

/** A number on the grid of an underlying, at most `steps` steps from its price. */
const strikeAbout = ({ price, step }: Underlying, steps: number): fc.Arbitrary<number> => {
  const middle = Math.round(price / step)
  return fc.integer({ min: Math.max(1, middle - steps), max: middle + steps }).map((steps) => steps * step)
}

/** Numbers to filter by on the grid of an underlying, about its price. */
export const strikes = (underlying: Underlying, steps: number): fc.Arbitrary<OptionChain.Numbers> =>
  numbers(strikeAbout(underlying, steps), 4, ["above", "atMost"])

/** The day whose chains are asked for, and those of the weeks after it. */
const friday = CalendarDate.parseUnsafe("2026-11-20")

/** A query for a chain, by options that were drawn. */
export const chain = (symbol: string, options: object): Query.Query =>
  Result.getOrThrow(Query.optionChain(symbol, options as OptionChain.Options<OptionChain.Column, Endpoint.AnyMode>))

/** A day from that one. */
export const fromFriday = (days: number): CalendarDate.CalendarDate => CalendarDate.addDays(friday, days)

/** The expirations of two years, or of a month of them. */
const months = fc.record({
  year: fc.constantFrom(2026, 2027),
  month: optional(fc.integer({ min: 1, max: 12 }))
})

/** Fridays, on which most options expire. */
const fridays = fc.nat({ max: 8 }).map((weeks) => ({ expiration: fromFriday(7 * weeks) }))

/** Every way to choose expirations, about that day. */
export const expirations: fc.Arbitrary<OptionChain.Expirations> = fc.oneof(
  fc.constant({}),
  fc.constant({ expiration: "all" as const }),
  fc.nat({ max: 400 }).map((dte) => ({ dte })),
  fridays,
  days(fc.nat({ max: 90 }).map(fromFriday)),
  fc.nat({ max: 60 }).map((days) => ({ from: fromFriday(days) })),
  months
)

/** The cycles of expirations, and how options on an index are settled. */
const kinds = ({ isIndex }: Underlying): fc.Arbitrary<object> =>
  fc.record({
    cycles: rarely(fc.constantFrom({ monthly: true }, { weekly: true }, { monthly: true, quarterly: true })),
    settled: isIndex
      ? rarely(fc.record({ am: optional(fc.boolean()), pm: optional(fc.boolean()) }))
      : fc.constant(undefined)
  }).map(({ cycles, settled }) => ({ ...cycles, ...settled }))

/** Filters that leave something of a chain, each of them rare; strikes are at most a number of steps from the price. */
export const filters = (underlying: Underlying, steps: number): fc.Arbitrary<object> =>
  fc.record({
    strike: rarely(strikes(underlying, steps)),
    side: rarely(fc.constantFrom("call", "put")),
    nonstandard: rarely(fc.boolean()),
    kinds: kinds(underlying),
    strikeLimit: rarely(fc.integer({ min: 1, max: 12 })),
    range: rarely(fc.constantFrom("itm", "otm", "all")),
    minBid: rarely(fc.constantFrom(0.05, 1)),
    limit: rarely(fc.integer({ min: 1, max: 500 }))
  }).map(({ kinds, ...filters }) => ({ ...filters, ...kinds }))
