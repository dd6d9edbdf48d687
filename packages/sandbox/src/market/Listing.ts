/**
 * Which contracts are listed on a day. A listing is a ladder: near expirations are many and have many strikes, far ones are few. When an
 * expiration is over, the others move up, and a new one is added on each rung at its far end; so their number never changes, and neither
 * does that of the contracts.
 *
 * Nothing is taken off the list before it expires: an expiration that comes to a nearer rung keeps its strikes, and gets more of them
 * around the price of that day. A strike is listed the earlier the nearer it is to the price and the rounder it is.
 *
 * @example
 * ```ts
 * import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
 * import * as Listing from "@effect-marketdata/sandbox/Listing"
 * import * as Underlying from "@effect-marketdata/sandbox/Underlying"
 *
 * const ford = Underlying.all.find(({ symbol }) => symbol === "F")!
 * const day = CalendarDate.toEpochDay(CalendarDate.parseUnsafe("2026-11-20"))
 * const [front] = Listing.make(1, ford)(day)
 * CalendarDate.format(CalendarDate.fromEpochDay(front!.expiration)) // => "2026-11-20"
 * front!.strikes.length // => 30
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as ExpirationCycle from "./ExpirationCycle.ts"
import * as Memo from "./memo.ts"
import * as Spot from "./Spot.ts"
import type { Root, Rung, Underlying } from "./Underlying.ts"

/**
 * A strike of an expiration.
 *
 * - `thousandths`: the strike in thousandths of a dollar
 * - `firstTraded`: the open of the session from which on it is listed, in epoch seconds
 * - `remoteness`: how it stood among the strikes chosen for that day, from 0 for the first to almost 1 for the last
 *
 * @category models
 * @since 0.1.0
 */
export interface Strike {
  readonly thousandths: number
  readonly firstTraded: number
  readonly remoteness: number
}

/**
 * The contracts of one root and expiration: a call and a put for each strike, in ascending order. Days are counted from 1970-01-01.
 * Strikes are worked out when they are looked at: who wants one expiration does not pay for the others.
 *
 * @category models
 * @since 0.1.0
 */
export interface Expiration {
  readonly root: string
  readonly expiration: number
  readonly strikes: ReadonlyArray<Strike>
}

/**
 * What is listed on a trading day, root after root and by expiration.
 *
 * @category models
 * @since 0.1.0
 */
export type Listing = (day: number) => ReadonlyArray<Expiration>

/**
 * Creates the listing of an underlying. It remembers what it worked out for the last days.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (seed: number, underlying: Underlying): Listing => {
  const ladders = underlying.roots.map((root) => ladder(seed, underlying, root))
  return Memo.recent(4, (day) => day, (day) => ladders.flatMap((listing) => listing(day)))
}

const ladder = (seed: number, underlying: Underlying, root: Root): Listing => {
  const { rungs } = root
  // What is listed of an expiration changes only when it comes to the next rung.
  const keyOf = (expiration: number, place: number): number => expiration * rungs.length + place
  const strikesOf = Memo.recent(512, keyOf, (expiration, place): ReadonlyArray<Strike> => {
    const rung = rungs[place]!
    const further = rungs[place + 1]
    const strikes = further !== undefined && isPartOf(expiration, further.cycle)
      ? [...strikesOf(expiration, place + 1)]
      : []
    const eve = eveOfListing(rungs, place, expiration)
    const firstDay = CalendarDate.fromEpochDay(ExpirationCycle.daily.onOrAfter(eve + 1))
    const firstTraded = NewYork.at(firstDay, 9, 30)
    const steps = underlying.strikeSteps.filter((step) => step >= rung.finest)
    const count = rung.strikes - strikes.length
    const added = nearest(Spot.close(seed, underlying, eve), steps, root.lowered, strikes, count)
    for (const [at, thousandths] of added.entries()) strikes.push({ thousandths, firstTraded, remoteness: at / count })
    return strikes.toSorted((a, b) => a.thousandths - b.thousandths)
  })
  return (day) => {
    const listed: Array<Expiration> = []
    let from = day
    for (const [place, { cycle, expirations }] of rungs.entries()) {
      for (let count = 0; count < expirations; count++) {
        const expiration = cycle.onOrAfter(from)
        listed.push({
          root: root.root,
          expiration,
          get strikes() {
            return strikesOf(expiration, place)
          }
        })
        from = expiration + 1
      }
    }
    return listed
  }
}

const isPartOf = (day: number, cycle: ExpirationCycle.ExpirationCycle): boolean => cycle.onOrAfter(day) === day

/**
 * The day after whose close an expiration comes to a rung: the expiration that then makes room by its end lies as far ahead of it as all
 * rungs up to this one are long.
 */
const eveOfListing = (rungs: ReadonlyArray<Rung>, place: number, expiration: number): number => {
  let day = expiration
  for (const { cycle, expirations } of rungs.slice(0, place + 1).toReversed()) {
    for (let count = 0; count < expirations; count++) day = cycle.before(day)
  }
  return day
}

/** The candidates among the strikes of one grid on one side of the price: those of no coarser grid, the nearest first. */
interface Arm {
  readonly step: number
  readonly direction: 1 | -1
  strike: number
  remoteness: number
}

/** A strike on a grid twice as coarse is chosen as if it were 1.7 times nearer, so that coarse grids reach further than fine ones. */
const preferenceForRound = 0.75

const maxThousandths = 99_999_999

/** Chooses the strikes to list next, in thousandths; those kept are listed already. */
const nearest = (
  price: number,
  stepsInDollars: ReadonlyArray<number>,
  loweredBy: number,
  kept: ReadonlyArray<Strike>,
  count: number
): ReadonlyArray<number> => {
  const steps = stepsInDollars.map((step) => step * 1000)
  const lowered = Math.round(loweredBy * 1000)
  const center = price * 1000 + lowered
  const advance = (arm: Arm): void => {
    do arm.strike += arm.step * arm.direction
    while (steps.some((step) => step > arm.step && arm.strike % step === 0))
    const isStrike = arm.strike > lowered && arm.strike <= maxThousandths
    arm.remoteness = isStrike ? Math.abs(arm.strike - center) / arm.step ** preferenceForRound : Infinity
  }
  const arms = steps.flatMap((step): ReadonlyArray<Arm> => {
    const below = Math.floor(center / step) * step
    return [
      { step, direction: 1, strike: below, remoteness: Infinity },
      { step, direction: -1, strike: below + step, remoteness: Infinity }
    ]
  })
  arms.forEach(advance)
  const listed = new Set(kept.map(({ thousandths }) => thousandths))
  const chosen: Array<number> = []
  while (chosen.length < count) {
    const arm = arms.reduce((best, next) => next.remoteness < best.remoteness ? next : best)
    const thousandths = arm.strike - lowered
    if (!listed.has(thousandths)) chosen.push(thousandths)
    advance(arm)
  }
  return chosen
}
