import type { Assumption } from "./estimate.ts"

/** The most units that a reply can hold, and what that takes for granted. Where nothing bounds it, nothing is taken for granted. */
export interface Maximum {
  readonly count: number
  readonly assumptions: ReadonlyArray<Assumption>
}

/** No upper bound. */
export const none: Maximum = { count: Infinity, assumptions: [] }

/** At most this many, for the reason that the assumptions give. */
export const make = (count: number, ...assumptions: ReadonlyArray<Assumption>): Maximum =>
  count === Infinity ? none : { count, assumptions }

/** The smaller of two. */
export const least = (a: Maximum, b: Maximum): Maximum => b.count < a.count ? b : a

/** A number of one for each of the other; each part has to be bounded, unless one of them is nothing at all. */
export const product = (...parts: ReadonlyArray<Maximum>): Maximum =>
  make(
    parts.some(({ count }) => count === 0) ? 0 : parts.reduce((count, part) => count * part.count, 1),
    ...parts.flatMap(({ assumptions }) => assumptions)
  )
